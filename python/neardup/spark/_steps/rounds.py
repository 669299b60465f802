"""Groups too large for a task, decided in rounds.

A round decides a block of each such group, its first rows in rank order, and matches all later rows of the group against the rows of the block
that are kept. Blocks come in rank order, so a keeper found in an earlier block is ranked before any of a later one: the first match in rank
order is that of the scan rule.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .._cluster.records import totals
from .._cluster.ship import task
from .._given import Given
from .._plan import Plan
from . import decide as _decide
from .decide import KEPT, LATER, REMOVAL

_SURVIVORS = LATER  # rows of the next round
# Kept rows that travel to each task of a job: at most a quarter of its memory, because Spark and Python hold copies, and far below
# spark.driver.maxResultSize.
_MAX_CHUNK_BYTES = 128 << 20


def decide_all(plan: Plan, rows: DataFrame) -> tuple[list[DataFrame], dict[str, int]]:
    """The removals (r, keeper, similarity, connected) of all groups, as tables to be united, and what the tasks counted."""
    removals: list[DataFrame] = []
    facts: list[bytes] = []
    waiting: list[DataFrame] = []  # tables that hold the rows of this round
    for number in itertools.count():
        decided = plan.tables.keep(f"decided-{number}", _decide.decide_groups(plan, rows))
        counted = _decide.facts_of(decided)
        facts += counted
        _release(plan, waiting)
        if not totals(counted).get("later"):
            return [*removals, _removals(decided)], totals(facts) | {"rounds": number}
        waiting = []
        removals.append(_compute_removals(plan, f"removed-{number}", decided))
        for chunk, (roots, kept) in enumerate(_kept_chunks(plan, decided)):
            chosen = plan.spark.createDataFrame([(root,) for root in roots], "root long")
            later = _decide.of_kind(decided, LATER).join(F.broadcast(chosen), "root", "left_semi")
            matched = later.mapInArrow(task("_steps.rounds", "match", plan.given, plan.task_memory, data=kept), _decide.SCHEMA)
            waiting.append(plan.tables.keep(f"matched-{number}-{chunk}", matched))
            facts += _decide.facts_of(waiting[-1])
            removals.append(_compute_removals(plan, f"removed-{number}-{chunk}", waiting[-1]))
        _release(plan, [decided])
        rows = functools.reduce(
            DataFrame.unionAll, (_decide.of_kind(table, _SURVIVORS).select("root", "r", "payload") for table in waiting)
        )
    raise AssertionError("unreachable")


def _compute_removals(plan: Plan, name: str, decided: DataFrame) -> DataFrame:
    """The removals alone, computed, so that the rows they come from can be dropped."""
    table = plan.tables.keep(name, _removals(decided))
    table.count()
    return table


def _release(plan: Plan, tables: list[DataFrame]) -> None:
    for table in tables:
        plan.tables.release(table)


def _removals(decided: DataFrame) -> DataFrame:
    return _decide.of_kind(decided, REMOVAL).select("r", "keeper", "similarity", "connected")


def _kept_chunks(plan: Plan, decided: DataFrame) -> Iterator[tuple[list[int], bytes]]:
    """The kept rows of the blocks, as many groups at a time as a task may get: (roots, an Arrow stream of one batch)."""
    most = min(plan.task_memory // 4, _MAX_CHUNK_BYTES)
    kept = _decide.of_kind(decided, KEPT).select("root", "r", "payload")
    sizes = kept.groupBy("root").agg(F.sum(F.octet_length("payload")).alias("bytes")).orderBy("root").collect()
    roots: list[int] = []
    size = 0
    for row in [*sizes, None]:
        if roots and (row is None or size + row.bytes > most):
            chosen = kept.where(F.col("root").isin(roots)).mapInArrow(task("_steps.rounds", "pack_rows"), "stream binary")
            yield roots, _joined(bytes(each.stream) for each in chosen.collect())
            roots, size = [], 0
        if row is not None:
            roots.append(row.root)
            size += row.bytes


def pack_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each batch as one Arrow stream."""
    for batch in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        yield pa.record_batch([pa.array([sink.getvalue().to_pybytes()], pa.binary())], ["stream"])


def _joined(streams: Iterable[bytes]) -> bytes:
    """One stream with one batch, which tasks then use where it is."""
    table = pa.Table.from_batches([batch for stream in streams for batch in pa.ipc.open_stream(stream)]).combine_chunks()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def match(batches: Iterable[pa.RecordBatch], given: Given, memory: int, kept_rows: bytes) -> Iterator[pa.RecordBatch]:
    """Matches later rows against kept rows, an Arrow stream of one batch: removals and survivors."""
    stages = given.stages()
    (kept,) = pa.ipc.open_stream(kept_rows)
    matcher = stages.match(*_decide.numbers_of(kept), kept.column("payload"), memory)
    for batch in batches:
        yield from _matched(stages, *matcher.add(*_decide.numbers_of(batch), batch.column("payload")))
    yield from _matched(stages, *matcher.finish())
    yield _decide.measured(matcher.stats, {})


def _matched(stages, removals, survivors) -> Iterator[pa.RecordBatch]:
    yield from _decide.removals(stages, removals)
    if len(survivors[1]):
        yield _decide.rows(_SURVIVORS, root=survivors[0], r=survivors[1], payload=survivors[2])
