#!/usr/bin/env python3
"""Shows what a run of `neardup dedup --format text --verdicts FILE.jsonl` decided: the biggest clusters as bars, and one decision.

A cluster is a kept document with the documents that were removed for it. The decision shown is a removed file that differs a little
from its keeper, with the first lines in which the two differ.

usage: show_clusters.py [--top N] VERDICTS.jsonl
"""
import argparse
import collections
import difflib
import json
import math
import os
import statistics
import sys

BAR_WIDTH = 30
DIFF_LINES = 12
LINE_WIDTH = 110


def read_verdicts(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


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


def show_decision(verdict):
    print("\nOne decision explained:\n")
    print(f"  removed     {name_of(verdict['source'], verdict['row'])}")
    print(f"  because of  {name_of(verdict['keeper_source'], verdict['keeper_row'])}")
    print(f"  similarity  {verdict['similarity']:.6f}, the share of features that the two have in common\n")
    lines = []
    for path in (verdict["keeper_source"], verdict["source"]):
        with open(path, encoding="utf-8", errors="replace") as file:
            lines.append([" ".join(line.split()) for line in file])
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
    parser.add_argument("verdicts", metavar="VERDICTS.jsonl")
    options = parser.parse_args(arguments)
    verdicts = read_verdicts(options.verdicts)
    clusters = clusters_of(verdicts)
    if not clusters:
        print(f"{len(verdicts)} documents, none of them a duplicate of another")
        return 0
    show_clusters(clusters, options.top)
    decision = pick(verdicts)
    if decision:
        show_decision(decision)
    else:
        print("\nAll of them are exact copies of their keepers; there is no near-duplicate to explain.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
