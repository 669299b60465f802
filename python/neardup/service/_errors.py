"""What a service refuses, and when it cannot be reached."""

from __future__ import annotations

from .._core import Error


class ServiceError(Error):
    """The service refused a call, or answered in a way that is not of its interface; the base of its errors.

    `status` is that of HTTP, None if there was no answer; `title` and `detail` say what is wrong; `line` is the line of a batch, from 1, if
    it is about one; `request` is the method and the URL.
    """

    def __init__(self, status: int | None, title: str, detail: str = "", line: int | None = None, request: str = "") -> None:
        super().__init__(status, title, detail, line, request)  # all of them, so that the error can be pickled
        self.status = status
        self.title = title
        self.detail = detail
        self.line = line
        self.request = request

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        code = "" if self.status is None else f"{self.status} "
        said = f"{code}{self.title}" + (f": {place}{self.detail}" if self.detail else "")
        return f"{self.request}: {said}" if self.request else said


class NotFoundError(ServiceError):
    """There is no such store, index, document or cluster (404)."""


class ConflictError(ServiceError):
    """A stored document has this id and another text, or a store of this name another rule (409)."""


class AccessError(ServiceError):
    """The key is missing or unknown (401), or lacks the role that the call needs (403)."""


class UnavailableError(ServiceError):
    """No answer after all retries: the connection failed (status None), or the service is too busy (429) or not ready (502, 503, 504).

    Whether a call that is never retried was carried out is not known then, unless the status is 429.
    """


_KINDS: dict[int, type[ServiceError]] = {
    401: AccessError,
    403: AccessError,
    404: NotFoundError,
    409: ConflictError,
    429: UnavailableError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def error_of(status: int, title: str, detail: str, line: int | None, request: str) -> ServiceError:
    return _KINDS.get(status, ServiceError)(status, title, detail, line, request)
