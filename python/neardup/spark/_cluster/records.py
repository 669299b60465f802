"""Rows of exchanges: blobs of the core, and those of this package, which carry facts to the driver.

Facts travel as rows and never as accumulators: a repeated task repeats its rows, and only those of one attempt count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..._core import InputError, UsageError

# Beyond those of the core, which are small.
PROBLEM = 100  # a message that ends the run
WIDE = 101  # a rank needs more than five bytes
MEASURE = 102  # what a task counted, as JSON

_BATCH_BYTES = 32 << 20
_SCHEMA = pa.schema([("part", pa.int32()), ("kind", pa.int8()), ("blob", pa.binary())])


def rows_of(blobs: Iterable[tuple[int, int, bytes]], labels: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """Blobs as rows, with the labels of their parts, in batches of bounded bytes."""
    held: list[tuple[int, int, bytes]] = []
    size = 0
    for blob in blobs:
        held.append(blob)
        size += len(blob[2])
        if size >= _BATCH_BYTES:
            yield _batch(held, labels)
            held, size = [], 0
    if held:
        yield _batch(held, labels)


def passed_on(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Rows from Spark as those of this package, which follow: with spark.sql.execution.arrow.useLargeVarTypes they have other types."""
    return pa.record_batch([batch.column(field.name).cast(field.type) for field in _SCHEMA], schema=_SCHEMA)


def fact(kind: int, value: Any, labels: Sequence[int] = (0,)) -> pa.RecordBatch:
    """One row for the driver."""
    return _batch([(0, kind, value if isinstance(value, bytes) else json.dumps(value).encode())], labels)


def problem(error: Exception, labels: Sequence[int] = (0,)) -> pa.RecordBatch:
    return fact(PROBLEM, [type(error).__name__, str(error)], labels)


def raise_problem(blobs: Iterable[bytes]) -> None:
    """Raises what tasks reported, the first in alphabetical order, so that every run names the same."""
    reported = sorted(map(tuple, map(json.loads, blobs)))
    if reported:
        kind, message = reported[0]
        raise (UsageError if kind == "UsageError" else InputError)(message)


def totals(blobs: Iterable[bytes]) -> dict[str, int]:
    """What tasks measured: sums, and of names that begin with "largest" the maximum."""
    sums: dict[str, int] = {}
    for blob in blobs:
        for name, value in json.loads(blob).items():
            before = sums.get(name, 0)
            sums[name] = max(before, value) if name.startswith("largest") else before + value
    return sums


def _batch(blobs: list[tuple[int, int, bytes]], labels: Sequence[int]) -> pa.RecordBatch:
    part, kind, data = zip(*blobs)
    return pa.record_batch(
        [pa.array(np.take(labels, part), pa.int32()), pa.array(kind, pa.int8()), pa.array(data, pa.binary())], schema=_SCHEMA
    )
