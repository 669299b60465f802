"""Server-sent events: lines of a stream as values."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator

from ._answers import RecentDecision, Stats, Value, made
from ._errors import UnavailableError
from ._transport import Stream

_MAX_LINE_BYTES = 1 << 24
_KINDS: dict[str, type[Value]] = {"stats": Stats, "decision": RecentDecision}


def events_of(stream: Stream, request: str) -> Iterator[Value]:
    """Events of the kinds that this version knows, until the stream ends. Raises UnavailableError if it breaks off, ValueError."""
    kind = ""
    data: list[str] = []
    while True:
        try:
            line = stream.readline(_MAX_LINE_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise UnavailableError(None, "the stream broke off", str(error) or type(error).__name__, None, request) from error
        if not line:
            return
        if len(line) == _MAX_LINE_BYTES:
            raise ValueError(f"a line of the stream has more than {_MAX_LINE_BYTES} bytes")
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if not text:  # the end of an event
            if data and kind in _KINDS:
                yield made(_KINDS[kind], json.loads("\n".join(data)))
            kind, data = "", []
            continue
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "data":
            data.append(value)
