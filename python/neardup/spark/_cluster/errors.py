"""Errors of tasks as those of the package: what the core says in an executor reaches the caller under its own class."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from ... import _core

# As Python prints the last line of a traceback, which Spark passes on as text.
_LAST_LINE = re.compile(r"^\s*neardup(?:\._core)?\.(\w+Error): (.*)$", re.MULTILINE)


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        found = _LAST_LINE.search(str(error))
        kind = getattr(_core, found[1], None) if found else None
        if kind is None:
            raise
        raise kind(found[2]) from None
