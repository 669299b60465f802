"""Ranks: one whole number for each document, its place in the order in which the scan rule looks at documents.

A rank is a function of the content of the rows: of integral ids in their own order it is the id; otherwise the place of the row in one sort
by the keep policy, the order and the id.
"""

from __future__ import annotations

import re
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .._core import UsageError
from ._cluster.determinism import check_stable
from ._cluster.session import column
from ._documents import check_columns, joined_text
from ._plan import Plan
from ._steps.numbering import number_rows

INTEGRAL = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_MAX_TEXT_BYTES = 256 << 20  # as the core
_REFUSED = (T.FloatType, T.DoubleType, T.BooleanType, T.BinaryType, T.ArrayType, T.MapType, T.StructType)


def rank_documents(plan: Plan, df: DataFrame, text: list[str], id: str, order_by: list[str], source: Column | None = None) -> Documents:
    """The documents of `df` with their ranks.

    Raises UsageError for columns that are missing, of a wrong type, or made up by Spark.
    """
    check_columns(df, {"text": text, "id": [id], "order_by": order_by})
    kind = df.select(column(id)).schema[0].dataType
    if isinstance(kind, _REFUSED):
        raise UsageError(f"id: column '{id}' is {kind.simpleString()}; an id is a whole number, a string, a date or a decimal number")
    for argument, names in (("id", [id]), ("order_by", order_by)):
        for name in names:
            _check_collation(df, name, argument)
            check_stable(df, name, argument)
    words = ["first"] if plan.keep == "auto" else plan.keep.split(",")
    if words[0] in ("first", "last") and not order_by and isinstance(kind, INTEGRAL):
        return IdRanks(df, text, id, words[0] == "last")
    return SortedRanks(plan, df, text, id, _order(df, text, [*order_by, id], words, source))


def _check_collation(df: DataFrame, name: str, argument: str) -> None:
    """Raises UsageError for strings that are not compared byte by byte, also inside of arrays and structs. Spark 3.5 has none."""
    kind = df.select(column(name)).schema[0].dataType.simpleString()
    found = re.search(r"\bstring collate (\w+)", kind)
    if found:
        raise UsageError(
            f"{argument}: column '{name}' has the collation {found[1]}, by which different strings can be equal; cast it to a plain string first"
        )


def _order(df: DataFrame, text: list[str], input_order: list[str], words: list[str], source: Column | None) -> list[tuple[Column, bool]]:
    """The columns by which a keep policy sorts, and whether each descends."""
    order: list[tuple[Column, bool]] = []
    last = False
    for word in words:
        if word in ("first", "last"):  # leave no ties
            last = word == "last"
            break
        if word in ("longest", "shortest"):
            order.append((F.octet_length(joined_text(df, text)), word == "longest"))
        elif word.startswith(("max:", "min:")):
            order.extend(_by_value(df, word[4:], word.startswith("max:")))
        if word == "source-order" and source is not None:
            order.append((source, False))
    return order + [(column(name), last) for name in input_order]


def _by_value(df: DataFrame, name: str, descending: bool) -> list[tuple[Column, bool]]:
    check_columns(df, {"keep": [name]})
    kind = df.select(column(name)).schema[0].dataType
    if not isinstance(kind, T.NumericType):
        raise UsageError(f"keep: column '{name}' is {kind.simpleString()}, not a number")
    value = column(name).cast("double")
    value = F.when(F.isnan(value), None).otherwise(value + F.lit(0.0))  # -0 equals 0
    return [(value.isNull(), False), (value, descending)]


class Documents:
    """The documents of a job: `scan()` for their ranks and texts, and the way from ranks back to ids."""

    maybe_narrow = True  #: not all ranks are known to need eight bytes

    def __init__(self, df: DataFrame, text: list[str], id: str) -> None:
        self.df = df
        self.id = id
        self.id_type = df.select(column(id)).schema[0].dataType
        self.text = joined_text(df, text)

    def readable(self) -> DataFrame:
        """The documents that are not rejected, with all their columns."""
        return self.df.where(self.text.isNotNull() & (F.octet_length(self.text) <= _MAX_TEXT_BYTES))

    def texts(self) -> DataFrame:
        """The column text of all documents."""
        return self.df.select(self.text.alias("text"))

    def scan(self) -> DataFrame:
        """The columns r (long) and text (string) of all documents."""
        raise NotImplementedError

    def scan_members(self, members: DataFrame) -> DataFrame:
        """The columns of `members`, which has r, and text, of these documents alone. `members` is small."""
        raise NotImplementedError

    def scan_keys(self) -> DataFrame:
        """The columns key, hash (a long that the key alone decides) and text of all documents."""
        raise NotImplementedError

    def with_keys(self, members: DataFrame) -> DataFrame:
        """`members`, which has r, with key and hash."""
        raise NotImplementedError

    def ids(self, frame: DataFrame, *ranks: str) -> DataFrame:
        """`frame` with ids instead of the ranks in the columns `ranks`; null stays null."""
        raise NotImplementedError

    def id_of(self, rank: int) -> Any:
        """The id of one document, for a message. Runs a job."""
        return self.ids(self.df.sparkSession.createDataFrame([(rank,)], "r long"), "r").collect()[0][0]

    def name_of(self, rank: int) -> str:
        """The column and the value of an id, for a message. Runs a job."""
        return f"{self.id} {self.id_of(rank)}"


class IdRanks(Documents):
    """Integral ids are the ranks; in descending order their complements, which are in the opposite order and cannot overflow."""

    def __init__(self, df: DataFrame, text: list[str], id: str, descending: bool) -> None:
        super().__init__(df, text, id)
        self._descending = descending
        self.maybe_narrow = not descending  # complements of ids from 0 on are negative

    def scan(self) -> DataFrame:
        return self.df.select(self._rank(column(self.id).cast("long")).alias("r"), self.text.alias("text"))

    def scan_members(self, members: DataFrame) -> DataFrame:
        return self.scan().join(F.broadcast(members), "r")

    def scan_keys(self) -> DataFrame:
        return self.scan().select(F.col("r").alias("key"), F.col("r").alias("hash"), "text")

    def with_keys(self, members: DataFrame) -> DataFrame:
        return members.withColumns({"key": F.col("r"), "hash": F.col("r")})

    def ids(self, frame: DataFrame, *ranks: str) -> DataFrame:
        return frame.withColumns({name: self._rank(column(name)).cast(self.id_type) for name in ranks})

    def _rank(self, value: Column) -> Column:
        return F.bitwise_not(value) if self._descending else value


class SortedRanks(Documents):
    """Ranks from 0 in the order of `order` (columns, and whether they descend), kept as a table of ids and ranks."""

    def __init__(self, plan: Plan, df: DataFrame, text: list[str], id: str, order: list[tuple[Column, bool]]) -> None:
        super().__init__(df, text, id)
        self._table = number_rows(plan, df, column(id), order)

    def scan(self) -> DataFrame:
        return self._texts().join(self._table, "id").select("r", "text")

    def scan_members(self, members: DataFrame) -> DataFrame:
        return self._texts().join(F.broadcast(self._table.join(members, "r")), "id").drop("id")

    def scan_keys(self) -> DataFrame:
        return self._texts().select(F.col("id").alias("key"), F.xxhash64("id").alias("hash"), "text")

    def with_keys(self, members: DataFrame) -> DataFrame:
        return members.join(self._table.select("r", F.col("id").alias("key"), F.xxhash64("id").alias("hash")), "r")

    def ids(self, frame: DataFrame, *ranks: str) -> DataFrame:
        for name in ranks:
            names = self._table.select(F.col("r").alias(name), F.col("id").alias(f"id of {name}"))
            order = [f"id of {name}" if each == name else each for each in frame.columns]
            frame = frame.join(names, name, "left").select(*map(column, order)).withColumnRenamed(f"id of {name}", name)
        return frame

    def _texts(self) -> DataFrame:
        return self.df.select(column(self.id).alias("id"), self.text.alias("text"))
