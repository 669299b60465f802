"""The documents of JSON Lines that Spark reads as lines of text."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from ... import _core
from ..._core import InputError, UsageError
from .._cluster.session import bounded_batches, pinned
from .._cluster.ship import task
from .paths import File
from .places import FILE, NUMBER, PLACE, file_column, number_files, row_bits

_SCHEMA = f"value string, text string, id string, kind string, problem string, {PLACE} long"


def lines_of(spark: SparkSession, files: list[File], text: list[str], id: str) -> tuple[DataFrame, DataFrame, DataFrame, int]:
    """The columns value, text, id, kind, problem and PLACE of the lines that are not blank; the same as Spark reads them, for estimates; the
    numbers of the files; the bits of rows."""
    read = spark.read.option("lineSep", "\n").text([file.exact_path for file in files])
    numbered = number_files(spark, files, read)
    # Rows are counted from the begin of their split, so all jobs must have the same splits, whatever happens to the settings of the session.
    rows = pinned(read.select("value", file_column(F.col("_metadata")), F.col("_metadata.file_block_start").alias("begin")))
    begins, bits = _count(rows, numbered)
    with bounded_batches(spark):
        df = pinned(rows.mapInArrow(task("_files.lines", "read_lines", begins, bits, text, id), _SCHEMA))
    return df, read, numbered, bits


def _count(rows: DataFrame, numbered: DataFrame) -> tuple[dict[str, dict[int, tuple[int, int]]], int]:
    """The file and the row before the first one of each split, by its path and begin; the bits of rows."""
    try:
        counted = rows.groupBy(FILE, "begin").count().join(F.broadcast(numbered), FILE).orderBy(NUMBER, "begin").collect()
    except (Py4JJavaError, PySparkException) as error:
        if "native zStandard library" not in str(error):
            raise
        raise UsageError(
            "paths: this Spark cannot read .zst, because Hadoop's native library is missing; compress with gzip, or use a later Spark (4.3 can)"
        ) from None
    begins: dict[str, dict[int, tuple[int, int]]] = {}
    rows_of_file: dict[int, int] = {}
    for split in counted:
        row = rows_of_file.get(split[NUMBER], 0)
        begins.setdefault(split[FILE], {})[split.begin] = (split[NUMBER], row)
        rows_of_file[split[NUMBER]] = row + split["count"]
    return begins, row_bits(rows_of_file.values())


def read_lines(
    batches: Iterable[pa.RecordBatch], begins: dict[str, dict[int, tuple[int, int]]], row_bits: int, text: list[str], id: str
) -> Iterator[pa.RecordBatch]:
    """The records of lines. The lines of a split come one after the other, and splits one after the other."""
    split: tuple[str, int] | None = None
    place = 0
    for batch in batches:
        for begin, end in _runs(batch):  # where a split ends within the batch
            key = (batch.column(FILE)[begin].as_py(), batch.column("begin")[begin].as_py())
            if key != split:
                split, place = key, _place(begins, row_bits, *key)
            lines = batch.column("value").slice(begin, end - begin)
            first_of_file = place & ((1 << row_bits) - 1) == 0
            made = pa.record_batch(_core.spark.read_lines(lines, text, id, first_of_file))
            places = pa.array(np.arange(place + 1, place + 1 + len(lines)))
            place += len(lines)
            columns = {"value": lines, **{name: made[name] for name in ("text", "id", "kind", "problem")}, PLACE: places}
            record = pc.or_(pc.is_valid(made["text"]), pc.is_valid(made["kind"]))
            yield pa.record_batch(columns).filter(record)


def _place(begins: dict[str, dict[int, tuple[int, int]]], row_bits: int, path: str, begin: int) -> int:
    """Of the line before the first one of a split."""
    found = begins.get(path, {}).get(begin)
    if found is None:
        raise InputError(
            f"the split of '{path}' at byte {begin} was not there when lines were counted: the file has changed, or Spark cut it anew "
            "(spark.sql.files.maxPartitionBytes); call dedup_files again"
        )
    number, row = found
    return (number << row_bits) + row


def _runs(batch: pa.RecordBatch) -> list[tuple[int, int]]:
    """The ranges of rows of one split each."""
    if not len(batch):
        return []
    path, begin = batch.column(FILE), batch.column("begin")
    changed = pc.or_(pc.not_equal(path[1:], path[:-1]), pc.not_equal(begin[1:], begin[:-1])).to_numpy(zero_copy_only=False)
    cuts = [0, *(np.flatnonzero(changed) + 1).tolist(), len(batch)]
    return list(itertools.pairwise(cuts))
