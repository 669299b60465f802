"""Calls of the HTTP interface: requests, retries, and problems as exceptions."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import ssl
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any

from .. import _values
from .._core import UsageError, __version__
from . import _given
from ._answers import Made, made
from ._connections import Connections
from ._errors import ServiceError, UnavailableError, error_of

JSON = "application/json"
LINES = "application/x-ndjson"
_FIRST_WAIT_S = 0.1
_MAX_WAIT_S = 5.0
_MAX_RETRY_AFTER_S = 60.0
_MAX_RETRIES = 100
_MAX_PROBLEM_BYTES = 1 << 16
_SHOWN_CHARACTERS = 200  # of an answer that is not a problem
_BUSY = 429  # refused before anything was done: every call may be sent again
_NOT_READY = (429, 502, 503, 504)


class _Key:
    """Keeps a key out of reprs, and so out of tracebacks with values and of logs."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "<key>"

    def __reduce__(self) -> Any:
        raise TypeError("a key cannot be pickled")


class _Lost(Exception):
    """A call without an answer. `sent`: the server may have carried it out; `final`: trying again is of no use."""

    def __init__(self, cause: BaseException, *, sent: bool, final: bool = False) -> None:
        super().__init__(str(cause))
        self.cause, self.sent, self.final = cause, sent, final


@dataclass(frozen=True)
class _Reply:
    status: int
    reason: str
    kind: str  # the media type
    retry_after: str | None
    body: bytes
    response: http.client.HTTPResponse | None = None  # of a stream, whose body is not read yet


class Stream:
    """The body of an answer that has no end. Closing it ends the connection."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection, self._response = connection, response

    def readline(self, limit: int) -> bytes:
        return self._response.readline(limit)

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class Transport:
    """Sends calls to one server. May be used by several threads at once."""

    def __init__(self, url: Any, key: Any, timeout: Any, retries: Any, context: ssl.SSLContext | None) -> None:
        parts = _url(url)
        self.url = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
        self._prefix = parts.path.rstrip("/")
        self._key = None if key is None else _Key(_key(key))
        self._retries = _values.whole("retries", retries, 0, _MAX_RETRIES)
        if context is not None and not isinstance(context, ssl.SSLContext):
            raise TypeError(f"context: expected an ssl.SSLContext, not {type(context).__name__}")
        if context is not None and parts.scheme != "https":
            raise UsageError("context: only a URL that begins with https:// has one")
        if parts.scheme == "https" and context is None:
            context = ssl.create_default_context()
        port = parts.port or (80 if context is None else 443)
        self._connections = Connections(parts.hostname or "", port, context, _given.seconds("timeout", timeout))
        self._closed = False

    def call(self, method: str, path: str, given: Any = None, *, safe: bool, timeout: float | None = None) -> Any:
        """Sends `given` as JSON and returns what is answered, read. `safe`: the call may be carried out twice."""
        body = None if given is None else json.dumps(given, ensure_ascii=False).encode()
        reply = self._settled(method, path, body, JSON, safe, timeout)
        try:
            return json.loads(reply.body) if reply.body else None
        except ValueError:
            raise self._not_understood(method, path, reply, "the answer is not JSON") from None

    def value(self, kind: type[Made], method: str, path: str, given: Any = None, *, safe: bool, timeout: float | None = None) -> Made:
        """What call() returns, as a value."""
        members = self.call(method, path, given, safe=safe, timeout=timeout)
        try:
            return made(kind, members)
        except ValueError as error:
            raise ServiceError(200, "Unexpected answer", str(error), None, self.request_name(method, path)) from None

    def lines(self, path: str, lines: list[bytes]) -> list[Any]:
        """Posts lines, each of which has an answer in the same order. May be carried out twice."""
        reply = self._settled("POST", path, b"".join(lines), LINES, True, None)
        try:
            answers = [json.loads(line) for line in reply.body.split(b"\n") if line]
        except ValueError:
            raise self._not_understood("POST", path, reply, "a line of the answer is not JSON") from None
        if len(answers) != len(lines):
            raise self._not_understood("POST", path, reply, f"{len(lines)} lines were sent, and {len(answers)} answered")
        return answers

    def stream(self, path: str) -> Stream:
        """Begins to read an answer without an end, over a connection of its own."""
        opened: list[http.client.HTTPConnection] = []
        reply = self._settled("GET", path, None, JSON, True, None, opened)
        assert reply.response is not None
        return Stream(opened[-1], reply.response)

    def close(self) -> None:
        self._closed = True
        self._connections.close_idle()

    def request_name(self, method: str, path: str) -> str:
        return f"{method} {self.url}{path}"

    def _settled(
        self,
        method: str,
        path: str,
        body: bytes | None,
        kind: str,
        safe: bool,
        timeout: float | None,
        opened: list[http.client.HTTPConnection] | None = None,
    ) -> _Reply:
        """The good answer, after retries. Others are raised."""
        if self._closed:
            raise UsageError("the service is closed")
        for attempt in range(self._retries + 1):
            wait = min(_FIRST_WAIT_S * 2**attempt, _MAX_WAIT_S) * random.uniform(0.5, 1)
            try:
                reply = self._once(method, path, body, kind, safe, timeout, opened)
            except _Lost as lost:
                if attempt == self._retries or lost.final or (lost.sent and not safe):
                    raise self._lost(method, path, lost, attempt + 1) from lost.cause
            else:
                if 200 <= reply.status < 300:
                    return reply
                again = reply.status == _BUSY or (safe and reply.status in _NOT_READY)
                asked = _retry_after(reply.retry_after)
                if attempt == self._retries or not again or asked > _MAX_RETRY_AFTER_S:
                    raise self._problem(method, path, reply)
                wait = max(wait, asked)
            time.sleep(wait)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _once(
        self,
        method: str,
        path: str,
        body: bytes | None,
        kind: str,
        safe: bool,
        timeout: float | None,
        opened: list[http.client.HTTPConnection] | None,
    ) -> _Reply:
        """Sends a request once; twice if it may be, and the server had closed a connection that was kept open. Raises _Lost."""
        kept = None if opened is not None else self._connections.take(timeout)
        if kept is not None:
            try:
                return self._exchange(kept, method, path, body, kind, None)
            except _Lost:
                self._connections.close_idle()  # a server that was started anew knows none of them
                if not safe:
                    raise
        try:
            connection = self._connections.open(timeout)
        except (OSError, UnicodeError) as error:  # UnicodeError: a name of a host that cannot be one
            raise _Lost(error, sent=False, final=isinstance(error, (ssl.SSLCertVerificationError, UnicodeError))) from error
        return self._exchange(connection, method, path, body, kind, opened)

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        kind: str,
        opened: list[http.client.HTTPConnection] | None,
    ) -> _Reply:
        cut_off = False
        try:
            try:
                connection.request(method, self._prefix + path, body, self._headers(method, body, kind))
            except (BrokenPipeError, ConnectionResetError):
                # A server that refuses a body may answer and close before it has read all of it: the answer says why.
                if body is None:
                    raise
                cut_off = True
            response = connection.getresponse()
            streams = opened is not None and response.status == 200
            text = b"" if streams else response.read()
            reply = _Reply(
                response.status,
                response.reason,
                response.headers.get_content_type(),
                response.headers.get("Retry-After"),
                text,
                response if streams else None,
            )
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            # Without its traceback, whose frames hold the headers, and so the key.
            raise _Lost(error.with_traceback(None), sent=True) from None
        except BaseException:
            connection.close()
            raise
        if streams:
            assert opened is not None
            opened.append(connection)
        elif cut_off:
            connection.close()
        else:
            self._connections.give(connection)
        return reply

    def _headers(self, method: str, body: bytes | None, kind: str) -> dict[str, str]:
        headers = {"User-Agent": f"neardup-python/{__version__}"}
        if body is not None:
            headers["Content-Type"] = kind
        elif method == "POST":
            headers["Content-Length"] = "0"
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.value}"
        return headers

    def _without_key(self, text: str) -> str:
        """What a server or a library says, which might be the key."""
        return text if self._key is None else text.replace(self._key.value, "<key>")

    def _lost(self, method: str, path: str, lost: _Lost, attempts: int) -> UnavailableError:
        tries = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        said = self._without_key(str(lost.cause) or type(lost.cause).__name__)
        return UnavailableError(None, f"no answer after {tries}", said, None, self.request_name(method, path))

    def _problem(self, method: str, path: str, reply: _Reply) -> ServiceError:
        """The exception for an answer that is not good."""
        title, detail, line = reply.reason, "", None
        text = reply.body[:_MAX_PROBLEM_BYTES].decode("utf-8", "replace")
        try:
            problem = json.loads(text) if reply.kind in ("application/problem+json", JSON) else None
        except ValueError:
            problem = None
        if isinstance(problem, dict):
            title = str(problem.get("title") or title)
            detail = str(problem.get("detail") or "")
            at = problem.get("line")
            line = at if isinstance(at, int) and not isinstance(at, bool) else None
        elif 300 <= reply.status < 400:
            detail = "redirects are not followed; connect() takes the final URL"
        else:
            detail = text[:_SHOWN_CHARACTERS].strip()
        return error_of(reply.status, self._without_key(title), self._without_key(detail), line, self.request_name(method, path))

    def _not_understood(self, method: str, path: str, reply: _Reply, why: str) -> ServiceError:
        return ServiceError(reply.status, "Unexpected answer", f"{why} ({reply.kind})", None, self.request_name(method, path))


def _url(url: Any) -> urllib.parse.SplitResult:
    """Never names the URL in what it raises if that might have a password."""
    if not isinstance(url, str):
        raise TypeError(f"url: expected a str, not {type(url).__name__}")
    try:
        parts = urllib.parse.urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise UsageError("url: not a URL, or a port that is not one; expected one such as http://127.0.0.1:8080") from None
    if "@" in parts.netloc:
        raise UsageError("url: expected no user or password; a key is given as key=")
    if not good or not url.isascii() or any(letter <= " " or letter == "\x7f" for letter in url):
        raise UsageError(f"url: expected one such as http://127.0.0.1:8080, not {url!r}")
    if parts.query or parts.fragment:
        raise UsageError("url: expected no query and no fragment")
    return parts


def _key(key: Any) -> str:
    """Never names the key in what it raises."""
    if not isinstance(key, str):
        raise TypeError(f"key: expected a str, not {type(key).__name__}")
    if not key or not key.isascii() or any(letter <= " " or letter == "\x7f" for letter in key):
        raise UsageError(f"key: expected visible ASCII characters without spaces, got {len(key)} characters that are not; it is not shown")
    return key


def _retry_after(value: str | None) -> float:
    """Seconds to wait: the header has a number of them, or from a proxy a date. 0 if there is none."""
    if value is None:
        return 0.0
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0
