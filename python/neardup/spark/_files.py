"""dedup_files(): documents in files, numbered by file and row as the command line numbers them."""

from __future__ import annotations

import itertools
import os
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from py4j.protocol import Py4JJavaError
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .. import _core
from .._core import InputError, UsageError
from .._options import field_names
from ._dedup import run_dedup
from ._result import Result
from ._session import column
from ._ship import ship, task

PLACE = "neardup_place"  # the column with (file, row) as one number
_KINDS = {".parquet": "parquet", ".jsonl": "json", ".jsonl.gz": "json", ".jsonl.bz2": "json", ".jsonl.zst": "json"}


class FileResult(Result):
    """What :func:`neardup.spark.dedup_files` decided. :attr:`kept` and :attr:`removed` have the columns of Parquet files, or the lines of JSON
    Lines, byte for byte, as the column value."""

    _id_column: str | None
    _files: DataFrame
    _columns: list[str]
    _row_bits: int  # of a place: those of the row, from 1, below those of the file

    @property
    def kept(self) -> DataFrame:
        return super().kept.select(*map(column, self._columns))

    @property
    def removed(self) -> DataFrame:
        return super().removed.select(*map(column, self._columns))

    def verdicts(self) -> DataFrame:
        """A row for each document that was not rejected, with the columns of a verdict file of ``neardup dedup``."""
        ids = F.lit(None).cast("string") if self._id_column is None else column(self._id_column).cast("string")
        ids = self._documents.readable().select(column(PLACE).alias("place"), ids.alias("id"))
        made = super().verdicts().withColumnRenamed("id", "place").withColumnRenamed("keeper_id", "keeper_place").drop("cluster_id")
        made = made.join(ids, "place").join(
            ids.select(F.col("place").alias("keeper_place"), F.col("id").alias("keeper_id")), "keeper_place", "left"
        )
        made = self._named(self._named(made, "place", ""), "keeper_place", "keeper_")
        cluster = F.concat_ws(":", F.coalesce("keeper_source", "source"), F.coalesce("keeper_row", "row").cast("string"))
        names = ("id", "source", "row", "verdict", "reason", "keeper_id", "keeper_source", "keeper_row", "similarity")
        return made.select(*names, cluster.alias("cluster_id"), "cluster_size")

    def _named(self, frame: DataFrame, place: str, prefix: str) -> DataFrame:
        files = self._files.select(F.col("number").alias(f"{prefix}file"), F.col("source").alias(f"{prefix}source"))
        file, row = F.shiftright(place, self._row_bits).cast("int"), F.col(place).bitwiseAND((1 << self._row_bits) - 1)
        return frame.withColumns({f"{prefix}file": file, f"{prefix}row": row}).join(F.broadcast(files), f"{prefix}file", "left")


def dedup_files(
    paths: str | os.PathLike | Iterable[str | os.PathLike],
    text: str | list[str] | tuple[str, ...] = "text",
    id: str | None = "auto",
    *,
    spark: SparkSession | None = None,
    **options: Any,
) -> FileResult:
    """Removes exact and near-duplicates of files. Verdicts are those of ``neardup dedup`` over the same files in the same order.

    Args:
        paths: Parquet files (``.parquet``), or JSON Lines (``.jsonl``, ``.jsonl.gz``, ``.jsonl.bz2``, ``.jsonl.zst``), in any file system of the
            session; folders and globs stand for their files by name.
        text: the column or field with the text, or several, which are joined by newlines.
        id: the column or field with an id, for the verdicts; "auto": ``id``, if there is one; None: none. Ids may be missing, or equal.
        spark: the session; None: the active one.
        options: as of :func:`dedup`.

    Raises:
        InputError: a missing file.
        UsageError, ResourceError, TypeError: as :func:`dedup`.
    """
    session = spark or SparkSession.getActiveSession()
    if session is None:
        raise UsageError("spark: there is no active session; make one, or name it")
    files = _list(session, [paths] if isinstance(paths, (str, os.PathLike)) else list(paths))
    kinds = {_kind(path) for path, _ in files}
    if len(kinds) > 1:
        raise UsageError("paths: Parquet and JSON Lines cannot be mixed in one run")
    ship(session)
    names = field_names("text", text)
    if kinds == {"parquet"}:
        df, numbered, row_bits = _parquet(session, files)
        columns = [name for name in df.columns if name != PLACE]
        key = ("id" if "id" in df.columns else None) if id == "auto" else id
        if key is not None and key not in columns:
            raise UsageError(f"id: there is no column '{key}'; columns: {', '.join(columns)}")
    else:
        df, numbered, row_bits = _lines(session, files, names, "id" if id == "auto" else id or "")
        columns, names, key = ["value"], ["text"], None if id is None else "id"
    made_from = [[path for path, _ in files], field_names("text", text), id]
    result = run_dedup(df, names, PLACE, [], options, FileResult, source=F.shiftright(column(PLACE), row_bits), made_from=made_from)
    result._id_column, result._files, result._columns, result._row_bits = key, numbered, columns, row_bits
    if kinds == {"json"} and result._summary["rejected"]:
        counts = df.where(F.col("text").isNull()).groupBy("kind").count().collect()
        result._summary["rejected_by_kind"] |= {"missing_field": 0} | {row["kind"]: row["count"] for row in counts}
    return result


def _kind(path: str) -> str:
    kind = next((kind for ending, kind in _KINDS.items() if path.endswith(ending)), None)
    if kind is None:
        raise UsageError(f"paths: '{path}' ends in none of {', '.join(_KINDS)}")
    return kind


def _list(spark: SparkSession, paths: list[Any]) -> list[tuple[str, str]]:
    """The files: (path of the file system, name for verdicts), those of a folder or glob by name."""
    files: list[tuple[str, str]] = []
    for given in paths:
        if not isinstance(given, (str, os.PathLike)):
            raise TypeError(f"paths: expected a path or a list of paths, not {type(given).__name__}")
        name = os.fspath(given)
        path = spark._jvm.org.apache.hadoop.fs.Path(name)
        try:
            system = path.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())
            found = system.globStatus(path) or []
            files += sorted(each for status in found for each in _of_status(system, status, name, given_exactly=len(found) == 1))
        except Py4JJavaError as error:
            raise InputError(f"cannot read '{name}': {str(error.java_exception).splitlines()[0]}") from None
        if not found:
            raise InputError(f"cannot open '{name}': there is no such file")
    if not files:
        raise InputError(f"no files with one of the endings {', '.join(_KINDS)} in {', '.join(map(repr, map(os.fspath, paths)))}")
    return files


def _of_status(system: Any, status: Any, name: str, given_exactly: bool) -> Iterator[tuple[str, str]]:
    path = status.getPath()
    if not status.isDirectory():
        exact = given_exactly and not re.search(r"[*?\[{]", name)
        yield (
            path.toString(),
            name if exact else f"{os.path.dirname(name)}/{path.getName()}".lstrip("/" if not name.startswith("/") else ""),
        )
        return
    for inside in system.listStatus(path):
        child = inside.getPath()
        if not inside.isDirectory() and child.getName()[0] not in "._" and any(child.getName().endswith(ending) for ending in _KINDS):
            yield child.toString(), f"{name.rstrip('/')}/{child.getName()}"


def _numbers(spark: SparkSession, files: list[tuple[str, str]], df: DataFrame) -> DataFrame:
    """The columns path (as in _path()), number, source."""
    places = {_normal(path): number for number, (path, _) in enumerate(files)}
    rows = [(_normal(path), places[_normal(urllib.parse.unquote(path))]) for path in df.inputFiles()]
    return spark.createDataFrame([(path, number, files[number][1]) for path, number in rows], "path string, number int, source string")


def _normal(path: str) -> str:
    """Some parts of Spark write file:///a where others write file:/a."""
    return re.sub(r"^(\w+):/+", r"\1:/", path)


def _path() -> Column:
    """The file of a row, as _normal() writes it."""
    return F.regexp_replace("_metadata.file_path", r"^(\w+):/+", "$1:/").alias("path")


def _parquet(spark: SparkSession, files: list[tuple[str, str]]) -> tuple[DataFrame, DataFrame, int]:
    """The columns of the files and PLACE; the numbers of the files; the bits of rows."""
    read = spark.read.parquet(*(path for path, _ in files))
    numbered = _numbers(spark, files, read)
    places = F.broadcast(numbered.select("path", "number"))
    # Counting reads the footers of the files alone.
    row_bits = _row_bits(row["count"] for row in read.groupBy(_path()).count().collect())
    rows = read.select("*", _path(), F.col("_metadata.row_index").alias(f"{PLACE}_row"))
    place = F.shiftleft(F.col("number").cast("long"), row_bits) + F.col(f"{PLACE}_row") + 1
    return rows.join(places, "path").select(*map(column, read.columns), place.alias(PLACE)), numbered, row_bits


def _row_bits(counts: Iterable[int]) -> int:
    """For rows from 1. As few as possible, so that the places of most inputs are ranks of five bytes."""
    return max(counts, default=0).bit_length()


def _lines(spark: SparkSession, files: list[tuple[str, str]], text: list[str], id: str) -> tuple[DataFrame, DataFrame, int]:
    """The columns value, text, id, kind and PLACE of the lines that are not blank; the numbers of the files; the bits of rows."""
    read = spark.read.option("lineSep", "\n").text([path for path, _ in files])
    numbered = _numbers(spark, files, read)
    rows = read.select("value", _path(), F.col("_metadata.file_block_start").alias("begin"))
    # Where the lines of a split begin to count is known once those before it are counted.
    counted = rows.groupBy("path", "begin").count().join(F.broadcast(numbered), "path").orderBy("number", "begin").collect()
    begins: dict[str, dict[int, tuple[int, int]]] = {}
    rows_of_file: dict[int, int] = {}
    for split in counted:
        row = rows_of_file.get(split.number, 0)
        begins.setdefault(split.path, {})[split.begin] = (split.number, row)
        rows_of_file[split.number] = row + split["count"]
    row_bits = _row_bits(rows_of_file.values())
    schema = T.StructType(
        [
            T.StructField("value", T.StringType()),
            T.StructField("text", T.StringType()),
            T.StructField("id", T.StringType()),
            T.StructField("kind", T.StringType()),
            T.StructField(PLACE, T.LongType()),
        ]
    )
    return rows.mapInArrow(task("_files", "read_lines", begins, row_bits, text, id), schema), numbered, row_bits


def read_lines(
    batches: Iterable[pa.RecordBatch], begins: dict[str, dict[int, tuple[int, int]]], row_bits: int, text: list[str], id: str
) -> Iterator[pa.RecordBatch]:
    """The records of lines. The lines of a split come one after the other, and splits one after the other."""
    split: tuple[str, int] | None = None
    place = 0
    for batch in batches:
        # Where a split ends within the batch.
        keys = pa.StructArray.from_arrays([batch.column("path"), batch.column("begin")], ["path", "begin"])
        for begin, end in _runs(batch):
            key = (keys[begin]["path"].as_py(), keys[begin]["begin"].as_py())
            if key != split:
                number, row = begins[key[0]][key[1]]
                split, place = key, (number << row_bits) + row
            lines = batch.column("value").slice(begin, end - begin)
            first_of_file = place & ((1 << row_bits) - 1) == 0
            made = pa.record_batch(_core.spark.read_lines(lines, text, id, first_of_file))
            places = pa.array(np.arange(place + 1, place + 1 + len(lines)))
            place += len(lines)
            found = pa.record_batch([lines, made["text"], made["id"], made["kind"], places], ["value", "text", "id", "kind", PLACE])
            record = pc.or_(pc.is_valid(made["text"]), pc.is_valid(made["kind"]))
            yield found.filter(record)


def _runs(batch: pa.RecordBatch) -> list[tuple[int, int]]:
    """The ranges of rows of one split each."""
    if not len(batch):
        return []
    path, begin = batch.column("path"), batch.column("begin")
    changed = pc.or_(pc.not_equal(path[1:], path[:-1]), pc.not_equal(begin[1:], begin[:-1])).to_numpy(zero_copy_only=False)
    cuts = [0, *(np.flatnonzero(changed) + 1).tolist(), len(batch)]
    return list(itertools.pairwise(cuts))
