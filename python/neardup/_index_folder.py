"""What the indexes in folders have in common: HammingStore and ClueIndex."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _values
from ._core import UsageError


class IndexFolder:
    """An index in a folder, open for reading ("r") or writing ("w"): a context manager, which closes itself.

    After an exception it closes without the changes since the last flush(). One process at a time writes an index, any number read it. May
    be used by several threads of Python at once.
    """

    __slots__ = ("_core", "_writes")

    _native: type  # that has open() and create()

    def __init__(self, path: Any, mode: str = "r") -> None:
        if mode not in ("r", "w"):
            raise UsageError(f"mode: expected 'r' or 'w', not {mode!r}")
        self._core = self._native.open(_values.path("path", path), mode == "w")
        self._writes = mode == "w"

    @classmethod
    def _created(cls, path: Any, *spec: Any) -> Any:
        """A new, empty index, open for writing."""
        made = cls.__new__(cls)
        made._core = cls._native.create(_values.path("path", path), *spec)
        made._writes = True
        return made

    def remove(self, ids: Any) -> None:
        """Removes all entries with these ids; ids without an entry are no error. On the disk after flush(), merge() or close()."""
        self._core.remove(_values.ids("ids", [ids] if _values.is_whole(ids) else ids))

    def find_names(self, names: Any) -> tuple[np.ndarray, np.ndarray]:
        """Looks through all names: (positions in `names` int64, ids uint64), one for every entry with one of them."""
        return self._core.find_names(names)

    def flush(self) -> None:
        """Writes changes to the disk."""
        self._core.flush()

    def merge(self, max_segments: int = 1, *, threads: int = 0, memory: int | str = 0) -> None:
        """Flushes, merges segments so that at most `max_segments` remain, and drops removed entries. Queries are faster then.

        `memory`: bytes, or a text such as "2G"; beyond, temporary files are used (0: no bound).
        """
        self._core.merge(_values.whole("max_segments", max_segments, 1, _values.MAX_U64), _values.threads(threads), _values.memory(memory))

    def verify(self, *, threads: int = 0) -> None:
        """Reads every block of every file; InputError names the first damaged one."""
        self._core.verify(_values.threads(threads))

    def close(self) -> None:
        """Flushes, if it is open for writing, and closes. Of a closed one, everything but path and closed raises UsageError."""
        if self._writes and not self._core.closed:
            self._core.flush()
        self._core.close()

    @property
    def closed(self) -> bool:
        return self._core.closed

    @property
    def path(self) -> str:
        return self._core.path

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            self._core.close()
