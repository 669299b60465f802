#!/usr/bin/env python3
"""Compares `neardup tokenize`, with and without parts of speech, and `neardup keywords` with the installed Python package jieba 0.42.1, over the Chinese corpora.

usage: jieba_differential.py [--whole] [--sample N] [--modes NAME,...] [--changes N] [--seed N] [CORPUS.jsonl[.zst]...]

Without a corpus: all zh-*.jsonl.zst of shared/data (NEARDUP_SHARED, or `shared` next to the repository), of each N evenly spaced
documents (200), or all with --whole; also random strings and pairs of dictionary words; and N random sets of user words (200; 2000 with
--whole) with a user dictionary, --add-word, --del-word, --suggest-freq and `dict suggest`. NEARDUP_BIN names the program. Prints one line a
corpus; exit code 1 when anything differs, 77 when there is nothing to compare with.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

NOUNS = ("n", "v", "ns", "nr", "vn")
MODES = (
    ("cut", ["tokenize"], lambda jieba, text: jieba.lcut(text)),
    ("no-hmm", ["tokenize", "--no-hmm"], lambda jieba, text: jieba.lcut(text, HMM=False)),
    ("full", ["tokenize", "--mode", "full"], lambda jieba, text: jieba.lcut(text, cut_all=True)),
    ("search", ["tokenize", "--mode", "search"], lambda jieba, text: jieba.lcut_for_search(text)),
    ("offsets", ["tokenize", "--offsets"], lambda jieba, text: [list(token) for token in jieba.tokenize(text)]),
    ("search-offsets", ["tokenize", "--offsets", "--mode", "search"], lambda jieba, text: [list(token) for token in jieba.tokenize(text, mode="search")]),
    ("keywords", ["keywords", "--topk", "200"],
     lambda jieba, text: [list(pair) for pair in jieba.analyse.extract_tags(text, topK=200, withWeight=True)]),
    ("pos", ["tokenize", "--pos"], lambda jieba, text: [[pair.word, pair.flag] for pair in jieba.posseg.cut(text)]),
    ("pos-no-hmm", ["tokenize", "--pos", "--no-hmm"], lambda jieba, text: [[pair.word, pair.flag] for pair in jieba.posseg.cut(text, HMM=False)]),
    ("pos-keywords", ["keywords", "--topk", "200", "--allow-pos", ",".join(NOUNS)],
     lambda jieba, text: [list(pair) for pair in jieba.analyse.extract_tags(text, topK=200, withWeight=True, allowPOS=NOUNS)]),
)
MAX_UNLISTED = 40  # of a generated text, characters without listed states: jieba.posseg tries all of its states for each, which takes 10 ms
TEXTS = 3  # cut with each set of user words
SHOWN = 3


def load_jieba():
    """The package with its dictionary made from dict.txt: its own cache is never checked for age."""
    import jieba
    import jieba.analyse
    import jieba.posseg
    jieba.setLogLevel(60)
    if jieba.__version__ != "0.42.1":
        raise ImportError(f"jieba is {jieba.__version__}, not 0.42.1")
    jieba.dt.FREQ, jieba.dt.total = jieba.dt.gen_pfdict(jieba.dt.get_dict_file())
    jieba.dt.initialized = True
    remember_paths(jieba.posseg)
    return jieba


def remember_paths(posseg):
    """Finds the states of the same run of characters only once, which takes most of the time of a whole comparison."""
    find, known = posseg.viterbi, {}

    def viterbi(run, *tables):
        if run not in known:
            known[run] = find(run, *tables)
        return known[run]
    posseg.viterbi = viterbi


def read_corpus(path):
    command = ["zstd", "-qdc", path] if str(path).endswith(".zst") else ["cat", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            yield json.loads(line)["text"]


def generated(jieba):
    """Random characters of all kinds, words next to words, every Han character alone and twice."""
    rng = random.Random(42)
    words = sorted(word for word, count in jieba.dt.FREQ.items() if count)
    singles = [chr(c) for c in range(0x4E00, 0x9FD6)]
    yield "\n".join(singles)
    yield "\n".join(c + c for c in singles)
    for begin in range(0, len(words), 5000):
        yield "\n".join(words[begin:begin + 5000])
    yield "".join(rng.choice(words) for _ in range(60000))  # one block, longer than a batch
    yield "".join(rng.choice(singles) for _ in range(100000))
    ascii_pool = "abzABZ0123459+#&._%- \r\n\t,"
    for _ in range(400):
        yield "".join(rng.choice(words) for _ in range(400))
        yield "".join(rng.choice(rng.choice(words)) for _ in range(400))
        yield "".join(rng.choice(ascii_pool) if rng.random() < .7 else rng.choice(rng.choice(words)) for _ in range(400))
        yield "".join(chr(rng.choice((0x20, 0x3000, 0x3400, 0x4E00, 0x9FD0, 0xAC00, 0xFF10, 0x20000, 0x80, 0x2020)) + rng.randrange(48))
                      for _ in range(200))
        yield "".join(rng.choice(singles) for _ in range(300))
    for _ in range(40):
        yield "".join(rng.choice(singles) for _ in range(20))


def listed(record):
    """A line of the program as jieba would give it."""
    if "offsets" in record:
        return [[token, *place] for token, place in zip(record["tokens"], record["offsets"], strict=True)]
    if "tags" in record:
        return [list(pair) for pair in zip(record["tokens"], record["tags"], strict=True)]
    return record["tokens"] if "tokens" in record else record["keywords"]


def ours(program, arguments, texts):
    """The lists that the program gives, in order."""
    with tempfile.TemporaryDirectory(prefix="neardup-jieba-") as folder:
        corpus = pathlib.Path(folder, "corpus.jsonl")
        with open(corpus, "w", encoding="utf-8") as file:
            for text in texts:
                file.write(json.dumps({"text": text}) + "\n")
        with subprocess.Popen([program, *arguments, "--quiet", str(corpus)], stdout=subprocess.PIPE) as process:
            for line in process.stdout:
                yield listed(json.loads(line))
        if process.returncode != 0:
            raise RuntimeError(f"{program} ended with {process.returncode}")


def has_many_unlisted(jieba, text):
    listed = jieba.posseg.char_state_tab_P
    return sum("\u4e00" <= c <= "\u9fd5" and c not in listed for c in text) > MAX_UNLISTED


def compare(name, program, jieba, texts, modes):
    differences = 0
    skipped = 0
    for mode, arguments, reference in modes:
        outputs = ours(program, arguments, texts)
        for number, text in enumerate(texts):
            got = next(outputs, None)
            if "pos" in mode and name == "generated" and has_many_unlisted(jieba, text):
                skipped += 1
                continue
            wanted = reference(jieba, text)
            if got != wanted:
                differences += 1
                if differences <= SHOWN:
                    print(f"{name}: document {number}, {mode}: {text[:200]!r}\n  ours:   {got!r:.400}\n  theirs: {wanted!r:.400}")
        if next(outputs, None) is not None:
            differences += 1
            print(f"{name}: {mode}: more lines than documents")
    size = sum(len(text.encode()) for text in texts)
    print(f"{name}: {len(texts)} documents, {size} bytes, {len(modes)} modes, {skipped} skipped, {differences} differences", flush=True)
    return differences


class UserWords:
    """Random changes of the dictionary, as options of the program and as calls of the package."""

    def __init__(self, jieba, program, seed):
        self.jieba, self.program, self.rng = jieba, program, random.Random(seed)
        self.words = sorted(word for word, count in jieba.dt.FREQ.items() if count)
        jieba.posseg.dt.makesure_userdict_loaded()
        self.tags = dict(jieba.posseg.dt.word_tag_tab)

    def word(self):
        kind = self.rng.randrange(8)
        if kind < 3:
            return self.rng.choice(self.words)
        if kind < 5:
            return self.rng.choice(self.words) + self.rng.choice(self.words)
        if kind == 5:
            return "".join(chr(self.rng.randrange(0x4E00, 0x9FD6)) for _ in range(self.rng.randint(1, 4)))
        if kind == 6:
            return "".join(self.rng.choice("abXY01+#&._%-") for _ in range(self.rng.randint(1, 4)))
        return self.rng.choice(self.words)[0] + self.rng.choice("·γ々ＡT-") + self.rng.choice(self.words)

    def changed(self, folder):
        """Options of the program; a tokenizer and a tagger of the package with the same changes; the words."""
        rng, package = self.rng, self.jieba
        package.finalseg.Force_Split_Words.clear()
        tokenizer = package.Tokenizer()
        tokenizer.FREQ, tokenizer.total, tokenizer.initialized = dict(package.dt.FREQ), package.dt.total, True
        options, used = [], []
        frequency = lambda: rng.choice((None, None, 0, 1, 3, 50, 20000, 10 ** 7))
        tag = lambda: rng.choice((None, "n", "nz", "own"))
        lines = []
        for _ in range(rng.choice((0, 0, 1, 3))):
            used.append(self.word())
            lines.append(" ".join(str(part) for part in (used[-1], frequency(), tag()) if part is not None))
        if lines:
            file = pathlib.Path(folder, "user.txt")
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            tokenizer.load_userdict(str(file))
            options.append(f"--user-dict={file}")
        for _ in range(rng.randrange(4)):
            used.append(self.word())
            count, name = frequency(), tag()
            tokenizer.add_word(used[-1], count, name)
            options.append(f"--add-word={used[-1]}" + (f":{'' if count is None else count}:{name}" if name else f":{count}" if count is not None else ""))
        for _ in range(rng.randrange(3)):
            used.append(rng.choice(used) if used and rng.random() < .5 else self.word())
            tokenizer.del_word(used[-1])
            options.append(f"--del-word={used[-1]}")
        for _ in range(rng.randrange(3)):
            word = rng.choice(used) if used and rng.random() < .3 else self.word()
            cuts = sorted(rng.sample(range(1, len(word)), rng.randrange(0, min(3, len(word)))))
            pieces = [word[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(word)])]
            tokenizer.suggest_freq(word if len(pieces) == 1 else tuple(pieces), tune=True)
            options.append(f"--suggest-freq={'/'.join(pieces)}")
            used.append(word)
        tagger = package.posseg.POSTokenizer(tokenizer)
        tagger.word_tag_tab, tagger.initialize = dict(self.tags), lambda dictionary=None: None
        return options, tokenizer, tagger, used

    def text(self, used):
        return "".join(self.rng.choice(used) if used and self.rng.random() < .6 else self.word() for _ in range(self.rng.randint(1, 12)))

    def check(self, number):
        """Cuts texts with one set of words, in one mode. Returns the number of differences."""
        modes = (([], lambda tokenizer, _, text: [list(token) for token in tokenizer.tokenize(text)]),
                 (["--no-hmm"], lambda tokenizer, _, text: [list(token) for token in tokenizer.tokenize(text, HMM=False)]),
                 (["--mode=search"], lambda tokenizer, _, text: [list(token) for token in tokenizer.tokenize(text, mode="search")]),
                 (["--mode=full"], lambda tokenizer, _, text: tokenizer.lcut(text, cut_all=True)),
                 (["--pos"], lambda _, tagger, text: [[pair.word, pair.flag] for pair in tagger.cut(text)]),
                 (["--pos", "--no-hmm"], lambda _, tagger, text: [[pair.word, pair.flag] for pair in tagger.cut(text, HMM=False)]))
        mode, reference = modes[number % len(modes)]
        offsets = [] if "--pos" in mode or "--mode=full" in mode else ["--offsets"]
        with tempfile.TemporaryDirectory(prefix="neardup-jieba-") as folder:
            options, tokenizer, tagger, used = self.changed(folder)
            texts = [self.text(used) for _ in range(TEXTS)]
            wanted = [reference(tokenizer, tagger, text) for text in texts]
            got = list(ours(self.program, ["tokenize", *mode, *offsets, *options], texts))
        if got == wanted:
            return 0
        print(f"user words {number}: {mode} {options}: {texts!r}\n  ours:   {got!r:.600}\n  theirs: {wanted!r:.600}")
        return 1

    def check_suggestions(self, count):
        """`dict suggest` of many words and pieces at once."""
        segments = []
        for _ in range(count):
            word = self.word()
            cuts = sorted(self.rng.sample(range(1, len(word)), self.rng.randrange(0, min(3, len(word)))))
            segments.append(tuple(word[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(word)])))
        run = subprocess.run([self.program, "dict", "suggest", "--", *("/".join(pieces) for pieces in segments)], stdout=subprocess.PIPE, check=True)
        wanted = [f"{''.join(pieces)} {self.jieba.suggest_freq(pieces[0] if len(pieces) == 1 else pieces)}" for pieces in segments]
        return sum(a != b for a, b in zip(run.stdout.decode().splitlines(), wanted, strict=True))


def compare_user_words(program, jieba, count, seed):
    cases = UserWords(jieba, program, seed)
    differences = sum(cases.check(number) for number in range(count)) + cases.check_suggestions(count)
    jieba.finalseg.Force_Split_Words.clear()
    print(f"user words: {count} random sets, {TEXTS} texts each, {count} suggested frequencies, {differences} differences", flush=True)
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--modes", default="", help="only these")
    parser.add_argument("--changes", type=int, help="random sets of user words")
    parser.add_argument("--seed", type=int, default=42, help="of the sets of user words")
    parser.add_argument("corpora", nargs="*")
    arguments = parser.parse_args()
    chosen = arguments.modes.split(",") if arguments.modes else [mode[0] for mode in MODES]
    modes = [mode for mode in MODES if mode[0] in chosen]
    if len(modes) != len(chosen):
        parser.error(f"--modes: expected some of {', '.join(mode[0] for mode in MODES)}")
    changes = arguments.changes if arguments.changes is not None else 2000 if arguments.whole else 200
    program = os.environ.get("NEARDUP_BIN", "neardup")
    root = pathlib.Path(os.environ.get("NEARDUP_SHARED") or pathlib.Path(__file__).resolve().parents[2].parent / "shared")
    corpora = arguments.corpora or sorted(str(path) for path in (root / "data").glob("zh-*.jsonl.zst") if ".pairs." not in path.name)
    try:
        jieba = load_jieba()
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    differences = compare_user_words(program, jieba, changes, arguments.seed) if changes else 0
    # Surrogates are not text; the generator makes none that survive.
    differences += compare("generated", program, jieba, [text.encode("utf-8", "ignore").decode() for text in generated(jieba)], modes)
    for path in corpora:
        texts = list(read_corpus(path))
        if not arguments.whole:
            texts = [texts[i * len(texts) // arguments.sample] for i in range(arguments.sample)] if len(texts) > arguments.sample else texts
        differences += compare(pathlib.Path(path).name, program, jieba, texts, modes)
    print(f"total: {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
