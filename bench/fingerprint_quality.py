#!/usr/bin/env python3
"""What fingerprints find and what they miss: every preset at several distances, judged by the exact pairs.

For every set with exact pairs (Jaccard similarity of shingles of 5 characters, see definition.py): `neardup pairs` under each preset of
fingerprints at 64 and at 128 bits, under two recipes that are not presets, and under the MinHash presets. Pairs of texts that are empty once
normalized are in no file and are left out.

recall J:    the share of the pairs at J or above that are found.
precision J: the share of the found pairs that are at J or above; at 0.5, at or above the lowest similarity of the file (common.FLOORS).

Each is the mean over the sets, or over those of a language. The exact pairs count punctuation and blanks, as recipes of characters do and
recipes of words do not; republished.py measures what that is worth.

The preset that the documents recommend must not take unrelated texts for copies: at least 99 % of what it finds at distance 3 is at 0.5
or above, in each set with more than 100 found pairs at least 95 %. The recommended MinHash preset must reach the recall (J >= 0.8) of each
fingerprint at the same precision.
"""
import bisect
import dataclasses
import json
import subprocess
import sys

import common
import definition
from report import Report

DISTANCES = {64: (3, 6, 8, 10), 128: (6, 12, 16, 20)}  # in the tables
RECOMMENDED, RECOMMENDED_MINHASH = "simhash-words-3", "minhash-chars-3"
FINGERPRINTS = [RECOMMENDED, "simhash-chars-3", "simhash-chars-4", "simhash-words", "simhash-jieba-200", "simhash-jieba-30"]
# At 64 bits, which is what people copy. Not python-simhash-tokens: its single words match hundreds of millions of pairs.
COMPATIBLE = ["python-simhash-text", "python-simhash-keywords"]
MINHASH = ["words-5", "chars-5", "minhash-chars-3", "minhash-jieba-3"]
THRESHOLDS = ("0.8", "0.7")
BANDS = (0.5, 0.6, 0.7, 0.8, 0.9)
LANGUAGES = {"Chinese": ("zh-",), "English": ("en-",), "source code": ("code-",)}


def once(normalizer, tokenizer, size):
    """A recipe of shingles, each of which counts once."""
    return {"normalizer": normalizer, "tokenizer": tokenizer, "shingle": {"size": size, "short_text": "whole"}, "min_features": 1,
            "feature_hash": "xxh3_64_v1", "sketch": {"kind": "simhash_v1", "bits": 64}}


OTHERS = {"2 words, once": once("nfkc_casefold_v1", "words_v1", 2), "4 characters, once": once("lower_compact_v1", "chars_v1", 4)}


@dataclasses.dataclass(frozen=True)
class Case:
    """A row of the tables: a recipe and what counts as near."""

    recipe: str
    bits: int  # 0: a MinHash
    limit: str  # distance or threshold

    def cells(self):
        return [self.recipe, self.bits or "", f"k = {self.limit}" if self.bits else f"J >= {self.limit}"]


@dataclasses.dataclass
class Counts:
    """Pairs found, and those listed that were found, by band of similarity; `listed` is what could be found."""

    listed: list
    found: int = 0
    right: list = dataclasses.field(default_factory=lambda: [0] * len(BANDS))

    def plus(self, found, by_band):
        return Counts(self.listed, self.found + found, [mine + theirs for mine, theirs in zip(self.right, by_band)])

    def recall(self, similarity):
        first = BANDS.index(similarity)
        return sum(self.right[first:]) / sum(self.listed[first:]) if sum(self.listed[first:]) else None

    def precision(self, similarity):
        return sum(self.right[BANDS.index(similarity):]) / self.found if self.found else None


def recipe_path(options, name, bits):
    """The file of a recipe with so many bits."""
    recipe = OTHERS.get(name) or json.loads((common.ROOT / f"recipes/{name}.json").read_text(encoding="utf-8"))
    path = options.work / f"quality-{name.replace(' ', '-').replace(',', '')}-{bits}.json"
    path.write_text(json.dumps({**recipe, "sketch": {**recipe["sketch"], "bits": bits}}), encoding="utf-8")
    return path


def judged_pairs(options, data, empty_path, bits, distance, *more):
    """For each distance up to the greatest, {"found": pairs, "by_band": those that are listed}."""
    judge = [common.tool(options, "judge_pairs"), data.pairs_path, empty_path, bits, distance]
    command = [options.neardup, "pairs", data.path, "-o", "-", "-q", "--text-field", data.text_field, "--max-candidates", "0", *more]
    with subprocess.Popen([str(each) for each in command], stdout=subprocess.PIPE) as pairs:
        judged = subprocess.run([str(each) for each in judge], stdin=pairs.stdout, stdout=subprocess.PIPE, check=True)
    if pairs.returncode != 0:
        sys.exit(f"neardup pairs failed on {data.name}")
    return [json.loads(line) for line in judged.stdout.splitlines()]


def judge_set(options, data):
    """{case: Counts} of one set."""
    listed = [0] * len(BANDS)
    for similarity in data.pairs().values():
        listed[bisect.bisect_right(BANDS, float(similarity)) - 1] += 1
    empty_path = options.work / "quality-empty.txt"
    empty = [common.clean_id(record["id"]) for record in common.read_records(data.path) if not definition.normalize(record[data.text_field])]
    empty_path.write_text("".join(one + "\n" for one in empty), encoding="utf-8")
    counts = {}
    for name in [*FINGERPRINTS, *OTHERS, *COMPATIBLE]:
        for bits, distances in DISTANCES.items():
            if name in COMPATIBLE and bits != 64:
                continue
            most = distances[-1]
            so_far = Counts(listed)
            for distance, found in enumerate(judged_pairs(options, data, empty_path, bits, most, "--recipe", recipe_path(options, name, bits),
                                                          "--max-distance", most)):
                so_far = so_far.plus(found["found"], found["by_band"])
                counts[Case(name, bits, str(distance))] = so_far
    for name in MINHASH:
        for threshold in THRESHOLDS:
            found = judged_pairs(options, data, empty_path, 0, 0, "--recipe", name, "--threshold", threshold)[0]
            counts[Case(name, 0, threshold)] = Counts(listed).plus(found["found"], found["by_band"])
    return counts


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def percent(share):
    return "-" if share is None else f"{100 * share:.1f}"


def over(results, case, measure, similarity, language=("",)):
    """The mean of a measure over the sets of a language."""
    return mean(getattr(counts[case], measure)(similarity) for name, counts in results.items() if name.startswith(language))


def quality_table(report, results):
    rows = report.table(["recipe", "bits", "near", "recall 0.8", "0.7", "precision 0.8", "0.7", "0.5",
                         *(f"{language}: {measure} 0.8" for language in LANGUAGES for measure in ("recall", "precision"))], on_page=False)
    cases = [case for case in next(iter(results.values())) if not case.bits or int(case.limit) in DISTANCES[case.bits]]
    for case in cases:
        by_language = [percent(over(results, case, measure, 0.8, language)) for language in LANGUAGES.values()
                       for measure in ("recall", "precision")]
        rows.append([*case.cells(), *(percent(over(results, case, "recall", each)) for each in (0.8, 0.7)),
                     *(percent(over(results, case, "precision", each)) for each in (0.8, 0.7, 0.5)), *by_language])
    return rows


def best_at(results, recipe, bits, floor, similarity):
    """(limit, recall at 0.8) of the limit with the best recall whose precision is at least `floor`, or None."""
    fit = [(over(results, case, "recall", 0.8), case.limit) for case in next(iter(results.values()))
           if case.recipe == recipe and case.bits == bits and (over(results, case, "precision", similarity) or 1) >= floor]
    return max(fit, default=None)


def precision_table(report, results):
    """On the page 128 bits only of the most precise recipes."""
    floors = [(0.8, 0.95), (0.8, 0.8), (0.5, 0.99)]
    columns = ["best recall 0.8 where", "bits", *(f"precision {similarity} >= {100 * floor:.0f} %" for similarity, floor in floors)]
    for recipe, bits in dict.fromkeys((case.recipe, case.bits) for case in next(iter(results.values()))):
        reached = [best_at(results, recipe, bits, floor, similarity) for similarity, floor in floors]
        rows = report.table(columns, on_page=bits != 128 or recipe in (*FINGERPRINTS[:2], "4 characters, once"))
        rows.append([recipe, bits or "", *("-" if each is None else f"{percent(each[0])} at {each[1]}" for each in reached)])


def check_bars(report, results):
    case = Case(RECOMMENDED, 64, "3")
    whole = over(results, case, "precision", 0.5)
    worst = min((counts[case].precision(0.5), name) for name, counts in results.items() if counts[case].found > 100)
    report.bar(f"{RECOMMENDED}, k = 3: at least 99 % of the found pairs at 0.5 or above, in each set 95 %",
               f"{percent(whole)} %; worst {percent(worst[0])} % ({worst[1]})", whole >= 0.99 and worst[0] >= 0.95)
    below = []
    for name in dict.fromkeys(each.recipe for each in next(iter(results.values())) if each.bits):
        for bits, distances in DISTANCES.items():
            if name in COMPATIBLE and bits != 64:
                continue
            for limit in distances:
                fingerprint = Case(name, bits, str(limit))
                best = best_at(results, RECOMMENDED_MINHASH, 0, over(results, fingerprint, "precision", 0.5) - 0.001, 0.5)
                if best is None or best[0] < over(results, fingerprint, "recall", 0.8):
                    below.append(f"{name}, {bits} bits, {limit}")
    report.bar(f"{RECOMMENDED_MINHASH}: recall 0.8 not below that of any fingerprint at the same precision 0.5",
               f"below {'; '.join(below)}" if below else "above all", not below)


def guide_table(quality_rows):
    """The table of docs/chinese.md: what a reader chooses among."""
    names = ["words-5", "chars-5", "minhash-chars-3", "minhash-jieba-3", *FINGERPRINTS, *COMPATIBLE]
    nears = {("", "J >= 0.8"), (64, "k = 3")}
    more = {("", "J >= 0.7"), (64, "k = 8"), (128, "k = 16")}  # of the most precise presets of fingerprints, and of the recommended MinHash
    shown = [row for name in names for row in quality_rows if row[0] == name and
             ((row[1], row[2]) in nears or name in (*FINGERPRINTS[:2], RECOMMENDED_MINHASH) and (row[1], row[2]) in more)]
    lines = ["| recipe | bits | near | recall 0.8 | precision 0.8 | precision 0.5 | Chinese: recall 0.8 | precision 0.8 |",
             "|---|---|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(map(str, [f"`{row[0]}`", *row[1:4], row[5], row[7], row[8], row[9]])) + " |" for row in shown]
    return "\n".join(lines)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help="only this set; may be repeated")
    options = common.parse(parser)
    report = Report(options, "fingerprint_quality")
    results = {}
    for data in common.data_sets(options, options.set):
        if data.name == "smoke" and not options.set:
            continue  # a sample of the others
        common.say(data.name)
        results[data.name] = judge_set(options, data)
    quality_rows = quality_table(report, results)
    precision_table(report, results)
    report.note(f"Means over {len(results)} sets, in %; precision 0.5 of en-licenses is at 0.7, of en-proc-codes at 0.6, the lowest "
                "similarity that their files list.")
    check_bars(report, results)
    report.part("docs/chinese.md", "fingerprint_quality", guide_table(quality_rows))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
