#!/usr/bin/env python3
"""50 million documents: whole runs over question banks of real sentences with planted near-duplicates, up to the size of --documents.

Each size is run with `--recipe simhash-jieba-30 --max-distance 2` and `--recipe words-5 --threshold 0.8`, with a checkpoint directory
(--work), and at --plain documents without one too. Measured: time by the clock, seconds of each pass (summary), peak of memory (of the kernel, and anonymous),
peak of the disk (watch.py), and what became of the planted pairs that make_question_bank lists. A pair is lost when both of it are kept.

  simhash-jieba-30  of the pairs whose fingerprints, computed anew by `neardup sketch`, differ in at most 2 bits, none may be lost
  words-5           of the pairs whose Jaccard similarity, computed in Python by the reference of the recipes (tests/cli/recipe_reference), is
                    0.8 or more, 99.5 % have to be found; --judged pairs at most, evenly spaced

Time for each document at the largest size is held against that at the next smaller one, and against the same recipe in Python (recipes.py of
SHARED/peers-zh) over the first --python documents.

--results FILE keeps each measurement, with its date and the load of the machine, and what it has is not measured again.
"""
import dataclasses
import datetime
import fractions
import json
import os
import pathlib
import struct
import subprocess
import sys

import common
import watch
from report import Report

sys.path.insert(0, str(common.ROOT / "tests/cli"))
from recipe_reference import text as reference  # noqa: E402

INPUTS = ("zh-passages", "zh-wiki", "zh-law-articles", "en-books", "en-docs-versions", "en-proc-codes")
THREADS, MEMORY = 2, "6GiB"
DISTANCE, THRESHOLD, LEAST_FOUND, MOST_RATIO, LEAST_FASTER = 2, "0.8", 0.995, 1.3, 100
RECIPES = {"simhash-jieba-30": ("--max-distance", DISTANCE), "words-5": ("--threshold", THRESHOLD)}
GB = 1e9


class Results:
    """Measurements by name, in a file if there is one."""

    def __init__(self, path):
        self.path = path
        self.made = json.loads(path.read_text(encoding="utf-8")) if path and path.exists() else {}

    def get(self, name, measure):
        if name not in self.made:
            common.say(name)
            stamp = {"date": datetime.datetime.now().isoformat(" ", "minutes"), "load": round(os.getloadavg()[0], 1)}
            self.made[name] = {**stamp, **measure()}
            if self.path:
                self.path.write_text(json.dumps(self.made, indent=1) + "\n", encoding="utf-8")
        return self.made[name]


# --- inputs ------------------------------------------------------------------------------------------------------------------------


def make_bank(options, documents):
    """Paths of the bank and of the list of its planted pairs; made once per work folder."""
    bank, truth = (options.work / f"bank-{documents}.{end}" for end in ("jsonl", "tsv"))
    if not bank.exists():
        common.say(f"making {bank.name}")
        part = bank.with_suffix(".part")
        common.run([common.tool(options, "make_question_bank"), "--documents", documents, "--out", part, "--truth", truth, "--threads", THREADS,
                    "--sample", 100 if documents >= 5_000_000 else 1, *(common.plain(options, f"{name}.jsonl") for name in INPUTS)], options.work)
        part.rename(bank)
    return bank, truth


@dataclasses.dataclass
class Pair:
    copy: int
    original: int
    change: str


def planted(truth):
    return [Pair(int(copy), int(original), change) for copy, original, change in (line.split("\t") for line in common.lines(truth))]


def lines_at(path, rows):
    """{row: line}, of these rows, from 1."""
    wanted = sorted(set(rows))
    found, at = {}, 0
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if at == len(wanted):
                break
            if number == wanted[at]:
                found[number] = line
                at += 1
    return found


def id_of(line):
    return int(line[7:line.index(b'"', 7)])


def kept_rows(path, rows):
    """Those of the rows that are in the file of kept documents."""
    with open(path, "rb") as file:
        return {row for row in map(id_of, file) if row in rows}


# --- what has to be found ----------------------------------------------------------------------------------------------------------


def fingerprints(options, lines):
    """{row: fingerprint} of these lines, by a run of its own."""
    sample, sketches = options.work / "sample.jsonl", options.work / "sample-sketches.jsonl"
    with open(sample, "wb") as file:
        file.writelines(lines[row] for row in sorted(lines))
    common.run([options.neardup, "sketch", sample, "--recipe", "simhash-jieba-30", "-o", sketches], options.work)
    made = {int(record["id"]): record["fingerprint"] for record in common.read_records(sketches)}
    return {row: None if code is None else int(code, 16) for row, code in made.items()}


def shingles(line):
    tokens = reference.tokens_of(reference.normalize(json.loads(line)["text"], "nfkc_casefold_v1"), "words_v1")
    return {tuple(tokens[i:i + 5]) for i in range(len(tokens) - 4)}


def similar(a, b):
    common_ones = len(a & b)
    either = len(a) + len(b) - common_ones
    return either > 0 and fractions.Fraction(common_ones, either) >= fractions.Fraction(THRESHOLD)


def judge(options, recipe, pairs, lines):
    """For each pair: does the recipe promise to find it?"""
    if recipe == "words-5":
        return [similar(shingles(lines[pair.copy]), shingles(lines[pair.original])) for pair in pairs]
    codes = fingerprints(options, lines)
    both = [(codes[pair.copy], codes[pair.original]) for pair in pairs]
    return [None not in each and (each[0] ^ each[1]).bit_count() <= DISTANCE for each in both]


def recall(options, recipe, bank, truth, kept):
    pairs = planted(truth)
    if recipe == "words-5" and len(pairs) > options.judged:
        pairs = [pairs[i * len(pairs) // options.judged] for i in range(options.judged)]
    lines = lines_at(bank, [row for pair in pairs for row in (pair.copy, pair.original)])
    both_kept = kept_rows(kept, lines.keys())
    found = [not (pair.copy in both_kept and pair.original in both_kept) for pair in pairs]
    promised = judge(options, recipe, pairs, lines)
    kinds = {}
    for pair, yes in zip(pairs, found):
        counts = kinds.setdefault(pair.change, [0, 0])
        counts[0] += yes
        counts[1] += 1
    return {"pairs": len(pairs), "found": sum(found), "promised": sum(promised), "promised_found": sum(a and b for a, b in zip(found, promised)),
            "kinds": kinds}


# --- runs --------------------------------------------------------------------------------------------------------------------------


def measure(options, recipe, documents, with_folder):
    bank, truth = make_bank(options, documents)
    folders = common.make_folders(options, "big")
    kept, summary = folders["out"] / "kept.jsonl", options.work / "big-summary.json"
    command = [options.neardup, "dedup", bank, "--recipe", recipe, *RECIPES[recipe], "--threads", THREADS, "--memory", MEMORY,
               "--temp-dir", folders["temp"], "-o", kept, "--summary", summary, "--quiet", *(["--work", folders["run"]] if with_folder else [])]
    peaks = watch.run(command, folders, options.work / "big-messages.txt", options.via.split())
    counts = json.loads(summary.read_text(encoding="utf-8"))
    found = recall(options, recipe, bank, truth, kept)
    common.remove_folders(folders)
    return {**dataclasses.asdict(peaks), "documents": documents, "input_bytes": bank.stat().st_size, "removed": counts["removed"],
            "read": counts["read"], "passes": {each["name"]: each["seconds"] for each in counts["passes"]},
            "summary_peak": counts["peak_memory_bytes"], "spilled": counts["spilled_bytes"], "recall": found}


def measure_python(options):
    """The recipe as people write it, over the first documents of the largest bank."""
    bank, _ = make_bank(options, max(options.documents))
    first = options.work / "first.bin"
    with open(bank, "rb") as source, open(first, "wb") as target:
        for _, line in zip(range(options.python), source):
            text = json.loads(line)["text"].encode()
            target.write(struct.pack("<I", len(text)) + text)
    kit = options.shared / "peers-zh"
    done = subprocess.run([options.peers, kit / "recipes.py", "2", first], cwd=kit, capture_output=True, check=True)
    return json.loads(done.stdout.decode().splitlines()[-1])


# --- report ------------------------------------------------------------------------------------------------------------------------


def million(documents):
    return f"{documents / 1e6:g}M"


def add_rows(report, recipe, name, run):
    n = run["documents"]
    large = n >= 1_000_000
    sizes = [run["folders"]["run"], run["unnamed"] + run["folders"]["temp"], run["disk"]]
    report.table(["recipe", "documents", "checkpoint directory", "seconds", "processor s", "load", "peak memory GB", "of it private", "checkpoint directory GB",
                  "temp folder GB", "disk at the peak GB"], on_page=large).append(
        [recipe, million(n), name, f"{run['seconds']:.1f}", f"{run['cpu_seconds']:.0f}", run["load"], f"{run['resident'] / GB:.2f}",
         f"{run['anonymous'] / GB:.2f}", *(f"{size / GB:.2f}" for size in sizes)])
    report.table(["recipe", "documents", "checkpoint directory", "input GB", "removed", "us a document", "output GB", "bytes a document: private memory",
                  "disk"], on_page=False).append(
        [recipe, million(n), name, f"{run['input_bytes'] / GB:.2f}", f"{100 * run['removed'] / n:.1f} %", f"{1e6 * run['seconds'] / n:.2f}",
         f"{run['folders']['out'] / GB:.2f}", f"{run['anonymous'] / n:.0f}", f"{run['disk'] / n:.0f}"])
    passes = ["sketch", "group", "features", "decide", "output"]
    report.table(["recipe", "documents", "checkpoint directory", *(f"{each} s" for each in passes)], on_page=False).append(
        [recipe, million(n), name, *(f"{run['passes'][each]:.1f}" if each in run["passes"] else "" for each in passes)])
    found = run["recall"]
    kinds = ", ".join(f"{kind} {100 * a / b:.1f} %" for kind, (a, b) in sorted(found["kinds"].items()))
    if name == "yes":
        report.table(["recipe", "documents", "planted pairs judged", "promised", "of these found", "of all found"], on_page=large).append(
            [recipe, million(n), found["pairs"], found["promised"], found["promised_found"], f"{100 * found['found'] / found['pairs']:.1f} %"])
        report.table(["recipe", "documents", "found by what was changed"], on_page=False).append([recipe, million(n), kinds])


def judge_runs(options, report, recipe, runs):
    largest = max(runs)
    for documents, run in runs.items():
        found = run["recall"]
        share = found["promised_found"] / found["promised"]
        least = LEAST_FOUND if recipe == "words-5" else 1
        report.bar(f"{recipe}, {million(documents)}: >= {100 * least:g} % of the planted pairs that it promises to find",
                   f"{found['promised_found']} of {found['promised']}, {100 * share:.3f} %", share >= least)
    run = runs[largest]
    budget = 6 * 2**30
    report.bar(f"{recipe}, {million(largest)}: private memory within --memory {MEMORY}", f"{run['anonymous'] / GB:.2f} GB", run["anonymous"] <= budget)
    smaller = [documents for documents in runs if documents < largest]
    if smaller:
        before = runs[max(smaller)]
        ratio = run["seconds"] / largest / (before["seconds"] / max(smaller))
        report.bar(f"{recipe}: time for each document at {million(largest)} within {MOST_RATIO}x of that at {million(max(smaller))}", f"{ratio:.2f}x",
                   ratio <= MOST_RATIO)


def judge_python(options, report, results, runs):
    if not options.peers:
        report.note("The recipe in Python is not there (--peers): not judged.")
        return
    python = results.get(f"python, first {options.python}", lambda: measure_python(options))
    largest = max(runs)
    whole = python["cpu_s"] / python["docs"] * largest
    faster = whole / runs[largest]["seconds"]
    report.note(f"The recipe in Python (jieba, topK 30, 64 bits, 4 x 16 buckets): {python['docs']:.0f} documents in {python['cpu_s']:.0f} s of "
                f"processor time, {python['docs'] / python['cpu_s']:.0f} a second, one thread; {million(largest)} would take {whole / 3600:.1f} hours.")
    report.bar(f"simhash-jieba-30, {million(largest)}: >= {LEAST_FASTER}x the recipe in Python", f"{faster:.0f}x", faster >= LEAST_FASTER)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000, 5_000_000, 50_000_000], help="sizes [%(default)s]")
    parser.add_argument("--plain", type=int, nargs="*", default=[5_000_000],
                        help="sizes that are also run without a checkpoint directory [%(default)s]")
    parser.add_argument("--recipe", nargs="+", choices=list(RECIPES), default=list(RECIPES))
    parser.add_argument("--judged", type=int, default=50_000, help="planted pairs whose similarity Python computes [%(default)s]")
    parser.add_argument("--python", type=int, default=100_000, help="documents for the recipe in Python [%(default)s]")
    parser.add_argument("--peers", type=pathlib.Path, help="a Python with jieba (made by SHARED/peers-zh/setup.sh)")
    parser.add_argument("--via", default="", help="a command before the measured one, such as 'taskset -c 0,1'")
    parser.add_argument("--results", type=pathlib.Path, help="file of measurements, read and added to")
    options = common.parse(parser)
    report = Report(options, "big_run")
    results = Results(options.results)
    report.note(f"{THREADS} threads, --memory {MEMORY}; the load is that of the machine when a run began.")
    report.note("Disk: checkpoint directory, temp folder and outputs together, without the input; the folders each at its own peak.")
    for recipe in options.recipe:
        runs = {}
        for documents in sorted(options.documents):
            runs[documents] = results.get(f"{recipe}, {documents}, checkpoint directory", lambda: measure(options, recipe, documents, True))
            add_rows(report, recipe, "yes", runs[documents])
            if documents in options.plain:
                name = f"{recipe}, {documents}, no checkpoint directory"
                add_rows(report, recipe, "no", results.get(name, lambda: measure(options, recipe, documents, False)))
        judge_runs(options, report, recipe, runs)
        if recipe == "simhash-jieba-30":
            judge_python(options, report, results, runs)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
