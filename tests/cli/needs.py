"""What the tests need beyond the program. Something missing fails the test and names what to install; only `scripts/test.sh --without-servers`
(NEARDUP_WITHOUT_SERVERS=1) makes it a skip. A skip for any other reason begins with a tag that scripts/count_tests.py can allow.
"""
import os
import unittest

WITHOUT_SERVERS = os.environ.get("NEARDUP_WITHOUT_SERVERS") == "1"


def stop_if(missing):
    """`missing` says what is missing and how to get it; None or "": nothing is."""
    if missing and WITHOUT_SERVERS:
        raise unittest.SkipTest(f"[servers] {missing}")
    if missing:
        raise AssertionError(missing)
