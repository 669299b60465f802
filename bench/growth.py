#!/usr/bin/env python3
"""Bar 6, growth: time per document from one million short documents to ten, and two inputs made to hurt.

- Short documents (about 100 bytes, 3 % exact copies, 3 % near-duplicates): time per document at --large within 1.3 times that at --small;
  medians of alternating runs.
- --equal equal documents: one is kept, in seconds.
- --boilerplate distinct documents of which 85 % is the same text: any two have a Jaccard similarity of about 0.74, below the threshold of
  0.8, and share bands with most others. All are kept, in seconds, and what was capped is printed.
"""
import fractions
import itertools
import json
import statistics
import sys

import common
import corpora
from report import Report

MOST_RATIO = 1.3


def words_5(text):
    words = text.lower().split()
    return {tuple(words[i:i + 5]) for i in range(len(words) - 4)}


def growth(options, report):
    paths = {count: corpora.make_short(options, "short", count) for count in (options.small, options.large)}
    runs = {count: [] for count in paths}
    for turn in range(options.runs):
        for count, path in paths.items():
            common.say(f"{count} short documents, run {turn + 1} of {options.runs}")
            if turn == 0:
                common.read_into_cache(path)
            runs[count].append(corpora.dedup(options, path, "words-5"))
    rows = report.table(["short documents", "removed", "median s", "microseconds a document", "peak MB", "capped documents"])
    cost = {}
    for count, each in runs.items():
        seconds = statistics.median(figures.seconds for figures, _, _ in each)
        cost[count] = seconds / count
        counts = each[0][1]
        rows.append([count, counts["removed"], f"{seconds:.2f}", f"{1e6 * cost[count]:.2f}", f"{max(run[0].peak_mb for run in each):.0f}",
                     counts["capped_documents"]])
    ratio = cost[options.large] / cost[options.small]
    what = f"time per document at {options.large} within {MOST_RATIO}x of that at {options.small}"
    report.bar(what, f"{ratio:.2f}x", ratio <= MOST_RATIO)


def similarities(path):
    """Of all pairs of the first few documents: the least and the greatest Jaccard similarity over 5 words."""
    with open(path, encoding="utf-8") as file:
        sets = [words_5(json.loads(line)["text"]) for line in itertools.islice(file, 20)]
    found = [fractions.Fraction(len(a & b), len(a | b)) for a, b in itertools.combinations(sets, 2)]
    return float(min(found)), float(max(found))


def hard(options, report):
    rows = report.table(["input", "documents", "kept", "seconds", "in decide", "peak MB", "largest group", "verifications",
                         "capped documents"])

    def measure(mode, count):
        common.say(f"{count} documents, {mode}")
        path = corpora.make_short(options, mode, count)
        common.read_into_cache(path)
        figures, counts, _ = corpora.dedup(options, path, "words-5")
        decide = sum(each["seconds"] for each in counts["passes"] if each["name"] == "decide")
        rows.append([mode, count, counts["kept"], f"{figures.seconds:.2f}", f"{decide:.2f}", f"{figures.peak_mb:.0f}",
                     counts["largest_group"], counts["verifications"], counts["capped_documents"]])
        return path, figures, counts

    _, figures, counts = measure("equal", options.equal)
    report.bar(f"{options.equal} equal documents: one kept, within {options.seconds:g} s",
               f"{counts['kept']} kept, {figures.seconds:.2f} s, {counts['capped_documents']} capped",
               counts["kept"] == 1 and figures.seconds <= options.seconds)
    path, figures, counts = measure("boilerplate", options.boilerplate)
    least, most = similarities(path)
    report.note(f"Boilerplate: any two documents have a similarity of {least:.3f} to {most:.3f}; the largest group connected by bands has "
                f"{counts['largest_group']} of {options.boilerplate} documents.")
    report.bar(f"{options.boilerplate} documents sharing boilerplate: all kept, within {options.seconds:g} s, the cap printed",
               f"{counts['kept']} kept, {figures.seconds:.2f} s, {counts['capped_documents']} capped",
               counts["kept"] == options.boilerplate and figures.seconds <= options.seconds and most < 0.8)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--small", type=int, default=1_000_000)
    parser.add_argument("--large", type=int, default=10_000_000)
    parser.add_argument("--equal", type=int, default=1_000_000)
    parser.add_argument("--boilerplate", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=10, help="what 'in seconds' allows [%(default)s]")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", choices=["growth", "hard"], help="half of it")
    options = common.parse(parser)
    report = Report(options, "growth")
    if options.only != "hard":
        growth(options, report)
    if options.only != "growth":
        hard(options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
