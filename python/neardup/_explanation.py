"""Explanation: why one document was kept or removed."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import _core, _html

_SHOWN_CHARACTERS = 300  # of a text without a keeper


class Difference(NamedTuple):
    """A passage in which a removed document differs from its keeper."""

    kind: str  #: digits, letters, words, punctuation, spacing, inserted, deleted or moved
    text: str  #: of the document
    keeper_text: str  #: of its keeper


@dataclasses.dataclass(frozen=True, repr=False)
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
    #: the text with its differences from the keeper's, long equal passages left out: (kind, text, its characters). Kinds are "same"; "a",
    #: only in this document; "b", only in its keeper; "left_out" and "more", so many characters that are not shown.
    excerpt: list[tuple[str, str, int]]

    def __repr__(self) -> str:
        lines = [f"{name:<10} {value}" for name, value in self._facts()]
        marks = {"same": "{}", "a": "[-{}-]", "b": "{{+{}+}}", "left_out": " [{:,} characters] ", "more": " [{:,} more characters]"}
        shown = "".join(marks[kind].format(text or count) for kind, text, count in self.excerpt)
        return "\n".join([*lines, "", shown]) if shown else "\n".join(lines)

    def _repr_html_(self) -> str:
        facts = _html.table([], [(name, html.escape(value)) for name, value in self._facts()])
        return f"{facts}<div style='white-space: pre-wrap'>{_html.marked(self.excerpt)}</div>"

    def _facts(self) -> Iterator[tuple[str, str]]:
        yield "document", self._name(self.id, self.source, self.row)
        yield "verdict", f"{'removed' if self.verdict == 'remove' else 'kept'}, {self.reason}"
        if self.verdict == "remove":
            yield "keeper", self._name(self.keeper_id, self.keeper_source, self.keeper_row)
            yield "similarity", f"{self.similarity:.6f}"
        if self.cluster_size > 1:
            yield "cluster", f"{self.cluster_size:,} documents"

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
