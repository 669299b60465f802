"""The decision: the scan rule in each group, by the core. Groups too large for a task are decided block by block (_rounds.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .._cluster.records import MEASURE, fact
from .._cluster.ship import task
from .._given import Given
from .._plan import Plan

# Kinds of rows of a decision, next to those of facts.
REMOVAL = 1  # r, keeper, similarity, connected
KEPT = 2  # root, r, payload: a kept row of a block
LATER = 3  # root, r, payload: not decided yet
_NUMBER_BYTES = 16  # root and r
# The kept rows of a block travel to all tasks of a round.
_MAX_SCAN_BYTES = 256 << 20
_MIN_BYTES = 1 << 16  # of the core
SCHEMA = "kind tinyint, root long, r long, payload binary, keeper long, similarity double, connected boolean"
_ARROW = pa.schema(
    [
        ("kind", pa.int8()),
        ("root", pa.int64()),
        ("r", pa.int64()),
        ("payload", pa.binary()),
        ("keeper", pa.int64()),
        ("similarity", pa.float64()),
        ("connected", pa.bool_()),
    ]
)


def decide_groups(plan: Plan, rows: DataFrame) -> DataFrame:
    """Decides on rows of root, r and payload: rows of SCHEMA."""
    sorted_ = rows.repartition(plan.parts, "root").sortWithinPartitions("root", "r")
    memory = plan.task_memory
    if plan.stages.facts["cluster"] == "scan":  # a block has half of it
        memory = max(min(memory // 2, _MAX_SCAN_BYTES), _MIN_BYTES)
    return sorted_.mapInArrow(task("_steps.decide", "decide", plan.given, memory), SCHEMA)


def of_kind(decided: DataFrame, kind: int) -> DataFrame:
    return decided.where(F.col("kind") == kind)


def facts_of(decided: DataFrame) -> list[bytes]:
    """What the tasks counted. Runs the job, if that was not done before."""
    return [bytes(row.payload) for row in of_kind(decided, MEASURE).select("payload").collect()]


def decide(batches: Iterable[pa.RecordBatch], given: Given, memory: int) -> Iterator[pa.RecordBatch]:
    stages = given.stages()
    decider = stages.decide(memory)
    counts = {"later": 0, "kept_rows": 0, "candidate_bytes": 0}
    for batch in batches:
        counts["candidate_bytes"] += len(batch) * _NUMBER_BYTES + (pc.sum(pc.binary_length(batch.column("payload"))).as_py() or 0)
        decided, kept, later = decider.add(*numbers_of(batch), batch.column("payload"))
        yield from _decisions(stages, decided, kept, counts)
        if later.any():
            rest = batch.filter(pa.array(later))
            counts["later"] += len(rest)
            yield rows(LATER, root=rest.column("root"), r=rest.column("r"), payload=rest.column("payload"))
    decided, kept, _ = decider.finish()
    yield from _decisions(stages, decided, kept, counts)
    yield measured(decider.stats, counts)


def removals(stages: Any, decided: Mapping[str, np.ndarray]) -> Iterator[pa.RecordBatch]:
    """Removals as rows of SCHEMA."""
    if len(decided["rank"]):
        similarity = as_written(stages.similarities(decided["common"], decided["size_a"], decided["size_b"]))
        yield rows(REMOVAL, r=decided["rank"], keeper=decided["keeper"], similarity=similarity, connected=decided["connected"])


def _decisions(
    stages: Any, decided: Mapping[str, np.ndarray], kept: tuple[Any, Any, Any], counts: dict[str, int]
) -> Iterator[pa.RecordBatch]:
    """Removals and kept rows as rows of SCHEMA."""
    yield from removals(stages, decided)
    if len(kept[1]):
        counts["kept_rows"] += len(kept[1])
        yield rows(KEPT, root=kept[0], r=kept[1], payload=kept[2])


def as_written(similarities: np.ndarray) -> np.ndarray:
    """The numbers that a verdict file has, with six decimals. There are few different ones."""
    values, places = np.unique(similarities, return_inverse=True)
    return np.char.mod("%.6f", values).astype(np.float64)[places]


def measured(stats: Mapping[str, int], counts: Mapping[str, int]) -> pa.RecordBatch:
    return rows(MEASURE, payload=[fact(MEASURE, {**stats, **counts}).column("blob")[0].as_py()])


def rows(kind: int, **columns: Any) -> pa.RecordBatch:
    """Rows of SCHEMA; columns that are not given are null."""
    count = len(next(iter(columns.values())))
    arrays = []
    for each in _ARROW:
        if each.name == "kind":
            arrays.append(pa.array(np.full(count, kind, np.int8)))
        elif each.name in columns:
            values = columns[each.name]
            arrays.append(values.cast(each.type) if isinstance(values, pa.Array) else pa.array(values, each.type))
        else:
            arrays.append(pa.nulls(count, each.type))
    return pa.record_batch(arrays, schema=_ARROW)


def numbers_of(batch: pa.RecordBatch) -> tuple[np.ndarray, np.ndarray]:
    return batch.column("root").to_numpy(zero_copy_only=False), batch.column("r").to_numpy(zero_copy_only=False)
