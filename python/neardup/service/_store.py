"""RemoteStore: one store of a service."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .. import _values
from .._core import UsageError
from . import _given
from ._answers import Answer, Cluster, Clusters, Document, Explanation, RecentDecision, Snapshot, Stats, StoreInfo, made
from ._batches import Limits, Line, answers_of, pieces
from ._errors import ServiceError
from ._events import events_of
from ._transport import Transport

_MAX_PIECE_LINES = 1_000_000
_MAX_PIECE_BYTES = 1 << 30
_MAX_DELETED_IDS = 10_000
_MAX_DELETE_BYTES = 4 << 20
_MAX_PAGE = 1000


class RemoteStore:
    """A store of a service, as Service.store() gives it. Nothing is asked before the first call; may be shared by threads.

    A call whose connection is lost is sent again where that changes nothing: check() and check_batch() are answered the same way, because
    a document that is stored already is `repeated`. delete(), delete_batch(), snapshot() and compact() are not: they are sent again only if
    the service refused them because it was busy, or was not reached at all.

    Raises NotFoundError if the service has no such store, and what Service says.
    """

    __slots__ = ("_name", "_path", "_transport")

    def __init__(self, transport: Transport, name: str) -> None:
        self._transport = transport
        self._name = _given.name("name", name)
        self._path = f"/v1/stores/{self._name}"

    @property
    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<neardup.service.RemoteStore {self._name!r} of {self._transport.url}>"

    def check(
        self, text: str, id: str, *, replace: bool = False, touch: bool = False, expires: Any = None, explain: bool = False
    ) -> Answer:
        """Checks a document, and keeps it if nothing stored matches it. The answer is on the disk of the service.

        - `replace`: a stored document with this id and another text is deleted first; without it that is a ConflictError.
        - `touch`: if it is a duplicate, the expiry of its keeper is renewed.
        - `expires`: it is not seen from then on, a datetime with a time zone or milliseconds since 1970; by default by the store's ttl.
        - `explain`: a removed document has the `passages` that it shares with its keeper.

        A document that was kept is answered `repeated` when the same call is made again, by you or by a retry.
        """
        given: dict[str, Any] = {"id": _given.document_id("id", id), "text": _given.text("text", text)}
        _add_options(given, "", replace, touch, expires)
        if _values.flag("explain", explain):
            given["explain"] = True
        return self._transport.value(Answer, "POST", f"{self._path}/check", given, safe=True)

    def check_batch(
        self,
        documents: Iterable[Mapping[str, Any] | tuple[str, str]],
        *,
        replace: bool = False,
        touch: bool = False,
        expires: Any = None,
        size: int = 1000,
        bytes: int = 4 << 20,
    ) -> Iterator[Answer]:
        """Checks any number of documents, and yields an answer for each, in their order.

        `documents` are (id, text) pairs, or dicts with `id` and `text`, which may also have `replace`, `touch` and `expires`; other members
        are not sent. They are read and sent while you iterate, in pieces of at most `size` documents and `bytes` bytes: nothing is sent
        before you do.

        A document that the store refuses, such as another text under a stored id, has an answer with a `problem`. A document of the wrong
        type raises TypeError or UsageError after the answers of those before it.
        """
        _values.flag("replace", replace)
        _values.flag("touch", touch)
        until = None if expires is None else _given.expires("expires", expires)

        def line_of(position: int, document: Any) -> Line:
            place = f"documents[{position}]"
            members = _members(place, document)
            given = {"id": _given.document_id(f"{place}: id", members["id"]), "text": _given.text(f"{place}: text", members["text"])}
            replaces = members.get("replace", replace)
            _add_options(given, f"{place}: ", replaces, members.get("touch", touch), members.get("expires", until))
            return Line(given["id"], _line(given), bool(replaces))

        return self._batch("check-batch", documents, line_of, size, bytes)

    def query(self, text: str, *, explain: bool = False) -> Answer:
        """The answer that check() would give. Nothing is kept."""
        given: dict[str, Any] = {"text": _given.text("text", text)}
        if _values.flag("explain", explain):
            given["explain"] = True
        return self._transport.value(Answer, "POST", f"{self._path}/query", given, safe=True)

    def query_batch(
        self, texts: Iterable[str | Mapping[str, Any] | tuple[str, str]], *, size: int = 1000, bytes: int = 4 << 20
    ) -> Iterator[Answer]:
        """query() for any number of texts, as check_batch() takes documents; or strs, whose answers have no id."""

        def line_of(position: int, document: Any) -> Line:
            place = f"texts[{position}]"
            if isinstance(document, str):
                return Line(None, _line({"text": _given.text(place, document)}))
            members = _members(place, document)
            given = {"id": _given.document_id(f"{place}: id", members["id"]), "text": _given.text(f"{place}: text", members["text"])}
            return Line(given["id"], _line(given))

        return self._batch("query-batch", texts, line_of, size, bytes)

    def explain(self, document: str, *, text: str | None = None, other: str | None = None) -> Explanation:
        """Compares `text`, or the stored document with the id `other`, with the stored document with the id `document`."""
        given = {"document": _given.document_id("document", document)}
        if (text is None) == (other is None):
            raise UsageError("explain() takes text or other, one of both")
        if text is not None:
            given["text"] = _given.text("text", text)
        else:
            given["other"] = _given.document_id("other", other)
        return self._transport.value(Explanation, "POST", f"{self._path}/explain", given, safe=True)

    def document(self, id: str) -> Document:
        """A stored document. Raises NotFoundError if none has this id."""
        return self._transport.value(Document, "GET", f"{self._path}/documents/{_path_id(id)}", safe=True)

    def documents(self, after: int | None = None, *, page: int = _MAX_PAGE) -> Iterator[Document]:
        """The stored documents without their texts, in the order of their insertion.

        They are asked for while you iterate, `page` at a time. `after`: only those with a larger sequence.
        """
        first = None if after is None else _values.whole("after", after, 0, 2**53 - 1)
        return self._documents(first, _values.whole("page", page, 1, _MAX_PAGE))

    def delete(self, id: str) -> bool:
        """Deletes a stored document; False if none has this id. What it once removed stays removed. Never retried once it was sent."""
        return self.delete_batch([id])[0]

    def delete_batch(self, ids: Iterable[str]) -> list[bool]:
        """Deletes documents, and returns for each id whether it was stored. Never retried once it was sent.

        More than 10,000 ids are sent in several calls: after an exception the first ones may be deleted.
        """
        if isinstance(ids, (str, bytes)):
            raise TypeError(f"ids: expected an iterable of str, not {type(ids).__name__}")
        deleted: list[bool] = []
        part: list[str] = []
        size = 0
        # All are checked before the first is deleted.
        for id in [_given.document_id(f"ids[{position}]", id) for position, id in enumerate(ids)]:
            if part and (len(part) == _MAX_DELETED_IDS or size + len(id.encode()) > _MAX_DELETE_BYTES):
                deleted += self._delete(part)
                part, size = [], 0
            part.append(id)
            size += len(id.encode())
        return deleted + self._delete(part) if part else deleted

    def clusters(self, limit: int = 50) -> Clusters:
        """Keepers of recently removed documents, at most `limit` (1000)."""
        asked = _values.whole("limit", limit, 1, _MAX_PAGE)
        return self._transport.value(Clusters, "GET", f"{self._path}/clusters?limit={asked}", safe=True)

    def cluster(self, id: str) -> Cluster:
        """A keeper, and what was removed lately because of it."""
        return self._transport.value(Cluster, "GET", f"{self._path}/clusters/{_path_id(id)}", safe=True)

    def info(self) -> StoreInfo:
        """The store and its rule."""
        return self._transport.value(StoreInfo, "GET", self._path, safe=True)

    def stats(self) -> Stats:
        """Counts, sizes and times."""
        return self._transport.value(Stats, "GET", f"{self._path}/stats", safe=True)

    def events(self) -> Iterator[Stats | RecentDecision]:
        """Stats every second, and recent decisions, at most 50 a second, until the service ends or the iterator is closed."""
        request = self._transport.request_name("GET", f"{self._path}/events")
        with contextlib.closing(self._transport.stream(f"{self._path}/events")) as stream:
            try:
                yield from events_of(stream, request)  # type: ignore[misc]  # the kinds of _events.py
            except ValueError as error:
                raise ServiceError(200, "Unexpected answer", str(error), None, request) from None

    def sync(self) -> None:
        """Returns when all answers so far are on the disk: of use if the service runs with --sync-interval."""
        self._transport.call("POST", f"{self._path}/sync", safe=True)

    def snapshot(self, *, timeout: float = 3600) -> Snapshot:
        """Copies the store as it is at one moment, into a new folder of the service. Never retried once it was sent."""
        seconds = _given.seconds("timeout", timeout)
        return self._transport.value(Snapshot, "POST", f"{self._path}/snapshot", safe=False, timeout=seconds)

    def compact(self, *, timeout: float = 3600) -> None:
        """Drops what deleted and expired documents left, and merges all segments. Never retried once it was sent."""
        self._transport.call("POST", f"{self._path}/compact", safe=False, timeout=_given.seconds("timeout", timeout))

    def _batch(self, call: str, documents: Any, line_of: Callable[[int, Any], Line], size: int, bytes_: int) -> Iterator[Answer]:
        """Checks the arguments at once, and returns the iterator."""
        limits = Limits(_values.whole("size", size, 1, _MAX_PIECE_LINES), _values.whole("bytes", bytes_, 1, _MAX_PIECE_BYTES))
        if isinstance(documents, (str, bytes, Mapping)) or not isinstance(documents, Iterable):
            raise TypeError(f"expected an iterable of documents, not {type(documents).__name__}")
        path = f"{self._path}/{call}"

        def send(lines: list[bytes]) -> list[Answer]:
            try:
                return [_answer(number, members) for number, members in enumerate(self._transport.lines(path, lines), 1)]
            except ValueError as error:
                raise ServiceError(200, "Unexpected answer", str(error), None, self._transport.request_name("POST", path)) from None

        return (answer for piece in pieces(documents, line_of, limits) for answer in answers_of(piece, send, limits))

    def _documents(self, after: int | None, page: int) -> Iterator[Document]:
        while True:
            start = "" if after is None else f"&after={after}"
            path = f"{self._path}/documents?limit={page}{start}"
            found = self._transport.call("GET", path, safe=True)
            try:
                listed, following = [made(Document, members) for members in found["documents"]], found["next"]
            except (KeyError, TypeError, ValueError) as error:
                raise ServiceError(200, "Unexpected answer", str(error), None, self._transport.request_name("GET", path)) from None
            yield from listed
            if following is None:
                return
            after = following

    def _delete(self, ids: list[str]) -> list[bool]:
        path = f"{self._path}/delete-batch"
        found = self._transport.call("POST", path, {"ids": ids}, safe=False)
        deleted = found.get("deleted") if isinstance(found, dict) else None
        if not isinstance(deleted, list) or len(deleted) != len(ids):
            raise ServiceError(200, "Unexpected answer", "the answer lacks deleted", None, self._transport.request_name("POST", path))
        return deleted


def _answer(number: int, members: Any) -> Answer:
    """The answer to a line of a piece. Its number there says nothing to one who sees all answers in order."""
    answer = made(Answer, members)
    if answer.problem is None:
        return answer
    return dataclasses.replace(answer, problem=answer.problem.removeprefix(f"line {number}: "))


def _members(place: str, document: Any) -> Mapping[str, Any]:
    if isinstance(document, Mapping):
        missing = [name for name in ("id", "text") if name not in document]
        if missing:
            raise UsageError(f"{place} lacks {' and '.join(missing)}")
        return document
    if isinstance(document, (tuple, list)) and len(document) == 2:
        return {"id": document[0], "text": document[1]}
    raise TypeError(f"{place}: expected a dict with id and text, or an (id, text) pair, not {type(document).__name__}")


def _add_options(given: dict[str, Any], place: str, replace: Any, touch: Any, expires: Any) -> None:
    """Adds what is not the default."""
    for name, value in (("replace", replace), ("touch", touch)):
        if _values.flag(f"{place}{name}", value):
            given[name] = True
    if expires is not None:
        given["expires"] = _given.expires(f"{place}expires", expires)


def _line(given: dict[str, Any]) -> bytes:
    return json.dumps(given, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _path_id(id: Any) -> str:
    return _given.path_part(_given.document_id("id", id))
