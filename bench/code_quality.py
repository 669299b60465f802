#!/usr/bin/env python3
"""Which copies of source files the recipes find: precision, recall and F1 by threshold.

Two files are copies if the set gives them one cluster: revisions of one file, or a program and its disguised copies. All pairs are compared
(--search exact). The Java files changed their packages, so those of one name are revisions of one file; a C or Lua file that moved counts
as another one.
"""
import collections
import json
import sys

import common
from report import Report

SETS = ["code-rev-cjson", "code-rev-apisix-lua", "code-rev-hertzbeat-java", "code-plag-1", "code-irplag"]
RECIPES = ["code-5", "code-5-renamed", "words-5", "chars-5"]
THRESHOLDS = ["0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"]
SHOWN = ["0.4", "0.5", "0.6", "0.8"]  # on the page


def thing_of(record):
    """What all revisions or copies of a file are."""
    return record["cluster"].rpartition("/")[2] if "time" in record and record["lang"] == "java" else record["cluster"]


def similarities(options, path, recipe):
    """Of all pairs at the lowest threshold, by ids."""
    out = options.work / "code-pairs.jsonl"
    common.run([options.neardup, "pairs", path, "--recipe", recipe, "--search", "exact", "-t", THRESHOLDS[0], "-o", out], options.work)
    found = [(record["id_a"], record["id_b"], record["similarity"]) for record in common.read_records(out)]
    out.unlink()
    return found


def judge(found, cluster_of, threshold):
    """Precision, recall and F1."""
    reported = [cluster_of[a] == cluster_of[b] for a, b, similarity in found if similarity >= float(threshold)]
    copies = sum(size * (size - 1) // 2 for size in collections.Counter(cluster_of.values()).values())
    right = sum(reported)
    precision = right / len(reported) if reported else 1.0
    recall = right / copies
    return precision, recall, 2 * right / (len(reported) + copies)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help=f"a data set; may be repeated [{' '.join(SETS)}]")
    parser.add_argument("--recipe", action="append", default=[], help=f"a recipe; may be repeated [{' '.join(RECIPES)}]")
    options = common.parse(parser)
    report = Report(options, "code")
    rows = report.table(["set", "recipe", *(f"t = {threshold}" for threshold in THRESHOLDS)])
    shown = []
    for data in common.data_sets(options, options.set or SETS):
        records = [json.loads(line) for line in common.lines(data.path)]
        cluster_of = {record["id"]: thing_of(record) for record in records}
        for recipe in options.recipe or RECIPES:
            common.say(f"{data.name}: {recipe}")
            found = similarities(options, data.path, recipe)
            judged = {threshold: judge(found, cluster_of, threshold) for threshold in THRESHOLDS}
            rows.append([data.name, recipe, *("{:.2f} / {:.2f} / {:.2f}".format(*judged[threshold]) for threshold in THRESHOLDS)])
            shown.append([data.name, f"`{recipe}`", *("{:.2f} / {:.2f}".format(*judged[threshold]) for threshold in SHOWN)])
    report.part("docs/code.md", "code", "\n".join(["| set | recipe | " + " | ".join(f"t = {threshold}" for threshold in SHOWN) + " |",
                                                   "|---|---|" + "---|" * len(SHOWN), *("| " + " | ".join(row) + " |" for row in shown)]))
    report.note("A cell has precision / recall / F1.")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
