"""The parts of a run of `neardup dedup` with one thread, by how many threads could share them; for amdahl.py.

`perf record` samples the stack by processor time. Each sample belongs to a pass (run_NAME_pass is in its stack) and to one kind:

- take: OrderedLine takes the next batch from the source, one thread at a time;
- commit: OrderedLine commits batches in order, one thread at a time; in the pass `output` this is writing;
- work: what OrderedLine does in parallel;
- parallel: parallel_for, with the most tasks that it has where these are few;
- serial: everything else.

perf cannot follow a stack to its end that is aligned for vectors. Such a sample belongs to the pass of the sample before it, and to its
kind, too, unless the function is known to be work.
"""
import collections
import dataclasses
import re
import shutil
import subprocess
import sys

import common

SAMPLES_A_SECOND = 499
STACK_BYTES = 16384
PASSES = {"sketch": "sketch", "group": "group", "feature": "features", "decide": "decide", "output": "output"}  # functions, summaries
REST = "rest"  # outside the passes
KINDS = ("take", "commit", "work", "parallel", "serial")
LINE = "neardup::OrderedLine::run"
PARALLEL = "neardup::parallel_for"
PASS_OF = re.compile(r"neardup::run_(\w+)_pass\b")
# The functions that OrderedLine calls. Of all that are in a stack the outermost counts, because these call others of the same type.
STEPS = {"std::_Function_handler<bool (unsigned long, unsigned long)": "take",
         "std::_Function_handler<void (unsigned long, unsigned long)": "commit",
         "std::_Function_handler<void (unsigned int, unsigned long, unsigned long)": "work"}
# Callers of parallel_for with few tasks: two files of rows; or one task a band.
TWO_TASKS = "load_rows"
TASK_A_BAND = "BandBuckets::BandBuckets"
# Functions without visible callers that are only called for single documents.
WORK = ("neardup::MinHasher::sketch", "neardup::drop_most_repetitions")
UNKNOWN = "[unknown]"


@dataclasses.dataclass
class Samples:
    """Counts by (pass, kind, tasks). tasks is 0 unless a parallel_for has few."""

    counts: collections.Counter
    guessed: int  # of these, samples that have the kind of the one before them

    def total(self):
        return self.counts.total()


def stacks(printed):
    """Of what `perf script -F comm,ip,sym` prints: one list of functions a sample, outermost first."""
    for sample in printed.split("\n\n"):
        functions = [line.split(None, 1)[1] for line in sample.strip().splitlines()[1:] if len(line.split(None, 1)) == 2]
        if functions:
            yield functions[::-1]


def kind_of(functions, bands):
    """(kind, tasks) of a complete stack."""
    line = next((i for i, function in enumerate(functions) if function.startswith(LINE)), None)
    parallel = next((i for i, function in enumerate(functions) if function.startswith(PARALLEL)), None)
    if line is not None and (parallel is None or line < parallel):
        for function in functions[line:]:
            for step, kind in STEPS.items():
                if function.startswith(step):
                    return kind, 0
        return "serial", 0  # the line itself
    if parallel is None:
        return "serial", 0
    caller = functions[parallel - 1] if parallel > 0 else ""
    return "parallel", 2 if TWO_TASKS in caller else bands if TASK_A_BAND in caller else 0


def pass_of(functions):
    found = next(filter(None, map(PASS_OF.search, functions)), None)
    return PASSES.get(found[1], REST) if found else REST


def is_complete(functions):
    """False if the caller of some function of the engine is not in the stack."""
    known = [function for function in functions if function != UNKNOWN]
    return functions[0] != UNKNOWN or any(PASS_OF.search(function) or function.startswith("neardup::cli::") for function in known)


def sort_samples(all_functions, bands):
    """Samples of the stacks of one thread in the order of time; `bands`: tasks of what has one task a band."""
    counts, guessed, before = collections.Counter(), 0, (REST, "serial", 0)
    for functions in all_functions:
        if is_complete(functions):
            before = (pass_of(functions), *kind_of(functions, bands))
            counts[before] += 1
        elif any(function in WORK for function in functions):
            counts[before[0], "work", 0] += 1
        else:
            counts[before] += 1
            guessed += 1
    return Samples(counts, guessed)


def check_perf():
    """Ends the program if perf is not available or may not see the kernel, where writing happens."""
    look = ["perf", "stat", "-e", "cpu-clock:k", "true"]
    if not shutil.which("perf") or subprocess.run(look, capture_output=True, check=False).returncode != 0:
        sys.exit("perf is missing or may not see the kernel: install linux-perf, and run as root or with "
                 "kernel.perf_event_paranoid at most 1")


def sample(options, command, bands):
    """Runs the command under perf. Returns its Samples."""
    data = options.work / "amdahl-perf.data"
    common.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", SAMPLES_A_SECOND, "--call-graph", f"dwarf,{STACK_BYTES}", "-o", data, "--",
                *command], options.work)
    done = subprocess.run(["perf", "script", "-i", data, "-F", "comm,ip,sym", "--no-inline"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    data.unlink()
    return sort_samples(stacks(done.stdout.decode(errors="replace")), bands)
