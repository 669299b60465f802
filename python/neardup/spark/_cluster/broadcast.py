"""What is small enough for Spark to send it to every executor, instead of sorting both sides of a join.

The rows are collected by the driver, where a row of whole numbers takes about 100 bytes.
"""

from __future__ import annotations

from pyspark.sql import types as T

WHOLE = T.LongType()
_WHOLE_ROWS = 1 << 21
# Ids of other types have no bound: 64 MiB if they have 1 KiB each.
_OTHER_ROWS = 1 << 16
_NUMBERS = (T.ByteType, T.ShortType, T.IntegerType, T.LongType, T.DateType, T.DecimalType)


def broadcast_rows(id_type: T.DataType) -> int:
    """How many rows with an id of this type are sent at most."""
    return _WHOLE_ROWS if isinstance(id_type, _NUMBERS) else _OTHER_ROWS
