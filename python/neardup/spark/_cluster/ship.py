"""Functions of this package as tasks of executors, which get the package itself if they lack it."""

from __future__ import annotations

import atexit
import functools
import os
import pathlib
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyspark.sql import SparkSession

from ... import _core
from ..._core import ResourceError, __version__

# The folder, next to the files of an application, into which Spark unpacks the archive.
_FOLDER = "neardup-package"
# Where the module is: in a build directory the sources next to it are links.
_PACKAGE = pathlib.Path(_core.__file__).parent
_shipped: set[str] = set()  # applications whose executors were looked at


def task(module: str, function: str, *arguments: Any, data: bytes | None = None) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """`function(batches, *arguments)` of neardup.spark.`module`, for mapInArrow. `data`: one more argument, of which no copy is made here.

    The function that is returned imports nothing of the package before it runs, so executors can unpickle it without the package: also the
    arguments, which may be objects of the package, are unpickled when it runs.
    """
    version, folder, pickled = __version__, _FOLDER, pickle.dumps(arguments)
    last = () if data is None else (data,)

    # Pickled by value, because it is nested: it must use nothing of this module.
    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import gc
        import importlib
        import os
        import pickle
        import sys

        try:
            import neardup
        except ModuleNotFoundError as error:
            if error.name != "neardup":
                raise
            from pyspark import SparkFiles

            sys.path.append(os.path.join(SparkFiles.getRootDirectory(), folder))
            importlib.invalidate_caches()
            import neardup
        if neardup.__version__ != version:
            raise RuntimeError(f"the driver has neardup {version}, but this executor has {neardup.__version__}; install the same version")
        body = getattr(importlib.import_module("neardup.spark." + module), function)
        # Spark collects garbage after each task. That takes 30 ms, a third of a short task, if it looks at all imported modules.
        gc.freeze()
        yield from body(batches, *pickle.loads(pickled), *last)

    return run


def ship(spark: SparkSession) -> None:
    """Sends the package to the executors if some of them lack it. Looks once per application."""
    context = spark.sparkContext
    if context.applicationId in _shipped:
        return
    tasks = 2 * context.defaultParallelism
    missing = spark.range(0, tasks, 1, tasks).mapInArrow(_probe(), "missing boolean").where("missing").limit(1).collect()
    if missing:
        context.addArchive(f"{_archive()}#{_FOLDER}")
    _shipped.add(context.applicationId)


def _probe() -> Callable[[Iterable[Any]], Iterator[Any]]:
    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import importlib.util

        import pyarrow

        missing = importlib.util.find_spec("neardup") is None
        for batch in batches:
            yield pyarrow.record_batch([pyarrow.array([missing] * len(batch))], ["missing"])

    return run


@functools.cache
def driver_folder() -> pathlib.Path:
    """The folder of the files that executors fetch from the driver, which they do at any time until it ends."""
    folder = tempfile.mkdtemp(prefix="neardup-spark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return pathlib.Path(folder)


def _archive() -> str:
    """The installed package as an archive."""
    folder = driver_folder()
    copy = folder / "tree"
    try:
        shutil.copytree(_PACKAGE, copy / "neardup", ignore=shutil.ignore_patterns("__pycache__"))
        made = shutil.make_archive(str(folder / "neardup"), "zip", copy)
        shutil.rmtree(copy)
    except OSError as error:
        raise ResourceError(f"cannot pack the package for the executors in '{folder}': {error}") from None
    return made
