"""Service: a running ``neardup serve``."""

from __future__ import annotations

import ssl
from typing import Any

from .. import _values
from . import _given
from ._answers import Access, ClueIndexInfo, Made, StoreInfo, made
from ._clues import RemoteClueIndex
from ._errors import ServiceError
from ._store import RemoteStore
from ._transport import Transport


class Service:
    """A running ``neardup serve``, as connect() gives it. May be shared by threads; a context manager, which closes it.

    Raises UsageError and TypeError for arguments, AccessError for a key that may not do this, UnavailableError if there is no answer, and
    ServiceError for everything else that the service refuses.
    """

    __slots__ = ("_transport",)

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def url(self) -> str:
        return self._transport.url

    def stores(self) -> list[StoreInfo]:
        """The stores of the service."""
        return self._listed("stores", "/v1/stores", StoreInfo)

    def store(self, name: str) -> RemoteStore:
        """The store of this name, which is asked for only when it is used."""
        return RemoteStore(self._transport, name)

    def create(
        self,
        name: str,
        *,
        recipe: Any = None,
        threshold: float | None = None,
        max_distance: int | None = None,
        min_length: int | None = None,
        ttl: Any = None,
        texts: bool | None = None,
    ) -> RemoteStore:
        """Makes an empty store in the folder of --data. One with the same rule may exist; another rule is a ConflictError.

        `recipe` is a preset ("words-5"), JSON, a dict, a Recipe, or the path of a file, which is read here. `ttl`: documents are forgotten
        this long after their insertion, a timedelta, milliseconds, or a text such as "7d". `texts=False`: texts are not stored. The other
        options are those of ``neardup store build``, and so are the defaults.
        """
        given: dict[str, Any] = {}
        if recipe is not None:
            given["recipe"] = _given.recipe(recipe)
        if threshold is not None:
            given["threshold"] = _given.share("threshold", threshold)
        if max_distance is not None:
            given["max_distance"] = _values.whole("max_distance", max_distance, 0, 128)
        if min_length is not None:
            given["min_length"] = _values.whole("min_length", min_length, 0, 1_000_000_000)
        if ttl is not None:
            given["ttl"] = _given.duration("ttl", ttl)
        if texts is not None:
            given["texts"] = _values.flag("texts", texts)
        store = self.store(name)
        self._transport.value(StoreInfo, "PUT", f"/v1/stores/{name}", given, safe=True)
        return store

    def clue_indexes(self) -> list[ClueIndexInfo]:
        """The clue indexes of the service."""
        return self._listed("clue_indexes", "/v1/clue-indexes", ClueIndexInfo)

    def clue_index(self, name: str) -> RemoteClueIndex:
        """The clue index of this name, which is asked for only when it is used."""
        return RemoteClueIndex(self._transport, name)

    def access(self) -> Access:
        """What the key may do."""
        return self._transport.value(Access, "GET", "/v1/key", safe=True)

    def close(self) -> None:
        """Ends idle connections. Later calls raise UsageError."""
        self._transport.close()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<neardup.service.Service {self.url}>"

    def _listed(self, name: str, path: str, kind: type[Made]) -> list[Made]:
        found = self._transport.call("GET", path, safe=True)
        try:
            return [made(kind, members) for members in found[name]]
        except (KeyError, TypeError, ValueError) as error:
            raise ServiceError(200, "Unexpected answer", str(error), None, self._transport.request_name("GET", path)) from None


def connect(
    url: str = "http://127.0.0.1:8080",
    key: str | None = None,
    *,
    timeout: float = 30,
    retries: int = 5,
    context: ssl.SSLContext | None = None,
) -> Service:
    """The service of a running ``neardup serve``. Connections are opened by the first calls, and kept open between calls.

    - `url`: http or https, with a path if a proxy has the service below one. Redirects and proxies of the environment are not followed.
    - `key`: one of `neardup serve --new-key`. It is in no repr and no message; over http it can be read on the way.
    - `timeout`: seconds to wait for a connection, and for each piece of an answer.
    - `retries`: how often a call that may be carried out twice is sent again, after a lost connection or one of the answers 429, 502, 503
      and 504. Waits grow from 0.1 to 5 seconds; a Retry-After of up to 60 seconds is obeyed, for a longer one the call fails.
    - `context`: certificates for https, by default those of the machine.
    """
    return Service(Transport(url, key, timeout, retries, context))
