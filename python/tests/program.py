"""The command line, which judges the package: the program that NEARDUP_BIN names, or that of the release build."""

import json
import os
import pathlib
import subprocess

import pytest
from needs import ROOT

BIN = os.environ.get("NEARDUP_BIN") or str(ROOT / "build/release/apps/cli/neardup")
needs_program = pytest.mark.skipif(not os.path.exists(BIN), reason=f"there is no program {BIN}: build it, or name it in NEARDUP_BIN")


def run(*arguments, stdin=None):
    """What the program prints on standard output."""
    done = subprocess.run([BIN, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_json(*arguments):
    return json.loads(run(*arguments))


def write_jsonl(path, texts):
    """A corpus with the ids d0, d1, ..."""
    path = pathlib.Path(path)
    path.write_text("".join(json.dumps({"id": f"d{row}", "text": text}) + "\n" for row, text in enumerate(texts)), encoding="utf-8")
    return path


def rounded(value, digits):
    """A number as the command line prints it: with so many significant digits."""
    return None if value is None else float(f"{value:.{digits}g}")
