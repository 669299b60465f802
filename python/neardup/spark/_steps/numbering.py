"""Dense numbers: the place of each row in one sort, whatever the partitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..._core import InputError, UsageError
from .._cluster.ship import task
from .._plan import Plan

_COUNTED = "partition int, rows long, nulls long, double string, first string, last string"
_CHANGED = (
    "the sorted ids that Spark kept are lost, and it sorted them again into other partitions, or the documents changed. Do not drop the tables "
    "of a run (spark.catalog.clearCache(), release()) before all that you need of it is written"
)


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
    # Range partitions are cut by a sample, so another execution would cut them elsewhere: the sorted ids are kept for both uses, and
    # number_partition() verifies that its partition is the one that was counted.
    ordered = plan.tables.keep_order(keyed.repartitionByRange(plan.parts, *sort).sortWithinPartitions(*sort).select("id"))
    counted = ordered.mapInArrow(task("_steps.numbering", "count_rows"), _COUNTED).collect()
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
    expected = {row.partition: (int(begins[row.partition]), row.rows, row.first, row.last) for row in counted}
    return plan.tables.keep("ranks", ordered.mapInArrow(task("_steps.numbering", "number_partition", expected), schema))


def count_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The number of rows of this partition, its ends, and what is wrong with its ids."""
    from pyspark import TaskContext

    rows, nulls, double, first, last = 0, 0, None, None, None
    for batch in batches:
        ids = batch.column(0)
        if not len(ids):
            continue
        first = ids[0] if rows == 0 else first
        rows, nulls = rows + len(ids), nulls + ids.null_count
        equal = pc.equal(ids[1:], ids[:-1])
        if double is None and (ids[0].is_valid and ids[0] == last):
            double = str(last)
        if double is None and pc.any(equal).as_py():
            double = str(ids[1:].filter(equal)[0])
        last = ids[len(ids) - 1]
    values = [[TaskContext.get().partitionId()], [rows], [nulls], [double], [str(first)], [str(last)]]
    kinds = (pa.int32(), pa.int64(), pa.int64(), pa.string(), pa.string(), pa.string())
    yield pa.record_batch(
        [pa.array(value, kind) for value, kind in zip(values, kinds)], ["partition", "rows", "nulls", "double", "first", "last"]
    )


def number_partition(batches: Iterable[pa.RecordBatch], expected: dict[int, tuple[int, int, str, str]]) -> Iterator[pa.RecordBatch]:
    """The ids of this partition with their ranks. `expected`: by partition the first rank, the number of rows, the first id and the last one."""
    from pyspark import TaskContext

    # The number of a range partition is a function of content, unlike that of others.
    begin, rows, first, last = expected.get(TaskContext.get().partitionId(), (0, 0, str(None), str(None)))
    at, found = begin, None
    for batch in batches:
        ids = batch.column(0)
        if not len(ids):
            continue
        if at == begin and str(ids[0]) != first:
            raise InputError(_CHANGED)
        found = str(ids[len(ids) - 1])
        yield pa.record_batch([ids, pa.array(np.arange(at, at + len(ids)))], ["id", "r"])
        at += len(ids)
    if (at - begin, str(found)) != (rows, last):
        raise InputError(_CHANGED)
