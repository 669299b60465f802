"""The scan rule, as the sentence says it, over real strings: the judge of `neardup dedup` and `neardup pairs`.

Nothing is shared with the engine: features are the shingles themselves and not hashes, similarities are fractions, and every document
is compared with every kept one. Good for texts of ASCII letters, Chinese characters and blanks, which is what corpora.py makes.
"""
import collections
import math
import re
import unicodedata
from fractions import Fraction

CJK = "\u2e80-\u2fff\u3001-\u303f\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
SINGLE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
WHITE = "\t\n\v\f\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def normalize(text, recipe):
    text = re.sub(f"(?<=[{CJK}])[{WHITE}]+(?=[{CJK}])", "", text)
    text = unicodedata.normalize("NFKC", text)
    text = unicodedata.normalize("NFKC", text.casefold() if recipe == "words-5" else text.lower())
    return re.sub(f"[{WHITE}]+", " ", text).strip(" ")


def words(text):
    tokens, current = [], ""
    for character in text:
        if SINGLE.match(character):
            tokens += [current, character]
            current = ""
        elif unicodedata.category(character)[0] in "LM" or unicodedata.category(character) == "Nd":
            current += character
        else:
            tokens.append(current)
            current = ""
    return [token for token in [*tokens, current] if token]


def shingles(text, recipe):
    """In the order of the text, with repetitions."""
    normalized = normalize(text, recipe)
    if recipe == "words-5":
        tokens = words(normalized)
        return [" ".join(tokens[i:i + 5]) for i in range(len(tokens) - 4)]
    if len(normalized) < 5:
        return [normalized] if normalized else []
    return [normalized[i:i + 5] for i in range(len(normalized) - 4)]


def features(text, recipe):
    return frozenset(shingles(text, recipe))


def scan(order, match, reference=0, protected=(), spared=None):
    """{document: keeper} of the removed ones. `order` is the rank order; the first `reference` documents are a corpus that is there
    already: all of it is kept, and ranks before the others. The `protected` documents come next, and are kept, too: `spared` gets those
    of them that match a kept document, with that document."""
    kept = [document for document in order if document < reference]
    keepers = {}
    for document in sorted(order, key=lambda document: document not in protected):
        if document < reference:
            continue
        keeper = next((keeper for keeper in kept if match(keeper, document)), None)
        if keeper is None or document in protected:
            kept.append(document)
        if keeper is not None:
            (keepers if document not in protected else spared if spared is not None else {})[document] = keeper
    return keepers


def components(order, match, reference=0, protected=(), spared=None):
    """{document: keeper} of the removed ones: the first in rank order of each connected group. Two reference documents do not connect."""
    ranked = sorted(order, key=lambda document: (document >= reference, document not in protected))
    rank = {document: place for place, document in enumerate(ranked)}
    leader = {document: document for document in ranked}

    def find(document):
        while leader[document] != document:
            document = leader[document]
        return document

    for place, document in enumerate(ranked):
        for other in ranked[:place]:
            if (document >= reference or other >= reference) and match(other, document):
                first, second = sorted((find(document), find(other)), key=rank.get)
                leader[second] = first
    connected = {document: find(document) for document in ranked[reference:] if find(document) != document}
    if spared is not None:
        spared |= {document: keeper for document, keeper in connected.items() if document in protected}
    return {document: keeper for document, keeper in connected.items() if document not in protected}


def place(row):
    return row["source"], str(row["row"])


def keeper_place(row):
    """Of the verdict of a kept document its own."""
    return (row["keeper_source"], str(row["keeper_row"])) if row["verdict"] == "remove" else place(row)


def clusters(rows):
    """For each of all verdicts of a run: the id and the size of its cluster. The keeper is a member, also one that has no verdict because
    it is of a reference corpus or an index."""
    found = []
    for row in rows:
        keeper = keeper_place(row)
        members = {keeper} | {place(other) for other in rows if keeper_place(other) == keeper}
        found.append((":".join(keeper), len(members)))
    return found


class Oracle:
    """Of a list of texts."""

    def __init__(self, texts, recipe, threshold, min_length=0):
        """Texts of fewer than `min_length` characters have no features."""
        self.threshold = Fraction(threshold)
        self.normalized = [normalize(text, recipe) for text in texts]
        self.features = [features(text, recipe) if len(normalized) >= min_length else frozenset() for text, normalized in
                         zip(texts, self.normalized)]

    def similarity(self, a, b):
        """Of two that match; None of two that do not."""
        if self.normalized[a] == self.normalized[b]:
            return Fraction(1)
        x, y = self.features[a], self.features[b]
        if not x or not y:
            return None
        common = len(x & y)
        similarity = Fraction(common, len(x) + len(y) - common)
        return similarity if similarity >= self.threshold else None

    def pairs(self):
        found = {}
        for b in range(len(self.features)):
            for a in range(b):
                similarity = self.similarity(a, b)
                if similarity is not None:
                    found[a, b] = similarity
        return found

    def match(self, a, b):
        return self.similarity(a, b) is not None

    def scan(self, order, reference=0, protected=(), spared=None):
        """{document: (keeper, similarity)} of the removed ones. `order` is the rank order; the first `reference` documents are a corpus
        that is there already."""
        removed = scan(order, self.match, reference, protected, spared)
        return {document: (keeper, self.similarity(keeper, document)) for document, keeper in removed.items()}

    def components(self, order, reference=0, protected=(), spared=None):
        """{document: keeper}: the first of each connected group in rank order stays."""
        return components(order, self.match, reference, protected, spared)


class ContainmentOracle(Oracle):
    """The measure is the share of the features of the second text that the first one has."""

    def __init__(self, texts, recipe, threshold, min_contained=20, min_jaccard="0", min_length=0):
        super().__init__(texts, recipe, threshold, min_length)
        self.min_contained = min_contained
        self.min_jaccard = Fraction(min_jaccard)

    def similarity(self, a, b):
        """The containment of b in a; None if b is not contained."""
        if self.normalized[a] == self.normalized[b]:
            return Fraction(1)
        container, contained = self.features[a], self.features[b]
        if not container or len(contained) < max(self.min_contained, 1):
            return None
        common = len(container & contained)
        containment = Fraction(common, len(contained))
        jaccard = Fraction(common, len(container) + len(contained) - common)
        return containment if containment >= self.threshold and jaccard >= self.min_jaccard else None

    def pairs(self):
        """{(contained, container): containment}"""
        found = {}
        for a in range(len(self.features)):
            for b in range(len(self.features)):
                if a != b and (containment := self.similarity(b, a)) is not None:
                    found[a, b] = containment
        return found

    def largest_first(self, reference=0):
        """The rank order without a keep policy."""
        return sorted(range(len(self.features)), key=lambda index: (index >= reference, -len(self.features[index]), index))


class WeightedOracle(Oracle):
    """The measure is of features that weigh their occurrences times their IDF: `idf(documents, frequency)`."""

    def __init__(self, texts, recipe, threshold, measure, idf):
        super().__init__(texts, recipe, threshold)
        self.measure = measure
        counts = [collections.Counter(shingles(text, recipe)) for text in texts]
        frequencies = collections.Counter(shingle for count in counts for shingle in count)
        self.weights = [{shingle: min(times * idf(len(texts), frequencies[shingle]), 2**31 - 1) for shingle, times in count.items()}
                        for count in counts]

    def similarity(self, a, b):
        if self.normalized[a] == self.normalized[b]:
            return Fraction(1)
        x, y = self.weights[a], self.weights[b]
        if not x or not y:
            return None
        if self.measure == "cosine":
            dot = sum(weight * y.get(shingle, 0) for shingle, weight in x.items())
            squares = sum(weight**2 for weight in x.values()) * sum(weight**2 for weight in y.values())
            similarity = Fraction(math.isqrt(10**12 * dot**2 // squares), 10**6)  # rounded down
        else:
            larger = sum(max(x.get(shingle, 0), y.get(shingle, 0)) for shingle in x.keys() | y.keys())
            similarity = Fraction(10**6 * sum(min(weight, y.get(shingle, 0)) for shingle, weight in x.items()) // larger, 10**6)
        return similarity if similarity >= self.threshold else None


def rank_order(documents, policy):
    """The indexes of `documents` (dictionaries with source, text and perhaps fields) in the order of a keep policy."""
    def key_of(index):
        document = documents[index]
        keys = []
        for word in policy.split(","):
            if word == "first":
                keys.append(index)
            elif word == "last":
                keys.append(-index)
            elif word == "longest":
                keys.append(-len(document["text"].encode("utf-8")))
            elif word == "shortest":
                keys.append(len(document["text"].encode("utf-8")))
            elif word == "source-order":
                keys.append(document["source"])
            else:
                direction, field = word.split(":")
                value = document.get(field)
                number = isinstance(value, (int, float)) and not isinstance(value, bool)
                keys.append((0, -value if direction == "max" else value) if number else (1, 0))
        return keys, index
    return sorted(range(len(documents)), key=key_of)
