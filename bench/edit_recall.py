#!/usr/bin/env python3
"""Recall by kind and strength of edit, for every preset: docs/pictures/edit-recall.svg and the figures in edit-recall.tsv next to it.

`neardup generate` makes every kind and strength of each of a few hundred English and Chinese documents. `neardup pairs` with each preset
and its default threshold (or distance) then finds the copies, or not: the share of copies that it pairs with their original. Of the
negatives, template and quote, the same share counts what it would remove wrongly.

Bar: no preset finds nothing where one word is put before a text, or where 5 % of boilerplate is put after it.
"""
import collections
import json
import subprocess
import sys

import common
import heat_map
from report import Report

CORPORA = {"English": ("en-proc-codes", "en-docs-versions", "en-books", "en-licenses"),
           "Chinese": ("zh-law-articles", "zh-wiki", "zh-passages", "zh-docs-versions")}
STRENGTHS = ("1", "1%", "5%", "20%")
MIN_WORDS = 100  # so that one percent is a word
PICTURE = common.ROOT / "docs/pictures/edit-recall.svg"
FIGURES = common.ROOT / "docs/pictures/edit-recall.tsv"
# Presets of other material: records match only with equal numbers, code is cut as source code.
FEW = 20  # copies; less than that is not shown, such as reordered sentences where texts have one
MAX_DISTANCE = 3  # the default of --max-distance
THRESHOLDS = {"record-chars-2": "0.5", "record-words-1": "0.5"}
NOTE = ["A column is a kind of edit and its strength: one word, or 1, 5, 20 % of the words (ocr: of the letters; punctuation: of the gaps between words).",
        "Presets at their default threshold or distance. Red: no copy is found. template and quote (orange) are not duplicates: there, less is better."]


def presets(options):
    """{name: whether it makes fingerprints}"""
    listed = subprocess.run([options.neardup, "recipe", "--list"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return {line.split()[0]: "fingerprints" in line for line in listed.splitlines()}


def make_copies(options, language, sets):
    """The labelled corpus, with a field that an original shares with its copies: its path, and [record]."""
    out = options.work / f"edits-{language}.jsonl"
    common.run([options.neardup, "generate", *(common.plain(options, f"{name}.jsonl") for name in sets), "-o", out, "--strength", ",".join(STRENGTHS),
                "--copies", 0, "--documents", options.documents, "--min-words", MIN_WORDS, "-q"], options.work)
    records = common.read_records(out)
    with open(out, "w", encoding="utf-8") as file:
        file.writelines(json.dumps({**record, "family": record["of"] or record["id"]}, ensure_ascii=False) + "\n" for record in records)
    return out, records


def pairs_by_similarity(options, corpus, preset):
    out = options.work / "edit-pairs.tsv"
    threshold = ["--threshold", THRESHOLDS[preset]] if preset in THRESHOLDS else []
    # Only pairs of an original and its copies matter; a preset for which most texts are alike would print all of them.
    common.run([options.neardup, "pairs", corpus, "--recipe", preset, *threshold, "--block-on", "family", "-o", out, "-q"], options.work)
    pairs = {common.pair_key(*line.split("\t")[:2]) for line in list(common.lines(out))[1:]}
    out.unlink()
    return pairs


def pairs_by_distance(options, corpus, preset, copies):
    """What `pairs` decides about each copy and its original: exact copies match, and fingerprints within the default distance."""
    out = options.work / "edit-sketches.jsonl"
    common.run([options.neardup, "sketch", corpus, "--recipe", preset, "-o", out, "-q"], options.work)
    sketches = {sketch["id"]: sketch for sketch in common.read_records(out)}
    out.unlink()

    def match(a, b):
        near = not a["too_short"] and not b["too_short"] and (int(a["fingerprint"], 16) ^ int(b["fingerprint"], 16)).bit_count() <= MAX_DISTANCE
        return near or a["exact"] == b["exact"]

    return {common.pair_key(copy["id"], copy["of"]) for copy in copies if match(sketches[copy["id"]], sketches[copy["of"]])}


def measure(options):
    """Rows (language, preset, kind, strength, found, copies)."""
    for language, sets in CORPORA.items():
        corpus, records = make_copies(options, language, sets)
        copies = [record for record in records if record["kind"] != "original"]
        for preset, fingerprints in presets(options).items():
            common.say(f"{language}, {preset}")
            pairs = pairs_by_distance(options, corpus, preset, copies) if fingerprints else pairs_by_similarity(options, corpus, preset)
            counts = collections.defaultdict(lambda: [0, 0])
            for copy in copies:
                count = counts[copy["kind"], copy["strength"] or ""]
                count[0] += common.pair_key(copy["id"], copy["of"]) in pairs
                count[1] += 1
            for (kind, strength), (found, of) in counts.items():
                yield language, preset, kind, strength, found, of


def read_figures():
    """Rows as of measure()."""
    rows = [line.split("\t") for line in list(common.lines(FIGURES))[1:]]
    return [(*row[:4], int(row[4]), int(row[5])) for row in rows]


def draw(rows):
    panels, groups = collections.defaultdict(lambda: collections.defaultdict(dict)), collections.defaultdict(list)
    for language, preset, kind, strength, found, of in rows:
        panels[language][preset][kind, strength] = found / of if of >= FEW else None
        if strength not in groups[kind]:
            groups[kind].append(strength)
    order = {strength: i for i, strength in enumerate(("", *STRENGTHS))}
    groups = {kind: sorted(strengths, key=order.get) for kind, strengths in sorted(groups.items(), key=lambda each: KINDS.index(each[0]))}
    names = {language: f"{language} texts" for language in panels}
    return heat_map.draw("Copies found, by preset and edit", {names[language]: rows for language, rows in panels.items()}, groups, NEGATIVES, NOTE)


KINDS = ("insert", "delete", "replace", "reorder", "truncate", "prefix", "suffix", "ocr", "punctuation", "width", "script", "html", "template", "quote")
NEGATIVES = ("template", "quote")


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--documents", type=int, default=300, help="originals of each language [%(default)s]")
    parser.add_argument("--draw-only", action="store_true", help="draws the figures that are there")
    options = common.parse(parser)
    header = "language\tpreset\tkind\tstrength\tfound\tcopies"
    if not options.draw_only:
        PICTURE.parent.mkdir(exist_ok=True)
        lines = ["\t".join(map(str, row)) for row in measure(options)]
        FIGURES.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    rows = read_figures()
    PICTURE.write_text(draw(rows), encoding="utf-8")
    report = Report(options, "edit-recall")
    for kind, strength in (("prefix", "1"), ("suffix", "5%")):
        of_kind = {(row[0], row[1]): row[4] / row[5] for row in rows if row[2:4] == (kind, strength)}
        worst = min(of_kind, key=of_kind.get)
        report.bar(f"{kind} of {strength}: every preset finds some", f"least {100 * of_kind[worst]:.1f} % ({', '.join(worst)})", of_kind[worst] > 0)
    table = report.table(["texts", "preset", *(f"{kind} {strength}" for kind, strength in (("prefix", "1"), ("suffix", "5%"), ("insert", "5%"), ("ocr", "5%"), ("template", "5%")))])
    shares = {row[:4]: row[4] / row[5] for row in rows}
    for language, preset in dict.fromkeys(row[:2] for row in rows):
        table.append([language, preset, *(f"{100 * shares[language, preset, kind, strength]:.0f} %" for kind, strength in
                                          (("prefix", "1"), ("suffix", "5%"), ("insert", "5%"), ("ocr", "5%"), ("template", "5%")))])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
