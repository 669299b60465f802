"""Notes: a row for each document whose verdict is not "keep, unique": removed documents, keepers, and texts too short for a sketch.

Their number is that of duplicates, not of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from ... import _core
from .._cluster.ship import task
from .._given import Given
from .._plan import Plan
from .links import Links

_core_spark = _core.spark


def make_notes(plan: Plan, links: Links, removals: list[DataFrame]) -> DataFrame:
    """The rows (r, verdict, reason, keeper, similarity, cluster_size). `removals` are tables of r, keeper, similarity and connected."""
    rows = _with_keepers(plan, links, removals)
    # One sort by keeper, also of short texts, which may be keepers of their copies.
    around = Window.partitionBy("keeper")
    counted = rows.repartition(plan.parts, "keeper").select(
        "*",
        F.sum(F.when(F.col("short"), 0).otherwise(1)).over(around).alias("members"),
        F.row_number().over(around.orderBy("short", "r")).alias("place"),
    )
    size, none = F.col("members") + 1, F.lit(None)
    member = _note(F.col("r"), "remove", F.col("reason"), F.col("keeper"), F.col("similarity"), size)
    keeper = _note(F.col("keeper"), "keep", F.lit("keeper"), none, none, size)
    short = _note(F.col("r"), "keep", F.lit("short"), none, none, F.lit(1))
    made = F.when(F.col("short"), F.array(short)).when(F.col("place") == 1, F.array(member, keeper)).otherwise(F.array(member))
    return counted.where(~F.col("short") | (F.col("members") == 0)).select(F.inline(made))


def _with_keepers(plan: Plan, links: Links, removals: list[DataFrame]) -> DataFrame:
    """The rows (short, r, keeper, reason, similarity) of all removed documents, and of short representatives, which are their own keepers.

    A copy gets the keeper of its representative: whatever matches the one matches the other.
    """
    kinds = [_core_spark.COPIES, _core_spark.SHORTS]
    blobs = links.table.where(F.col("kind").isin(kinds))
    decoded = blobs.mapInArrow(task("_steps.notes", "read_alike", plan.given), "first long, r long, short boolean")
    none = F.lit(None)
    rows = decoded.select(
        "*", none.cast("long").alias("keeper"), none.cast("string").alias("reason"), none.cast("double").alias("similarity")
    )
    near = "unverified" if plan.stages.facts["measure"] == "none" else "near_duplicate"
    for table in removals:
        reason = F.when(F.col("connected"), "connected").otherwise(near)
        rows = rows.unionAll(table.select("r", "r", F.lit(False), "keeper", reason, "similarity"))
    # At most one row of each representative has a keeper: its own.
    alike = Window.partitionBy("first")
    return rows.repartition(plan.parts, "first").select(
        "short",
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


def read_alike(batches: Iterable[pa.RecordBatch], given: Given) -> Iterator[pa.RecordBatch]:
    """The rows (first, r, short) of copies, and of short representatives, which are their own."""
    stages = given.stages()
    for batch in batches:
        for short, kind in enumerate((_core_spark.COPIES, _core_spark.SHORTS)):
            blobs = batch.filter(pc.equal(batch.column("kind"), kind)).column("blob")
            ranks, firsts = (stages.shorts(blobs),) * 2 if short else stages.copies(blobs)
            yield pa.record_batch([pa.array(firsts), pa.array(ranks), pa.array(np.full(len(ranks), bool(short)))], ["first", "r", "short"])
