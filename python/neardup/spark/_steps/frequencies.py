"""The job before the first, for a recipe that weighs by the IDF of the corpus: in how many documents each token occurs, as a table.

The table becomes a file of the application, which each executor fetches once; later tasks map it. It is named after its content, so another
run over the same documents finds it there.
"""

from __future__ import annotations

import dataclasses
import os
import uuid
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ... import _core
from .._cluster import records
from .._cluster.exchange import SCHEMA, exchange, labels
from .._cluster.ship import driver_folder, task
from .._given import Given
from .._plan import Plan

_core_spark = _core.spark


def fit_recipe(plan: Plan, texts: DataFrame) -> Plan:
    """The plan with a recipe that names the table of `texts`, the column text of the documents; the same plan for a recipe that needs none.

    Raises ResourceError for more documents than a table can count.
    """
    if not isinstance(plan.stages, _core_spark.FrequencyStages):
        return plan
    parts = plan.parts
    common = (plan.given, plan.task_memory, plan.temp_dir)
    counted = texts.mapInArrow(task("_steps.frequencies", "count", *common, parts, labels(plan.spark, parts)), SCHEMA)
    table = plan.tables.keep("frequencies", exchange(counted, parts, task("_steps.frequencies", "sum_up", *common), "kind tinyint, blob binary"))
    # Makes all parts at once; the next job fetches them one by one.
    facts = table.where(F.col("kind") != _core_spark.FREQUENCIES).collect()
    documents = plan.stages.documents([bytes(blob) for kind, blob in facts if kind == _core_spark.COUNTS])
    measured = records.totals(bytes(blob) for kind, blob in facts if kind == records.MEASURE)
    name = _send(plan, table, documents)
    plan.tables.release(table)
    given = plan.given.with_table(plan.stages.fitted_recipe(name), name)
    return dataclasses.replace(plan, given=given, stages=given.stages(), frequency_bytes=measured.get("frequency_bytes", 0))


def _send(plan: Plan, frequencies: DataFrame, documents: int) -> str:
    """Writes the table and makes it a file of the application. Returns its name there."""
    writer = plan.stages.table(plan.task_memory, "")
    for row in frequencies.where(F.col("kind") == _core_spark.FREQUENCIES).select("blob").toLocalIterator():
        writer.add([bytes(row.blob)])
    written = driver_folder() / uuid.uuid4().hex
    name = f"neardup-{writer.finish(str(written), documents)}.idf"
    # Spark wants one path for one name as long as the driver lives.
    os.replace(written, driver_folder() / name)
    plan.spark.sparkContext.addFile(str(driver_folder() / name))
    return name


def count(
    batches: Iterable[pa.RecordBatch], given: Given, memory: int, temp_dir: str, parts: int, numbers: tuple[int, ...]
) -> Iterator[pa.RecordBatch]:
    """Map: the tokens of the texts, with the number of documents that have each, for the part of its hash."""
    counter = _core_spark.FrequencyStages(given.here()).count(parts, memory, temp_dir)
    for batch in batches:
        counter.add(batch.column("text"))
    yield from records.rows_of(counter.finish(), numbers)


def sum_up(batches: Iterable[pa.RecordBatch], given: Given, memory: int, temp_dir: str) -> Iterator[pa.RecordBatch]:
    """Reduce: the sums of equal tokens."""
    reduce = _core_spark.FrequencyStages(given.here()).sum(memory, temp_dir)
    received = 0
    for batch in batches:
        own = pc.equal(batch.column("kind"), _core_spark.FREQUENCIES)
        blobs = batch.filter(own).column("blob")
        reduce.add(blobs)
        received += pc.sum(pc.binary_length(blobs)).as_py() or 0
        yield records.passed_on(batch.filter(pc.invert(own))).select(["kind", "blob"])
    for batch in records.rows_of(reduce.finish(), (0,)):
        yield batch.select(["kind", "blob"])
    yield records.fact(records.MEASURE, {"frequency_bytes": received}).select(["kind", "blob"])
