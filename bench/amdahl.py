#!/usr/bin/env python3
"""What the serial parts of `neardup dedup` allow on many cores: calculated from parts that are measured here.

On each corpus of speed.py, `neardup dedup` runs with one thread and with two, alternating, and medians count; then once more with one
thread under perf (thread_parts.py), which says how the processor time of each pass divides into kinds. What the clock of a pass shows
beyond its processor time (waiting for a disk, or for a busy machine) counts as serial. --cpu leaves it out, for a machine that is not idle.
With n cores,

  Amdahl:     t(n) = serial + take + commit + work / n + sum of parallel / min(n, tasks)
  pipelined:  t(n) = serial + max(take, commit, (take + work + commit) / n) + sum of parallel / min(n, tasks), pass by pass

In a pass that reads, other threads work while one takes or commits: `pipelined` is the best case. If they all wait for it, `Amdahl` is
true. Neither knows the limits of memory bandwidth, of the disk and of locks, that hardware threads share a core, and that a parallel_for
ends with its slowest task. Two threads are measured, and compared with the calculation.
"""
import statistics
import sys

import common
import corpora
import thread_parts
from report import Report
from thread_parts import KINDS, PASSES, REST

CORES = (16, 32, 64)
MAX_DIFFERENCE = 0.15  # of two threads from the calculation
MAX_GUESSED = 0.05


class Parts:
    """Seconds of one corpus with one thread: {pass: {(kind, tasks): seconds}}. kind "wait" is the clock beyond processor time."""

    def __init__(self, seconds):
        self.seconds = seconds

    def of(self, name, kind):
        return sum(each for (its_kind, _), each in self.seconds[name].items() if its_kind == kind)

    def total(self):
        return sum(sum(each.values()) for each in self.seconds.values())

    def serial_share(self):
        """By Amdahl's law: what does not become less with cores."""
        return sum(self.of(name, kind) for name in self.seconds for kind in ("serial", "wait", "take", "commit")) / self.total()

    def seconds_on(self, cores, pipelined):
        total = 0.0
        for name, parts in self.seconds.items():
            take, commit, work = (self.of(name, kind) for kind in ("take", "commit", "work"))
            total += self.of(name, "serial") + self.of(name, "wait")
            total += max(take, commit, (take + work + commit) / cores) if pipelined else take + commit + work / cores
            total += sum(each / min(cores, tasks or cores) for (kind, tasks), each in parts.items() if kind == "parallel")
        return total


def parts_of(samples, cpu_seconds, clock):
    """Parts that sum up to `clock`, {pass: seconds}, if cpu_seconds divide as the samples do; without a clock, to cpu_seconds."""
    made = {}
    for name in (*PASSES.values(), REST):
        own = {(kind, tasks): count * cpu_seconds / samples.total() for (of, kind, tasks), count in samples.counts.items() if of == name}
        cpu = sum(own.values())
        seconds = clock[name] if clock else cpu
        scale = min(1.0, seconds / cpu) if cpu > 0 else 1.0
        made[name] = {part: each * scale for part, each in own.items()}
        made[name]["wait", 0] = seconds - cpu * scale
    return Parts(made)


def clock_of(runs):
    """{pass: median seconds}, and what the process takes beyond its passes, of [(Run, summary)]."""
    made = {name: statistics.median(sum(each["seconds"] for each in counts["passes"] if each["name"] == name) for _, counts in runs)
            for name in PASSES.values()}
    made[REST] = max(0.0, statistics.median(run.seconds for run, _ in runs) - sum(made.values()))
    return made


def measure(options, path, corpus):
    """(Parts, seconds of one thread, seconds of two, Samples). By processor time, two threads are not measured: None."""
    runs = {1: []} if options.cpu else {1: [], 2: []}
    for turn in range(options.runs):
        for threads, own in runs.items():
            common.say(f"{corpus.name}, run {turn + 1} of {options.runs}: --threads {threads}")
            own.append(corpora.dedup(options, path, corpus.recipe, "--threads", threads)[:2])
    common.say(f"{corpus.name}: perf")
    outputs = [options.work / name for name in ("out-kept.jsonl", "out-verdicts.jsonl")]
    command = [options.neardup, "dedup", path, "--recipe", corpus.recipe, "-o", outputs[0], "--verdicts", outputs[1], "--threads", 1, "-q"]
    samples = thread_parts.sample(options, command, runs[1][0][1]["bands"])
    for output in outputs:
        output.unlink()
    one, two = (statistics.median(run.seconds for run, _ in runs[threads]) if threads in runs else None for threads in (1, 2))
    parts = parts_of(samples, statistics.median(run.cpu_seconds for run, _ in runs[1]), None if options.cpu else clock_of(runs[1]))
    return parts, one, two, samples


def speed_ups(parts, cores):
    """"8.1 to 9.4x": by Amdahl's law, to pipelined."""
    low, high = (parts.total() / parts.seconds_on(cores, pipelined) for pipelined in (False, True))
    return f"{low:.1f} to {high:.1f}x"


def add(report, tables, corpus, measured):
    parts, one, two, samples = measured
    by_pass, by_cores = tables
    for name in parts.seconds:
        kinds = [parts.of(name, kind) for kind in (*KINDS, "wait")]
        by_pass.append([corpus.name, name, f"{sum(kinds):.2f}", *(f"{each:.2f}" for each in kinds)])
    by_cores.append([corpus.name, f"{parts.total():.2f}", f"{100 * parts.serial_share():.1f} %", f"{one / two:.2f}x" if two else "-",
                     *(speed_ups(parts, cores) for cores in (2, *CORES))])
    share = samples.guessed / samples.total()
    report.bar(f"{corpus.name}: at most {100 * MAX_GUESSED:.0f} % of the samples are sorted by the one before them",
               f"{100 * share:.1f} % of {samples.total()}", share <= MAX_GUESSED)
    if two:
        best, worst = (parts.seconds_on(2, pipelined) for pipelined in (True, False))
        difference = max(best - two, two - worst, 0.0) / two
        report.bar(f"{corpus.name}: two threads within {100 * MAX_DIFFERENCE:.0f} % of what is calculated",
                   f"{two:.2f} s, calculated {best:.2f} to {worst:.2f} s", difference <= MAX_DIFFERENCE)


def markdown(columns, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (columns, ["---"] * len(columns), *rows))


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--mb", type=float, default=1000, help="size of each input [%(default)s]")
    parser.add_argument("--runs", type=int, default=5, help="with each number of threads; medians count [%(default)s]")
    parser.add_argument("--cpu", action="store_true", help="only processor time, for a machine that is not idle")
    common.add_parts(parser, corpora.CORPORA)
    options = common.parse(parser)
    wanted = common.chosen_parts(parser, options, corpora.CORPORA)
    thread_parts.check_perf()
    common.use_cores(2)
    report = Report(options, "amdahl")
    clock = "by processor time, which leaves out waiting for the disk" if options.cpu else "by the clock"
    runs = "1 run" if options.runs == 1 else f"{options.runs} runs"
    report.note(f"Inputs of {options.mb:g} MB in the page cache; {clock}, median of {runs}.")
    pass_columns = ["corpus", "pass", "1 thread, s", *KINDS, "waiting"]
    core_columns = ["corpus", "1 thread, s", "serial", "2 threads, measured", "2 cores", *(f"{cores} cores" for cores in CORES)]
    tables = report.table(pass_columns, on_page=False), report.table(core_columns)
    for name in wanted:
        corpus = corpora.CORPORA[name]
        path = corpora.make(options, corpus, options.mb)
        common.read_into_cache(path)
        add(report, tables, corpus, measure(options, path, corpus))
    shown = [markdown(core_columns, tables[1]), "One thread, by pass:", markdown(pass_columns, tables[0])]
    report.part("docs/scale.md", "amdahl", "\n\n".join([*report.notes, *shown]))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
