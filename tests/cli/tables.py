"""What tests with tables need beyond the program: DuckDB's library, and pyarrow as the other side that writes and reads Parquet.

The library is fetched into the cache folder if it is missing; pyarrow is one of the packages of tests/requirements.txt.
"""
import functools
import importlib
import os
import pathlib
import subprocess

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
HOW_TO_GET_PACKAGES = "run the tests by ctest, or with the Python whose path scripts/test_python.sh prints"


@functools.cache
def duckdb_library():
    """The path of libduckdb.so, or None."""
    named = os.environ.get("NEARDUP_DUCKDB")
    if named:
        return named
    try:
        result = subprocess.run([SCRIPTS / "get_duckdb.sh"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return result.stdout.decode().strip() if result.returncode == 0 else None


@functools.cache
def pyarrow():
    """The module with its submodule parquet, or None."""
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError:
        return None


def missing(library, arrow=True):
    """What of the two is missing, and what to do about it; or None."""
    if not library:
        return "DuckDB's library is not here: scripts/get_duckdb.sh fetches it, or says why it cannot"
    if not arrow:
        return f"the Python package pyarrow is not installed: {HOW_TO_GET_PACKAGES}"
    return None
