"""What the campaigns share: options, corpora, scratch folders, and how trials are counted.

A campaign is a long random test that is run by hand:  NEARDUP_BIN=... tests/campaigns/NAME.py [--trials N] [--seed S]
A trial is a function of its seed, so that a failed one can be run again alone: --only SEED.
"""
import argparse
import hashlib
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))


class Failure(Exception):
    """An invariant that does not hold."""


def expect(holds, what):
    if not holds:
        raise Failure(what)


def options(description, trials=1000):
    """The parser of a campaign; it may add options of its own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--trials", type=int, default=trials, help=f"how many [{trials}]")
    parser.add_argument("--seed", type=int, default=1, help="of the first trial; the others count up [1]")
    parser.add_argument("--only", type=int, help="run the trial with this seed and keep its folder")
    parser.add_argument("--minutes", type=float, help="stop after so many minutes")
    return parser


def require_program(library=False):
    """Ends the campaign unless the environment names the program, and the library of tests/support/io_faults.cc if it is needed."""
    for name in ("NEARDUP_BIN", *(("NEARDUP_IO_FAULTS",) if library else ())):
        if not os.access(os.environ.get(name, ""), os.R_OK):
            sys.exit(f"{name} names no file")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files_below(folder):
    """Names of all files, hidden ones too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def run(trial, given):
    """trial(folder, chance) raises Failure, or returns a word that tells what happened. Prints what failed, then the counts; ends the process."""
    done, failures, outcomes = 0, [], {}
    started = time.monotonic()
    for seed in [given.only] if given.only is not None else range(given.seed, given.seed + given.trials):
        if given.minutes and time.monotonic() - started > given.minutes * 60:
            break
        folder = pathlib.Path(tempfile.mkdtemp(prefix="neardup-campaign-"))
        try:
            outcome = trial(folder, random.Random(seed))
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        except Failure as failure:
            failures.append(seed)
            print(f"seed {seed}: {failure}", flush=True)
        except Exception:  # a bug of the campaign counts as well
            failures.append(seed)
            print(f"seed {seed}: {traceback.format_exc()}", flush=True)
        done += 1
        if given.only is None:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(folder)
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:6} {outcome}")
    print(f"{done} trials, {len(failures)} failures")
    sys.exit(1 if failures else 0)
