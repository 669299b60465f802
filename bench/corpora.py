"""The large inputs of speed.py and memory.py: real text, multiplied by make_corpus with planted near-duplicates."""
import dataclasses
import json

import common

ENGLISH = ("en-proc-codes", "en-books", "en-docs-versions", "en-licenses", "en-rev-apisix")
CHINESE = ("zh-law-articles", "zh-wiki", "zh-docs-versions", "zh-classical")


@dataclasses.dataclass
class Corpus:
    """`planted` is such that the recipe removes about 30 % of the documents at 0.8; what the sets have of their own is part of these."""

    name: str
    recipe: str
    sets: tuple
    planted: float


CORPORA = {made.name: made for made in (
    Corpus("english", "words-5", ENGLISH, 0.26),
    Corpus("english-chars", "chars-5", ENGLISH, 0.02),
    Corpus("chinese", "chars-5", CHINESE, 0.38),
)}
EDITS = 0.01  # share of words that a planted near-duplicate replaces


def make(options, corpus, megabytes):
    """The path of the corpus; it is made once per work folder."""
    path = options.work / f"{corpus.name}-{megabytes:g}-{corpus.planted:g}.jsonl"
    if not path.exists():
        common.say(f"making {path.name}")
        part = path.with_suffix(".part")
        common.run([common.tool(options, "make_corpus"), "--mb", megabytes, "--planted", corpus.planted, "--edits", EDITS, "--out", part,
                    *(common.plain(options, f"{name}.jsonl") for name in corpus.sets)], options.work)
        part.rename(path)
    return path


def cut(options, path, megabytes):
    """The first megabytes of a file, in whole lines."""
    made = options.work / f"{path.stem}-first-{megabytes:g}.jsonl"
    with open(path, "rb") as source, open(made, "wb") as target:
        target.writelines(source.readlines(int(megabytes * 1e6)))
    return made


def dedup(options, path, recipe, *more, keep_outputs=False):
    """The measured run: JSON Lines in, kept and verdicts out, verified. Returns (Run, summary, paths of the outputs)."""
    kept, verdicts, summary = (options.work / name for name in ("out-kept.jsonl", "out-verdicts.jsonl", "out-summary.json"))
    command = [options.neardup, "dedup", path, "--recipe", recipe, "-o", kept, "--verdicts", verdicts, "--summary", summary, *more]
    figures = common.run(command, options.work)
    counts = json.loads(summary.read_text(encoding="utf-8"))
    if counts["read"] != counts["kept"] + counts["removed"] + counts["rejected"]:
        raise RuntimeError(f"the counts of {path} do not add up: {counts}")
    if not keep_outputs:
        kept.unlink()
        verdicts.unlink()
    return figures, counts, (kept, verdicts)


def make_short(options, mode, documents):
    """The path of a file of short documents, see make_short.cc; it is made once per work folder."""
    path = options.work / f"{mode}-{documents}.jsonl"
    if not path.exists():
        common.say(f"making {path.name}")
        part = path.with_suffix(".part")
        common.run([common.tool(options, "make_short"), "--mode", mode, "--documents", documents, "--out", part], options.work)
        part.rename(path)
    return path
