"""docs/segmentation.md: cutting by a dictionary and an HMM, and keywords. Follows the page, word for word, with no care for speed."""
import math
import re

from recipe_reference.text import is_white

NEVER = -3.14e100
LETTERS = re.compile(r"[a-zA-Z0-9]")
BEFORE = {"B": "ES", "M": "MB", "S": "SE", "E": "BM"}


def is_han(character):
    return "\u4e00" <= character <= "\u9fd5"


def is_block(character):
    return is_han(character) or re.match(r"[a-zA-Z0-9+#&._%-]", character) is not None


def pieces(text, is_inside):
    """Maximal runs of characters that are inside and of those that are not: (run, inside)."""
    out = []
    for character in text:
        inside = is_inside(character)
        if out and out[-1][1] == inside:
            out[-1] = (out[-1][0] + character, inside)
        else:
            out.append((character, inside))
    return out


class Dictionary:
    def __init__(self, words, idf=None, hmm=None, stop_words=()):
        """words: (word, frequency) pairs in the order of the file; hmm: (start, transition, emission), as dictionaries of logarithms."""
        self.frequency, self.total, self.force_split = {}, 0, set()
        self.idf, self.hmm, self.stop_words = idf or {}, hmm, set(stop_words)
        for word, frequency in words:
            self.put(word, frequency)

    def put(self, word, frequency):
        self.frequency[word] = frequency
        self.total += frequency
        for end in range(1, len(word)):
            self.frequency.setdefault(word[:end], 0)

    def add_user_word(self, word, frequency=None):
        if frequency is None:
            share = 1.0
            for piece in cut(word, self, hmm=False):
                share *= self.frequency.get(piece, 1) / self.total
            frequency = max(int(share * self.total) + 1, self.frequency.get(word, 1))
        self.put(word, frequency)
        if frequency == 0:
            self.force_split.add(word)

    def ends(self, block, begin):
        """Where the words of the block end that begin there."""
        found = []
        for end in range(begin + 1, len(block) + 1):
            if block[begin:end] not in self.frequency:
                break
            if self.frequency[block[begin:end]] > 0:
                found.append(end)
        return found or [begin + 1]

    def weight(self, word):
        return math.log(self.frequency.get(word) or 1) - math.log(self.total)


def route_of(block, dictionary):
    """The words of the best way through a block."""
    score, way = [0.0] * (len(block) + 1), [0] * len(block)
    for k in reversed(range(len(block))):
        score[k], way[k] = max((dictionary.weight(block[k:end]) + score[end], end) for end in dictionary.ends(block, k))
    words, k = [], 0
    while k < len(block):
        words.append(block[k:way[k]])
        k = way[k]
    return words


def viterbi(run, hmm):
    start, transition, emission = hmm
    value = {state: start[state] + emission[state].get(run[0], NEVER) for state in "BMES"}
    ways = {state: state for state in "BMES"}
    for character in run[1:]:
        best = {state: max((value[before] + transition[before].get(state, NEVER) + emission[state].get(character, NEVER), before)
                           for before in BEFORE[state]) for state in "BMES"}
        ways = {state: ways[best[state][1]] + state for state in "BMES"}
        value = {state: best[state][0] for state in "BMES"}
    return ways["S" if value["S"] >= value["E"] else "E"]


def cut_by_hmm(run, dictionary):
    tokens = []
    for piece, han in pieces(run, is_han):
        if not han:
            tokens += [part for part in re.split(r"([a-zA-Z0-9]+(?:\.[0-9]+)?%?)", piece) if part]
            continue
        made = []
        for character, state in zip(piece, viterbi(piece, dictionary.hmm)):
            if state in "BS" or not made:
                made.append(character)
            else:
                made[-1] += character
        for token in made:
            tokens += list(token) if token in dictionary.force_split else [token]
    return tokens


def cut_block(block, dictionary, hmm):
    tokens, run = [], ""
    for word in [*route_of(block, dictionary), None]:
        if word is not None and len(word) == 1 and (hmm or LETTERS.fullmatch(word)):
            run += word
            continue
        if not hmm:
            tokens += [run] if run else []
        elif dictionary.frequency.get(run, 0) > 0:
            tokens += list(run)
        elif run:
            tokens += cut_by_hmm(run, dictionary) if len(run) > 1 else [run]
        run = ""
        tokens += [word] if word is not None else []
    return tokens


def cut(text, dictionary, hmm=True):
    tokens = []
    for piece, block in pieces(text, is_block):
        tokens += cut_block(piece, dictionary, hmm) if block else re.findall(r"\r\n|.", piece, re.DOTALL)
    return tokens


def cut_for_search(text, dictionary):
    tokens = []
    for token in cut(text, dictionary):
        for size in (2, 3):
            if len(token) > size:
                parts = [token[i:i + size] for i in range(len(token) - size + 1)]
                tokens += [part for part in parts if dictionary.frequency.get(part, 0) > 0]
        tokens.append(token)
    return tokens


def full_block(block, dictionary):
    tokens, letters, covered = [], "", 0
    for k, character in enumerate(block):
        ends = dictionary.ends(block, k)
        if letters and not LETTERS.fullmatch(character):
            tokens.append(letters)
            letters = ""
        if len(ends) == 1 and k >= covered:
            covered = ends[0]
            if LETTERS.fullmatch(character):
                letters += block[k:covered]
            else:
                tokens.append(block[k:covered])
            continue
        for end in ends:
            if end > k + 1:
                tokens.append(block[k:end])
                covered = end
    return tokens + ([letters] if letters else [])


def cut_full(text, dictionary):
    tokens = []
    for piece, block in pieces(text, is_block):
        if block:
            tokens += full_block(piece, dictionary)
            continue
        begin = 0
        for at, character in enumerate(piece):
            if is_white(character) and not (character == "\n" and piece[at - 1:at] == "\r"):
                end = at + 2 if piece[at:at + 2] == "\r\n" else at + 1
                tokens += [piece[begin:at], piece[at:end]]
                begin = end
        tokens.append(piece[begin:])
    return tokens


def keywords(text, dictionary, top=0):
    """(word, weight) pairs, heaviest first."""
    median = sorted(dictionary.idf.values())[len(dictionary.idf) // 2]
    counts = {}
    for token in cut(text, dictionary):
        if len(token.strip()) >= 2 and token.lower() not in dictionary.stop_words:
            counts[token] = counts.get(token, 0) + 1
    total = sum(counts.values())
    weighted = [(word, count * (dictionary.idf.get(word, median) / total)) for word, count in counts.items()]
    weighted.sort(key=lambda pair: -pair[1])
    return weighted[:top] if top else weighted
