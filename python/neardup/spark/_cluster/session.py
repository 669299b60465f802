"""What a Spark session must be able to do, and settings of it that hold while a job runs."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from ..._core import UsageError

_OLDEST = (3, 5)
_RECORDS_PER_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BYTES_PER_BATCH = "spark.sql.execution.arrow.maxBytesPerBatch"
# Of a Spark that does not bound batches by bytes: blobs have up to 128 KiB, so a batch of them stays below 32 MiB.
_BLOBS_PER_BATCH = 256
_MAX_BATCH_BYTES = 1 << 30  # a column of strings in Arrow ends at 2 GiB, and the last row of a batch goes beyond its bound
# Parts: of 32 MiB, so that small data are in many; not many thousands of them, because each map task writes a blob to each; but not above 2 GiB.
_PART_BYTES, _MAX_SMALL_PARTS, _LARGE_PART_BYTES = 32 << 20, 4096, 2 << 30
MAX_PARTS = 1_000_000  # as the core
# Statistics of a plan that Spark cannot estimate are as large as numbers get.
_UNKNOWN_BYTES = 1 << 60


def check_frame(df: DataFrame) -> SparkSession:
    """The session of `df`. Raises TypeError and UsageError for one that cannot run a job."""
    if not isinstance(df, DataFrame) and type(df).__name__ != "DataFrame":
        raise TypeError(f"df: expected a DataFrame of Spark, not {type(df).__name__}")
    if not hasattr(df, "_jdf"):
        raise UsageError(
            "df: it belongs to a session of Spark Connect; neardup.spark needs a classic session, which runs next to the driver"
        )
    spark = df.sparkSession
    numbers = re.match(r"(\d+)\.(\d+)", spark.version)
    if numbers is None or tuple(map(int, numbers.groups())) < _OLDEST:
        raise UsageError(f"neardup.spark needs Spark 3.5 or later; this session runs {spark.version}")
    if df.isStreaming:
        raise UsageError("df: it is a stream; all documents are needed at once")
    return spark


def column(name: str):
    """A column by its exact name, whatever characters that has."""
    return F.col("`" + name.replace("`", "``") + "`")


@contextlib.contextmanager
def bounded_batches(spark: SparkSession) -> Iterator[None]:
    """While it is open, Arrow batches are small enough for rows that are blobs. Spark 4.1 and later bound them by bytes already."""
    before = spark.conf.get(_RECORDS_PER_BATCH)
    if _bounded_by_bytes(spark) or 0 < int(before) <= _BLOBS_PER_BATCH:
        yield
        return
    spark.conf.set(_RECORDS_PER_BATCH, str(_BLOBS_PER_BATCH))
    try:
        yield
    finally:
        spark.conf.set(_RECORDS_PER_BATCH, before)


def _bounded_by_bytes(spark: SparkSession) -> bool:
    try:
        value = spark.conf.get(_BYTES_PER_BATCH)
    except (Py4JJavaError, PySparkException):
        return False  # a Spark without the setting
    return value is not None and 0 < int(spark._jvm.org.apache.spark.network.util.JavaUtils.byteStringAsBytes(value)) <= _MAX_BATCH_BYTES


def pinned(df: DataFrame) -> DataFrame:
    """The rows of `df` by the physical plan that Spark makes now: later jobs have its splits and batches, whatever the settings are then.
    Only for plans without exchanges."""
    spark, execution = df.sparkSession, df._jdf.queryExecution()
    rows = execution.toRdd()
    rows.getNumPartitions()  # makes the splits
    return DataFrame(spark._jsparkSession.internalCreateDataFrame(rows, df._jdf.schema(), False), spark)


def parts_for(df: DataFrame) -> int:
    """The number of parts of an exchange for the documents of `df`. Results do not depend on it."""
    spark = df.sparkSession
    plan = df._jdf.queryExecution().optimizedPlan()
    leaves = plan.collectLeaves()
    # Spark estimates an inner join without statistics as the product of its sides: then what is read tells more.
    read = sum(_bytes_of(leaves.apply(number)) for number in range(leaves.size()))
    bytes_ = min(_bytes_of(plan), read)
    tasks = 2 * spark.sparkContext.defaultParallelism
    if bytes_ >= _UNKNOWN_BYTES:
        return tasks
    parts = max(tasks, min(-(-bytes_ // _PART_BYTES), _MAX_SMALL_PARTS), -(-bytes_ // _LARGE_PART_BYTES))
    return min(parts, MAX_PARTS)


def _bytes_of(plan: Any) -> int:
    return int(str(plan.stats().sizeInBytes()))
