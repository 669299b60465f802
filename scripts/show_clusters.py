#!/usr/bin/env python3
"""Shows what a run of `neardup dedup --verdicts FILE` decided: the biggest clusters as bars, and one decision.

A cluster is a kept document with the documents that were removed for it. The decision shown is a removed document that differs a little
from its keeper, with the first lines in which the two differ. Their texts are read from the inputs of the run: text files, and the records
of JSON Lines files, plain or .gz; from the folder in which neardup ran.

usage: show_clusters.py [--top N] [--text-field NAME] VERDICTS
"""
import argparse
import collections
import difflib
import gzip
import itertools
import json
import math
import os
import re
import statistics
import sys

BAR_WIDTH = 30
DIFF_LINES = 12
LINE_WIDTH = 110


NEEDED = ("source", "row", "verdict", "reason")
OF_KEEPERS = ("keeper_source", "keeper_row", "similarity")


class Unusable(Exception):
    """What cannot be read, and why."""


def from_table(header, line):
    """The verdict in a line of a table, as JSON has it."""
    cells = dict(zip(header, line.split("\t"), strict=True))
    verdict = {name: cells[name] or None for name in NEEDED + OF_KEEPERS}
    numbers = {"row": int, "keeper_row": int, "similarity": float}
    return verdict | {name: read(verdict[name]) for name, read in numbers.items() if verdict[name] is not None}


def read_verdicts(path):
    """Those of a table (.tsv) or of JSON Lines."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"cannot read '{path}': {error}") from None
    header = lines.pop(0).split("\t") if lines and not lines[0].startswith("{") else None
    verdicts = []
    if header is not None and not {*NEEDED, *OF_KEEPERS} <= set(header):
        raise Unusable(f"{path}:1: not the header of a table of `neardup dedup --verdicts`")
    for number, line in enumerate(lines, 1 if header is None else 2):
        try:
            verdict = from_table(header, line) if header else json.loads(line)
            needed = NEEDED + OF_KEEPERS if verdict["verdict"] == "remove" else NEEDED
            verdicts.append({name: verdict[name] for name in needed})
        except (KeyError, TypeError, ValueError):
            raise Unusable(f"{path}:{number}: not a verdict of `neardup dedup --verdicts`, as JSON Lines or a .tsv table") from None
    return verdicts


def name_of(source, row):
    return source if row in (None, 1) else f"{source}:{row}"


def clusters_of(verdicts):
    """(keeper, similarities of the documents removed for it, how many of them are exact copies); the biggest first, then by name."""
    members = collections.defaultdict(list)
    for verdict in verdicts:
        if verdict["verdict"] == "remove":
            members[name_of(verdict["keeper_source"], verdict["keeper_row"])].append(verdict)
    clusters = []
    for keeper, removed in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
        copies = sum(verdict["reason"] == "exact_copy" for verdict in removed)
        clusters.append((keeper, [verdict["similarity"] for verdict in removed], copies))
    return clusters


def short_names(names):
    """The names without the ending that all share, and with no more folders than tell them apart: /usr/share/doc/zip/copyright -> zip."""
    parts = [name.split("/") for name in names]
    most = min(map(len, parts)) - 1
    tail = next((i for i in range(most) if len({part[-1 - i] for part in parts}) > 1), most) if len(names) > 1 else 0
    kept = [part[: len(part) - tail] for part in parts]
    for depth in range(1, max(map(len, kept))):
        short = ["/".join(part[-depth:]) for part in kept]
        if len(set(short)) == len(names):
            return short
    return names


def show_clusters(clusters, top):
    shown = clusters[:top]
    names = short_names([cluster[0] for cluster in shown])
    width = min(max(map(len, names)), 40)
    most = len(shown[0][1])
    print(f"{len(clusters)} clusters; the biggest {len(shown)}, named by the document that is kept (= exact copy, # near-duplicate):\n")
    print(f"{'kept':<{width}}  {'removed':>7}  {'':<{BAR_WIDTH}}  lowest  median similarity")
    for name, (_, similarities, copies) in zip(names, shown):
        length, equal = (math.ceil(BAR_WIDTH * count / most) for count in (len(similarities), copies))
        bar = "=" * equal + "#" * (length - equal)
        numbers = f"{min(similarities):.4f}  {statistics.median(similarities):.4f}"
        print(f"{name[:width]:<{width}}  {len(similarities):>7}  {bar:<{BAR_WIDTH}}  {numbers}")


def size_of(verdict):
    try:
        return os.path.getsize(verdict["source"]) + os.path.getsize(verdict["keeper_source"])
    except OSError:
        return sys.maxsize


def pick(verdicts):
    """The near-duplicate that is the easiest to look at: short, and not too close to its keeper."""
    near = [verdict for verdict in verdicts if verdict["reason"] == "near_duplicate"]
    telling = [verdict for verdict in near if verdict["similarity"] <= 0.97] or near
    return min(telling, key=lambda verdict: (size_of(verdict), verdict["source"]), default=None)


def clip(line):
    return line if len(line) <= LINE_WIDTH else line[: LINE_WIDTH - 3] + "..."


def text_of(source, row, field):
    """The text of a document of the run. Raises Unusable."""
    plain = source.removesuffix(".gz")
    lines_of_json = plain.endswith((".jsonl", ".ndjson", ".json"))
    if not lines_of_json and row not in (None, 1):
        raise Unusable(f"'{source}' is neither a text file nor JSON Lines")
    try:
        with (gzip.open if plain != source else open)(source, "rt", encoding="utf-8", errors="replace") as file:
            if not lines_of_json:
                return file.read()
            record = json.loads(next(itertools.islice(file, row - 1, None), "null"))
            for name in field.split("."):
                record = record[name]
    except (OSError, EOFError) as error:
        raise Unusable(f"cannot read '{source}': {error}") from None
    except (KeyError, TypeError, ValueError):
        raise Unusable(f"{source}:{row}: no record with the field '{field}'") from None
    if not isinstance(record, str):
        raise Unusable(f"{source}:{row}: the field '{field}' is not a text")
    return record


def lines_of(text):
    """Its lines; of a text of a single line, its sentences."""
    lines = text.strip().splitlines()
    if len(lines) == 1:
        lines = re.split(r"(?<=[.!?])\s+|(?<=[。！？])", lines[0])
    return [" ".join(line.split()) for line in lines]


def show_decision(verdict, field):
    print("\nOne decision explained:\n")
    print(f"  removed     {name_of(verdict['source'], verdict['row'])}")
    print(f"  because of  {name_of(verdict['keeper_source'], verdict['keeper_row'])}")
    print(f"  similarity  {verdict['similarity']:.6f}, the share of features that the two have in common\n")
    try:
        lines = [lines_of(text_of(verdict[source], verdict[row], field)) for source, row in
                 (("keeper_source", "keeper_row"), ("source", "row"))]
    except Unusable as error:
        print(f"  The two texts cannot be compared here: {error}")
        return
    changes = [line for line in difflib.unified_diff(*lines, n=0, lineterm="") if line[0] in "+-" and line[1:].strip()]
    changes = [line for line in changes if not line.startswith(("---", "+++"))]
    print(f"  Lines that differ (- only in the kept one, + only in the removed one), of {len(lines[1])} lines:")
    for line in changes[:DIFF_LINES]:
        print("    " + clip(line))
    if len(changes) > DIFF_LINES:
        print(f"    and {len(changes) - DIFF_LINES} more")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=12, metavar="N")
    parser.add_argument("--text-field", default="text", metavar="NAME")
    parser.add_argument("verdicts", metavar="VERDICTS")
    options = parser.parse_args(arguments)
    try:
        verdicts = read_verdicts(options.verdicts)
    except Unusable as error:
        print(f"show_clusters: {error}", file=sys.stderr)
        return 1
    clusters = clusters_of(verdicts)
    if not clusters:
        print(f"{len(verdicts)} documents, none of them a duplicate of another")
        return 0
    show_clusters(clusters, options.top)
    decision = pick(verdicts)
    if decision:
        show_decision(decision, options.text_field)
    else:
        print("\nAll of them are exact copies of their keepers; there is no near-duplicate to explain.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
