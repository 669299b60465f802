#!/usr/bin/env python3
"""What fingerprints find and what they miss: every preset at every radius, judged by the exact pairs.

For every set with exact pairs (Jaccard similarity of shingles of 5 characters, see definition.py): `neardup pairs` under each preset of
fingerprints at 64 and at 128 bits, under the MinHash presets, and under plain SimHash of 3-character shingles without weights, the
yardstick. Pairs of texts that are empty once normalized are in no file and are left out.

recall:    the share of the listed pairs that are found, by the band of their similarity.
precision: the share of the found pairs that are listed, that is, at or above the least similarity of the file (0.5, see common.FLOORS).

The recommended preset has to have at least the recall of the yardstick (of the pairs at --recall-from and above) at the same precision:
for each radius of the yardstick there must be a limit of the preset (a radius up to the greatest of as many bits, or a threshold) with a
precision and a recall not below. Judged over all sets together, each with the same weight; precisions are equal within 0.1 %.
"""
import bisect
import dataclasses
import json
import pathlib
import subprocess
import sys
import time

import common
import definition
from report import Report

RADII = {64: (3, 6, 10), 128: (6, 12, 20)}  # in the tables
YARDSTICK = "plain 3-grams"
PLAIN = {"normalizer": "nfkc_lower_v1", "tokenizer": "chars_v1", "shingle": {"size": 3, "short_text": "whole"}, "min_features": 1,
         "feature_hash": "xxh3_64_v1", "sketch": {"kind": "simhash_v1", "bits": 64}}
FINGERPRINTS = ["simhash-jieba-200", "simhash-jieba-30", "simhash-chars-4", "simhash-words"]
COMPATIBLE = ["python-simhash-text", "python-simhash-tokens", "python-simhash-keywords"]
MINHASH = {"minhash-jieba-3": ("0.8", "0.7"), "minhash-chars-3": ("0.8", "0.7")}
PRECISION_STEP = 0.001
BANDS = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclasses.dataclass(frozen=True)
class Case:
    """A column of the tables: a recipe and what counts as near."""

    preset: str
    bits: int  # 0: a MinHash
    limit: str  # radius or threshold

    def __str__(self):
        return f"{self.preset}, {self.bits} bits, k = {self.limit}" if self.bits else f"{self.preset}, J >= {self.limit}"


@dataclasses.dataclass
class Score:
    found: int
    right: int
    by_band: list  # (found, listed) of each band
    seconds: float

    def precision(self):
        return self.right / self.found if self.found else 1.0

    def recall(self, least):
        found = sum(each[0] for band, each in zip(BANDS, self.by_band) if band >= least)
        listed = sum(each[1] for band, each in zip(BANDS, self.by_band) if band >= least)
        return found / listed if listed else None


def recipe_of(options, preset, bits):
    """A recipe file: the preset with so many bits."""
    source = pathlib.Path(preset) if preset in options.extra else common.ROOT / f"recipes/{preset}.json"
    recipe = PLAIN if preset == YARDSTICK else json.loads(source.read_text(encoding="utf-8"))
    recipe = {**recipe, "sketch": {**recipe["sketch"], "bits": bits}}
    path = options.work / f"quality-{source.stem.replace(' ', '-')}-{bits}.json"
    path.write_text(json.dumps(recipe), encoding="utf-8")
    return path


def run_pairs(options, data, listed_path, empty_path, bits, radius, *more):
    """(Counters of the pairs at each distance, seconds)."""
    judge = [common.tool(options, "judge_pairs"), listed_path, empty_path, str(bits), str(radius)]
    command = [options.neardup, "pairs", data.path, "-o", "-", "-q", "--text-field", data.text_field, "--max-candidates", "0", *more]
    start = time.monotonic()
    with subprocess.Popen([str(each) for each in command], stdout=subprocess.PIPE) as pairs:
        judged = subprocess.run([str(each) for each in judge], stdin=pairs.stdout, stdout=subprocess.PIPE, check=True)
    if pairs.returncode != 0:
        sys.exit(f"neardup pairs failed on {data.name}")
    return [Counter(**json.loads(line)) for line in judged.stdout.splitlines()], time.monotonic() - start


class Counter:
    """How many pairs were found, how many of them are listed, and these by band."""

    def __init__(self, found=0, right=0, by_band=None):
        self.found, self.right, self.by_band = found, right, by_band or [0] * len(BANDS)

    def add(self, other):
        self.found += other.found
        self.right += other.right
        self.by_band = [mine + theirs for mine, theirs in zip(self.by_band, other.by_band)]

    def score(self, totals, seconds):
        return Score(self.found, self.right, list(zip(self.by_band, totals)), seconds)


def judge_set(options, data):
    """{case: Score} of one set."""
    totals = [0] * len(BANDS)
    for similarity in data.pairs().values():
        totals[bisect.bisect_right(BANDS, float(similarity)) - 1] += 1
    empty_path = options.work / "quality-empty.txt"
    empty = [common.clean_id(record["id"]) for record in common.read_records(data.path) if not definition.normalize(record[data.text_field])]
    empty_path.write_text("".join(one + "\n" for one in empty), encoding="utf-8")
    scores = {}
    for preset in [YARDSTICK, *FINGERPRINTS, *options.extra, *COMPATIBLE]:
        for bits, radii in RADII.items():
            if preset in COMPATIBLE and bits != 64:
                continue  # the package has 64 unless told otherwise, and the recipes that people copy do not tell it
            at_distance, seconds = run_pairs(options, data, data.pairs_path, empty_path, bits, radii[-1], "--recipe",
                                             recipe_of(options, preset, bits), "--max-distance", radii[-1])
            counter = Counter()
            for radius, found in enumerate(at_distance):
                counter.add(found)
                scores[Case(preset, bits, str(radius))] = counter.score(totals, seconds)
    for preset, thresholds in MINHASH.items():
        for threshold in thresholds:
            found, seconds = run_pairs(options, data, data.pairs_path, empty_path, 0, 0, "--recipe", preset, "--threshold", threshold)
            scores[Case(preset, 0, threshold)] = found[0].score(totals, seconds)
    return scores


def percent(share):
    return "-" if share is None else f"{100 * share:.1f}"


def band_cells(one):
    return ["-" if listed == 0 else percent(found / listed) for found, listed in one.by_band]


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def means(results, case, least):
    """(precision, recall from `least` on) over all sets, each with the same weight."""
    scores = [scores[case] for scores in results.values()]
    return mean(one.precision() if one.found else None for one in scores), mean(one.recall(least) for one in scores)


def best_at(results, preset, yardstick, least):
    """(limit, recall) of the preset with the best recall at the precision of a case of the yardstick; None if it is nowhere so precise."""
    precision = means(results, yardstick, least)[0] or 1
    best = None
    for case in next(iter(results.values())):
        if case.preset == preset and case.bits in (0, yardstick.bits):
            other_precision, recall = means(results, case, least)
            if (other_precision or 1) >= precision - PRECISION_STEP and recall > (best[1] if best else -1):
                best = case.limit, recall
    return best


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help="only this set; may be repeated")
    parser.add_argument("--recommended", default="minhash-chars-3", help="the preset that is judged [%(default)s]")
    parser.add_argument("--recall-from", type=float, default=0.8, choices=BANDS, help="of the pairs from here on [%(default)s]")
    parser.add_argument("--extra", action="append", default=[], help="another recipe of fingerprints, a file; may be repeated")
    parser.add_argument("--summary-only", action="store_true", help="only the table over all sets")
    options = common.parse(parser)
    report = Report(options, "chinese_quality")
    bands = [f"{band:g}-{band + 0.1:.1g}" for band in BANDS]
    results = {}
    for data in common.data_sets(options, options.set):
        common.say(data.name)
        results[data.name] = judge_set(options, data)
    cases = [case for case in next(iter(results.values())) if not case.bits or int(case.limit) in RADII[case.bits]]
    rows = report.table(["over all sets", *bands, f"{options.recall_from:g} and above", "precision"])
    for case in cases:
        by_band = [mean(each[case].by_band[i][0] / each[case].by_band[i][1] if each[case].by_band[i][1] else None
                        for each in results.values()) for i in range(len(BANDS))]
        precision, recall = means(results, case, options.recall_from)
        rows.append([case, *map(percent, by_band), percent(recall), percent(precision)])
    if not options.summary_only:
        for name, scores in results.items():
            rows = report.table([name, *bands, "precision", "pairs", "s"])
            rows.append(["pairs listed", *(listed for _, listed in next(iter(scores.values())).by_band), "", "", ""])
            for case in cases:
                one = scores[case]
                rows.append([case, *band_cells(one), percent(one.precision()) if one.found else "-", one.found, f"{one.seconds:.1f}"])
    report.note("Recall in %, by similarity; of all sets: the mean of the sets that have pairs in the band.")
    report.note("s is of one run, at the greatest radius.")
    rows = report.table([f"at the precision of {YARDSTICK}", *(f"{bits} bits, k = {radius}" for bits in RADII for radius in RADII[bits])])
    yardsticks = [Case(YARDSTICK, bits, str(radius)) for bits in RADII for radius in RADII[bits]]
    recalls = [means(results, case, options.recall_from)[1] for case in yardsticks]
    rows.append([YARDSTICK, *map(percent, recalls)])
    for preset in dict.fromkeys(case.preset for case in cases if case.preset != YARDSTICK):
        reached = [best_at(results, preset, case, options.recall_from) for case in yardsticks]
        rows.append([preset, *("-" if best is None else f"{percent(best[1])} at {best[0]}" for best in reached)])
        if preset == options.recommended:
            below = [str(case) for case, best, recall in zip(yardsticks, reached, recalls) if best is None or best[1] < recall]
            report.bar(f"{preset}: recall (J >= {options.recall_from:g}) not below that of {YARDSTICK} at the same precision",
                       f"below at {'; '.join(below)}" if below else f"at all {len(yardsticks)} radii", not below)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
