"""A pytest plugin that lets the tests of datasketch run against a package of ours: pytest -p upstream_datasketch.

Environment: NEARDUP_UPSTREAM, the folder of the tests; NEARDUP_OURS, the name of our package.
"""

import importlib
import importlib.util
import os
import pathlib
import sys

SUBMODULES = (
    "b_bit_minhash",
    "hashfunc",
    "lean_minhash",
    "lsh",
    "lshensemble",
    "lshensemble_partition",
    "lshforest",
    "minhash",
    "storage",
    "weighted_minhash",
)


def replace(ours: str) -> None:
    """Makes `import datasketch` and its submodules mean the package named `ours`."""
    sys.modules["datasketch"] = importlib.import_module(ours)
    for name in SUBMODULES:
        sys.modules[f"datasketch.{name}"] = importlib.import_module(f"{ours}.{name}")


def add_utilities(path: pathlib.Path) -> None:
    """The tests import test.utils, which is not the module `test` of Python."""
    spec = importlib.util.spec_from_file_location("test.utils", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["test.utils"] = module


replace(os.environ["NEARDUP_OURS"])
add_utilities(pathlib.Path(os.environ["NEARDUP_UPSTREAM"]) / "utils.py")
