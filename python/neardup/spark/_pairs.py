"""pairs(): all pairs of documents that match.

Documents that match are equal or in one group of candidates. Of equal texts the first alone is compared: each task gets whole groups of these,
and the engine of one machine lists their pairs. Joins add the copies.
"""

from __future__ import annotations

import functools
import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .. import _core, _dedup
from .._options import field_names, make_settings
from ._cluster.broadcast import broadcast_rows
from ._cluster.errors import clear_errors
from ._cluster.session import bounded_batches
from ._cluster.ship import task
from ._cluster.tables import computed
from ._given import Given
from ._plan import OWN_OPTIONS, Plan, make_plan
from ._ranks import Documents, rank_documents
from ._steps.components import find_groups
from ._steps.frequencies import fit_recipe
from ._steps.links import Links, find_links

_core_spark = _core.spark
_MIN_ENGINE_MEMORY = 64_000_000  # of the engine, which the option table sets
_BYTES_PER_PAIR = 256  # in lists of the engine and in Arrow; 180 were measured
_PAIRS_PER_BATCH = 1 << 16
_PAIRS = "id_a long, id_b long, similarity double"


def pairs(df: DataFrame, text: str | list[str] | tuple[str, ...] = "text", id: str = "id", **options: Any) -> DataFrame:
    """All pairs of documents that match: id_a, id_b and their exact similarity, 1 for exact copies; the first of two has the smaller id.

    The pairs are those of ``neardup pairs``; Spark keeps them until ``unpersist()``. Arguments and errors as of :func:`dedup`, with the options
    of ``neardup pairs``.
    """
    names = field_names("text", text)
    make_settings("pairs", names, None, {name: value for name, value in options.items() if name not in OWN_OPTIONS})
    key = field_names("id", id)[0]
    plan = make_plan(df, options, ["pairs", names, key])
    try:
        with bounded_batches(plan.spark), clear_errors():
            documents = rank_documents(plan, df, names, key, [])
            plan = fit_recipe(plan, documents.texts())
            links = find_links(plan, documents)
            plan.guards.check_rejects(links.counts, documents.name_of)
            copies = plan.tables.keep("copies", _copies(plan, links))
            found = _near(plan, documents, links, copies)
            return computed(documents.ids(found.unionByName(_equal(copies)), "id_a", "id_b"))
    finally:
        plan.tables.release_all()


def _copies(plan: Plan, links: Links) -> DataFrame:
    """The columns r and first of the documents that have copies, and of these; the first of equal texts is its own."""
    blobs = links.table.where(F.col("kind") == _core_spark.COPIES)
    copies = blobs.mapInArrow(task("_steps.notes", "read_alike", plan.given), "first long, r long, short boolean").select("r", "first")
    return copies.unionByName(copies.select(F.col("first").alias("r"), "first").distinct())


def _near(plan: Plan, documents: Documents, links: Links, copies: DataFrame) -> DataFrame:
    """The pairs of documents with different texts: those of the first ones, each with the copies of both."""
    if not links.measured.get("edges"):
        return plan.spark.createDataFrame([], _PAIRS)
    most = broadcast_rows(documents.id_type)
    groups = find_groups(plan, links, most)
    members = groups.members
    texts = documents.scan_members(members) if groups.bound <= most else documents.scan().join(members, "r")
    rows = texts.select("root", "r", "text").repartition(plan.parts, "root").sortWithinPartitions("root", "r")
    memory = max(plan.task_memory, _MIN_ENGINE_MEMORY)
    found = rows.mapInArrow(task("_pairs", "list_pairs", plan.given, memory, plan.temp_dir), _PAIRS)
    for name in ("id_a", "id_b"):
        alike = copies.select(F.col("first").alias(name), F.col("r").alias("copy"))
        rest = [each for each in ("id_a", "id_b", "similarity") if each != name]
        found = found.join(alike, name, "left").select(F.coalesce("copy", name).alias(name), *rest)
    return found.select(F.least("id_a", "id_b").alias("id_a"), F.greatest("id_a", "id_b").alias("id_b"), "similarity")


def _equal(copies: DataFrame) -> DataFrame:
    """The pairs of equal texts. Spark makes them one after the other: a text with n copies has n squared."""
    left, right = copies.select("first", F.col("r").alias("id_a")), copies.select("first", F.col("r").alias("id_b"))
    return left.join(right, "first").where("id_a < id_b").select("id_a", "id_b", F.lit(1.0).alias("similarity"))


def list_pairs(batches: Iterable[pa.RecordBatch], given: Given, memory: int, temp_dir: str) -> Iterator[pa.RecordBatch]:
    """The pairs of whole groups, which come one after the other, by the engine: it holds those of a few groups at a time.

    It reads the texts several times: they wait in a file.
    """
    with tempfile.TemporaryDirectory(prefix="neardup-pairs-", dir=temp_dir or None) as folder:
        options = dict(given.here()) | {"threads": "1", "memory": str(memory), "temp_dir": folder}
        for path in _bundles(batches, os.path.join(folder, "texts.arrow"), memory // _BYTES_PER_PAIR):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = pa.table(_dedup.pairs(functools.partial(pa.ipc.open_stream, path), progress=False, **options))
            for batch in found.select(["id_a", "id_b", "similarity"]).to_batches(max_chunksize=_PAIRS_PER_BATCH):
                numbers = [pc.cast(batch.column(name).cast(pa.string()), pa.int64()) for name in ("id_a", "id_b")]
                yield pa.record_batch([*numbers, batch.column("similarity")], ["id_a", "id_b", "similarity"])


def _bundles(batches: Iterable[pa.RecordBatch], path: str, most: int) -> Iterator[str]:
    """Writes the ids and texts of groups to a file at `path`, bundle after bundle: a bundle ends with the group that gives it `most` pairs."""
    writer: pa.ipc.RecordBatchStreamWriter | None = None
    root, members, pairs = None, 0, 0  # the last group, and the pairs of those before it
    for batch in batches:
        for group in _groups(batch):
            if group.column("root")[0].as_py() != root:
                root, pairs, members = group.column("root")[0].as_py(), pairs + members * (members - 1) // 2, 0
                if writer is not None and pairs >= most:
                    writer.close()
                    yield path
                    os.remove(path)  # not written over: a reader may have mapped it
                    writer, pairs = None, 0
            members += len(group)
            rows = pa.record_batch([group.column("r"), group.column("text")], ["id", "text"])
            writer = writer or pa.ipc.new_stream(path, rows.schema)
            writer.write_batch(rows)
    if writer is not None:
        writer.close()
        yield path


def _groups(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The rows of each group."""
    roots = batch.column("root").to_numpy(zero_copy_only=False)
    ends = np.append(np.flatnonzero(np.diff(roots)) + 1, len(batch)) if len(batch) else ()
    begin = 0
    for end in map(int, ends):
        yield batch.slice(begin, end - begin)
        begin = end
