#!/usr/bin/env python3
"""Makes allocations of the program fail, one a run, and reports every run that crashes, hangs, leaves something or gives a wrong success.

    NEARDUP_BIN=... NEARDUP_ALLOC_FAULTS=... tests/campaigns/allocations.py [--trials 1000] [--seed 1] [--job NAME...]

Half of the trials fail one allocation, half that one and all later ones. Exit code 1 if there was a problem.
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from allocation_trials import JOBS, Trials, make_inputs  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--job", nargs="*", choices=list(JOBS), default=list(JOBS))
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    binary = os.environ["NEARDUP_BIN"]
    problems = Counter()
    with tempfile.TemporaryDirectory(prefix="neardup-allocations-") as name:
        folder = pathlib.Path(name)
        make_inputs(folder, binary)
        for number, job in enumerate(arguments.job):
            share = arguments.trials // len(arguments.job) + (number < arguments.trials % len(arguments.job))
            trials = Trials(binary, folder, job)
            for _ in range(share):
                fault = f"{chance.randint(1, trials.allocations)}{chance.choice(['', '+'])}"
                problem = trials.problem(fault)
                if problem:
                    problems[job] += 1
                    print(f"{job}: allocation {fault} of {trials.allocations}: {problem}", flush=True)
            print(f"{job}: {share} trials, {trials.allocations} allocations, {problems[job]} problems", flush=True)
    print(f"{arguments.trials} trials, {problems.total()} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
