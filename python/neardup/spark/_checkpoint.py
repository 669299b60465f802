"""Checkpoints: the tables of a run in a folder, from which a later call with the same input and options continues."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from .._core import OutputError, UsageError, __version__
from ._tables import Tables

_DONE = ".done"


class StoredTables(Tables):
    """Keeps each table as Parquet under `folder`/`run`: written whole, then marked as done, and never written again."""

    def __init__(self, spark: SparkSession, folder: str, run: str) -> None:
        super().__init__()
        self._spark = spark
        self._folder = f"{folder.rstrip('/')}/{run}"

    def keep(self, name: str, frame: DataFrame) -> DataFrame:
        """The rows of `frame`, in other partitions, whose rows may be in another order."""
        found = self.find(name, frame.schema)
        if found is None:
            path = self._path(name)
            frame.write.mode("overwrite").parquet(path)
            mark = _path(self._spark, path + _DONE)
            _file_system(self._spark, mark).create(mark, True).close()
            found = self._spark.read.schema(frame.schema).parquet(path)
        return found

    def find(self, name: str, schema: StructType) -> DataFrame | None:
        path = self._path(name)
        mark = _path(self._spark, path + _DONE)
        if not _file_system(self._spark, mark).exists(mark):
            return None
        return self._spark.read.schema(schema).parquet(path)

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}.parquet"


def run_id(df: DataFrame, facts: Any) -> str:
    """A name for the run that the options and facts and the files behind `df` make. Raises UsageError if there are no files."""
    spark = df.sparkSession
    names = sorted(df.inputFiles())
    if not names:
        raise UsageError(
            "work: the documents are not read from files, so a later call cannot know that they are the same; write them to Parquet first"
        )
    files = [(name, *_state(spark, name)) for name in names]
    plan = df._jdf.queryExecution().analyzed().canonicalized().toString()
    content = json.dumps([__version__, facts, df.schema.json(), plan, files], sort_keys=True, default=str)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def check_folder(spark: SparkSession, folder: str) -> None:
    """Raises OutputError if the folder cannot be made."""
    try:
        path = _path(spark, folder)
        _file_system(spark, path).mkdirs(path)
    except Py4JJavaError as error:
        raise OutputError(f"work: cannot use the folder '{folder}': {_first_line(error)}") from None


def _state(spark: SparkSession, name: str) -> tuple[int, int]:
    path = _path(spark, spark._jvm.java.net.URI(name))  # inputFiles() escapes names
    status = _file_system(spark, path).getFileStatus(path)
    return status.getLen(), status.getModificationTime()


def _path(spark: SparkSession, name: Any) -> Any:
    return spark._jvm.org.apache.hadoop.fs.Path(name)


def _file_system(spark: SparkSession, path: Any) -> Any:
    return path.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())


def _first_line(error: Py4JJavaError) -> str:
    return str(error.java_exception).splitlines()[0]
