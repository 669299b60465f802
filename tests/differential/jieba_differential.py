#!/usr/bin/env python3
"""Compares `neardup tokenize`, with and without parts of speech, and `neardup keywords` with the installed Python package jieba 0.42.1, over the Chinese corpora.

usage: jieba_differential.py [--whole] [--sample N] [CORPUS.jsonl[.zst]...]

Without a corpus: all zh-*.jsonl.zst of shared/data (NEARDUP_SHARED, or `shared` next to the repository), of each N evenly spaced
documents (200), or all with --whole; also random strings and pairs of dictionary words. NEARDUP_BIN names the program. Prints one line a
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
    ("keywords", ["keywords", "--topk", "200"],
     lambda jieba, text: [list(pair) for pair in jieba.analyse.extract_tags(text, topK=200, withWeight=True)]),
    ("pos", ["tokenize", "--pos"], lambda jieba, text: [[pair.word, pair.flag] for pair in jieba.posseg.cut(text)]),
    ("pos-no-hmm", ["tokenize", "--pos", "--no-hmm"], lambda jieba, text: [[pair.word, pair.flag] for pair in jieba.posseg.cut(text, HMM=False)]),
    ("pos-keywords", ["keywords", "--topk", "200", "--allow-pos", ",".join(NOUNS)],
     lambda jieba, text: [list(pair) for pair in jieba.analyse.extract_tags(text, topK=200, withWeight=True, allowPOS=NOUNS)]),
)
MAX_UNLISTED = 40  # characters without listed states: jieba.posseg tries all of its states for each, which takes 10 ms
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
    return jieba


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


def ours(program, arguments, texts):
    """The lists that the program gives, in order."""
    with tempfile.TemporaryDirectory(prefix="neardup-jieba-") as folder:
        corpus = pathlib.Path(folder, "corpus.jsonl")
        with open(corpus, "w", encoding="utf-8") as file:
            for text in texts:
                file.write(json.dumps({"text": text}) + "\n")
        with subprocess.Popen([program, *arguments, "--quiet", str(corpus)], stdout=subprocess.PIPE) as process:
            for line in process.stdout:
                record = json.loads(line)
                if "tags" in record:
                    yield [list(pair) for pair in zip(record["tokens"], record["tags"], strict=True)]
                else:
                    yield record["tokens"] if "tokens" in record else record["keywords"]
        if process.returncode != 0:
            raise RuntimeError(f"{program} ended with {process.returncode}")


def has_many_unlisted(jieba, text):
    listed = jieba.posseg.char_state_tab_P
    return sum("\u4e00" <= c <= "\u9fd5" and c not in listed for c in text) > MAX_UNLISTED


def compare(name, program, jieba, texts):
    differences = 0
    for mode, arguments, reference in MODES:
        outputs = ours(program, arguments, texts)
        for number, text in enumerate(texts):
            got = next(outputs, None)
            if "pos" in mode and has_many_unlisted(jieba, text):
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
    print(f"{name}: {len(texts)} documents, {size} bytes, {len(MODES)} modes, {differences} differences", flush=True)
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("corpora", nargs="*")
    arguments = parser.parse_args()
    program = os.environ.get("NEARDUP_BIN", "neardup")
    root = pathlib.Path(os.environ.get("NEARDUP_SHARED") or pathlib.Path(__file__).resolve().parents[2].parent / "shared")
    corpora = arguments.corpora or sorted(str(path) for path in (root / "data").glob("zh-*.jsonl.zst") if ".pairs." not in path.name)
    try:
        jieba = load_jieba()
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    # Surrogates are not text; the generator makes none that survive.
    differences = compare("generated", program, jieba, [text.encode("utf-8", "ignore").decode() for text in generated(jieba)])
    for path in corpora:
        texts = list(read_corpus(path))
        if not arguments.whole:
            texts = [texts[i * len(texts) // arguments.sample] for i in range(arguments.sample)] if len(texts) > arguments.sample else texts
        differences += compare(pathlib.Path(path).name, program, jieba, texts)
    print(f"total: {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
