"""The first job: documents to sketches, exact copies, band keys or blocks, and the edges between documents that share one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ... import _core
from ..._core import InputError, UsageError
from .._cluster import records
from .._cluster.exchange import SCHEMA, exchange, labels
from .._cluster.ship import task
from .._given import Given
from .._plan import Plan
from .._ranks import Documents

_core_spark = _core.spark
_NARROW_END = 1 << 40  # ranks below it, from 0 on, have five bytes
# The core knows ranks alone, and names one as an id.
_DUPLICATE = re.compile(r"id (-?\d+) (is given to .*)")


@dataclass
class Links:
    """What the first job found. `table` has rows (kind, blob): copies, short documents, edges, fingerprints of linked documents."""

    table: DataFrame
    counts: dict[str, Any]  #: of the documents
    measured: dict[str, int]  #: bytes that were exchanged, records of links

    def blobs(self, kind: int) -> DataFrame:
        return self.table.where(F.col("kind") == kind).select("blob")


def find_links(plan: Plan, documents: Documents) -> Links:
    """Runs the job. Raises UsageError for null ids, InputError for duplicate ids and what the core cannot read."""
    try:
        # Few ids need eight bytes, and a scan before the job would be one more: the job itself reports the first that does.
        narrow = _run(plan, documents, narrow=True) if documents.maybe_narrow else None
        return narrow or _run(plan, documents, narrow=False)
    except InputError as error:
        found = _DUPLICATE.match(str(error))
        if found is None:
            raise
        raise InputError(f"id {documents.id_of(int(found[1]))} {found[2]}") from None


def _run(plan: Plan, documents: Documents, narrow: bool) -> Links | None:
    parts, numbers = plan.parts, labels(plan.spark, plan.parts)
    common = (plan.given, parts, plan.task_memory, plan.temp_dir, numbers)
    packed = documents.scan().mapInArrow(task("_steps.links", "pack", plan.given, parts, narrow, numbers), SCHEMA)
    collapsed = exchange(packed, parts, task("_steps.links", "collapse", *common))
    linked = exchange(collapsed, parts, task("_steps.links", "link", *common), "kind tinyint, blob binary")
    table = plan.tables.keep("links" if narrow else "links-wide", linked)
    facts: dict[int, list[bytes]] = {kind: [] for kind in (_core_spark.COUNTS, records.PROBLEM, records.WIDE, records.MEASURE)}
    for kind, blob in table.where(F.col("kind").isin(list(facts))).collect():
        facts[kind].append(bytes(blob))
    if facts[records.WIDE]:
        plan.tables.release(table)
        return None
    records.raise_problem(facts[records.PROBLEM])
    measured = records.totals(facts[records.MEASURE]) | {"narrow": narrow}
    return Links(table, plan.stages.counts(facts[_core_spark.COUNTS]), measured)


def pack(batches: Iterable[pa.RecordBatch], given: Given, parts: int, narrow: bool, numbers: tuple[int, ...]) -> Iterator[pa.RecordBatch]:
    """Map: the rank and text of each document to a record for the part of its exact hash."""
    packer = given.stages().pack(parts, narrow)
    for batch in batches:
        ranks, texts = batch.column(0), batch.column(1)
        if ranks.null_count:
            text = texts.filter(ranks.is_null())[0].as_py()
            beginning = "null" if text is None else f"'{text[:60]}'"
            yield records.problem(
                UsageError(f"id: a document has no id (null); every document needs one. Its text begins {beginning}"), numbers
            )
            return
        if narrow and len(ranks):
            bounds = pc.min_max(ranks)
            if bounds["min"].as_py() < 0 or bounds["max"].as_py() >= _NARROW_END:
                yield records.fact(records.WIDE, b"", numbers)
                return
        yield from records.rows_of(packer.add(ranks.to_numpy(zero_copy_only=False), texts), numbers)
    yield from records.rows_of(packer.finish(), numbers)


def collapse(
    batches: Iterable[pa.RecordBatch], given: Given, parts: int, memory: int, temp_dir: str, numbers: tuple[int, ...]
) -> Iterator[pa.RecordBatch]:
    """Reduce: exact copies, and the keys of their representatives for the parts of these keys."""
    reduce = given.stages().collapse(parts, memory, temp_dir)
    received = 0
    for batch in batches:
        own, others = _split(batch, reduce.kinds)
        reduce.add(own.column("blob"))
        received += _bytes(own)
        if len(others):
            yield records.passed_on(others)
    try:
        yield from records.rows_of(reduce.finish(), numbers)
    except InputError as error:
        yield records.problem(error, numbers)
    yield records.fact(records.MEASURE, {"document_bytes": received}, numbers)


def link(
    batches: Iterable[pa.RecordBatch], given: Given, parts: int, memory: int, temp_dir: str, numbers: tuple[int, ...]
) -> Iterator[pa.RecordBatch]:
    """Reduce: the edges of the documents that share a key."""
    stages = given.stages()
    reduce = stages.link(memory, temp_dir)
    received, edges, edge_bytes = 0, 0, 0
    for batch in batches:
        own, others = _split(batch, (_core_spark.KEYS,))
        reduce.add(own.column("blob"))
        received += _bytes(own)
        if len(others):
            yield records.passed_on(others).select(["kind", "blob"])
    for batch in records.rows_of(reduce.finish(), (0,)):
        found = batch.filter(pc.equal(batch.column("kind"), _core_spark.EDGES))
        edges += stages.count_records(found.column("blob"))
        edge_bytes += _bytes(found)
        yield batch.select(["kind", "blob"])
    yield records.fact(records.MEASURE, {"key_bytes": received, "edges": edges, "edge_bytes": edge_bytes}).select(["kind", "blob"])


def _split(batch: pa.RecordBatch, kinds: Iterable[int]) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    chosen = pc.is_in(batch.column("kind"), pa.array(list(kinds), pa.int8()))
    return batch.filter(chosen), batch.filter(pc.invert(chosen))


def _bytes(batch: pa.RecordBatch) -> int:
    return pc.sum(pc.binary_length(batch.column("blob"))).as_py() or 0
