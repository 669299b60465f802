"""Checkpoints: the tables of a run in a folder, from which a later call with the same input and options continues."""

from __future__ import annotations

import contextlib
import hashlib
import json
import uuid
from collections.abc import Iterator
from typing import Any

from py4j.java_gateway import is_instance_of
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from ..._core import OutputError, UsageError, __version__
from .tables import Tables

_CATALYST = "org.apache.spark.sql.catalyst"
_DATASOURCES = "org.apache.spark.sql.execution.datasources"
# By default, plans show 25 fields and leave out the others.
_LENGTHS_OF_PLANS = {"spark.sql.debug.maxToStringFields": str(2**31 - 1), "spark.sql.maxPlanStringLength": str(2**31 - 16)}
_FUNCTIONS = ("PYTHON_UDF", "SCALA_UDF", "EXTERNAL_UDF")  # patterns of plans; Spark 3.5 lacks the last
_ADVICE = "so a later call cannot know that they are the same; write them to Parquet first"


class StoredTables(Tables):
    """Keeps each table as Parquet under `folder`/`run`.

    Each attempt to write a table has a folder of its own. A mark, a file that appears whole, names the folder of a complete one with its files
    and their sizes; a table that is not as its mark says is made again. So runs at the same time and half-deleted folders do no harm.
    """

    def __init__(self, spark: SparkSession, folder: str, run: str) -> None:
        super().__init__()
        self._spark = spark
        self._folder = f"{folder.rstrip('/')}/{run}"

    def keep(self, name: str, frame: DataFrame) -> DataFrame:
        """The rows of `frame`, in other partitions, whose rows may be in another order."""
        found = self.find(name, frame.schema)
        if found is not None:
            return found
        attempt = f"{name}-{uuid.uuid4().hex}.parquet"
        path = f"{self._folder}/{attempt}"
        frame.write.parquet(path)
        self._mark(name, {"folder": attempt, "files": self._sizes(path)})
        return self._spark.read.schema(frame.schema).parquet(path)

    def find(self, name: str, schema: StructType) -> DataFrame | None:
        mark = _path(self._spark, self._mark_path(name))
        system = _file_system(self._spark, mark)
        try:
            stream = system.open(mark)
            try:
                marked = json.loads(bytes(self._spark._jvm.org.apache.commons.io.IOUtils.toByteArray(stream)))
            finally:
                stream.close()
            path = f"{self._folder}/{marked['folder']}"
            if self._sizes(path) != marked["files"]:
                return None
        except (Py4JJavaError, ValueError, KeyError, TypeError):  # no mark, none that this package wrote, or no folder
            return None
        return self._spark.read.schema(schema).parquet(path)

    def _mark(self, name: str, content: dict[str, Any]) -> None:
        temporary = _path(self._spark, f"{self._folder}/_{uuid.uuid4().hex}")
        mark = _path(self._spark, self._mark_path(name))
        system = _file_system(self._spark, mark)
        stream = system.create(temporary, True)
        try:
            stream.write(json.dumps(content).encode())
        finally:
            stream.close()
        # Some file systems do not rename over a file. Of several runs any may win: their tables have the same rows.
        if not system.rename(temporary, mark):
            system.delete(mark, False)
            if not system.rename(temporary, mark):
                system.delete(temporary, False)

    def _mark_path(self, name: str) -> str:
        return f"{self._folder}/{name}.json"

    def _sizes(self, folder: str) -> dict[str, int]:
        """The data files in the folder."""
        path = _path(self._spark, folder)
        found = _file_system(self._spark, path).listStatus(path)
        sizes = {status.getPath().getName(): status.getLen() for status in found}
        return {name: size for name, size in sizes.items() if name[0] not in "._"}


def run_id(df: DataFrame, facts: Any, source: Any = None) -> str:
    """A name for the run of these facts over the documents of `df`: their plan and the files that it reads. `source` stands for a plan of this
    package, whose functions and local rows it decides.

    Raises UsageError if a later call could not know that the documents are the same.
    """
    spark = df.sparkSession
    names = set(df.inputFiles())
    if not names:
        raise UsageError(f"work: the documents are not read from files, {_ADVICE}")
    made = source
    if source is None:
        plan = df._jdf.queryExecution().analyzed()
        _refuse_functions(spark, plan)
        read = [_of_leaf(spark, leaf, names) for part in _parts(plan) for leaf in _items(part.collectLeaves())]
        with _whole_plans(spark):
            made = [plan.canonicalized().toString(), read]
    files = [(name, *_state(spark, name)) for name in sorted(names)]
    content = json.dumps([__version__, facts, df.schema.json(), made, files], sort_keys=True, default=str)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _refuse_functions(spark: SparkSession, plan: Any) -> None:
    """A plan has the name of a function in Python or Scala, not what it does."""
    patterns = spark._jvm.org.apache.spark.sql.catalyst.trees.TreePattern
    known = patterns.values().mkString(" ").split()
    functions = any(plan.containsPattern(patterns.withName(name)) for name in _FUNCTIONS if name in known)
    # A table function has no pattern of its own.
    if functions or any(_is_table_function(spark, node) for part in _parts(plan) for node in _nodes(part)):
        raise UsageError(f"work: the documents are made by a user-defined function, {_ADVICE}")


def _is_table_function(spark: SparkSession, node: Any) -> bool:
    return _is_a(spark, node, f"{_CATALYST}.plans.logical.Generate") and _is_a(spark, node.generator(), f"{_CATALYST}.expressions.PythonUDTF")


def _parts(plan: Any) -> list[Any]:
    """A plan and its subqueries."""
    return [plan, *_items(plan.subqueriesAll())]


def _nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for child in _items(plan.children()):
        yield from _nodes(child)


def _of_leaf(spark: SparkSession, leaf: Any, files: set[str]) -> list[str]:
    """What the text of a plan does not show of a leaf: readers and their options, local rows. Adds files of subqueries to `files`."""
    if _is_a(spark, leaf, f"{_DATASOURCES}.LogicalRelation") and _is_a(spark, leaf.relation(), f"{_DATASOURCES}.HadoopFsRelation"):
        relation = leaf.relation()
        read = [str(name) for name in relation.inputFiles()] if not files.issuperset(relation.inputFiles()) else []
        files.update(read)
        options = sorted(option.toString() for option in _items(relation.options().toSeq()))
        return [relation.schema().json(), relation.fileFormat().getClass().getName(), *options]
    if _is_a(spark, leaf, f"{_CATALYST}.plans.logical.LocalRelation"):
        return [leaf.data().mkString("\n")]
    if any(_is_a(spark, leaf, f"{_CATALYST}.plans.logical.{name}") for name in ("OneRowRelation", "Range")):
        return []
    raise UsageError(f"work: some of the documents, or of what they are joined with, are not read from files ({leaf.nodeName()}), {_ADVICE}")


@contextlib.contextmanager
def _whole_plans(spark: SparkSession) -> Iterator[None]:
    """While it is open, the text of a plan has all of it."""
    before = {name: spark.conf.get(name, None) for name in _LENGTHS_OF_PLANS}
    try:
        for name, value in _LENGTHS_OF_PLANS.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            spark.conf.unset(name) if value is None else spark.conf.set(name, value)


def _is_a(spark: SparkSession, java_object: Any, name: str) -> bool:
    return is_instance_of(spark.sparkContext._gateway, java_object, name)


def _items(sequence: Any) -> Iterator[Any]:
    return (sequence.apply(place) for place in range(sequence.size()))


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
