"""Tables that several jobs read: kept by Spark while the run lasts."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType


class Tables:
    """Keeps tables in memory, and on disk what does not fit. A lost piece is computed again, to the same bytes."""

    def __init__(self) -> None:
        self._kept: list[DataFrame] = []

    def keep(self, name: str, frame: DataFrame) -> DataFrame:
        """`frame`, computed once. `name` is that of the stage."""
        kept = frame.persist(StorageLevel.MEMORY_AND_DISK)
        self._kept.append(kept)
        return kept

    def keep_order(self, frame: DataFrame) -> DataFrame:
        """As keep(), with the partitions of `frame` and the order of their rows. A later call does not find it."""
        return Tables.keep(self, "", frame)

    def find(self, name: str, schema: StructType) -> DataFrame | None:
        """The table that an earlier call kept under this name."""
        return None

    def release(self, frame: DataFrame) -> None:
        if any(frame is each for each in self._kept):
            self._kept = [each for each in self._kept if each is not frame]
            frame.unpersist()

    def release_all(self) -> None:
        for frame in self._kept:
            frame.unpersist()
        self._kept = []
