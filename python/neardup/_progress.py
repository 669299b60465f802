"""The progress of a run, shown by tqdm if that is installed."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

ProgressFunction = Callable[..., None]


# What the core reports, in order; 0: unknown.
_NAMES = (
    *("pass", "pass_number", "pass_count", "bytes_done", "bytes_total"),
    *("documents", "steps_done", "steps_total", "duplicates", "rejected"),
)


class _Bar:
    """One bar for all passes of a run: the share of the passes that are done."""

    _STEPS = 1000
    _DELAY = 1.0  # seconds

    def __init__(self, tqdm: Any, description: str) -> None:
        self._begin = time.monotonic()
        form = "{desc} {percentage:3.0f}% |{bar}| {elapsed}{postfix}"
        self._bar = tqdm(total=self._STEPS, desc=description, delay=self._DELAY, leave=False, bar_format=form)

    def __call__(self, now: dict[str, Any]) -> None:
        done, total = (now["steps_done"], now["steps_total"]) if now["steps_total"] else (now["bytes_done"], now["bytes_total"])
        share = min(done / total, 1.0) if total else 0.0
        if now["pass_count"]:
            place = int(self._STEPS * (now["pass_number"] - 1 + share) / now["pass_count"])
            self._bar.n = max(self._bar.n, min(self._STEPS, place))
        text = f"{now['pass']}, {now['documents']:,} documents" if now["documents"] else now["pass"]
        self._bar.set_postfix_str(text, refresh=False)
        # A run of a second needs no bar; tqdm's own delay does not count for refresh().
        if time.monotonic() - self._begin >= self._DELAY:
            self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def _with_dict(function: Callable[[dict[str, Any]], Any]) -> ProgressFunction:
    return lambda *values: function(dict(zip(_NAMES, values)))


@contextlib.contextmanager
def progress_function(progress: Any, description: str) -> Iterator[ProgressFunction | None]:
    """What a run reports to. `progress`: True, False, None (a bar where someone sees it), or a function that gets a dict."""
    if callable(progress):
        yield _with_dict(progress)
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
        yield _with_dict(bar)
    finally:
        bar.close()


def _is_watched() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and hasattr(sys.stderr, "isatty") and sys.stderr.isatty())
