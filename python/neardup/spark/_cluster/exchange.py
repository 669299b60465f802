"""Exchanges: blobs of records, each for one part, moved by Spark to the task of that part.

A part is a number from 0 to parts - 1 that the core computes from content. Spark sends a row to partition
pmod(murmur3(label), parts): labels are chosen so that each part has a partition of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

SCHEMA = "part int, kind tinyint, blob binary"

_labels: dict[int, tuple[int, ...]] = {}  # by the number of parts; a function of that alone


def labels(spark: SparkSession, parts: int) -> tuple[int, ...]:
    """For each part the smallest whole number that Spark's own hash sends to the partition of the same number."""
    if parts in _labels:
        return _labels[parts]
    found: dict[int, int] = {}
    begin, step = 0, 16 * parts
    while len(found) < parts:
        numbers = spark.range(begin, begin + step, 1, 1).select(F.col("id").cast("int").alias("label"))
        hashed = numbers.select("label", F.pmod(F.hash("label"), F.lit(parts)).alias("part"))
        for part, label in hashed.groupBy("part").agg(F.min("label")).collect():
            found.setdefault(part, label)
        begin += step
    _labels[parts] = tuple(found[part] for part in range(parts))
    return _labels[parts]


def exchange(frame: DataFrame, parts: int, reduce: Callable[[Any], Any], schema: str = SCHEMA) -> DataFrame:
    """What `reduce` makes of each part of `frame`, which has the columns of SCHEMA.

    An explicit number of partitions is one that adaptive execution neither merges nor splits.
    """
    return frame.repartition(parts, "part").mapInArrow(reduce, schema)
