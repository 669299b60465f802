"""The clues of a search: their texts as they are sent to tasks, and their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T

from .._core import UsageError
from .._options import writable
from ._cluster.session import column
from ._documents import check_columns

_MAX_CLUES = 1 << 20  # as the core


@dataclass(frozen=True)
class Asked:
    packed: bytes  #: an Arrow stream of the texts
    names: list[Any]  #: by the number of the clue
    name_type: T.DataType

    def queries(self, spark: SparkSession) -> DataFrame:
        """The columns clue (its number) and query (its name)."""
        schema = T.StructType([T.StructField("clue", T.LongType()), T.StructField("query", self.name_type)])
        return spark.createDataFrame(list(enumerate(self.names)), schema)


def asked_clues(clues: Any) -> Asked:
    """Of a list, a dict, or a DataFrame with the columns id and text, which is collected. Raises TypeError and UsageError."""
    if isinstance(clues, DataFrame):
        return _of_frame(clues)
    if isinstance(clues, Mapping):
        for name in clues:
            if not isinstance(name, str):
                raise TypeError(f"clues: the names must be str, not {type(name).__name__}")
        return _asked(list(clues), list(clues.values()), T.StringType())
    if isinstance(clues, (str, bytes)) or not hasattr(clues, "__iter__"):
        raise TypeError(f"clues: expected a list of str, a dict, or a DataFrame, not {type(clues).__name__}")
    texts = list(clues)
    return _asked(list(range(len(texts))), texts, T.LongType())


def _of_frame(frame: DataFrame) -> Asked:
    check_columns(frame, {"clues": ["id", "text"]})
    chosen = frame.select(column("id"), column("text"))
    id_type, text_type = (field.dataType for field in chosen.schema)
    if not isinstance(text_type, T.StringType):
        raise UsageError(f"clues: column 'text' is {text_type.simpleString()}, not a string")
    rows = chosen.limit(_MAX_CLUES + 1).collect()
    names, seen = [row[0] for row in rows], set()
    for name in map(str, names):
        if name in seen:
            raise UsageError(f"clues: '{name}' is the id of several clues; ids must be unique")
        seen.add(name)
    return _asked(names, [row[1] for row in rows], id_type)


def _asked(names: list[Any], texts: list[Any], name_type: T.DataType) -> Asked:
    for name, text in zip(names, texts):
        if text is None:
            raise UsageError(f"clue '{name}' has no text (null)")
        if not isinstance(text, str):
            raise TypeError(f"clue '{name}' must be a str, not {type(text).__name__}")
    sink = pa.BufferOutputStream()
    batch = pa.record_batch([pa.array(map(writable, texts), pa.large_string())], ["clue"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return Asked(sink.getvalue().to_pybytes(), names, name_type)
