"""What a run or an index finds, misses and costs, before it is made."""

from __future__ import annotations

from typing import Any

from . import _core, _values
from ._core import UsageError
from ._options import given_options

_INDEX = ("bits", "distance", "use", "bytes_per_code", "measure_machine")


def plan(
    recipe: Any = None,
    *,
    documents: float | None = None,
    text_bytes: float | None = None,
    bits: int | None = None,
    distance: int | None = None,
    use: str | None = None,
    bytes_per_code: float | None = None,
    measure_machine: bool | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The members of ``neardup plan --json``, whose numbers it rounds to six digits.

    Without `documents`: what the search of a run with this recipe and these options (threshold, bands, max_distance, ...) finds and misses.

    With `documents` and `recipe`, `text_bytes` (1000) or another option: also what that run costs on this machine, which is measured for
    half a second, under "corpus".

    With `documents` alone, or one of these: the index of so many random fingerprints. `bits` (64 or 128), `distance` (3): the largest of
    a query, `use`: what to make fast, "query" or "self-join", `bytes_per_code`: the maximum size of the index, `measure_machine`: predict
    for this machine instead of a 2.5 GHz Xeon.

    Raises UsageError for values out of bounds and for options that contradict each other.
    """
    given = dict(zip(_INDEX, (bits, distance, use, bytes_per_code, measure_machine), strict=True))
    asked = [name for name, value in given.items() if value is not None]
    of_run = recipe is not None or text_bytes is not None or bool(options)
    if asked and of_run:
        raise UsageError(f"{asked[0]} cannot be combined with the options of a run: it is about an index of random fingerprints")
    if asked or (documents is not None and not of_run):
        return _index_plan(documents, bits, distance, use, bytes_per_code, measure_machine)
    if text_bytes is not None and documents is None:
        raise UsageError("documents is missing: how many documents the run reads")
    return _core.plan_run(
        "words-5" if recipe is None else recipe,
        given_options(options),
        0 if documents is None else _count("documents", documents, 4e9),
        1000 if text_bytes is None else _count("text_bytes", text_bytes, 256e6),
    )


def _count(name: str, value: Any, most: float) -> int:
    """A whole number; floats such as 1e9 are welcome."""
    if isinstance(value, float):
        if not value.is_integer():
            raise UsageError(f"{name}: expected a whole number, not {value}")
        value = int(value)
    return _values.whole(name, value, 1, int(most))


def _index_plan(documents: Any, bits: Any, distance: Any, use: Any, bytes_per_code: Any, measure_machine: Any) -> dict[str, Any]:
    if documents is None:
        raise UsageError("documents is missing: how many fingerprints the index is for")
    width = 64 if bits is None else _values.whole("bits", bits, 64, 128)
    if width not in (64, 128):
        raise UsageError(f"bits: expected 64 or 128, not {width}")
    if use not in (None, "query", "self-join"):
        raise UsageError(f"use: expected 'query' or 'self-join', not {use!r}")
    size = 0.0
    if bytes_per_code is not None:
        if isinstance(bytes_per_code, bool) or not isinstance(bytes_per_code, (int, float)):
            raise TypeError(f"bytes_per_code: expected a number, not {type(bytes_per_code).__name__}")
        if not 1 <= bytes_per_code <= 10_000:
            raise UsageError(f"bytes_per_code: expected 1 to 10000, not {bytes_per_code}")
        size = float(bytes_per_code)
    return _core.plan_index(
        _count("documents", documents, 1e12),
        width,
        3 if distance is None else _values.whole("distance", distance, 0, width),
        use == "self-join",
        size,
        measure_machine is not None and _values.flag("measure_machine", measure_machine),
    )
