#!/usr/bin/env python3
"""Shows what two runs of `neardup dedup --format text --verdicts FILE.jsonl` over the same pages removed, measured by the recipe of the first.

For each run: how many pages were removed, and how like their keepers they are. Then examples with the longest passage that removed page and
keeper share: from the first run the most and the least similar ones, from the second the least similar ones.

usage: NEARDUP_BIN=... show_removed.py RECIPE FIRST.jsonl SECOND.jsonl
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys

EXAMPLES = 3
PASSAGE = 60
BANDS = ((0.8, "at least 0.8"), (0.5, "0.5 to 0.8"), (0.2, "0.2 to 0.5"), (0.0, "below 0.2"))


def near_duplicates(path):
    with open(path, encoding="utf-8") as file:
        verdicts = [json.loads(line) for line in file]
    return [verdict for verdict in verdicts if verdict["verdict"] == "remove" and verdict["reason"] != "exact_copy"]


def title(path):
    found = re.search(r"<title>(.*?)</title>", pathlib.Path(path).read_text(encoding="utf-8", errors="replace"), re.DOTALL)
    return html.unescape(found[1]).strip() if found else ""


def measure(verdicts, recipe):
    """(Jaccard similarity, longest shared passage, verdict), the least similar first."""
    measured = []
    for verdict in verdicts:
        done = subprocess.run([os.environ["NEARDUP_BIN"], "compare", verdict["keeper_source"], verdict["source"], "--recipe", recipe, "--json"],
                              capture_output=True, text=True, check=True)
        comparison = json.loads(done.stdout)
        passage = comparison["passages"][0]["text"] if comparison["passages"] else ""
        measured.append((comparison["jaccard"], passage, verdict))
    return sorted(measured, key=lambda each: (each[0], each[2]["source"]))


def counts(measured):
    """How many are in each band of similarity."""
    found = dict.fromkeys((name for _, name in BANDS), 0)
    for jaccard, _, _ in measured:
        found[next(name for least, name in BANDS if jaccard >= least)] += 1
    return found


def short(path):
    return "/".join(path.split("/")[-3:])


def show(examples):
    for jaccard, passage, verdict in examples:
        shown = passage if len(passage) <= PASSAGE else passage[:PASSAGE] + "..."
        print(f"  removed     {short(verdict['source'])}  {title(verdict['source'])}")
        print(f"  because of  {short(verdict['keeper_source'])}  {title(verdict['keeper_source'])}")
        print(f"  Jaccard     {jaccard:.3f}; longest shared passage, {len(passage)} characters: {shown}")
        print()


def main(arguments):
    if len(arguments) != 3:
        print(__doc__.strip().splitlines()[-1], file=sys.stderr)
        return 2
    recipe, *paths = arguments
    first, second = (measure(near_duplicates(path), recipe) for path in paths)
    print("Jaccard similarity of removed page and keeper, exact copies aside:")
    print()
    print(f"{'':16}{'recommended':>12}{'copied':>12}")
    ours, theirs = counts(first), counts(second)
    for _, name in BANDS:
        print(f"{name:16}{ours[name]:>12}{theirs[name]:>12}")
    print()
    print("Removed by the recommended recipe, the most similar and the least similar:")
    print()
    show([*first[-1:], *first[:EXAMPLES - 1]])
    print("Removed by the copied recipe, the least similar:")
    print()
    show(second[:EXAMPLES])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
