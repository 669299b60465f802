#!/usr/bin/env python3
"""Bar 4, speed: the whole process against rivals and against what the machine can do, in one run.

neardup reads JSON Lines and writes kept lines and verdicts, with verification, from files in the page cache. The inputs are real text
multiplied by make_corpus (bench/corpora.py). Rivals run through the scripts of SHARED/peers, alternating with neardup, and medians
are compared. Slow rivals run on the first --slow-mb of the same file, and megabytes of text per second are compared. What is not
installed is skipped and said so; a bar that needs it is then not judged.

Parts: english (recipe words-5), english-chars and chinese (recipe chars-5), scaling (one thread against two, every corpus).
"""
import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys

import common
import corpora
from report import Report


@dataclasses.dataclass
class Rival:
    name: str
    script: str
    arguments: str
    package: str
    least_ratio: float
    slow: bool = False


RIVALS = {
    "english": [
        Rival("rensa, unigrams", "run_rensa.py", "--mode dedup --shingle split --threshold 0.7", "rensa", 10),
        Rival("rensa rho, unigrams", "run_rensa.py", "--mode rho --threshold 0.7", "rensa", 6),
        Rival("datasketch, words 5", "run_datasketch.py", "--shingle word5 --threshold 0.8", "datasketch", 100, True),
    ],
    "english-chars": [Rival("rensa, chars 5", "run_rensa.py", "--mode dedup --shingle char5 --threshold 0.8", "rensa", 20, True)],
    "chinese": [Rival("rensa, chars 5", "run_rensa.py", "--mode dedup --shingle char5 --threshold 0.8", "rensa", 20, True)],
}
LEAST_PARSE_SHARE = 0.25
LEAST_SCALING = 1.8


def installed(options, rival):
    if not options.peers or not (options.shared / "peers" / rival.script).exists():
        return False
    return subprocess.run([options.peers, "-c", f"import {rival.package}"], capture_output=True, check=False).returncode == 0


def run_rival(options, rival, path):
    out = options.work / "out-rival"
    figures = common.run([options.peers, options.shared / "peers" / rival.script, path, out, *rival.arguments.split()], options.work)
    for file in out.iterdir():
        file.unlink()
    return figures


def parse_speed(options, path):
    """jsonl_parse_mb_s of SHARED/limits on this file, or None."""
    source = options.shared / "limits/limits.cpp"
    program = options.work / "limits"
    if not source.exists():
        return None
    if not program.exists():
        build = ["g++", "-O3", "-march=native", "-std=c++20", source, "-lsimdjson", "-licuuc", "-o", program]
        if subprocess.run(build, check=False).returncode != 0:
            return None
    return json.loads(subprocess.run([program, path], capture_output=True, check=True).stdout)["jsonl_parse_mb_s"]


def add_rows(report, corpus, program, runs, text_mb, ratio=""):
    """Megabytes of text per second and peak memory for the page; seconds for the console; all but the peak are medians."""
    seconds = sorted(run.seconds for run in runs)
    middle = statistics.median(seconds)
    report.table(["corpus", "program", "MB of text", "MB/s", "peak MB", "neardup is"]).append(
        [corpus.name, program, f"{text_mb:.0f}", f"{text_mb / middle:.1f}", f"{max(run.peak_mb for run in runs):.0f}", ratio])
    report.table(["corpus", "program", "median s", "range s", "CPU s"], on_page=False).append(
        [corpus.name, program, f"{middle:.2f}", f"{seconds[0]:.2f} to {seconds[-1]:.2f}",
         f"{statistics.median(run.cpu_seconds for run in runs):.1f}"])


def median_seconds(runs):
    return statistics.median(run.seconds for run in runs)


def against_rivals(options, report, corpus):
    path = corpora.make(options, corpus, options.mb)
    small = corpora.cut(options, path, options.slow_mb)
    rivals = []
    for rival in RIVALS[corpus.name]:
        if installed(options, rival):
            rivals.append(rival)
        else:
            report.note(f"{corpus.name}: {rival.name} is not there (--peers names a Python with {rival.package}): not judged.")
    common.read_into_cache(path)
    _, counts, _ = corpora.dedup(options, path, corpus.recipe)  # not measured
    text_mb = counts["text_bytes"] / 1e6
    small_mb = corpora.dedup(options, small, corpus.recipe)[1]["text_bytes"] / 1e6
    own, others, passes = [], {rival.name: [] for rival in rivals}, []
    for turn in range(options.runs):
        for rival in rivals:
            common.say(f"{corpus.name}, run {turn + 1} of {options.runs}: {rival.name}")
            others[rival.name].append(run_rival(options, rival, small if rival.slow else path))
        common.say(f"{corpus.name}, run {turn + 1} of {options.runs}: neardup")
        figures, counts, _ = corpora.dedup(options, path, corpus.recipe)
        own.append(figures)
        passes.append(counts["passes"])
    share = 100 * counts["removed"] / counts["read"]
    report.note(f"{corpus.name}: {counts['read']} documents, {share:.1f} % removed, {counts['capped_documents']} capped.")
    add_rows(report, corpus, f"neardup {corpus.recipe}", own, text_mb)
    for rival in rivals:
        size = small_mb if rival.slow else text_mb
        ratio = (text_mb / median_seconds(own)) / (size / median_seconds(others[rival.name]))
        add_rows(report, corpus, rival.name, others[rival.name], size, f"{ratio:.1f}x")
        report.bar(f"{corpus.name}, {corpus.recipe}: >= {rival.least_ratio:g}x {rival.name}", f"{ratio:.1f}x", ratio >= rival.least_ratio)
    rows = report.table(["corpus", "pass", "median s", "share"], on_page=False)
    for i, name in enumerate(each["name"] for each in passes[0]):
        seconds = statistics.median(run[i]["seconds"] for run in passes)
        rows.append([corpus.name, name, f"{seconds:.2f}", f"{100 * seconds / median_seconds(own):.0f} %"])
    if corpus.name == "english":
        judge_parsing(options, report, path, own)


def judge_parsing(options, report, path, own):
    parse = parse_speed(options, path)
    if parse is None:
        report.note("limits.cpp is not there or does not build: the share of the parsing speed is not judged.")
        return
    file_mb_s = path.stat().st_size / 1e6 / median_seconds(own)
    report.note(f"english: one thread merely parses {parse:.0f} MB of the file a second (limits.cpp); neardup does {file_mb_s:.0f} MB.")
    what = f"english, words-5: >= {100 * LEAST_PARSE_SHARE:.0f} % of the speed of merely parsing the file"
    report.bar(what, f"{100 * file_mb_s / parse:.0f} %", file_mb_s >= LEAST_PARSE_SHARE * parse)


def scaling(options, report):
    rows = report.table(["corpus", "1 thread s", "2 threads s", "speed-up"])
    for corpus in corpora.CORPORA.values():
        path = corpora.make(options, corpus, options.mb)
        common.read_into_cache(path)
        runs = {1: [], 2: []}
        for turn in range(options.runs):
            for threads, own in runs.items():
                common.say(f"scaling, {corpus.name}, run {turn + 1} of {options.runs}: {threads} threads")
                own.append(corpora.dedup(options, path, corpus.recipe, "--threads", threads)[0])
        one, two = median_seconds(runs[1]), median_seconds(runs[2])
        rows.append([corpus.name, f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}x"])
        what = f"{corpus.name}, {corpus.recipe}: >= {LEAST_SCALING}x from 1 to 2 threads"
        report.bar(what, f"{one / two:.2f}x", one / two >= LEAST_SCALING)


def main():
    parts = [*corpora.CORPORA, "scaling"]
    parser = common.parser(__doc__)
    parser.add_argument("--mb", type=float, default=1000, help="size of each input [%(default)s]")
    parser.add_argument("--slow-mb", type=float, default=30, help="size of the cut for slow rivals [%(default)s]")
    parser.add_argument("--runs", type=int, default=5, help="of each program; medians count [%(default)s]")
    parser.add_argument("--peers", type=pathlib.Path, help="a Python with the rivals, made by SHARED/peers/setup.sh")
    common.add_parts(parser, parts)
    options = common.parse(parser)
    wanted = common.chosen_parts(parser, options, parts)
    report = Report(options, "speed")
    if report.machine["load"] > 0.5:
        common.say(f"The machine was not idle (load {report.machine['load']}): read the ratios with care.")
    for name in wanted:
        if name == "scaling":
            scaling(options, report)
        else:
            against_rivals(options, report, corpora.CORPORA[name])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
