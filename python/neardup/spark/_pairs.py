"""pairs(): all pairs of documents that match.

Documents that match are in one group of candidates or copies, so each task gets whole groups, and the engine of one machine lists their pairs.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .. import _core
from .._options import field_names, make_settings
from ._components import find_groups
from ._errors import clear_errors
from ._frequencies import fit_recipe
from ._given import Given
from ._links import Links, find_links
from ._plan import OWN_OPTIONS, Plan, make_plan
from ._ranks import rank_documents
from ._session import bounded_batches
from ._ship import task
from ._tables import computed

_core_spark = _core.spark
_MIN_ENGINE_MEMORY = 64_000_000  # of the engine, which the option table sets
_BROADCAST_MEMBERS = 1 << 21


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
            members = plan.tables.keep("members", _members(plan, links))
            count = members.count()
            if count <= _BROADCAST_MEMBERS:
                texts = documents.scan_members(members).select("root", "r", "text")
            else:
                texts = documents.scan().join(members, "r").select("root", "r", "text")
            rows = texts.repartition(plan.parts, "root").sortWithinPartitions("r")
            memory = max(plan.task_memory, _MIN_ENGINE_MEMORY)
            found = rows.mapInArrow(
                task("_pairs", "list_pairs", plan.given, memory, plan.temp_dir), "id_a long, id_b long, similarity double"
            )
            return computed(documents.ids(found, "id_a", "id_b"))
    finally:
        plan.tables.release_all()


def _members(plan: Plan, links: Links) -> DataFrame:
    """The columns r and root of the documents in groups of candidates and copies."""
    copies = links.blobs(_core_spark.COPIES).mapInArrow(task("_pairs", "read_copies", plan.given), "r long, first long")
    if not links.measured.get("edges"):
        near = plan.spark.createDataFrame([], "r long, root long")
    else:
        near = find_groups(plan, links, _BROADCAST_MEMBERS).members
    roots = near.select(F.col("r").alias("first"), "root")
    copied = copies.join(roots, "first", "left").select("r", "first", F.coalesce("root", "first").alias("root"))
    # Representatives without candidates, but with copies, are in no group yet.
    alone = copied.where("first = root").select(F.col("first").alias("r"), "root").distinct().join(near.select("r"), "r", "left_anti")
    return near.unionByName(copied.select("r", "root")).unionByName(alone)


def read_copies(batches: Iterable[pa.RecordBatch], given: Given) -> Iterator[pa.RecordBatch]:
    stages = given.stages()
    for batch in batches:
        ranks, firsts = stages.copies(batch.column("blob"))
        yield pa.record_batch([pa.array(ranks), pa.array(firsts)], ["r", "first"])


def list_pairs(batches: Iterable[pa.RecordBatch], given: Given, memory: int, temp_dir: str) -> Iterator[pa.RecordBatch]:
    """The pairs of whole groups, by the engine, which reads the texts several times: they wait in a file."""
    import neardup

    first = next(iter(batches), None)
    if first is None:
        return
    with tempfile.TemporaryDirectory(prefix="neardup-pairs-", dir=temp_dir or None) as folder:
        path = os.path.join(folder, "texts.arrow")
        schema = pa.schema([("id", pa.int64()), ("text", first.schema.field("text").type)])
        with pa.ipc.new_stream(path, schema) as writer:
            for batch in _chain(first, batches):
                writer.write_batch(pa.record_batch([batch.column("r"), batch.column("text")], schema=schema))
        options = dict(given.here()) | {"threads": "1", "memory": str(memory), "temp_dir": folder}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = pa.table(neardup.pairs(lambda: pa.ipc.open_stream(path), progress=False, **options))
    for batch in found.select(["id_a", "id_b", "similarity"]).to_batches():
        numbers = [pc.cast(batch.column(name).cast(pa.string()), pa.int64()) for name in ("id_a", "id_b")]
        yield pa.record_batch([*numbers, batch.column("similarity")], ["id_a", "id_b", "similarity"])


def _chain(first: pa.RecordBatch, rest: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield first
    yield from rest
