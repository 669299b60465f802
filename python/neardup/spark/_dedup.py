"""dedup() and exact_dedup()."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .._core import UsageError
from .._options import field_names
from ._cluster.errors import clear_errors
from ._cluster.session import bounded_batches
from ._cluster.tables import computed
from ._plan import Plan, make_plan
from ._ranks import Documents, rank_documents
from ._result import Result
from ._steps.candidates import find_payloads
from ._steps.frequencies import fit_recipe
from ._steps.links import Links, find_links
from ._steps.notes import make_notes
from ._steps.rounds import decide_all
from ._summary import summarize

_Kind = TypeVar("_Kind", bound=Result)


def dedup(
    df: DataFrame,
    text: str | list[str] | tuple[str, ...] = "text",
    id: str = "id",
    order_by: str | list[str] | tuple[str, ...] | None = None,
    **options: Any,
) -> Result:
    """Removes exact and near-duplicates of a DataFrame: scans the documents in order and keeps each one unless a kept one matches it.

    Verdicts are those of ``neardup dedup`` over the same documents in the same order.

    Args:
        df: the documents. It is read two to four times, and must give the same rows each time.
        text: the column with the text, or several, which are joined by newlines.
        id: the column with the id of a document: a whole number or a string, never null, no two equal. Not one that Spark made up, such as by
            monotonically_increasing_id().
        order_by: the columns that order the documents; the id orders those that are equal in them. None: the order of the ids.
        options: the options of ``neardup dedup`` by their names with ``_``, such as ``threshold=0.7``, ``keep="longest"``; and

            - ``partitions``: the number of parts of each exchange
            - ``task_memory``: what a task may hold, such as ``"256M"``, the default; beyond, it works on disk, and a group in rounds
            - ``temp_dir``: the folder for that on executors
            - ``work``: a folder for checkpoints that all executors reach; a later call with the same files and options continues there

    Raises:
        UsageError: an unknown option, a wrong value, a missing column, a null id. It is a ValueError.
        InputError: an id that two documents have, too many rejected documents.
        ResourceError: a bound that the result exceeds (``max_cluster``, ``max_removed``).
        TypeError: an argument of a wrong type.
    """
    return run_dedup(df, field_names("text", text), field_names("id", id)[0], _names("order_by", order_by), options)


def exact_dedup(
    df: DataFrame,
    text: str | list[str] | tuple[str, ...] = "text",
    id: str = "id",
    order_by: str | list[str] | tuple[str, ...] | None = None,
    **options: Any,
) -> Result:
    """Removes exact copies alone: documents whose normalized text equals that of an earlier one. Arguments as of :func:`dedup`, without
    ``min_length``."""
    if "min_length" in options:
        raise UsageError("min_length: exact_dedup() compares texts of any length; leave the option out")
    return dedup(df, text, id, order_by, min_length=_NO_LENGTH, **options)


def clusters(
    df: DataFrame,
    text: str | list[str] | tuple[str, ...] = "text",
    id: str = "id",
    order_by: str | list[str] | tuple[str, ...] | None = None,
    **options: Any,
) -> DataFrame:
    """The documents that are in a cluster with others: id, cluster_id, cluster_size, which Spark keeps until ``unpersist()``.

    A cluster is a kept document with those removed because of it; with ``cluster="components"`` all that chains of matches connect. Arguments
    and errors as of :func:`dedup`.
    """
    result = dedup(df, text, id, order_by, **options)
    try:
        return computed(result.clusters())
    finally:
        result.release()


# More characters than a text may have: every text is compared with its exact copies only.
_NO_LENGTH = 2**32 - 1


def _names(argument: str, value: Any) -> list[str]:
    return [] if value is None else field_names(argument, value)


def run_dedup(
    df: DataFrame,
    text: list[str],
    id: str,
    order_by: list[str],
    options: Mapping[str, Any],
    kind: type[_Kind] = Result,
    source: Column | None = None,
    origin: DataFrame | None = None,
    made_from: Any = None,
) -> _Kind:
    """The jobs of a run one after the other. `source`: the number of a document's source, for a keep policy that asks for it. If this package
    reads the documents: `origin`, their files as Spark reads them, and `made_from`, the arguments that decide what `df` makes of these."""
    plan = make_plan(df if origin is None else origin, options, ["dedup", text, id, order_by], made_from)
    try:
        with bounded_batches(plan.spark), clear_errors():
            documents = rank_documents(plan, df, text, id, order_by, source)
            plan = fit_recipe(plan, documents.texts())
            links = find_links(plan, documents)
            plan.guards.check_rejects(links.counts, documents.name_of)
            removals, decided = _decide(plan, documents, links)
            ranked = make_notes(plan, links, removals)
            named = documents.ids(ranked.withColumns({"id": F.col("r"), "keeper_id": F.col("keeper")}), "id", "keeper_id").drop("keeper")
            notes = plan.tables.keep("notes", named)
            summary = summarize(plan, links, notes, decided)
            plan.guards.check_result(summary["kept"], summary["removed"], summary["largest_cluster"])
            plan.tables.release_others(notes)
            return kind(plan, documents, notes.drop("r"), summary)
    except BaseException:
        plan.tables.release_all()
        raise


def _decide(plan: Plan, documents: Documents, links: Links) -> tuple[list[DataFrame], dict[str, int]]:
    if not links.measured.get("edges"):
        return [], {}
    return decide_all(plan, find_payloads(plan, documents, links))
