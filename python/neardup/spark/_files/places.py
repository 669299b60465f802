"""Places: a document's file and row as one number, which orders the documents of files."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from ..._core import UsageError
from .paths import File

# Columns of ours next to those of Parquet files.
PLACE, FILE, NUMBER, ROW = "neardup_place", "neardup_file", "neardup_number", "neardup_row"


def check_names(columns: Iterable[str]) -> None:
    """Raises UsageError for a column of a user that has a name of ours, in any case of letters."""
    for name in columns:
        if name.lower() in (PLACE, FILE, NUMBER, ROW):
            raise UsageError(f"paths: the column '{name}' has a name that dedup_files uses itself; rename it")


def number_files(spark: SparkSession, files: list[File], df: DataFrame) -> DataFrame:
    """The columns FILE (as in file_column()), NUMBER, source."""
    numbers = {_normal(file.path): number for number, file in enumerate(files)}
    rows = [(_normal(path), numbers[_normal(urllib.parse.unquote(path))]) for path in df.inputFiles()]
    schema = f"{FILE} string, {NUMBER} int, source string"
    return spark.createDataFrame([(path, number, files[number].name) for path, number in rows], schema)


def _normal(path: str) -> str:
    """Some parts of Spark write file:///a where others write file:/a."""
    return re.sub(r"^(\w+):/+", r"\1:/", path)


def file_column(metadata: Column) -> Column:
    """The file of a row, as _normal() writes it."""
    return F.regexp_replace(metadata["file_path"], r"^(\w+):/+", "$1:/").alias(FILE)


def row_bits(counts: Iterable[int]) -> int:
    """For rows from 1. As few as possible, so that the places of most inputs are ranks of five bytes."""
    return max(counts, default=0).bit_length()
