"""Notes: a row for each document whose verdict is not "keep, unique": removed documents, keepers, and texts too short for a sketch.

Their number is that of duplicates, not of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .. import _core
from ._links import Links
from ._plan import Plan
from ._ship import task

_core_spark = _core.spark
COLUMNS = ("r", "verdict", "reason", "keeper", "similarity", "cluster_size")


def make_notes(plan: Plan, links: Links, removals: list[DataFrame]) -> DataFrame:
    """The rows (r, verdict, reason, keeper, similarity, cluster_size). `removals` are tables of r, keeper, similarity and connected."""
    near = _near(plan, removals)
    copies = links.blobs(_core_spark.COPIES).mapInArrow(task("_notes", "read_copies", plan.given), "r long, first long")
    # A copy shares the fate of its representative: whatever matches the one matches the other.
    fates = near.select(F.col("r").alias("first"), "keeper", "reason", "similarity")
    copied = copies.join(fates, "first", "left").select(
        "r",
        F.coalesce("keeper", "first").alias("keeper"),
        F.coalesce("reason", F.lit("exact_copy")).alias("reason"),
        F.coalesce("similarity", F.lit(1.0)).alias("similarity"),
    )
    removed = near.unionByName(copied)
    sizes = removed.groupBy("keeper").agg((F.count(F.lit(1)) + 1).alias("cluster_size"))
    shorts = links.blobs(_core_spark.SHORTS).mapInArrow(task("_notes", "read_shorts", plan.given), "r long")
    return (
        removed.join(sizes, "keeper").select(*_row(F.col("r"), "remove", F.col("reason"), F.col("keeper"), F.col("similarity"), F.col("cluster_size")))
        .unionByName(sizes.select(*_row(F.col("keeper"), "keep", F.lit("keeper"), F.lit(None), F.lit(None), F.col("cluster_size"))))
        .unionByName(
            shorts.join(sizes, shorts["r"] == sizes["keeper"], "left_anti").select(
                *_row(F.col("r"), "keep", F.lit("short"), F.lit(None), F.lit(None), F.lit(1))
            )
        )
    )


def _near(plan: Plan, removals: list[DataFrame]) -> DataFrame:
    if not removals:
        return plan.spark.createDataFrame([], "r long, keeper long, reason string, similarity double")
    table = removals[0]
    for each in removals[1:]:
        table = table.unionAll(each)
    reason = "unverified" if plan.stages.facts["measure"] == "none" else "near_duplicate"
    return table.select("r", "keeper", F.when(F.col("connected"), "connected").otherwise(reason).alias("reason"), "similarity")


def _row(r, verdict, reason, keeper, similarity, cluster_size):
    values = (r, F.lit(verdict), reason, keeper.cast("long"), similarity.cast("double"), cluster_size.cast("long"))
    return [value.alias(name) for name, value in zip(COLUMNS, values)]


def read_copies(batches: Iterable[pa.RecordBatch], given: list) -> Iterator[pa.RecordBatch]:
    stages = _core_spark.Stages(given)
    for batch in batches:
        ranks, firsts = stages.copies(batch.column("blob"))
        yield pa.record_batch([pa.array(ranks), pa.array(firsts)], ["r", "first"])


def read_shorts(batches: Iterable[pa.RecordBatch], given: list) -> Iterator[pa.RecordBatch]:
    stages = _core_spark.Stages(given)
    for batch in batches:
        yield pa.record_batch([pa.array(stages.shorts(batch.column("blob")))], ["r"])
