#!/usr/bin/env python3
"""Bar 1, truth: every exact pair is found, with its similarity to six digits; and what the LSH search finds.

For every data set with a file of exact pairs:
- `neardup pairs --recipe chars-5 --search exact` at the least similarity of the file gives the listed pairs and no others, and each
  similarity agrees with the four digits of the file;
- for a random sample of pairs all six digits are those of the definition, computed in Python with fractions;
- texts that are empty once normalized are in no file; they are exact copies of each other, so each two of them must be a pair with 1;
- `--search lsh --threshold 0.8` finds at least 99.5 % of the pairs at 0.8 and above, and reports none below.
"""
import fractions
import itertools
import random
import sys
import unicodedata

import common
import definition
from report import Report

LEAST_RECALL = 0.995


def empty_texts(data):
    """All pairs of documents that have no text at all."""
    names = sorted(common.clean_id(record["id"]) for record in common.read_records(data.path)
                   if not definition.normalize(record[data.text_field]))
    return {common.pair_key(a, b): "1.0000" for a, b in itertools.combinations(names, 2)}


def find_pairs(options, data, search, threshold):
    out = options.work / "truth-pairs.tsv"
    command = [options.neardup, "pairs", data.path, "-o", out, "--recipe", "chars-5", "--search", search, "--threshold", threshold,
               "--text-field", data.text_field]
    figures = common.run(command, options.work)
    found = common.read_pairs(out, header=True)
    out.unlink()
    return found, figures.seconds


def examples(what, data, pairs):
    for pair in sorted(pairs)[:3]:
        common.say(f"  {data.name}: {what}: {pair[0]!r} {pair[1]!r}")


def wrong_digits_of_file(found, listed):
    """Pairs whose six digits cannot come from the number that the file rounds to four."""
    most = fractions.Fraction(1, 2 * 10**4) + fractions.Fraction(1, 2 * 10**6)
    return [pair for pair, written in listed.items()
            if pair in found and abs(fractions.Fraction(found[pair]) - fractions.Fraction(written)) > most]


def wrong_digits_of_sample(data, found, size):
    """Pairs of a random sample whose six digits are not those of the definition; and the size of the sample."""
    sample = random.Random(1).sample(sorted(found), min(size, len(found)))
    wanted = {name for pair in sample for name in pair}
    sets = {}
    for record in common.read_records(data.path):
        name = common.clean_id(record["id"])
        if name in wanted:
            sets[name] = definition.shingles(record[data.text_field])
    wrong = [pair for pair in sample if not definition.agrees(found[pair], definition.jaccard(sets[pair[0]], sets[pair[1]]), 6)]
    return wrong, len(sample)


def judge(options, data, rows):
    """Adds a row, and returns (exact search right, recall of LSH, LSH reports nothing below, pairs at 0.8)."""
    empty = empty_texts(data)
    listed = data.pairs() | empty
    found, exact_seconds = find_pairs(options, data, "exact", data.floor)
    missing, extra = listed.keys() - found.keys(), found.keys() - listed.keys()
    wrong = wrong_digits_of_file(found, listed)
    wrong_six, sampled = wrong_digits_of_sample(data, found, options.sample)
    examples("missing", data, missing)
    examples("not in the file", data, extra)
    examples("other than the four digits of the file", data, wrong)
    examples("other than the six digits of the definition", data, wrong_six)

    similar = {pair for pair, similarity in found.items() if fractions.Fraction(similarity) >= fractions.Fraction("0.8")}
    by_lsh, lsh_seconds = find_pairs(options, data, "lsh", "0.8")
    below = by_lsh.keys() - similar
    changed = [pair for pair in by_lsh if found.get(pair) != by_lsh[pair]]
    examples("LSH reports a pair below 0.8", data, below)
    recall = len(by_lsh.keys() & similar) / len(similar) if similar else 1.0
    rows.append([data.name, data.floor, len(listed) - len(empty), len(empty), len(missing), len(extra), len(wrong),
                 f"{len(wrong_six)} of {sampled}", f"{exact_seconds:.1f}", len(similar), f"{100 * recall:.3f} %", len(below) + len(changed),
                 f"{lsh_seconds:.1f}"])
    return not (missing or extra or wrong or wrong_six), recall, not (below or changed), len(similar)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help="only this set; may be repeated")
    parser.add_argument("--sample", type=int, default=200, help="pairs per set that are computed again in Python [%(default)s]")
    options = common.parse(parser)
    report = Report(options, "truth")
    if unicodedata.unidata_version != definition.UNICODE:
        report.note(f"This Python has Unicode {unicodedata.unidata_version}, the definition is of {definition.UNICODE}: use Python 3.11.")
    rows = report.table(["set", "threshold", "pairs", "of empty texts", "missing", "extra", "wrong 4 digits", "wrong 6 digits", "exact s",
                         "pairs at 0.8", "LSH recall", "LSH wrong", "LSH s"], on_page=False)
    results = []
    for data in common.data_sets(options, options.set):
        common.say(data.name)
        results.append((data.name, judge(options, data, rows)))
    wrong = [name for name, result in results if not result[0]]
    report.bar("exact search: the listed pairs, all digits", f"{len(results) - len(wrong)} of {len(results)} sets", not wrong)
    worst = min(results, key=lambda each: each[1][1])
    report.bar("LSH at 0.8: recall >= 99.5 % on every set", f"least {100 * worst[1][1]:.3f} % ({worst[0]})", worst[1][1] >= LEAST_RECALL)
    total = sum(result[3] for _, result in results)
    missed = sum((1 - result[1]) * result[3] for _, result in results)
    report.note(f"{len(rows)} sets with {sum(row[2] for row in rows):,} listed pairs: exact search misses {sum(row[4] for row in rows)} of them, adds "
                f"{sum(row[5] for row in rows)}, and gives {sum(row[6] for row in rows)} other digits.")
    report.note(f"LSH misses {missed:.0f} of {total:,} pairs at 0.8 and above; the lowest recall is {100 * worst[1][1]:.3f} % ({worst[0]}).")
    report.bar("LSH at 0.8: no pair below, no other similarity", f"{sum(not result[2] for _, result in results)} sets with one",
               all(result[2] for _, result in results))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
