"""What results show in a notebook: tables and marked texts, readable on light and on dark pages."""

from __future__ import annotations

import html
from collections.abc import Iterable

# Translucent, so that the page's own color of text stays readable on them.
_REMOVED = "background: rgba(248, 81, 73, 0.3)"
_ADDED = "background: rgba(46, 160, 67, 0.3); text-decoration: none"
_CELL = "text-align: left; vertical-align: top; white-space: pre-wrap"


def marked(pieces: Iterable[tuple[str, str, int]]) -> str:
    """The pieces of an excerpt (_core.excerpt): what only the first text has is struck through."""
    return "".join(_piece(*piece) for piece in pieces)


def _piece(kind: str, text: str, characters: int) -> str:
    if kind == "a":
        return f"<del style='{_REMOVED}'>{html.escape(text)}</del>"
    if kind == "b":
        return f"<ins style='{_ADDED}'>{html.escape(text)}</ins>"
    if kind == "same":
        return html.escape(text)
    return f"<i> [{characters:,}{' more' if kind == 'more' else ''} characters] </i>"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """`heads` and the cells of `rows` are HTML. Without heads, the first cell of a row is its head."""
    heads = list(heads)
    lines = [_line(heads, heads)] if heads else []
    for row in rows:
        cells = list(row)
        lines.append(_line(cells, [] if heads else cells[:1]))
    return f"<table>{''.join(lines)}</table>"


def _line(cells: list[str], heads: list[str]) -> str:
    kinds = ["th"] * len(heads) + ["td"] * (len(cells) - len(heads))
    return "<tr>" + "".join(f"<{kind} style='{_CELL}'>{cell}</{kind}>" for kind, cell in zip(kinds, cells)) + "</tr>"
