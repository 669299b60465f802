"""Indexes of fingerprints: everything within a Hamming distance of a query, exactly. In memory, or in a folder."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core, _values
from ._core import Recipe, UsageError
from ._index_folder import IndexFolder


class Neighbour(NamedTuple):
    """An entry within the distance of a query."""

    id: int
    distance: int
    name: str | None = None  #: in a store with names


class Neighbours(NamedTuple):
    """The neighbours of many queries: three arrays with an element for each, by query, then distance, then id."""

    queries: np.ndarray  #: int64: the row of the query
    ids: np.ndarray  #: uint64
    distances: np.ndarray  #: uint32


class HammingPairs(NamedTuple):
    """Pairs within a distance: three arrays with an element for each, sorted by a, then b."""

    a: np.ndarray  #: uint64
    b: np.ndarray  #: uint64
    distances: np.ndarray  #: uint32


class _Asked:
    """Queries, which an index and a store have in common."""

    _core: Any

    @property
    def bits(self) -> int:
        """64 or 128."""
        return self._core.bits

    @property
    def max_distance(self) -> int:
        """The largest distance of a query."""
        return self._core.radius

    def _distance(self, given: int | None) -> int:
        return self.max_distance if given is None else _values.whole("max_distance", given, 0, self.max_distance)

    def query_all(self, codes: Any, max_distance: int | None = None, *, limit: int | None = None, threads: int = 0) -> Neighbours:
        """The neighbours of many fingerprints, on all cores; with `limit`, the nearest of each.

        `codes` is uint64 of shape (n,), of 128 bits (n, 2) with the low half first; int64 are the same bits. `max_distance` is the largest
        that the index was built for, unless it is given.
        """
        most = None if limit is None else _values.whole("limit", limit, 1, _values.MAX_U64)
        return Neighbours(
            *self._find(_values.codes("codes", codes, self.bits), self._distance(max_distance), most, _values.threads(threads))
        )

    def count_all(self, codes: Any, max_distance: int | None = None, *, threads: int = 0) -> np.ndarray:
        """The number of neighbours of each fingerprint: uint64 of shape (n,)."""
        return self._core.count(_values.codes("codes", codes, self.bits), self._distance(max_distance), _values.threads(threads))

    def count(self, code: int, max_distance: int | None = None) -> int:
        """The number of neighbours of one fingerprint."""
        return int(self._core.count(_values.code("code", code, self.bits), self._distance(max_distance), 1)[0])

    def _find(self, rows: np.ndarray, distance: int, limit: int | None, threads: int) -> tuple:
        raise NotImplementedError

    def _one(self, code: int, max_distance: int | None, limit: int | None) -> tuple:
        most = None if limit is None else _values.whole("limit", limit, 1, _values.MAX_U64)
        return self._find(_values.code("code", code, self.bits), self._distance(max_distance), most, 1)


class HammingIndex(_Asked):
    """All fingerprints within a Hamming distance of a query, found exactly, over arrays in memory. Immutable.

    `codes` is uint64 of shape (n,), of 128 bits (n, 2) with the low half first, as Sketcher.sketch() makes them; int64 are the same bits,
    and any strides will do. `ids` are n integers, by default the row numbers. `max_distance` is the largest that queries may ask for.
    `memory`: for sorting, in bytes or as a text such as "2G"; beyond, temporary files in `temp_dir` (0: no bound).

    May be used by several threads of Python at once.
    """

    __slots__ = ("_core",)

    def __init__(
        self, codes: Any, ids: Any = None, max_distance: int = 3, *, threads: int = 0, memory: int | str = 0, temp_dir: Any = None
    ) -> None:
        rows = _values.codes("codes", codes)
        numbers = None if ids is None else _values.ids("ids", ids)
        distance = _values.whole("max_distance", max_distance, 0, rows.shape[1] * 64)
        folder = "" if temp_dir is None else _values.path("temp_dir", temp_dir)
        self._core = _core.HammingIndex(rows, numbers, distance, _values.threads(threads), _values.memory(memory), folder)

    def query(self, code: int, max_distance: int | None = None, *, limit: int | None = None) -> list[Neighbour]:
        """The neighbours of one fingerprint, an integer, by distance, then id; with `limit`, the nearest."""
        _, ids, distances = self._one(code, max_distance, limit)
        return [Neighbour(*pair) for pair in zip(ids.tolist(), distances.tolist(), strict=True)]

    def self_join(self, max_distance: int | None = None, *, threads: int = 0) -> HammingPairs:
        """All pairs of entries within the distance, each once, with a <= b. Entries with equal fingerprints are pairs, too."""
        return HammingPairs(*self._core.self_join(self._distance(max_distance), _values.threads(threads)))

    def join(self, other: HammingIndex, max_distance: int | None = None, *, threads: int = 0) -> HammingPairs:
        """All pairs of an entry of this index and one of another."""
        if not isinstance(other, HammingIndex):
            raise TypeError(f"other: expected a HammingIndex, not {type(other).__name__}")
        distance = min(self.max_distance, other.max_distance) if max_distance is None else max_distance
        distance = _values.whole("max_distance", distance, 0, min(self.max_distance, other.max_distance))
        return HammingPairs(*self._core.join(other._core, distance, _values.threads(threads)))

    def count_pairs(self, max_distance: int | None = None, *, threads: int = 0) -> int:
        """The number of pairs of self_join(), without listing them."""
        return self._core.count_pairs(self._distance(max_distance), _values.threads(threads))

    @property
    def distinct(self) -> int:
        """Different fingerprints."""
        return self._core.distinct

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self._core.nbytes

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<neardup.HammingIndex of {len(self)} fingerprints of {self.bits} bits, max_distance {self.max_distance}>"

    def _find(self, rows: np.ndarray, distance: int, limit: int | None, threads: int) -> tuple:
        return self._core.query(rows, distance, _values.MAX_U64 if limit is None else limit, threads)


class HammingStore(_Asked, IndexFolder):
    """An index of fingerprints in a folder, with additions and removals: that of ``neardup index``.

    Opens an existing one: mode "r" to read, "w" to write. HammingStore.create() makes one. Changes are seen by queries at once, and are on
    the disk after flush(), merge() or close(); as a context manager it closes itself, after an exception without the changes since the last
    flush(). One process at a time writes a store, any number read it. May be used by several threads of Python at once.

    Raises InputError if there is no store, or it is damaged, and OutputError if another process writes it.
    """

    __slots__ = ()

    _native = _core.HammingStore

    @classmethod
    def create(cls, path: Any, *, max_distance: int = 3, bits: int = 64, recipe: Any = None, names: bool = False) -> HammingStore:
        """A new, empty store, open for writing. `max_distance` is the largest that queries may ask for; with `names`, every entry has one.

        With `recipe`, the store knows how its fingerprints are made, and has their bits. Raises OutputError if the folder holds something.
        """
        width = _values.whole("bits", bits, 64, 128)
        distance = _values.whole("max_distance", max_distance, 0, 128)
        return cls._created(path, width, distance, recipe, _values.flag("names", names))

    def query(self, code: int, max_distance: int | None = None, *, limit: int | None = None) -> list[Neighbour]:
        """The neighbours of one fingerprint, an integer, by distance, then id; with `limit`, the nearest."""
        _, ids, distances = self._one(code, max_distance, limit)
        names = self._core.names(ids) if self._core.has_names else [None] * len(ids)
        return [Neighbour(*row) for row in zip(ids.tolist(), distances.tolist(), names, strict=True)]

    def add(self, codes: Any, *, ids: Any = None, names: Any = None, bulk: bool = False) -> np.ndarray:
        """Adds fingerprints and returns their ids, uint64 of shape (n,).

        `codes` is an integer or an array as in query_all(). `names` are strs, required in a store with names; `ids` are integers below
        2^64 - 1; without either, ids count on. With `bulk` they go to the disk at once as one segment, in bounded memory, with everything
        that was added before: much faster for millions.
        """
        rows = _values.code("codes", codes, self.bits) if _values.is_whole(codes) else _values.codes("codes", codes, self.bits)
        if ids is not None and names is not None:
            raise UsageError("ids cannot be combined with names: a store with names counts its ids itself")
        numbers = None if ids is None else _values.ids("ids", [ids] if _values.is_whole(ids) else ids)
        given = [names] if isinstance(names, str) else names
        return self._core.add(rows, numbers, given, _values.flag("bulk", bulk))

    def names(self, ids: Any) -> list[str | None]:
        """The names of ids; None for one that is removed or unknown."""
        return self._core.names(_values.ids("ids", ids))

    def stat(self) -> dict[str, Any]:
        """entries, removed_ids, unflushed, next_id, and the segments."""
        return self._core.stat()

    @property
    def recipe(self) -> Recipe | None:
        """How its fingerprints are made; None if that is unknown. UsageError if the recipe needs files: pass it by name."""
        return self._core.recipe

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self.bits} bits, max_distance {self.max_distance}"
        return f"<neardup.HammingStore '{self.path}': {state}>"

    def _find(self, rows: np.ndarray, distance: int, limit: int | None, threads: int) -> tuple:
        return self._core.query(rows, distance, limit, threads)
