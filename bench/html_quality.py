#!/usr/bin/env python3
"""How well do the cleaners find the text of a page? Words of the cleaned page against words of the field `expected` of html-libreoffice.

A word is an ideograph or a run of other letters and digits. Precision, recall and F1 are of the two bags of words, averaged over the pages.
`expected` is the article alone; html_v1 gives all that is visible, so its precision is that of a page without its navigation removed.
Speed: bytes of HTML per second of processor time, one thread, the fastest of three rounds.
"""
import collections
import json
import re
import subprocess
import sys

import common

WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")
CASES = {
    "tags_v1": ('["tags_v1"]', []),
    "html_v1": ('["html_v1"]', []),
    "html_v1, lines in more than 5 % dropped": ('["html_v1"]', ["0.05"]),
}


def words(text):
    return collections.Counter(WORD.findall(text.lower()))


def score(found, expected):
    """Precision, recall and F1 of one page."""
    a, b = words(found), words(expected)
    common_words = sum((a & b).values())
    precision = common_words / max(sum(a.values()), 1)
    recall = common_words / max(sum(b.values()), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def measure(program, lines, expected, chain, more):
    done = subprocess.run([program, chain, "html", *more], input=b"".join(lines), capture_output=True, check=True)
    speed = json.loads(done.stderr)
    scores = [score(json.loads(line)["text"], wanted) for line, wanted in zip(done.stdout.splitlines(), expected, strict=True)]
    mean = [sum(column) / len(scores) for column in zip(*scores)]
    return {"precision": mean[0], "recall": mean[1], "f1": mean[2], "mb_per_s": speed["bytes_in"] / 1e6 / speed["seconds"]}


def main():
    options = common.parse(common.parser(__doc__))
    path = options.data / "html-libreoffice.jsonl.zst"
    lines = subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout.splitlines(keepends=True)
    expected = [json.loads(line)["expected"] for line in lines]
    program = options.build / "bench/clean_texts"
    rows = {name: measure(program, lines, expected, *case) for name, case in CASES.items()}
    if options.json:
        print(json.dumps(rows, indent=1))
        return 0
    print("| cleaner | precision | recall | F1 | MB/s |\n|---|---|---|---|---|")
    for name, row in rows.items():
        print(f"| {name} | {row['precision']:.4f} | {row['recall']:.4f} | {row['f1']:.4f} | {row['mb_per_s']:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
