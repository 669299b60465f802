"""Tables that several jobs read: kept by Spark while the run lasts."""

from __future__ import annotations

import uuid

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType


class Tables:
    """Keeps tables in memory, and on disk what does not fit. A lost piece is computed again, to the same bytes."""

    def __init__(self) -> None:
        self._kept: list[DataFrame] = []
        # Spark shares what it keeps between equal plans, and one run would drop the tables of another: this makes plans differ.
        self._own = F.lit(uuid.uuid4().hex).isNotNull()

    def keep(self, name: str, frame: DataFrame) -> DataFrame:
        """`frame`, computed once. `name` is that of the stage."""
        kept = frame.where(self._own).persist(StorageLevel.MEMORY_AND_DISK)
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

    def release_others(self, frame: DataFrame) -> None:
        """Releases all but `frame`, which must be computed already."""
        for each in [each for each in self._kept if each is not frame]:
            self.release(each)

    def release_all(self) -> None:
        for frame in self._kept:
            frame.unpersist()
        self._kept = []


def computed(frame: DataFrame) -> DataFrame:
    """`frame`, kept by Spark until its unpersist(), and computed now, so that the tables it is made of can be released."""
    kept = frame.persist()
    try:
        kept.count()
    except BaseException:
        kept.unpersist()
        raise
    return kept
