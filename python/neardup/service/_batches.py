"""Batches: any number of documents, sent in pieces that a server takes, answered in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ._answers import Answer
from ._errors import ServiceError

_TOO_LARGE = 413


@dataclass(frozen=True)
class Line:
    """One document of a batch."""

    id: str | None
    text: bytes  #: its JSON with the line end
    replaces: bool = False


@dataclass
class Piece:
    """Consecutive lines of a batch."""

    lines: list[Line] = field(default_factory=list)
    bytes: int = 0


@dataclass
class Limits:
    """The maximum of a piece. `bytes` shrinks if the server takes less; a larger line is a piece of its own."""

    lines: int
    bytes: int


def pieces(documents: Iterable[Any], line_of: Callable[[int, Any], Line], limits: Limits) -> Iterator[Piece]:
    """Cuts documents into pieces. line_of(position, document) makes their lines.

    If a document cannot be used, or `documents` raises, the documents before it are a last piece, and the exception follows.
    """
    piece = Piece()
    ids: set[str | None] = set()  # of the piece
    try:
        for position, document in enumerate(documents):
            line = line_of(position, document)
            full = len(piece.lines) >= limits.lines or piece.bytes + len(line.text) > limits.bytes
            # A piece may be sent twice. It is answered the same way only if no document in it takes the place of an earlier one in it.
            if piece.lines and (full or (line.replaces and line.id in ids)):
                yield piece
                piece, ids = Piece(), set()
            piece.lines.append(line)
            piece.bytes += len(line.text)
            ids.add(line.id)
    except Exception:
        if piece.lines:
            yield piece
        raise
    if piece.lines:
        yield piece


def answers_of(piece: Piece, send: Callable[[list[bytes]], list[Answer]], limits: Limits) -> Iterator[Answer]:
    """Sends a piece, in parts if it is too large for the server. A line that is too large by itself is answered as refused."""
    waiting = [piece.lines]
    while waiting:
        part = waiting.pop()
        try:
            answers = send([line.text for line in part])
        except ServiceError as error:
            if error.status != _TOO_LARGE:
                raise
            at = error.line - 1 if error.line is not None and 0 < error.line <= len(part) else None
            if len(part) == 1:
                answers = [Answer(part[0].id, None, problem=error.detail or error.title)]
            elif at is not None:
                # It says which line is too large: alone it is refused, the others are decided.
                waiting += [lines for lines in (part[at + 1 :], part[at : at + 1], part[:at]) if lines]
                continue
            else:
                half = len(part) // 2
                limits.bytes = max(1, min(limits.bytes, sum(len(line.text) for line in part) // 2))
                waiting += [part[half:], part[:half]]
                continue
        for line, answer in zip(part, answers, strict=True):
            # A line that was refused before it was read is answered without its id.
            yield answer if answer.id is not None or line.id is None else replace(answer, id=line.id)
