"""search(): the documents that contain one of many clues, or resemble it, in one pass over them and without an index.

A task scans its documents for all clues and sends the first hits of each and how many there are; Spark sorts those of all tasks.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .. import _clue, _core, _values
from .._core import UsageError
from .._options import field_names
from ._asked import Asked, asked_clues
from ._cluster.determinism import check_stable
from ._cluster.errors import clear_errors
from ._cluster.session import bounded_batches, check_frame, column
from ._cluster.ship import ship, task
from ._cluster.tables import computed
from ._documents import check_columns
from ._ranks import INTEGRAL, Documents

_LIMIT = 100
_MAX_LIMIT = 2**31 - 1  # of ranks in Spark
_MAX_COUNT = 2**63 - 1
_HELD_BYTES = 64 << 20  # of hits, in a task; beyond, they are sent
_NO_ID = -1  # instead of a clue: counts documents
_HIT = (
    ("clue", pa.int64()),
    ("order", pa.int64()),
    ("id", None),  # as the documents have it
    ("begin", pa.int64()),
    ("end", pa.int64()),
    ("begin_character", pa.int64()),
    ("end_character", pa.int64()),
    ("edits", pa.int64()),
    ("similarity", pa.float64()),
    ("occurrences", pa.int64()),
    ("passage", pa.large_string()),
    ("differences", pa.large_string()),
)
_SPARK_TYPES = {pa.int64(): "long", pa.float64(): "double", pa.large_string(): "string"}


def search(
    df: DataFrame,
    clues: Any,
    text: str | list[str] | tuple[str, ...] = "text",
    id: str = "id",
    *,
    edits: Any = None,
    resembles: bool = False,
    threshold: Any = None,
    measure: str | None = None,
    limit: int | None = None,
    count: bool = False,
    fold_han: bool = False,
) -> DataFrame:
    """The documents that contain a clue, for each of many clues. None is missing, because every document is read.

    Hits are those of ``neardup search --scan`` over an index of the same documents, added in the order of their ids.
    :meth:`neardup.ClueIndex.search` describes the options.

    Args:
        df: the documents. Those without a text, or with more than 256 MiB, are left out.
        clues: a list of str; a dict of str by name; or a DataFrame with the columns id and text. At most 1,048,576, which each task holds:
            about 1 KB for a clue of 60 characters, with edits or resembles 3 KB.
        text: the column with the text, or several, which are joined by newlines.
        id: the column with the id of a document: a whole number or a string, never null, no two equal. Not one that Spark made up.
        limit: at most so many hits of each clue (100).
        count: only count the matching documents of each clue: the columns query and count.
        fold_han: traditional Chinese characters match simplified ones.

    Returns:
        A DataFrame with a row for each hit, which Spark keeps until ``unpersist()``:

        - query: the name or id of the clue; of a list its place, from 0
        - rank: the place of the hit among those of the clue, from 1
        - id: of the document
        - begin, end, begin_character, end_character: the passage in the text, in bytes of UTF-8 and in characters
        - edits, occurrences, differences: null with resembles
        - similarity, passage
        - count: all documents that match the clue
        - more: there are more than `limit`

    Raises:
        UsageError: a clue that cannot be asked, a wrong option, a missing column, a null id. It is a ValueError.
        TypeError: an argument of a wrong type.
    """
    spark = check_frame(df)
    options = _clue._options(
        edits=edits,
        resembles=resembles,
        threshold=threshold,
        measure=measure,
        limit=limit,
        count=count,
        scan=True,
        max_candidates=None,
        explain=False,
        passages=True,
    )
    fold_han = _values.flag("fold_han", fold_han)
    names, key = field_names("text", text), field_names("id", id)[0]
    check_columns(df, {"text": names, "id": [key]})
    documents = Documents(df, names, key)
    numbered = isinstance(documents.id_type, INTEGRAL)
    if not numbered and not isinstance(documents.id_type, T.StringType):
        raise UsageError(f"id: column '{key}' is {documents.id_type.simpleString()}; an id is a whole number or a string")
    check_stable(df, key, "id")
    asked = asked_clues(clues)
    _make_scanner(asked.packed, options, fold_han, asked.names)  # names a clue that cannot be asked
    ship(spark)

    id_type = "long" if numbered else "string"
    rows = documents.readable().select(column(key).cast(id_type).alias("id"), documents.text.alias("text"))
    arguments = (asked.packed, tuple(options.items()), fold_han, numbered, _HELD_BYTES)
    schema = ", ".join(f"`{name}` {id_type if kind is None else _SPARK_TYPES[kind]}" for name, kind in _HIT) + ", n long"
    scanned = rows.mapInArrow(task("_search", "scan_texts", *arguments), schema).persist()
    try:
        with bounded_batches(spark), clear_errors():
            _check_ids(scanned)
            made = _counts(scanned, asked) if count else _hits(scanned, asked, documents.id_type, resembles, limit or _LIMIT)
            return computed(made)
    finally:
        scanned.unpersist()


def _check_ids(scanned: DataFrame) -> None:
    nulls = scanned.where(F.col("clue") == _NO_ID).agg(F.sum("n")).collect()[0][0]
    if nulls:
        raise UsageError(f"id: {nulls:,} {'row has' if nulls == 1 else 'rows have'} no id (null); every document needs one")


def _counts_of(scanned: DataFrame) -> DataFrame:
    return scanned.where(F.col("n").isNotNull()).groupBy("clue").agg(F.sum("n").alias("count"))


def _counts(scanned: DataFrame, asked: Asked) -> DataFrame:
    counted = asked.queries(scanned.sparkSession).join(_counts_of(scanned), "clue", "left")
    return counted.select("query", F.coalesce("count", F.lit(0)).alias("count"))


def _hits(scanned: DataFrame, asked: Asked, id_type: T.DataType, resembles: bool, limit: int) -> DataFrame:
    rank = F.row_number().over(Window.partitionBy("clue").orderBy("order", "id"))
    first = scanned.where(F.col("n").isNull()).withColumn("rank", rank).where(F.col("rank") <= min(limit, _MAX_LIMIT))
    rows = first.join(_counts_of(scanned), "clue").join(asked.queries(scanned.sparkSession), "clue")
    only_contained = {name: F.lit(None).cast(rows.schema[name].dataType).alias(name) for name in ("edits", "occurrences", "differences")}
    columns = {name: F.col(name) for name, _ in _HIT if name not in ("clue", "order")} | (only_contained if resembles else {})
    columns["id"] = F.col("id").cast(id_type)
    more = (F.col("count") > min(limit, _MAX_COUNT)).alias("more")
    return rows.select("query", "rank", *(value.alias(name) for name, value in columns.items()), "count", more)


def _make_scanner(packed: bytes, options: Mapping[str, Any], fold_han: bool, names: Sequence[Any] | None = None) -> Any:
    """The scanner of the clues in an Arrow stream. `names`: for messages."""
    clues = pa.ipc.open_stream(packed).read_all().column("clue")
    return _core.spark.ClueScanner(clues if names is None else list(map(str, names)), clues, dict(options), fold_han)


@functools.lru_cache(maxsize=1)
def _scanner(packed: bytes, options: tuple[tuple[str, Any], ...], fold_han: bool) -> Any:
    """A worker keeps the last one for its next task."""
    return _make_scanner(packed, dict(options), fold_han)


def scan_texts(
    batches: Iterable[pa.RecordBatch], packed: bytes, options: tuple[tuple[str, Any], ...], fold_han: bool, numbered: bool, memory: int
) -> Iterator[pa.RecordBatch]:
    """The first hits of each clue among these documents, and counts, which are rows because a repeated task repeats its rows."""
    hits = _scanner(packed, options, fold_han).hits(numbered, memory)
    nulls = 0
    for batch in batches:
        if not len(batch):
            continue
        if batch.column("id").null_count:
            nulls += batch.column("id").null_count
            batch = batch.filter(batch.column("id").is_valid())
        ids = batch.column("id")
        table = hits.add(ids.to_numpy(zero_copy_only=False) if numbered else ids, batch.column("text"))
        if table is not None:
            yield _rows(numbered, pa.record_batch(table))
    table, counts = hits.finish()
    yield _rows(numbered, pa.record_batch(table))
    found = np.flatnonzero(counts)
    counted = {"clue": np.append(found, _NO_ID), "n": np.append(counts[found], nulls)}
    yield _rows(numbered, pa.record_batch([pa.array(values) for values in counted.values()], list(counted)))


def _rows(numbered: bool, batch: pa.RecordBatch) -> pa.RecordBatch:
    """The columns of a scan; those that the batch lacks are null."""
    kinds = {name: kind or (pa.int64() if numbered else pa.large_string()) for name, kind in _HIT} | {"n": pa.int64()}
    values = [batch.column(name) if name in batch.schema.names else pa.nulls(len(batch), kind) for name, kind in kinds.items()]
    return pa.record_batch(values, list(kinds))
