#!/usr/bin/env python3
"""Fuzzes every target until each has used its share of processor time:  tests/campaigns/fuzz.py build/fuzz CORPUS [NAME...] [--minutes M] [--jobs N]

CORPUS keeps, per target, the inputs that reached something new, the inputs that failed, and the time used so far: a campaign that was
stopped continues where it was. Prints one row per target: minutes of processor time
and by the clock, runs, edges reached; fails if an input failed or a target did not get its time.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

SEEDS = pathlib.Path(__file__).resolve().parent.parent.parent / "fuzz" / "seeds"
SLICE_S = 300  # wall clock of one run of a target, after which its state is saved
STATUS = re.compile(rb"#(\d+)\s+\w+\s.*?cov: (\d+)")


class Target:
    def __init__(self, program, corpus):
        self.program = program
        self.name = program.name.removesuffix("_fuzz")
        self.corpus = corpus / self.name
        self.failures = corpus / f"{self.name}.failures"
        self.state_file = corpus / f"{self.name}.json"
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.failures.mkdir(exist_ok=True)
        self.state = json.loads(self.state_file.read_text()) if self.state_file.exists() else {"cpu_s": 0, "clock_s": 0, "runs": 0, "coverage": 0}

    def failed(self):
        return sorted(path.name for path in self.failures.iterdir())

    def run(self, seconds):
        """One slice. The processor time is that of the process as the system counts it, so that a busy machine takes nothing from it."""
        command = [self.program, f"-max_total_time={seconds}", "-rss_limit_mb=2560", "-timeout=300", "-report_slow_units=300",
                   f"-artifact_prefix={self.failures}/", self.corpus, SEEDS / self.name]
        log = self.failures.with_suffix(".log")
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
            started = time.monotonic()
            _, _, usage = os.wait4(process.pid, 0)
            self.state["clock_s"] += time.monotonic() - started
        text = log.read_bytes()
        found = STATUS.findall(text)
        if found:
            self.state["runs"] += max(int(runs) for runs, _ in found)
            self.state["coverage"] = max(int(coverage) for _, coverage in found)
        self.state["cpu_s"] += usage.ru_utime + usage.ru_stime
        self.state_file.write_text(json.dumps(self.state))
        if not found and not self.failed():
            sys.exit(f"{self.name} ran nothing: {text[-500:].decode(errors='replace')}")


def row(target):
    state = target.state
    return (f"{target.name:20} {state['cpu_s'] / 60:6.1f} min of {state['clock_s'] / 60:6.1f} {state['runs']:12,} runs {state['coverage']:7,} edges "
            f"{sum(1 for _ in target.corpus.iterdir()):6,} inputs  {len(target.failed())} failures")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="the build directory of the preset fuzz")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="targets [all]")
    parser.add_argument("--minutes", type=float, default=30, help="processor time for each target [30]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time [all processors]")
    given = parser.parse_args()
    programs = sorted((given.build / "fuzz").glob("*_fuzz"))
    if given.names:
        programs = [given.build / "fuzz" / f"{name}_fuzz" for name in given.names]
    if not programs or not all(os.access(program, os.X_OK) for program in programs):
        sys.exit(f"{given.build}/fuzz does not hold the targets: scripts/build.sh fuzz")
    targets = [Target(program.resolve(), given.corpus.resolve()) for program in programs]
    lock = threading.Lock()  # of `waiting`, and of the output

    # The target with the least time is next, so that a campaign that is stopped early has treated all alike.
    waiting = list(targets)

    def work():
        while True:
            with lock:
                open_ones = [target for target in waiting if target.state["cpu_s"] < given.minutes * 60 and not target.failed()]
                if not open_ones:
                    return
                target = min(open_ones, key=lambda each: each.state["cpu_s"])
                waiting.remove(target)
            target.run(SLICE_S)
            with lock:
                waiting.append(target)
                print(row(target), flush=True)

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for done in [pool.submit(work) for _ in range(given.jobs)]:
            done.result()
    print()
    for target in targets:
        print(row(target))
        for name in target.failed():
            print(f"    {target.failures / name}")
    if any(target.failed() or target.state["cpu_s"] < given.minutes * 60 for target in targets):
        sys.exit(1)


if __name__ == "__main__":
    main()
