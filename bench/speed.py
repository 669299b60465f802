#!/usr/bin/env python3
"""Bar 4, speed: the whole process against rivals and against what the machine can do, in one run, on --cores cores.

neardup reads JSON Lines and writes kept lines and verdicts, with verification, from files in the page cache. The inputs are real text
multiplied by make_corpus (bench/corpora.py). Rivals run through the scripts of SHARED/peers, alternating with neardup, and medians
are compared. Slow rivals run on the first --slow-mb of the same file, Daft on --daft-mb, and megabytes of text per second are compared.
What is not installed is skipped and said so; a bar that needs it is then not judged.

Writing depends on the disk. The pass `output` is therefore also reported apart, and the speed without it; bars are of the whole process.

Parts:
  english, english-chars, chinese  dedup with words-5, chars-5, chars-5 against rivals; english against merely parsing, too
  sketch    `neardup sketch` against ClickHouse's hashes of the same kind, on the file of english
  scaling   one thread against two, every corpus
  budgets   --memory default, 2G, 512M, 64M: time, peak memory and the same outputs, every corpus
  start     starts of the program
"""
import pathlib
import statistics
import sys

import common
import corpora
import speed_alone
import speed_rivals
from report import Report
from speed_alone import median_seconds

MIN_PARSE_SHARE = 0.36
MIN_SKETCH_RATIO = 2
# What both sketch, the recipe, and the call of ClickHouse. A MinHash of neardup has 128 numbers, ClickHouse's the 6 smallest and the 6
# greatest hashes as two.
SKETCHES = [("MinHash of 5 words", "words-5", "wordShingleMinHash 5 words, 6 hashes"),
            ("SimHash of 3 words", "simhash-words-3", "wordShingleSimHash 3 words"),
            ("SimHash of 4 characters", "simhash-chars-4", "ngramSimHashUTF8 4")]


def add_rows(report, corpus, program, runs, text_mb, ratio=""):
    """Megabytes of text per second and peak memory for the page; seconds for the console; all but the peak are medians."""
    seconds = sorted(run.seconds for run in runs)
    middle = statistics.median(seconds)
    report.table(["corpus", "program", "MB of text", "MB/s", "peak MB", "neardup is"]).append(
        [corpus.name, program, f"{text_mb:.0f}", f"{text_mb / middle:.1f}", f"{max(run.peak_mb for run in runs):.0f}", ratio])
    report.table(["corpus", "program", "median s", "range s", "CPU s"], on_page=False).append(
        [corpus.name, program, f"{middle:.2f}", f"{seconds[0]:.2f} to {seconds[-1]:.2f}",
         f"{statistics.median(run.cpu_seconds for run in runs):.1f}"])


def pass_seconds(counts, name):
    return sum(each["seconds"] for each in counts["passes"] if each["name"] == name)


def add_passes(report, corpus, runs, all_counts, text_mb):
    rows = report.table(["corpus", "pass", "median s", "share"], on_page=False)
    for name in dict.fromkeys(each["name"] for each in all_counts[0]["passes"]):
        seconds = statistics.median(pass_seconds(counts, name) for counts in all_counts)
        rows.append([corpus.name, name, f"{seconds:.2f}", f"{100 * seconds / median_seconds(runs):.0f} %"])
    output = sorted(pass_seconds(counts, "output") for counts in all_counts)
    without = statistics.median(run.seconds - pass_seconds(counts, "output") for run, counts in zip(runs, all_counts))
    report.table(["corpus", "MB/s", "pass `output`, median s", "range s", "MB/s without it"]).append(
        [corpus.name, f"{text_mb / median_seconds(runs):.1f}", f"{statistics.median(output):.2f}", f"{output[0]:.2f} to {output[-1]:.2f}",
         f"{text_mb / without:.1f}"])


def text_megabytes(options, path, corpus):
    return corpora.dedup(options, path, corpus.recipe)[1]["text_bytes"] / 1e6


def rivals_of(options, report, corpus):
    found = []
    for rival in speed_rivals.RIVALS[corpus.name]:
        if speed_rivals.installed(options, rival.script, rival.package):
            found.append(rival)
        else:
            report.note(f"{corpus.name}: {rival.name} is not available (--peers names a Python with {rival.package}): not judged.")
    return found


def against_rivals(options, report, corpus):
    path = corpora.make(options, corpus, options.mb)
    rivals = rivals_of(options, report, corpus)
    common.read_into_cache(path)
    paths = {size: path if size >= options.mb else corpora.cut(options, path, size)
             for size in {options.mb, *(getattr(options, rival.size) for rival in rivals)}}
    text_mb = {size: text_megabytes(options, each, corpus) for size, each in paths.items()}  # the first runs are not measured
    parser = speed_rivals.parser_program(options) if corpus.name == "english" else None
    own, all_counts, parse_speeds, others = [], [], [], {rival.name: [] for rival in rivals}
    for turn in range(options.runs):
        where = f"{corpus.name}, run {turn + 1} of {options.runs}"
        for rival in rivals:
            common.say(f"{where}: {rival.name}")
            others[rival.name].append(speed_rivals.run_rival(options, rival, paths[getattr(options, rival.size)]))
        if parser:
            common.say(f"{where}: merely parsing")
            parse_speeds.append(speed_rivals.parse_speed(parser, path))
        common.say(f"{where}: neardup")
        figures, counts, _ = corpora.dedup(options, path, corpus.recipe)
        own.append(figures)
        all_counts.append(counts)
    counts = all_counts[0]
    share = 100 * counts["removed"] / counts["read"]
    report.note(f"{corpus.name}: {counts['read']} documents, {share:.1f} % removed, {counts['capped_documents']} capped.")
    speed = text_mb[options.mb] / median_seconds(own)
    add_rows(report, corpus, f"neardup {corpus.recipe}", own, text_mb[options.mb])
    for rival in rivals:
        size = text_mb[getattr(options, rival.size)]
        ratio = speed / (size / median_seconds(others[rival.name]))
        add_rows(report, corpus, rival.name, others[rival.name], size, f"{ratio:.1f}x")
        report.bar(f"{corpus.name}, {corpus.recipe}: >= {rival.min_ratio:g}x {rival.name}", f"{ratio:.1f}x", ratio >= rival.min_ratio)
    add_passes(report, corpus, own, all_counts, text_mb[options.mb])
    if corpus.name == "english":
        judge_parsing(report, path, own, parse_speeds)


def judge_parsing(report, path, own, parse_speeds):
    if not parse_speeds:
        report.note("limits.cpp is missing or does not build: the share of the parsing speed is not judged.")
        return
    parse = statistics.median(parse_speeds)
    file_mb_s = path.stat().st_size / 1e6 / median_seconds(own)
    report.note(f"english: one thread merely parses {parse:.0f} MB of the file a second (limits.cpp, {min(parse_speeds):.0f} to "
                f"{max(parse_speeds):.0f}); neardup does {file_mb_s:.0f} MB.")
    what = f"english, words-5: >= {100 * MIN_PARSE_SHARE:.0f} % of the speed of merely parsing the file"
    report.bar(what, f"{100 * file_mb_s / parse:.0f} %", file_mb_s >= MIN_PARSE_SHARE * parse)


def sketch(options, report):
    """Both read the same file with all threads and keep nothing on a disk: ClickHouse sums its hashes, neardup writes into memory."""
    path = corpora.make(options, corpora.CORPORA["english"], options.mb)
    common.read_into_cache(path)
    judged = speed_rivals.installed(options, speed_rivals.CLICKHOUSE, "chdb")
    if not judged:
        report.note("sketch: ClickHouse is not available (--peers names a Python with chdb): not judged.")
    memory_folder = pathlib.Path("/dev/shm")
    out = (memory_folder if memory_folder.is_dir() else options.work) / "neardup-speed-sketches.bin"
    own, others = {recipe: [] for _, recipe, _ in SKETCHES}, []
    for turn in range(options.runs):
        where = f"sketch, run {turn + 1} of {options.runs}"
        if judged:
            common.say(f"{where}: ClickHouse")
            others.append(speed_rivals.run_clickhouse(options, path))
        for recipe, runs in own.items():
            common.say(f"{where}: neardup {recipe}")
            runs.append(common.run([options.neardup, "sketch", path, "--recipe", recipe, "-o", out, "-q"], options.work))
            out.unlink()
    file_mb = path.stat().st_size / 1e6
    rows = report.table(["sketch", "program", "MB of the file/s", "neardup is"])
    for what, recipe, call in SKETCHES:
        speed = file_mb / median_seconds(own[recipe])
        rows.append([what, f"neardup sketch, {recipe}", f"{speed:.0f}", ""])
        if judged:
            other = statistics.median(speeds[call] for speeds in others)
            rows.append([what, f"ClickHouse, {call}", f"{other:.0f}", f"{speed / other:.1f}x"])
            report.bar(f"{what}: >= {MIN_SKETCH_RATIO:g}x ClickHouse", f"{speed / other:.1f}x", speed >= MIN_SKETCH_RATIO * other)
    if judged:
        rows.append(["nothing, only parsing", "ClickHouse", f"{statistics.median(speeds['parse'] for speeds in others):.0f}", ""])


def dedup_of(corpus):
    return lambda options, report: against_rivals(options, report, corpus)


PARTS = {**{name: dedup_of(corpus) for name, corpus in corpora.CORPORA.items()},
         "sketch": sketch, "scaling": speed_alone.scaling, "budgets": speed_alone.budgets, "start": speed_alone.start}


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--mb", type=float, default=1000, help="size of each input [%(default)s]")
    parser.add_argument("--slow-mb", type=float, default=30, help="size of the cut for slow rivals [%(default)s]")
    parser.add_argument("--daft-mb", type=float, help="size of the cut for Daft [that of --mb]")
    parser.add_argument("--runs", type=int, default=5, help="of each program; medians count [%(default)s]")
    parser.add_argument("--starts", type=int, default=20, help="of each command of the part `start` [%(default)s]")
    parser.add_argument("--cores", type=int, default=2, help="cores of all programs [%(default)s]")
    parser.add_argument("--peers", type=pathlib.Path, help="a Python with the rivals, made by SHARED/peers/setup.sh")
    common.add_parts(parser, PARTS)
    options = common.parse(parser)
    options.daft_mb = options.daft_mb or options.mb
    wanted = common.chosen_parts(parser, options, PARTS)
    common.use_cores(options.cores)
    report = Report(options, "speed")
    if report.machine["load"] > 0.5:
        common.say(f"The machine was not idle (load {report.machine['load']}): read the ratios with care.")
    for name in wanted:
        PARTS[name](options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
