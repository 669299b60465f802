"""dedup_files(): documents in files, numbered by file and row as the command line numbers them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from ..._core import InputError, UsageError
from ..._options import field_names
from .._cluster.session import column
from .._cluster.ship import ship
from .._dedup import run_dedup
from .._result import Result
from .lines import lines_of
from .paths import File, kind_of, list_files
from .places import FILE, NUMBER, PLACE, ROW, check_names, file_column, number_files, row_bits


class FileResult(Result):
    """What :func:`neardup.spark.dedup_files` decided. :attr:`kept` and :attr:`removed` have the columns of Parquet files, or the lines of JSON
    Lines, byte for byte, as the column value."""

    kind: str  #: of the files: parquet or json
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
        files = self._files.select(F.col(NUMBER).alias(f"{prefix}file"), F.col("source").alias(f"{prefix}source"))
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
            session; folders and globs stand for their files by name, also those in subfolders.
        text: the column or field with the text, or several, which are joined by newlines.
        id: the column or field with an id, for the verdicts; "auto": ``id``, if there is one; None: none. Ids may be missing, or equal.
        spark: the session; None: the active one.
        options: as of :func:`dedup`.

    Raises:
        InputError: a missing file, a folder without files.
        UsageError, ResourceError, TypeError: as :func:`dedup`.
    """
    session = spark or SparkSession.getActiveSession()
    if session is None:
        raise UsageError("spark: there is no active session; make one, or name it")
    files = list_files(session, paths)
    kind = kind_of(files)
    ship(session)
    names = field_names("text", text)
    if kind == "parquet":
        df, read, numbered, bits = _parquet(session, files)
        columns = read.columns
        key = ("id" if "id" in columns else None) if id == "auto" else id
        if key is not None and key not in columns:
            raise UsageError(f"id: there is no column '{key}'; columns: {', '.join(columns)}")
        columns_of_text = names
    else:
        df, read, numbered, bits = lines_of(session, files, names, "id" if id == "auto" else id or "")
        columns, columns_of_text, key = ["value"], ["text"], None if id is None else "id"
    made_from = [names, key if kind == "parquet" else id, [file.name for file in files]]
    try:
        source = F.shiftright(column(PLACE), bits)
        result = run_dedup(df, columns_of_text, PLACE, [], options, FileResult, source, read, made_from)
    except InputError as error:
        raise InputError(_name_row(str(error), df, numbered, bits)) from None
    result.kind, result._id_column, result._files, result._columns, result._row_bits = kind, key, numbered, columns, bits
    if kind == "json" and result._summary["rejected"]:
        counts = df.where(F.col("text").isNull()).groupBy("kind").count().collect()
        result._summary["rejected_by_kind"] |= {"missing_field": 0} | {row["kind"]: row["count"] for row in counts}
    return result


def _parquet(spark: SparkSession, files: list[File]) -> tuple[DataFrame, DataFrame, DataFrame, int]:
    """The columns of the files and PLACE; the same as Spark reads them, for estimates; the numbers of the files; the bits of rows."""
    read = spark.read.parquet(*(file.exact_path for file in files))
    check_names(read.columns)
    metadata = _metadata(read)
    numbered = number_files(spark, files, read)
    # Counting reads the footers of the files alone.
    bits = row_bits(row["count"] for row in read.groupBy(file_column(metadata)).count().collect())
    rows = read.select("*", file_column(metadata), metadata["row_index"].alias(ROW))
    place = F.shiftleft(column(NUMBER).cast("long"), bits) + column(ROW) + 1
    df = rows.join(F.broadcast(numbered.select(FILE, NUMBER)), FILE).select(*map(column, read.columns), place.alias(PLACE))
    return df, read, numbered, bits


def _metadata(read: DataFrame) -> Column:
    """The hidden column of files, which has another name if the files have a column _metadata."""
    if hasattr(read, "metadataColumn"):
        return read.metadataColumn("_metadata")
    return F.col(read._jdf.metadataColumn("_metadata").toString())  # Python of Spark 3.5 lacks the method


def _name_row(message: str, df: DataFrame, numbered: DataFrame, bits: int) -> str:
    """The message with file and row in place of a place, and of a line that is no document what is wrong with it."""
    found = re.search(rf"{PLACE} (\d+)(: .*? \(missing_field\))?", message)
    if found is None:
        return message
    place = int(found[1])
    source = numbered.where(F.col(NUMBER) == place >> bits).first()["source"]
    row, problem = f"{source}:{place & ((1 << bits) - 1)}", found[2] or ""
    if problem and "problem" in df.columns:
        line = df.where(column(PLACE) == place).select("kind", "problem").first()
        problem = f": {line['problem']} ({line['kind']})" if line["problem"] else problem
    return message.replace(found[0], row + problem)
