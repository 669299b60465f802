"""The parts of speed.py in which neardup is compared only with itself: threads, memory budgets, and the start of the program."""
import json
import statistics
import subprocess
import time

import common
import corpora
import memory

MIN_SCALING = 1.85
BUDGETS = {"default": (), "2G": ("--memory", "2G"), "512M": ("--memory", "512M"), "64M": ("--memory", "64M")}
JUDGED_BUDGET = "512M"
MAX_SLOWDOWN = 1.25  # of the judged budget
MAX_START_MS = 15


def median_seconds(runs):
    return statistics.median(run.seconds for run in runs)


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
        what = f"{corpus.name}, {corpus.recipe}: >= {MIN_SCALING}x from 1 to 2 threads"
        report.bar(what, f"{one / two:.2f}x", one / two >= MIN_SCALING)


# --- budgets -----------------------------------------------------------------------------------------------------------------------


def one_line(options):
    path = options.work / "one-line.jsonl"
    path.write_text(json.dumps({"id": "1", "text": "The quick brown fox jumps over the lazy dog."}) + "\n", encoding="utf-8")
    return path


def budgets(options, report):
    """Every budget on every corpus, alternating; the first turn compares the outputs. Peaks are the greatest of all turns.

    Bytes a document are those of memory.py: beyond FIXED_MB. The table also has them beyond the peak of a run over one line.
    """
    rows = report.table(["corpus", "--memory", "median s", "range s", "of default", "peak MB", "beyond one line, bytes a document",
                         "spilled MB", "outputs"])
    empty_mb = corpora.dedup(options, one_line(options), "words-5")[0].peak_mb
    report.note(f"budgets: a run over one line peaks at {empty_mb:.0f} MB.")
    for corpus in corpora.CORPORA.values():
        path = corpora.make(options, corpus, options.mb)
        common.read_into_cache(path)
        runs, hashes, counts = {name: [] for name in BUDGETS}, {}, {}
        for turn in range(options.runs):
            for name, arguments in BUDGETS.items():
                common.say(f"budgets, {corpus.name}, run {turn + 1} of {options.runs}: {name}")
                if turn == 0:
                    figures, counts[name], hashes[name] = memory.run_once(options, path, corpus.recipe, *arguments)
                else:
                    figures = corpora.dedup(options, path, corpus.recipe, *arguments)[0]
                runs[name].append(figures)
        for name in BUDGETS:
            add_budget(report, rows, corpus, name, runs, hashes, counts[name], empty_mb)


def add_budget(report, rows, corpus, name, runs, hashes, counts, empty_mb):
    seconds = sorted(run.seconds for run in runs[name])
    ratio = statistics.median(seconds) / median_seconds(runs["default"])
    peak_mb = max(run.peak_mb for run in runs[name])
    same = hashes[name] == hashes["default"]
    rows.append([corpus.name, name, f"{statistics.median(seconds):.2f}", f"{seconds[0]:.2f} to {seconds[-1]:.2f}", f"{ratio:.2f}x",
                 f"{peak_mb:.0f}", f"{(peak_mb - empty_mb) * 1e6 / counts['read']:.0f}", f"{counts['spilled_bytes'] / 1e6:.0f}",
                 "same" if same else "**other**"])
    what = f"{corpus.name}, {corpus.recipe}, --memory {name}"
    if name != "default":
        report.bar(f"{what}: same bytes as by default", "same SHA-256" if same else "other SHA-256", same)
    if name == JUDGED_BUDGET:
        report.bar(f"{what}: time <= {MAX_SLOWDOWN:g}x that of the default", f"{ratio:.2f}x", ratio <= MAX_SLOWDOWN)
        per_document = memory.bytes_per_document(peak_mb, counts["read"])
        report.bar(f"{what}: <= {memory.BYTES_PER_DOCUMENT} bytes a document beyond {memory.FIXED_MB} MB",
                   f"{per_document:.0f} bytes, peak {peak_mb:.0f} MB", per_document <= memory.BYTES_PER_DOCUMENT)


# --- start -------------------------------------------------------------------------------------------------------------------------


def start_ms(command):
    start = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return 1e3 * (time.perf_counter() - start)


def start(options, report):
    """Whole processes by the clock, the fork of this script included. Not judged: an empty program, and a run that syncs no output."""
    kept = options.work / "out-kept.jsonl"
    dedup = [options.neardup, "dedup", one_line(options), "-q"]
    judged = {"neardup --version": [options.neardup, "--version"], "neardup dedup, one line": [*dedup, "-o", kept]}
    commands = {"an empty program": ["/bin/true"], **judged, "neardup dedup --dry-run, one line": [*dedup, "--dry-run"]}
    taken = {name: [] for name in commands}
    for _ in range(options.starts):
        for name, command in commands.items():
            taken[name].append(start_ms(command))
    kept.unlink()
    rows = report.table(["start", "median ms", "range ms"])
    for name, each in taken.items():
        median = statistics.median(each)
        rows.append([name, f"{median:.1f}", f"{min(each):.1f} to {max(each):.1f}"])
        if name in judged:
            report.bar(f"{name}: < {MAX_START_MS} ms, median of {options.starts} starts", f"{median:.1f} ms", median < MAX_START_MS)
