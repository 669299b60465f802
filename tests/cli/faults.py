"""Runs the program with tests/support/io_faults.cc before it, whose calls fail, kill or shorten a file on request."""
import os
import subprocess

from harness import BINARY

FAULTS = os.environ.get("NEARDUP_IO_FAULTS")
NO_FAULTS = "NEARDUP_IO_FAULTS does not name the library that makes calls fail"


def run(command, cwd, fault=None, count=None, timeout=60, **variables):
    """`fault`: KIND:N. `count`: a path to which the number of calls is written. `variables` without NEARDUP_FAULT_, in lower case."""
    environment = dict(os.environ, LD_PRELOAD=FAULTS)
    if fault:
        environment["NEARDUP_FAULT"] = fault
    if count:
        environment["NEARDUP_FAULT_COUNT"] = str(count)
    environment |= {f"NEARDUP_FAULT_{name.upper()}": str(value) for name, value in variables.items()}
    return subprocess.run([BINARY, *map(str, command)], cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                          check=False)


def numbers(calls):
    """Which of `calls` calls to hit, counted from 1: every third one and both ends; every one if NEARDUP_EVERY_CALL is set."""
    if os.environ.get("NEARDUP_EVERY_CALL"):
        return range(1, calls + 1)
    return sorted({*range(1, calls + 1, 3), 2, calls - 1, calls})


def count_calls(command, cwd, path):
    """How many calls the command makes that change files."""
    result = run(command, cwd, count=path)
    assert result.returncode == 0, result.stderr
    return int(path.read_text())
