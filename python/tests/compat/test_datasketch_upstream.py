"""The tests of datasketch 1.10, unchanged, with our modules in the place of its own. They are no part of this repository."""

import os
import pathlib
import re
import subprocess
import sys

from needs import shared

HERE = pathlib.Path(__file__).resolve().parent
FILES = ("test_integration", "test_lean_minhash", "test_lsh", "test_minhash", "test_weighted_minhash")
# What datasketch 1.10 gives without a scheme; datasketch 2.0.0 itself fails these.
OF_VERSION_1 = {"TestLeanMinHash::test_bytesize", "TestLeanMinHash::test_init", "TestMinHash::test_byte_tokens"}


def run(ours):
    """The number of tests that passed, and the names of those that failed. Tests of Redis and Cassandra are left out."""
    upstream = shared("upstream/datasketch")
    path = os.pathsep.join([str(HERE), *filter(None, sys.path)])
    environment = {
        **os.environ,
        "NEARDUP_UPSTREAM": str(upstream),
        "NEARDUP_OURS": ours,
        "PYTHONPATH": path,
        "DO_TEST_REDIS": "",
        "DO_TEST_CASSANDRA": "",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rf",
        "-p",
        "upstream_datasketch",
        "--import-mode=importlib",
        "-p",
        "no:cacheprovider",
        "-k",
        "not redis",
    ]
    done = subprocess.run(
        [*command, *(str(upstream / f"{name}.py") for name in FILES)], env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return int(re.search(r"(\d+) passed", done.stdout)[1]), set(re.findall(r"^FAILED .*?::(\S+)", done.stdout, re.MULTILINE))


def test_version_1_passes_all():
    assert run("neardup.compat.datasketch.v1") == (60, set())


def test_version_2_fails_only_what_the_original_fails():
    assert run("neardup.compat.datasketch") == (57, OF_VERSION_1)
