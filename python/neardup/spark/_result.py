"""Result: what a run decided, as DataFrames next to the documents."""

from __future__ import annotations

import functools
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .._core import UsageError
from ._cluster.broadcast import broadcast_rows
from ._cluster.session import column
from ._plan import Plan
from ._ranks import Documents


class Result:
    """What :func:`neardup.spark.dedup` decided. DataFrames are lazy; the decisions are made and kept by Spark until :meth:`release`.

    After it, all members but :meth:`summary` raise UsageError, and DataFrames of before must not be used.
    """

    def __init__(self, plan: Plan, documents: Documents, notes: DataFrame, summary: dict[str, Any]) -> None:
        self._plan = plan
        self._documents = documents
        self._notes = notes
        self._summary = summary
        self._released = False

    @property
    def kept(self) -> DataFrame:
        """The kept documents: the rows and columns of the input, without removed and rejected ones."""
        return self._readable().join(self._removed_ids, self._documents.id, "left_anti")

    @property
    def removed(self) -> DataFrame:
        """The removed documents, as :attr:`kept`."""
        return self._readable().join(self._removed_ids, self._documents.id, "left_semi")

    def verdicts(self) -> DataFrame:
        """A row for each document that was not rejected: id, verdict, reason, keeper_id, similarity, cluster_id, cluster_size.

        The values are those of a verdict file of ``neardup dedup``; the id of a cluster is that of its keeper.
        """
        ids = self._readable().select(column(self._documents.id).alias("id"))
        return ids.join(self._notes, "id", "left").select(
            "id",
            F.coalesce("verdict", F.lit("keep")).alias("verdict"),
            F.coalesce("reason", F.lit("unique")).alias("reason"),
            "keeper_id",
            "similarity",
            F.coalesce("keeper_id", "id").alias("cluster_id"),
            F.coalesce("cluster_size", F.lit(1)).alias("cluster_size"),
        )

    def clusters(self) -> DataFrame:
        """The documents that are in a cluster with others: id, cluster_id (that of the keeper), cluster_size."""
        return self.verdicts().where("cluster_size > 1").select("id", "cluster_id", "cluster_size")

    def summary(self) -> dict[str, Any]:
        """Counts and costs of the run, with the names of ``neardup dedup --summary``, and the bytes that each stage exchanged."""
        return dict(self._summary)

    def release(self) -> None:
        """Drops what Spark keeps for this result. Write what you need of it before."""
        self._released = True
        self._plan.tables.release_all()

    def _readable(self) -> DataFrame:
        if self._released:
            raise UsageError("this result was released, and with it the decisions: write what you need of a result, then call release()")
        return self._documents.readable()

    @functools.cached_property
    def _removed_ids(self) -> DataFrame:
        ids = self._notes.where(F.col("verdict") == "remove").select(F.col("id").alias(self._documents.id))
        return F.broadcast(ids) if self._summary["removed"] <= broadcast_rows(self._documents.id_type) else ids

    def __repr__(self) -> str:
        counts = ", ".join(f"{self._summary[name]:,} {name}" for name in ("read", "kept", "removed", "rejected"))
        return f"<neardup.spark.Result: {counts}>"
