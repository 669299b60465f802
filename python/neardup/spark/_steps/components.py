"""The second job: groups of documents that edges connect, each named by its least rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ... import _core
from ..._core import ResourceError
from .._cluster.exchange import SCHEMA, exchange, labels
from .._cluster.records import rows_of
from .._cluster.ship import task
from .._given import Given
from .._plan import Plan
from .links import Links

_core_spark = _core.spark
# A task that connects all edges holds four bytes for each document with an edge, of which each edge has two.
_BYTES_PER_EDGE = 8
# Each round at least halves the longest path, so this is beyond any graph that could be stored.
_MAX_ROUNDS = 64
_MEMBERS = "r long, root long"


@dataclass(frozen=True)
class Groups:
    members: DataFrame  #: the columns r and root of the documents with an edge, roots included
    bound: int  #: at most so many members


def find_groups(plan: Plan, links: Links, few: int) -> Groups:
    """The groups of the documents. The members are counted if they could be more than `few`; otherwise a bound does, without a job."""
    edges = links.blobs(_core_spark.EDGES)
    if links.measured["edges"] * _BYTES_PER_EDGE <= plan.task_memory:
        connected = task("_steps.components", "read_roots", "components", plan.given, plan.task_memory, plan.temp_dir)
        found = edges.repartition(1).mapInArrow(connected, _MEMBERS)
    else:
        found = _by_stars(plan, edges)
    members = plan.tables.keep("groups", found)
    bound = 2 * links.measured["edges"]
    return Groups(members, bound if bound <= few else members.count())


def _by_stars(plan: Plan, edges: DataFrame) -> DataFrame:
    """Alternates large-star and small-star (Kiveris et al. 2014, "Connected Components in MapReduce and Beyond") until the edges do not change."""
    parts, numbers = plan.parts, labels(plan.spark, plan.parts)
    common = (plan.given, parts, plan.task_memory, plan.temp_dir, numbers)
    halves = edges.mapInArrow(task("_steps.components", "split", plan.given, parts, numbers), SCHEMA)
    before: Any = None
    previous: DataFrame | None = None
    for number in range(_MAX_ROUNDS):
        large = exchange(halves, parts, task("_steps.components", "star", "large_star", *common))
        small = plan.tables.keep(f"stars-{number}", exchange(large, parts, task("_steps.components", "star", "small_star", *common)))
        tallies = [bytes(row.blob) for row in small.where(F.col("kind") == _core_spark.TALLY).select("blob").collect()]
        if previous is not None:
            plan.tables.release(previous)
        halves = small.where(F.col("kind") == _core_spark.HALVES)
        previous = small
        now = plan.stages.tally(tallies)
        if now == before:
            read = task("_steps.components", "read_roots", "star_roots", plan.given, plan.task_memory, plan.temp_dir)
            return exchange(halves, parts, read, _MEMBERS)
        before = now
    rounds = f"{_MAX_ROUNDS} {'round' if _MAX_ROUNDS == 1 else 'rounds'}"
    raise ResourceError(f"the groups of {before[0]:,} edges still changed after {rounds}; this is a defect of neardup.spark")


def split(batches: Iterable[pa.RecordBatch], given: Given, parts: int, numbers: tuple[int, ...]) -> Iterator[pa.RecordBatch]:
    stages = given.stages()
    for batch in batches:
        yield from rows_of(stages.split_edges(parts, batch.column("blob")), numbers)


def star(
    batches: Iterable[pa.RecordBatch], name: str, given: Given, parts: int, memory: int, temp_dir: str, numbers: tuple[int, ...]
) -> Iterator[pa.RecordBatch]:
    reduce = getattr(given.stages(), name)(parts, memory, temp_dir)
    for batch in batches:
        reduce.add(_halves(batch))
    yield from rows_of(reduce.finish(), numbers)


def read_roots(batches: Iterable[pa.RecordBatch], name: str, given: Given, memory: int, temp_dir: str) -> Iterator[pa.RecordBatch]:
    """Of all edges ("components"), or of the halves of the last round ("star_roots")."""
    reduce = getattr(given.stages(), name)(memory, temp_dir)
    for batch in batches:
        reduce.add(batch.column("blob"))
    for ranks, roots in reduce.finish():
        yield pa.record_batch([pa.array(ranks), pa.array(roots)], ["r", "root"])


def _halves(batch: pa.RecordBatch) -> pa.Array:
    return batch.filter(pc.equal(batch.column("kind"), _core_spark.HALVES)).column("blob")
