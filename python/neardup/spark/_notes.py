"""Notes: a row for each document whose verdict is not "keep, unique": removed documents, keepers, and texts too short for a sketch.

Their number is that of duplicates, not of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from .. import _core
from ._links import Links
from ._plan import Plan
from ._ship import task

_core_spark = _core.spark


def make_notes(plan: Plan, links: Links, removals: list[DataFrame]) -> DataFrame:
    """The rows (r, verdict, reason, keeper, similarity, cluster_size). `removals` are tables of r, keeper, similarity and connected."""
    shorts = links.blobs(_core_spark.SHORTS).mapInArrow(task("_notes", "read_shorts", plan.given), "r long")
    removed = _with_copies(plan, links, removals).select(
        F.col("keeper").alias("center"), F.lit(False).alias("short"), "r", "reason", "similarity"
    )
    rows = removed.unionAll(shorts.select("r", F.lit(True), "r", F.lit("short"), F.lit(None).cast("double")))
    # One sort by keeper, also of short texts, which may be keepers of their copies.
    around = Window.partitionBy("center")
    counted = rows.select(
        "*",
        F.sum(F.when(F.col("short"), 0).otherwise(1)).over(around).alias("members"),
        F.row_number().over(around.orderBy("short", "r")).alias("place"),
    )
    size, none = F.col("members") + 1, F.lit(None)
    member = _note(F.col("r"), "remove", F.col("reason"), F.col("center"), F.col("similarity"), size)
    keeper = _note(F.col("center"), "keep", F.lit("keeper"), none, none, size)
    short = _note(F.col("r"), "keep", F.lit("short"), none, none, F.lit(1))
    made = F.when(F.col("short"), F.array(short)).when(F.col("place") == 1, F.array(member, keeper)).otherwise(F.array(member))
    return counted.where(~F.col("short") | (F.col("members") == 0)).select(F.inline(made))


def _with_copies(plan: Plan, links: Links, removals: list[DataFrame]) -> DataFrame:
    """The rows (r, keeper, reason, similarity) of all removed documents. A copy shares the fate of its representative: whatever matches the one
    matches the other."""
    copies = links.blobs(_core_spark.COPIES).mapInArrow(task("_notes", "read_copies", plan.given), "r long, first long")
    none = F.lit(None)
    rows = copies.select(
        "first", "r", none.cast("long").alias("keeper"), none.cast("string").alias("reason"), none.cast("double").alias("similarity")
    )
    near = "unverified" if plan.stages.facts["measure"] == "none" else "near_duplicate"
    for table in removals:
        reason = F.when(F.col("connected"), "connected").otherwise(near)
        rows = rows.unionAll(table.select("r", "r", "keeper", reason, "similarity"))
    # At most one row of each representative has a keeper: its own.
    alike = Window.partitionBy("first")
    return rows.select(
        "r",
        F.coalesce(F.max("keeper").over(alike), "first").alias("keeper"),
        F.coalesce(F.max("reason").over(alike), F.lit("exact_copy")).alias("reason"),
        F.coalesce(F.max("similarity").over(alike), F.lit(1.0)).alias("similarity"),
    )


def _note(r: Column, verdict: str, reason: Column, keeper: Column, similarity: Column, size: Column) -> Column:
    return F.struct(
        r.alias("r"),
        F.lit(verdict).alias("verdict"),
        reason.alias("reason"),
        keeper.cast("long").alias("keeper"),
        similarity.cast("double").alias("similarity"),
        size.cast("long").alias("cluster_size"),
    )


def read_copies(batches: Iterable[pa.RecordBatch], given: list) -> Iterator[pa.RecordBatch]:
    stages = _core_spark.Stages(given)
    for batch in batches:
        ranks, firsts = stages.copies(batch.column("blob"))
        yield pa.record_batch([pa.array(ranks), pa.array(firsts)], ["r", "first"])


def read_shorts(batches: Iterable[pa.RecordBatch], given: list) -> Iterator[pa.RecordBatch]:
    stages = _core_spark.Stages(given)
    for batch in batches:
        yield pa.record_batch([pa.array(stages.shorts(batch.column("blob")))], ["r"])
