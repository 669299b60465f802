#!/usr/bin/env python3
"""Answers: how long `neardup tune`, `explain` and `report` take to answer.

tune     the English corpus of speed.py (--mb)
explain  a run of words-5 at 0.8 over --documents short documents, a question bank of real sentences: --ids removed documents, evenly spaced,
         as many kept ones, and ids that do not exist. Once from a JSON Lines file, once from the same file in gzip form, which has to be
         decompressed from its beginning up to the document
report   the same two runs, and one over the corpus of tune, of which the run removes 30 %

Each answer is a process of its own; input files are in the page cache.
"""
import json
import shutil
import statistics
import subprocess
import sys
import time

import common
import corpora
from report import Report

INPUTS = ("zh-passages", "zh-wiki", "zh-law-articles", "en-books", "en-docs-versions", "en-proc-codes")
MOST_TUNE, MOST_EXPLAIN, MOST_REPORT, MOST_PAGE = 30, 0.050, 10, 3e6  # seconds, seconds, seconds, bytes


def make_bank(options):
    bank = options.work / f"answers-{options.documents}.jsonl"
    if not bank.exists():
        common.say(f"making {bank.name}")
        part = bank.with_suffix(".part")
        common.run([common.tool(options, "make_question_bank"), "--documents", options.documents, "--out", part, "--truth",
                    options.work / "answers-planted.tsv", *(common.plain(options, f"{name}.jsonl") for name in INPUTS)], options.work)
        part.rename(bank)
    return bank


def make_gzip(plain):
    packed = plain.with_name(f"{plain.name}.gz")
    if not packed.exists():
        common.say(f"making {packed.name}")
        part = packed.with_suffix(".part")
        with open(part, "wb") as file:
            subprocess.run(["gzip", "-c", plain], stdout=file, check=True)
        part.rename(packed)
    return packed


def name_of(path):
    return f"{path.stat().st_size / 1e6:.0f} MB, {path.suffix[1:]}"


def add_row(report, command, path, figures):
    report.table(["command", "input", "s", "CPU s", "peak MB"]).append(
        [command, name_of(path), f"{figures.seconds:.1f}", f"{figures.cpu_seconds:.1f}", f"{figures.peak_mb:.0f}"])


def measure_tune(options, report, path):
    common.read_into_cache(path)
    common.say("tune")
    figures = common.run([options.neardup, "tune", path, "-o", options.work / "answers-tune.toml"], options.work)
    add_row(report, "tune", path, figures)
    if options.mb >= 1000:
        report.bar(f"tune of 1 GB in less than {MOST_TUNE} s", f"{figures.seconds:.1f} s", figures.seconds < MOST_TUNE)


def ids_to_ask(verdicts, count):
    """{"removed": ids, "kept": ids, "unknown": ids}; each unknown id is a known one with `7x` appended."""
    by_verdict = {"remove": [], "keep": []}
    for line in common.lines(verdicts):
        verdict = json.loads(line)
        by_verdict[verdict["verdict"]].append(str(verdict["id"]))
    removed, kept = (ids[::max(1, len(ids) // count)][:count] for ids in (by_verdict["remove"], by_verdict["keep"]))
    return {"removed": removed, "kept": kept, "unknown": [f"{known}7x" for known in kept[:5]]}


def ask(options, run, document, known):
    start = time.perf_counter()
    done = subprocess.run([options.neardup, "explain", run, document], capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if (done.returncode == 0) != known:
        raise RuntimeError(f"explain {document}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return seconds


def measure_run(options, report, path, documents=0):
    """`documents` of the input, if the bars are about it."""
    run, verdicts, page = options.work / "answers-run", options.work / "answers-verdicts.jsonl", options.work / "answers-report.html"
    shutil.rmtree(run, ignore_errors=True)
    common.say(f"dedup of {path.name}")
    common.run([options.neardup, "dedup", path, "--recipe", "words-5", "--threshold", "0.8", "--work", run, "-o",
                options.work / "answers-kept.jsonl", "--verdicts", verdicts], options.work)
    common.read_into_cache(path)
    name = name_of(path)
    for kind, ids in ids_to_ask(verdicts, options.ids).items():
        common.say(f"explain, {kind}")
        times = [ask(options, run, document, kind != "unknown") for document in ids]
        report.table(["explain", "input", "asked", "median ms", "slowest ms"]).append(
            [kind, name, len(times), f"{1000 * statistics.median(times):.0f}", f"{1000 * max(times):.0f}"])
        if kind != "unknown" and path.suffix == ".jsonl" and documents >= 1_000_000:
            report.bar(f"explain of a {kind} document in less than {1000 * MOST_EXPLAIN:.0f} ms", f"{1000 * max(times):.0f} ms at most",
                       max(times) < MOST_EXPLAIN)
    common.say("report")
    figures = common.run([options.neardup, "report", run, "-o", page], options.work)
    size = page.stat().st_size
    add_row(report, "report", path, figures)
    if documents >= 1_000_000:
        report.bar(f"report in less than {MOST_REPORT} s: {name}", f"{figures.seconds:.1f} s", figures.seconds < MOST_REPORT)
        report.bar(f"report of less than {MOST_PAGE / 1e6:.0f} MB: {name}", f"{size / 1e6:.2f} MB", size < MOST_PAGE)


def main():
    parts = ("tune", "english", "plain", "gzip")
    parser = common.parser(__doc__)
    parser.add_argument("--mb", type=float, default=1000, help="size of the input of tune [%(default)s]")
    parser.add_argument("--documents", type=int, default=1_000_000, help="of the run that is explained and reported [%(default)s]")
    parser.add_argument("--ids", type=int, default=20, help="documents of a kind to explain [%(default)s]")
    parser.add_argument("--only", action="append", choices=parts, default=[], help="only this part; may be repeated")
    options = common.parse(parser)
    report = Report(options, "answers")
    wanted = options.only or parts
    if "tune" in wanted or "english" in wanted:
        english = corpora.make(options, corpora.CORPORA["english"], options.mb)
    if "tune" in wanted:
        measure_tune(options, report, english)
    if "english" in wanted:
        measure_run(options, report, english)
    if "plain" in wanted:
        measure_run(options, report, make_bank(options), options.documents)
    if "gzip" in wanted:
        measure_run(options, report, make_gzip(make_bank(options)), options.documents)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
