#!/usr/bin/env python3
"""The widely copied recipe: what `neardup dedup` keeps against what the Python recipe keeps, document by document.

The recipe: jieba, the best 30 or 200 keywords by TF-IDF, weights floor(w * n), the package simhash, distance <= 3, the first one wins. n is
the number of keywords or, in some copies, of characters. python_recipe.py runs it with the packages jieba and simhash on the same
documents (--peers names a Python that has them). Every document whose fate differs is put into one of these classes:

  no keywords     Python gives every such text the fingerprint 0, so that all but the first are removed, and with them any text whose
                  fingerprint is near 0; neardup has no fingerprint for them (law 5) and removes exact copies only
  follows         it is near an earlier document whose own verdict differs
  fingerprint     the fingerprints differ: never expected
  unexplained     none of these: never expected
"""
import collections
import json
import pathlib
import subprocess
import sys

import common
from report import Report

SETS = {"zh-wiki": ("text", False), "zh-law-articles": ("text", False), "html-libreoffice": ("html", True)}
VARIANTS = ["200:keywords", "30:keywords", "200:characters"]
DISTANCE = 3


def recipe_file(options, variant, tags):
    """The preset python-simhash-keywords with other numbers, as a file."""
    recipe = json.loads((common.ROOT / "recipes/python-simhash-keywords.json").read_text(encoding="utf-8"))
    top, scale = variant.split(":")
    recipe["weighting"]["top_k"] = int(top)
    recipe["sketch"]["scale"] = scale
    if tags:
        recipe["clean"] = ["tags_v1"]
    path = options.work / f"copied-{top}-{scale}{'-tags' if tags else ''}.json"
    path.write_text(json.dumps(recipe), encoding="utf-8")
    return path


def run_python(options, path, field, tags):
    out = options.work / f"copied-{path.stem}.python.jsonl"
    if options.fresh or not out.exists():
        part = out.with_suffix(".part")
        common.run([options.peers, common.ROOT / "bench/python_recipe.py", path, field, "tags" if tags else "no-tags", DISTANCE, part,
                    *VARIANTS], options.work)
        part.rename(out)
    return common.read_records(out)


def run_own(options, path, field, recipe):
    """(verdicts in the order of the input, {id: fingerprint or None})."""
    verdicts, sketches = options.work / "copied-verdicts.jsonl", options.work / "copied-sketches.jsonl"
    more = ["--recipe", recipe, "--text-field", field]
    common.run([options.neardup, "dedup", path, *more, "--max-distance", DISTANCE, "--verdicts", verdicts], options.work)
    common.run([options.neardup, "sketch", path, *more, "-o", sketches], options.work)
    made = common.read_records(verdicts), {row["id"]: row.get("fingerprint") for row in common.read_records(sketches)}
    verdicts.unlink()
    sketches.unlink()
    return made


def near(a, b):
    return bin(int(a, 16) ^ int(b, 16)).count("1") <= DISTANCE


def explain(differing, python, fingerprints):
    """The class of each document that only one of the two keeps."""
    classes = collections.defaultdict(list)
    explained = set()
    for name in differing:  # in the order of the input: an earlier difference explains a later one
        theirs = python[name]
        if theirs["keywords"] == 0:
            kind = "no keywords"
        elif fingerprints[name] != theirs["fingerprint"]:
            kind = "fingerprint"
        elif any(near(theirs["fingerprint"], python[other]["fingerprint"]) for other in explained):
            kind = "follows"
        elif not theirs["kept"] and near(theirs["fingerprint"], "0" * 16):
            kind = "no keywords"
        else:
            kind = "unexplained"
        if kind in ("no keywords", "follows"):
            explained.add(name)
        classes[kind].append(name)
    return classes


def compare(options, data_name, variant, rows):
    """True if both keep the same documents wherever the Python recipe has a fingerprint of keywords."""
    field, tags = SETS[data_name]
    path = common.plain(options, f"{data_name}.jsonl")
    records = run_python(options, path, field, tags)
    python = {record["id"]: record[variant] for record in records}
    if len(python) != len(records):
        raise RuntimeError(f"{data_name}: two documents have one id")
    verdicts, fingerprints = run_own(options, path, field, recipe_file(options, variant, tags))
    own_kept = {verdict["id"] for verdict in verdicts if verdict["verdict"] == "keep"}
    with_words = [name for name, row in python.items() if row["keywords"] > 0]
    other_bits = [name for name in with_words if fingerprints[name] != python[name]["fingerprint"]]
    differing = [name for name, row in python.items() if row["kept"] != (name in own_kept)]
    classes = explain(differing, python, fingerprints)
    for kind, names in classes.items():
        common.say(f"  {data_name} {variant}: {kind}: {', '.join(map(repr, names[:5]))}{' ...' if len(names) > 5 else ''}")
    kept = sum(row["kept"] for row in python.values())
    rows.append([data_name, variant, len(python), len(python) - len(with_words), len(other_bits), kept, len(own_kept), len(differing),
                 "; ".join(f"{len(names)} {kind}" for kind, names in sorted(classes.items())) or "-"])
    return not other_bits and not classes.keys() - {"no keywords", "follows"}


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--peers", type=pathlib.Path, required=True, help="a Python with jieba, simhash and numpy below 2")
    parser.add_argument("--set", action="append", default=[], choices=SETS, help="only this set; may be repeated")
    parser.add_argument("--fresh", action="store_true", help="run the Python recipe again, although its result is in the work folder")
    options = common.parse(parser)
    if subprocess.run([options.peers, "-c", "import jieba, simhash"], capture_output=True, check=False).returncode != 0:
        sys.exit(f"{options.peers} has no jieba or no simhash")
    report = Report(options, "copied_recipe")
    rows = report.table(["set", "topK : n", "documents", "without keywords", "other fingerprints", "Python keeps", "neardup keeps",
                         "differ", "because"], on_page=False)
    for name in options.set or SETS:
        equal = []
        for variant in VARIANTS:
            common.say(f"{name}: {variant}")
            equal.append(compare(options, name, variant, rows))
        report.bar(f"{name}: keeps what the Python recipe keeps, texts without keywords aside", f"{sum(equal)} of {len(equal)} variants",
                   all(equal))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
