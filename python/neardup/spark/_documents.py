"""The columns of a DataFrame that hold documents."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .._core import UsageError
from ._cluster.session import column


def check_columns(df: DataFrame, named: Mapping[str, list[str]]) -> None:
    """Raises UsageError for a column that is missing. `named`: by the argument that names them."""
    for argument, names in named.items():
        for name in names:
            if name not in df.columns:
                raise UsageError(f"{argument}: there is no column '{name}'; columns: {', '.join(df.columns)}")


def joined_text(df: DataFrame, names: list[str]) -> Column:
    """The text of a document: several columns are joined by newlines, and nulls among them are left out. Raises UsageError for other types."""
    for name in names:
        kind = df.select(column(name)).schema[0].dataType
        if not isinstance(kind, T.StringType):
            raise UsageError(f"text: column '{name}' is {kind.simpleString()}, not a string")
    if len(names) == 1:
        return column(names[0])
    parts = [column(name) for name in names]
    return F.when(F.coalesce(*parts).isNotNull(), F.concat_ws("\n", *parts))
