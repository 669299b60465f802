"""RemoteClueIndex: one clue index of a service."""

from __future__ import annotations

from typing import Any

from .. import _values
from .._clue import _edits
from .._core import UsageError
from . import _given
from ._answers import Hits, IndexedText
from ._transport import Transport


class RemoteClueIndex:
    """A clue index of a service, as Service.clue_index() gives it. Nothing is asked before the first call; may be shared by threads."""

    __slots__ = ("_name", "_path", "_transport")

    def __init__(self, transport: Transport, name: str) -> None:
        self._transport = transport
        self._name = _given.name("name", name)
        self._path = f"/v1/clue-indexes/{self._name}"

    @property
    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<neardup.service.RemoteClueIndex {self._name!r} of {self._transport.url}>"

    def search(
        self, clue: str, *, edits: Any = None, resembles: bool = False, threshold: float | None = None, limit: int | None = None
    ) -> Hits:
        """The texts that contain the clue, with the options of ClueIndex.search() that a service has.

        - `edits`: a share of the clue's characters, 0.1 or "10%", at most a half: also passages at so many edits, the closest first.
        - `resembles`: instead, texts that share at least `threshold` (0.8) of the clue's 6-column grams.
        - `limit` (20): at most so many hits, up to 1000.
        """
        given: dict[str, Any] = {"clue": _given.text("clue", clue)}
        if _values.flag("resembles", resembles):
            if edits is not None:
                raise UsageError("edits cannot be combined with resembles: it allows edits of a contained clue")
            given["mode"] = "resembles"
            if threshold is not None:
                given["threshold"] = _given.share("threshold", threshold)
        elif threshold is not None:
            raise UsageError("threshold requires resembles; edits allows differences in a contained clue")
        elif edits is not None:
            given["edits"] = _edits(edits)
        if limit is not None:
            given["limit"] = _values.whole("limit", limit, 1, 1000)
        return self._transport.value(Hits, "POST", f"{self._path}/search", given, safe=True)

    def text(self, id: int) -> IndexedText:
        """A text with its name. Raises NotFoundError if it is removed or unknown."""
        number = _values.whole("id", id, 0, 2**53 - 1)
        return self._transport.value(IndexedText, "GET", f"{self._path}/texts/{number}", safe=True)
