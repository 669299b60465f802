"""Explanation: why one document was kept or removed."""

from __future__ import annotations

import dataclasses
import html
from typing import Any, NamedTuple

from . import _core

_SHOWN_CHARACTERS = 300  # of a text without a keeper


class Difference(NamedTuple):
    """A passage in which a removed document differs from its keeper."""

    kind: str  #: digits, letters, words, punctuation, spacing, inserted, deleted or moved
    text: str  #: of the document
    keeper_text: str  #: of its keeper


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Why one document was kept or removed. Values about a keeper are None for a kept document."""

    position: int  #: in the data, from 0
    id: str | None
    source: str
    row: int  #: from 1, as in the verdicts
    verdict: str  #: "keep" or "remove"
    reason: str
    similarity: float | None
    keeper: int | None  #: position of the keeper; None also for one of the reference
    keeper_id: str | None
    keeper_source: str | None
    keeper_row: int | None
    cluster_size: int
    members: list[int]  #: positions of the documents that were removed because of the same keeper, or because of this one
    text: str | None
    keeper_text: str | None
    differences: list[Difference]  #: passages that differ, in order
    excerpt: list[tuple[str, str, int]] = dataclasses.field(repr=False)

    def __str__(self) -> str:
        lines = [
            f"document   {self._name(self.id, self.source, self.row)}",
            f"verdict    {'removed' if self.verdict == 'remove' else 'kept'}, {self.reason}",
        ]
        if self.verdict == "remove":
            lines.append(f"keeper     {self._name(self.keeper_id, self.keeper_source, self.keeper_row)}")
            lines.append(f"similarity {self.similarity:.6f}")
        if self.cluster_size > 1:
            lines.append(f"cluster    {self.cluster_size} documents")
        marks = {"same": "{}", "a": "[-{}-]", "b": "{{+{}+}}"}
        shown = "".join(marks[kind].format(text) if kind in marks else f" [{count} characters] " for kind, text, count in self.excerpt)
        return "\n".join([*lines, "", shown]) if shown else "\n".join(lines)

    def _repr_html_(self) -> str:
        head = html.escape(str(dataclasses.replace(self, excerpt=[]))).replace("\n", "<br>")
        marks = {"same": "{}", "a": "<del style='background:#fdd'>{}</del>", "b": "<ins style='background:#dfd'>{}</ins>"}
        shown = "".join(
            marks[kind].format(html.escape(text)) if kind in marks else f"<i> [{count} characters] </i>"
            for kind, text, count in self.excerpt
        )
        return f"<div>{head}<div style='white-space:pre-wrap'>{shown}</div></div>"

    @staticmethod
    def _name(id: str | None, source: str | None, row: int | None) -> str:
        return f"{source}:{row}" if id is None else f"{id} ({source}:{row})"


def explain_pair(text: str | None, keeper_text: str | None, **values: Any) -> Explanation:
    """The explanation with the differences of both texts."""
    differences: list[Difference] = []
    excerpt: list[tuple[str, str, int]] = []
    if text is not None and keeper_text is not None:
        a, b = text.encode("utf-8", "replace"), keeper_text.encode("utf-8", "replace")
        differences = [Difference(kind, mine, other) for kind, mine, other in _core.differences(a, b) if kind is not None]
        excerpt = _core.excerpt(a, b)
    elif text is not None:
        excerpt = [("same", text[:_SHOWN_CHARACTERS], len(text[:_SHOWN_CHARACTERS]))]
        if len(text) > _SHOWN_CHARACTERS:
            excerpt.append(("more", "", len(text) - _SHOWN_CHARACTERS))
    return Explanation(text=text, keeper_text=keeper_text, differences=differences, excerpt=excerpt, **values)
