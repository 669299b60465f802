"""What tests with tables need beyond the program: DuckDB's library, and pyarrow as the other side that writes and reads Parquet.

Both are looked for, then fetched into the cache folder; where that fails the tests skip and say so.
"""
import functools
import importlib
import os
import pathlib
import subprocess
import sys

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "neardup"
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


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
    folder = CACHE / f"pyarrow-{sys.version_info.major}.{sys.version_info.minor}"
    for attempt in ("installed", "cached", "fetched"):
        if attempt == "cached":
            sys.path.append(str(folder))
        if attempt == "fetched":
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "pyarrow==26.0.1"]
            try:
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=True,
                               env=os.environ | {"PIP_BREAK_SYSTEM_PACKAGES": "1"})
            except (OSError, subprocess.SubprocessError):
                return None
        importlib.invalidate_caches()
        try:
            importlib.import_module("pyarrow.parquet")
            return importlib.import_module("pyarrow")
        except ImportError:
            pass
    return None
