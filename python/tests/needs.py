"""What tests need besides the package: a folder next to the repository that may be missing. Everything else that is missing fails."""

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
#: scripts/test_wheel.sh --asan
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")


def shared(name):
    """A file or folder of ../shared; skips the test if that is missing. scripts/count_tests.py allows skips by the tag in the reason."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"[shared] ../shared/{name} is missing")
    return path
