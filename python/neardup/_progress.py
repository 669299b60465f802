"""The progress of a run, shown by tqdm if that is installed."""
from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

ProgressFunction = Callable[..., None]


class _Bar:
    """One bar for all passes of a run: the share of the passes that are done."""

    _STEPS = 1000

    def __init__(self, tqdm: Any, description: str) -> None:
        # A run of a second needs no bar.
        self._bar = tqdm(total=self._STEPS, desc=description, delay=1, leave=False, bar_format="{desc} {percentage:3.0f}% |{bar}| {elapsed}{postfix}")

    def __call__(self, name: str, number: int, passes: int, done: int, total: int, documents: int, steps_done: int, steps_total: int, duplicates: int, rejected: int) -> None:
        share = steps_done / steps_total if steps_total else done / total if total else 0.0
        if passes:
            self._bar.n = max(self._bar.n, min(self._STEPS, int(self._STEPS * (number - 1 + min(share, 1.0)) / passes)))
        self._bar.set_postfix_str(f"{name}, {documents:,} documents" if documents else name, refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


@contextlib.contextmanager
def progress_function(progress: Any, description: str) -> Iterator[ProgressFunction | None]:
    """What a run reports to. `progress`: True, False, None (a bar where someone sees it), or a function that gets a dict."""
    if callable(progress):
        names = ("pass", "pass_number", "pass_count", "bytes_done", "bytes_total", "documents", "steps_done", "steps_total", "duplicates", "rejected")
        yield lambda *values: progress(dict(zip(names, values)))
        return
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress: expected True, False, None or a function, not {type(progress).__name__}")
    if progress is False or (progress is None and not _is_watched()):
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bar = _Bar(tqdm, description)
    try:
        yield bar
    finally:
        bar.close()


def _is_watched() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and hasattr(sys.stderr, "isatty") and sys.stderr.isatty())
