#!/usr/bin/env python3
"""Trust: that removed documents resemble their keepers, and that what the program says about missed pairs is true.

witness  Every document that `neardup dedup --recipe chars-5` removes names a kept document of at least the threshold, by the definition in
         Python (definition.py), with the similarity that the verdict gives; an exact copy has the same normalized text. All sets.
recall   The recall that `neardup plan` predicts for a range of similarities lies within the 95 % interval of the measured one, in every
         range of a set. Measured over 16 recipes that differ in the seed of their MinHash; pairs that share documents are found and missed
         together, so the interval is Wilson's with as many trials as pairs times seeds, divided by the spread over seeds in units of the
         binomial variance.
missed   `neardup evaluate --pairs` estimates how many pairs a run missed: the interval of 95 % holds the truth, which is the number of pairs
         of an exact search. Trials take the sets in turn, each with another seed.

recall and missed use 10 bands of 8 rows at 0.7, which miss half of the pairs at the threshold: with the planned bands hardly one is missed.
"""
import collections
import fractions
import json
import math
import pathlib
import re
import subprocess
import sys

import common
import definition
from report import Report

THRESHOLD = fractions.Fraction("0.8")
BANDS, ROWS, LOW = 10, 8, "0.7"
SEEDS = range(1001, 1017)
WIDTH = 5  # hundredths of similarity in a range
MIN_PAIRS = 20  # of a range, and of a set
SLOW = ("en-licenses",)  # half a million pairs per seed
TRIALS = 20
TRIAL_DOCUMENTS = 8000
NORMAL = 1.959964


# --- witness -----------------------------------------------------------------------------------------------------------------------


def all_sets(options):
    """(name, path, text field) of every set with texts, whether or not it has exact pairs."""
    names = sorted({match[1] for path in options.data.iterdir() if (match := re.match(r"([\w-]+)\.jsonl(\.zst)?$", path.name))})
    return [(name, common.plain(options, f"{name}.jsonl"), common.TEXT_FIELDS.get(name, "text")) for name in names]


def false_witnesses(options, path, field):
    """(removed documents, lines about those without a verified keeper)."""
    out = options.work / "trust-verdicts.jsonl"
    common.run([options.neardup, "dedup", path, "--recipe", "chars-5", "--threshold", "0.8", "--text-field", field, "--verdicts", out],
               options.work)
    verdicts = {verdict["row"]: verdict for verdict in common.read_records(out)}
    out.unlink()
    texts = {}
    for row, line in enumerate(common.lines(path), 1):
        if row in verdicts:
            texts[row] = json.loads(line)[field]
    of_keeper = {}
    problems = []
    removed = [verdict for verdict in verdicts.values() if verdict["verdict"] == "remove"]
    for verdict in sorted(removed, key=lambda each: each["keeper_row"]):
        keeper = verdict["keeper_row"]
        if keeper not in verdicts or verdicts[keeper]["verdict"] != "keep":
            problems.append(f"{verdict['id']}: the keeper {verdict['keeper_id']} was not kept")
        elif verdict["reason"] == "exact_copy":
            if definition.normalize(texts[verdict["row"]]) != definition.normalize(texts[keeper]) or verdict["similarity"] != 1:
                problems.append(f"{verdict['id']}: not an exact copy of {verdict['keeper_id']}")
        else:
            if keeper not in of_keeper:
                of_keeper = {keeper: definition.shingles(texts[keeper])}
            similarity = definition.jaccard(definition.shingles(texts[verdict["row"]]), of_keeper[keeper])
            if similarity < THRESHOLD or not definition.agrees(str(verdict["similarity"]), similarity, 6):
                problems.append(f"{verdict['id']}: {float(similarity):.6f} to {verdict['keeper_id']}, the verdict says {verdict['similarity']}")
    return len(removed), problems


def witness(options, report):
    rows = report.table(["set", "removed", "without a witness"], on_page=False)
    for name, path, field in all_sets(options):
        common.say(f"witness: {name}")
        removed, problems = false_witnesses(options, path, field)
        for problem in problems[:3]:
            common.say(f"  {problem}")
        rows.append([name, removed, len(problems)])
    wrong = sum(row[2] for row in rows)
    report.note(f"Witness: {len(rows)} sets, {sum(row[1] for row in rows):,} documents removed at 0.8 by chars-5; {wrong} of them do not "
                f"resemble the kept document that their verdict names.")
    report.bar("every removed document has a verified witness among the kept ones", f"{wrong} without", not wrong)


# --- recall ------------------------------------------------------------------------------------------------------------------------


def recipe_with_seed(options, seed):
    recipe = json.loads(subprocess.run([options.neardup, "recipe", "chars-5", "--json"], check=True, capture_output=True, text=True).stdout)
    recipe["sketch"]["seed"] = seed
    path = options.work / f"chars-5-seed-{seed}.json"
    path.write_text(json.dumps(recipe), encoding="utf-8")
    return path


def list_pairs(options, data, *more):
    out = options.work / "trust-pairs.tsv"
    common.run([options.neardup, "pairs", data.path, "--threshold", LOW, "--text-field", data.text_field, *more, "-o", out], options.work)
    found = {pair: float(similarity) for pair, similarity in common.read_pairs(out, header=True).items()}
    out.unlink()
    return found


def search(options, data, seed):
    return list_pairs(options, data, "--recipe", recipe_with_seed(options, seed), "--bands", BANDS, "--rows-per-band", ROWS,
                      "--max-candidates", 0)


def miss(similarity):
    return (1 - similarity ** ROWS) ** BANDS


def wilson(share, trials):
    square = NORMAL ** 2 / trials
    center = (share + square / 2) / (1 + square)
    margin = NORMAL / (1 + square) * math.sqrt(share * (1 - share) / trials + square / (4 * trials))
    return center - margin, center + margin


def ranges_of(pairs):
    """{lower bound in hundredths: pairs}; exact copies, which are never missed, are left out, and so are ranges with few pairs."""
    ranges = collections.defaultdict(list)
    for pair, similarity in pairs.items():
        if similarity < 1:
            ranges[int(similarity * 100 + 1e-9) // WIDTH * WIDTH].append(pair)
    return {low: inside for low, inside in sorted(ranges.items()) if len(inside) >= MIN_PAIRS}


def judge_recall(data, truth, found_by_seed, rows):
    """True if the prediction lies within the interval of every range; also the largest spread."""
    met, spread = True, 0.0
    for low, inside in ranges_of(truth).items():
        n = len(inside)
        missed = [sum(pair not in found for pair in inside) for found in found_by_seed]
        predicted = sum(miss(truth[pair]) for pair in inside) / n
        mean = sum(missed) / len(missed)
        variance = sum((count - mean) ** 2 for count in missed) / (len(missed) - 1)
        binomial = sum(miss(truth[pair]) * (1 - miss(truth[pair])) for pair in inside)
        factor = max(1.0, variance / binomial)
        least, most = wilson(mean / n, n * len(missed) / factor)
        inside_interval = least <= predicted <= most
        met = met and inside_interval
        spread = max(spread, math.sqrt(variance / binomial))
        rows.append([data.name, f"{low / 100:.2f}", n, f"{100 * (1 - predicted):.2f} %", f"{100 * (1 - mean / n):.2f} %",
                     f"{100 * (1 - most):.2f} to {100 * (1 - least):.2f} %", f"{math.sqrt(factor):.1f}", "yes" if inside_interval else "no"])
    return met, spread


def recall(options, report):
    rows = report.table(["set", "from", "pairs", "predicted", "measured", "95 %", "spread", "inside"], on_page=False)
    results, spreads = {}, []
    for data in common.data_sets(options, options.set):
        if data.name in SLOW and not options.set:
            continue
        common.say(f"recall: {data.name}")
        truth = list_pairs(options, data, "--recipe", "chars-5", "--search", "exact")
        if len(truth) < MIN_PAIRS:
            continue
        results[data.name], spread = judge_recall(data, truth, [search(options, data, seed) for seed in SEEDS], rows)
        spreads.append(spread)
    good = sum(results.values())
    inside = sum(row[-1] == "yes" for row in rows)
    report.note(f"Recall by ranges of {WIDTH / 100}: over {len(SEEDS)} seeds the prediction lies within the interval in {inside} of {len(rows)} "
                f"ranges, and in all ranges of {good} of {len(results)} sets (not: {', '.join(n for n, m in results.items() if not m) or 'none'}). "
                f"In one range, missed pairs spread over the seeds up to {max(spreads):.0f} times as widely as independent ones would.")
    report.bar("predicted recall within its 95 % interval in every range, on at least 8 sets", f"{good} of {len(results)}", good >= 8)


# --- missed ------------------------------------------------------------------------------------------------------------------------


def missed(options, report):
    rows = report.table(["trial", "set", "seed", "pairs", "missed", "estimated", "95 %", "inside"], on_page=False)
    trial_sets = []
    for data in common.data_sets(options, options.set):
        if sum(1 for _ in common.lines(data.path)) > TRIAL_DOCUMENTS:
            continue
        exact = list_pairs(options, data, "--recipe", "chars-5", "--search", "exact")
        if len(exact) >= MIN_PAIRS:
            trial_sets.append((data, len(exact)))
    for trial in range(TRIALS):
        data, pairs = trial_sets[trial % len(trial_sets)]
        common.say(f"missed: {data.name}")
        done = subprocess.run([options.evaluate, "evaluate", data.path, "--recipe", recipe_with_seed(options, 1 + trial), "--threshold", LOW,
                               "--bands", str(BANDS), "--rows-per-band", str(ROWS), "--max-candidates", "0", "--text-field", data.text_field,
                               "--truth-pairs", data.pairs_path, "--pairs", "--json", "-q"], check=True, capture_output=True, text=True)
        estimate = json.loads(done.stdout)["results"][0]["listed"]["missed"]
        truth = pairs - estimate["found"]
        inside = estimate["low"] <= truth <= estimate["high"]
        rows.append([trial + 1, data.name, 1 + trial, pairs, truth, f"{estimate['missed']:.0f}",
                     f"{estimate['low']:.0f} to {estimate['high']:.0f}", "yes" if inside else "no"])
    good = sum(row[-1] == "yes" for row in rows)
    report.note(f"Missed pairs: the interval that `neardup evaluate --pairs` gives holds the truth in {good} of {len(rows)} trials on "
                f"{len(trial_sets)} sets.")
    report.bar("the estimate of missed pairs covers the truth in at least 18 of 20 trials", f"{good} of {len(rows)}", good >= 18 * len(rows) / 20)


PARTS = {"witness": witness, "recall": recall, "missed": missed}


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help="only this set, but for witness; may be repeated")
    parser.add_argument("--only", action="append", choices=PARTS, default=[], help="only this part; may be repeated")
    parser.add_argument("--evaluate", type=pathlib.Path, help="the program that part `missed` asks [that of BUILD]")
    options = common.parse(parser)
    options.evaluate = (options.evaluate or options.neardup).resolve()
    report = Report(options, "trust")
    for name, part in PARTS.items():
        if not options.only or name in options.only:
            part(options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
