"""Dense numbers: the place of each row in one sort, whatever the partitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .._core import UsageError
from ._plan import Plan
from ._ship import task


def number_rows(plan: Plan, df: DataFrame, id: Column, order: list[tuple[Column, bool]]) -> DataFrame:
    """The columns id and r of all rows of `df`; r counts from 0 in the order of `order` (columns, and whether they descend), which the ids make a
    total one.

    Raises UsageError for a null id, and for one that two neighbours in this order have.
    """
    schema = T.StructType([df.select(id.alias("id")).schema["id"], T.StructField("r", T.LongType())])
    found = plan.tables.find("ranks", schema)
    if found is not None:
        return found
    keyed = df.select(id.alias("id"), *(key.alias(f"k{place}") for place, (key, _) in enumerate(order)))
    sort = [F.col(f"k{place}").desc() if descending else F.col(f"k{place}").asc() for place, (_, descending) in enumerate(order)]
    # Range partitions are cut by a sample, so another execution would cut them elsewhere: the sorted ids are kept for both uses.
    ordered = plan.tables.keep_order(keyed.repartitionByRange(plan.parts, *sort).sortWithinPartitions(*sort).select("id"))
    counted = ordered.mapInArrow(task("_numbering", "count_rows"), "partition int, rows long, nulls long, double string").collect()
    if any(row.nulls for row in counted):
        nulls = sum(row.nulls for row in counted)
        raise UsageError(f"id: {nulls:,} {'row has' if nulls == 1 else 'rows have'} no id (null); every document needs one")
    doubles = sorted(row.double for row in counted if row.double is not None)
    if doubles:
        raise UsageError(f"id: '{doubles[0]}' is the id of several documents; ids must be unique")
    sizes = np.zeros(1 + max((row.partition for row in counted), default=0), np.int64)
    for row in counted:
        sizes[row.partition] = row.rows
    begins = np.cumsum(sizes) - sizes
    return plan.tables.keep("ranks", ordered.mapInArrow(task("_numbering", "number_partition", begins.tolist()), schema))


def count_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The number of rows of this partition, and what is wrong with their ids."""
    from pyspark import TaskContext

    rows, nulls, double, last = 0, 0, None, None
    for batch in batches:
        ids = batch.column(0)
        if not len(ids):
            continue
        rows, nulls = rows + len(ids), nulls + ids.null_count
        equal = pc.equal(ids[1:], ids[:-1])
        if double is None and (ids[0].is_valid and ids[0] == last):
            double = str(last)
        if double is None and pc.any(equal).as_py():
            double = str(ids[1:].filter(equal)[0])
        last = ids[len(ids) - 1]
    values = [[TaskContext.get().partitionId()], [rows], [nulls], [double]]
    yield pa.record_batch(
        [pa.array(value, kind) for value, kind in zip(values, (pa.int32(), pa.int64(), pa.int64(), pa.string()))],
        ["partition", "rows", "nulls", "double"],
    )


def number_partition(batches: Iterable[pa.RecordBatch], begins: list[int]) -> Iterator[pa.RecordBatch]:
    from pyspark import TaskContext

    # The number of a range partition is a function of content, unlike that of others.
    at = begins[TaskContext.get().partitionId()]
    for batch in batches:
        yield pa.record_batch([batch.column(0), pa.array(np.arange(at, at + len(batch)))], ["id", "r"])
        at += len(batch)
