"""Guards: bounds of a run beyond which it fails instead of giving a result."""

from __future__ import annotations

import decimal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .._core import InputError, ResourceError, Settings
from .._options import option_text

_AUTO_RECORDS, _AUTO_SHARE = 1000, 10_000
_WHOLE = 1_000_000  # shares count millionths


@dataclass(frozen=True)
class Guards:
    strict: bool
    max_rejects: str  #: auto, a number of records, or a share
    max_removed: int  #: millionths of the documents
    max_cluster: int  #: documents; 0: any number

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Guards:
        """Raises UsageError for values that the option table does not accept."""
        texts = {
            name: option_text(name, options[name])
            for name in ("strict", "max_rejects", "max_removed", "max_cluster")
            if options[name] is not None
        }
        Settings("dedup", list(texts.items()), ["text"], "auto")
        return cls(
            texts.get("strict", "false") == "true",
            texts.get("max_rejects", "auto"),
            _millionths(texts.get("max_removed", "100%")),
            int(texts.get("max_cluster", "0")),
        )

    def check_rejects(self, counts: Mapping[str, Any], name: Callable[[int], str]) -> None:
        """Raises InputError if too many documents were rejected, or all. `name` names the document of a rank, for the message."""
        rejected, read = counts["rejected"], counts["documents"] + counts["rejected"]
        if not rejected:
            return

        def some() -> str:
            rank, kind, problem = counts["rejects"][0]
            return f"{rejected:,} of {read:,} documents were rejected; the first: {name(rank)}: {problem} ({kind})"

        if self.strict:
            raise InputError(f"strict: {some()}")
        if self.max_rejects == "100%":
            return
        if rejected == read:
            raise InputError(f"no document could be used: {some()}. max_rejects='100%' accepts this")
        if self._too_many(rejected, read):
            bound = "more than 1%" if self.max_rejects == "auto" else f"max_rejects is {self.max_rejects}"
            raise InputError(f"too many documents were rejected ({bound}): {some()}. Raise max_rejects to accept them")

    def check_result(self, kept: int, removed: int, largest: Mapping[str, Any] | None) -> None:
        """Raises ResourceError if more was removed than allowed."""
        if removed * _WHOLE > self.max_removed * (kept + removed):
            raise ResourceError(
                f"too many documents would be removed: {removed:,} of {kept + removed:,} (max_removed allows {self.max_removed / 10_000:g}%)"
            )
        if self.max_cluster and largest and largest["size"] > self.max_cluster:
            raise ResourceError(
                f"a cluster is too large: {largest['size']:,} documents (max_cluster allows {self.max_cluster:,}), with the keeper '{largest['keeper_id']}'"
            )

    def _too_many(self, rejected: int, read: int) -> bool:
        if self.max_rejects == "auto":
            return read >= _AUTO_RECORDS and rejected * _WHOLE > read * _AUTO_SHARE
        if self.max_rejects.endswith("%"):
            return rejected * _WHOLE > read * _millionths(self.max_rejects)
        return rejected > int(self.max_rejects)


def _millionths(percent: str) -> int:
    return int(decimal.Decimal(percent.removesuffix("%")) * 10_000)
