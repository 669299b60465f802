"""Result: what a run decided, with the documents in the caller's own containers."""

from __future__ import annotations

import functools
import html
import json
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core, _html, _values
from ._explanation import Explanation, explain_pair
from ._options import writable
from ._table import Table

if TYPE_CHECKING:
    from ._dedup import Run

_REJECTED, _KEPT, _REMOVED = 0, 1, 2
_SHOWN_REMOVALS = 5  # in a notebook
_SHOWN_CHARACTERS = 400


class Removal(NamedTuple):
    """A removed document and its keeper."""

    position: int  #: of the document in the data, from 0
    keeper: int | None  #: position of its keeper; None for one of the reference (``against``)
    similarity: float  #: of both, as in the verdicts
    reason: str  #: "near_duplicate", ...; see the column of the verdicts


class Result:
    """What :func:`neardup.dedup` decided.

    Positions count the records of the data from 0, rejected ones included: ``data[i]`` of a list, row ``i`` of a frame.
    """

    def __init__(self, run: Run, verdicts: _core.Verdicts) -> None:
        self._run = run
        self._verdicts = verdicts

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """Counts and costs of the run, with the names of the JSON of ``--summary``: ``read``, ``kept``, ``removed``, ``rejected``, ..."""
        return json.loads(self._verdicts.summary_json)

    @functools.cached_property
    def verdicts(self) -> Table:
        """A row for each document that was not rejected, in order, with the columns of a verdict file: id, source, row (from 1), verdict,
        reason, keeper_id, keeper_source, keeper_row, similarity, cluster_id, cluster_size."""
        return Table(self._verdicts.table())

    @functools.cached_property
    def rejects(self) -> Table:
        """Why records were rejected, in order: source, row (from 1), kind, problem."""
        return Table(self._verdicts.rejected_table())

    @property
    def kept(self) -> Any:
        """The kept documents in a container of the same kind as the data, in order, with all their columns.

        Of files: an iterable of dicts, which reads them again; of Parquet files and readers of record batches: such a reader.
        """
        return self._run.container.select(self._status == _KEPT)

    @property
    def removed(self) -> Any:
        """The removed documents, as :attr:`kept`."""
        return self._run.container.select(self._status == _REMOVED)

    @property
    def rejected(self) -> Any:
        """The records that were rejected, because they have no text, as :attr:`kept`."""
        return self._run.container.select(self._status == _REJECTED)

    @property
    def kept_positions(self) -> np.ndarray:
        """Positions of the kept documents, ascending: int64 of shape (kept,)."""
        return np.flatnonzero(self._status == _KEPT)

    @property
    def removed_positions(self) -> np.ndarray:
        """Positions of the removed documents, ascending: int64 of shape (removed,)."""
        return np.flatnonzero(self._status == _REMOVED)

    @property
    def clusters(self) -> list[list[int]]:
        """Positions of the documents of each cluster: the keeper, then the documents removed because of it, in order.

        Clusters are in the order of their keepers; those of a keeper in the reference come last, without it. A document that matches no
        other is in none.
        """
        removed = np.flatnonzero(self._verdicts.removed)
        keepers = self._keepers[removed]
        inside = keepers >= 0
        groups: dict[int, list[int]] = {}
        for keeper, entry in zip(keepers[inside].tolist(), removed[inside].tolist()):
            groups.setdefault(keeper, [keeper]).append(entry)
        outside: dict[tuple[int, int], list[int]] = {}
        for entry in removed[~inside].tolist():
            outside.setdefault((int(self._verdicts.keeper_source[entry]), int(self._verdicts.keeper_row[entry])), []).append(entry)
        found = [groups[keeper] for keeper in sorted(groups)] + [outside[place] for place in sorted(outside)]
        return [self._positions[members].tolist() for members in found]

    def least_similar(self, n: int = 10) -> list[Removal]:
        """The `n` removed documents that are least similar to their keepers, without exact copies: look at these first."""
        n = _values.whole("n", n, 0, _values.MAX_U64)
        verdicts = self._verdicts
        entries = np.flatnonzero(verdicts.removed)
        entries = entries[np.argsort(verdicts.similarity[entries], kind="stable")]
        chosen: list[Removal] = []
        for entry in entries.tolist():
            if len(chosen) == n:
                break
            if verdicts.reason(entry) != "exact_copy":
                chosen.append(self._removal(entry))
        return chosen

    def explain(self, document: int | str) -> Explanation:
        """Why a document was kept or removed: its keeper, their similarity, and where both texts differ.

        `document`: its position, or its id. Reads the data again. Raises IndexError, KeyError.
        """
        entry = self._entry(document)
        verdicts = self._verdicts
        removed = bool(verdicts.removed[entry])
        keeper = int(self._keepers[entry])
        places = [(int(verdicts.source[entry]), int(verdicts.row[entry]))]
        if removed:
            places.append((int(verdicts.keeper_source[entry]), int(verdicts.keeper_row[entry])))
        texts = _core.read_texts(self._run.data, self._run.reference, places)
        members = np.flatnonzero(
            (verdicts.keeper_source == places[-1][0]) & (verdicts.keeper_row == places[-1][1]) & (verdicts.removed != 0)
        )
        return explain_pair(
            position=int(self._positions[entry]),
            id=verdicts.id(entry),
            source=verdicts.source_names[places[0][0]],
            row=places[0][1],
            verdict="remove" if removed else "keep",
            reason=verdicts.reason(entry),
            similarity=float(verdicts.similarity[entry]) if removed else None,
            keeper=int(self._positions[keeper]) if removed and keeper >= 0 else None,
            keeper_id=(verdicts.id(keeper) if keeper >= 0 else verdicts.reference_id(entry)) if removed else None,
            keeper_source=verdicts.source_names[places[-1][0]] if removed else None,
            keeper_row=places[-1][1] if removed else None,
            cluster_size=int(verdicts.cluster_size[entry]),
            members=self._positions[members].tolist(),
            text=texts[0],
            keeper_text=texts[1] if removed else None,
        )

    def rethreshold(self, threshold: float) -> Result:
        """The result with a higher threshold, from the sketches of this run, which needs ``work=True``: texts are not sketched again.

        It is that of a run with this threshold and with the bands of this run. Raises UsageError for a lower threshold.
        """
        result, warnings = self._run.rethreshold(threshold)
        warn(warnings)
        return result

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.summary[name]:,} {name}" for name in ("read", "kept", "removed", "rejected"))
        return f"<neardup.Result: {counts}>"

    def _repr_html_(self) -> str:
        names = ("read", "kept", "removed", "rejected", "exact_copies", "near_duplicates", "clusters")
        page = _html.table([], [(name.replace("_", " "), f"{self.summary[name]:,}") for name in names])
        least = self.least_similar(_SHOWN_REMOVALS)
        if not least:
            return page
        heads = ["position", "keeper", "similarity", "reason"]
        rows = [
            [
                str(each.position),
                "reference" if each.keeper is None else str(each.keeper),
                f"{each.similarity:.6f}",
                html.escape(each.reason),
            ]
            for each in least
        ]
        if self._run.in_memory:  # else a look at the result would read files again
            heads.append("text")
            for row, each in zip(rows, least):
                row.append(_html.marked(_beginning(self.explain(each.position).excerpt)))
        return f"{page}<p>The least similar removals; <code>explain(position)</code> has more</p>{_html.table(heads, rows)}"

    @functools.cached_property
    def _keepers(self) -> np.ndarray:
        return self._verdicts.keepers()

    @functools.cached_property
    def _order(self) -> tuple[np.ndarray, np.ndarray]:
        """The status of each record, and the position of each verdict."""
        removed = self._verdicts.removed
        status = np.where(removed != 0, _REMOVED, _KEPT).astype(np.int8)
        rejected = self._verdicts.rejected_places()
        if not rejected:
            return status, np.arange(len(removed))
        sources, rows = zip(*rejected)
        source = np.concatenate((self._verdicts.source, np.array(sources, np.uint32)))
        row = np.concatenate((self._verdicts.row, np.array(rows, np.uint64)))
        order = np.lexsort((row, source))
        status = np.concatenate((status, np.full(len(rejected), _REJECTED, np.int8)))[order]
        positions = np.empty(len(order), np.int64)
        positions[order] = np.arange(len(order))
        return status, positions[: len(removed)]

    @property
    def _status(self) -> np.ndarray:
        return self._order[0]

    @property
    def _positions(self) -> np.ndarray:
        return self._order[1]

    def _removal(self, entry: int) -> Removal:
        keeper = int(self._keepers[entry])
        return Removal(
            int(self._positions[entry]),
            int(self._positions[keeper]) if keeper >= 0 else None,
            float(self._verdicts.similarity[entry]),
            self._verdicts.reason(entry),
        )

    def _entry(self, document: int | str) -> int:
        if isinstance(document, str):
            found = self._verdicts.find_id(writable(document))
            if len(found) == 1:
                return found[0]
            raise KeyError(
                f"no document has the id {document!r}"
                if not found
                else f"{len(found)} documents have the id {document!r}: give the position of one"
            )
        if isinstance(document, bool) or not hasattr(document, "__index__"):
            raise TypeError(f"document: expected a position or an id, not {type(document).__name__}")
        position = document.__index__()
        if not 0 <= position < len(self._status):
            raise IndexError(f"document: {position} is not a position of {len(self._status):,} records")
        if self._status[position] == _REJECTED:
            raise KeyError(f"record {position} was rejected; .rejects says why")
        return int(np.searchsorted(self._positions, position))


def _beginning(excerpt: list[tuple[str, str, int]]) -> Iterator[tuple[str, str, int]]:
    """The first pieces of an excerpt, for a cell of a table."""
    room = _SHOWN_CHARACTERS
    for kind, text, characters in excerpt:
        if room <= 0 or len(text) > room:
            yield kind, text[: max(room, 0)], room
            yield "same", " ...", 4
            return
        room -= len(text)
        yield kind, text, characters


def warn(messages: list[str]) -> None:
    """Passes the warnings of a run on, as those of the caller of dedup(), pairs() or rethreshold()."""
    for message in messages:
        warnings.warn(message, stacklevel=3)
