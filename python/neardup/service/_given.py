"""Checks of arguments, with messages that name the argument, and their form in a request."""

from __future__ import annotations

import datetime
import json
import os
import re
import urllib.parse
from collections.abc import Mapping
from typing import Any

from .. import _core, _values
from .._core import Recipe, UsageError
from .._options import writable

MAX_ID_BYTES = 65_535
MAX_TIME_MS = 4_102_444_800_000
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MILLISECOND = datetime.timedelta(milliseconds=1)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DURATION = re.compile(r"([0-9]+)(ms|s|m|h|d)", re.ASCII)
_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def name(argument: str, value: Any) -> str:
    """The name of a store or an index."""
    if not isinstance(value, str):
        raise TypeError(f"{argument}: expected a str, not {type(value).__name__}")
    if not _NAME.fullmatch(value):
        raise UsageError(f"{argument}: expected 1 to 64 letters, digits, '_' and '-', the first a letter or digit, not {value!r}")
    return value


def text(argument: str, value: Any) -> str:
    """A text as UTF-8 can have it: lone surrogates become U+FFFD, as everywhere in the package."""
    if not isinstance(value, str):
        raise TypeError(f"{argument}: expected a str, not {type(value).__name__}")
    try:
        str.encode(value)
    except UnicodeEncodeError:
        return writable(value)
    return value


def document_id(argument: str, value: Any) -> str:
    """An id. Lone surrogates are refused: two ids must not become one."""
    if not isinstance(value, str):
        raise TypeError(f"{argument}: expected a str, not {type(value).__name__}")
    try:
        size = len(str.encode(value))
    except UnicodeEncodeError:
        raise UsageError(f"{argument}: {value[:80]!r} has a lone surrogate, which UTF-8 does not have") from None
    if not 1 <= size <= MAX_ID_BYTES:
        raise UsageError(f"{argument}: expected 1 to {MAX_ID_BYTES} bytes of UTF-8, not {size}")
    return value


def path_part(value: str) -> str:
    """One part of a path: slashes and everything else but letters, digits, '_', '-', '~' and '.' are encoded."""
    if value in (".", ".."):  # parts that programs on the way would resolve
        return value.replace(".", "%2E")
    return urllib.parse.quote(value, safe="")


def expires(argument: str, value: Any) -> int:
    """Milliseconds since 1970, of a number of them or of a datetime."""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise UsageError(f"{argument}: expected a datetime with a time zone, not {value!r}")
        value = (value - _EPOCH) // _MILLISECOND
    return _values.whole(argument, value, 0, MAX_TIME_MS)


def duration(argument: str, value: Any) -> int:
    """Milliseconds, of a number of them, a timedelta, or a text as the command line has it."""
    if isinstance(value, datetime.timedelta):
        value = value // _MILLISECOND
    elif isinstance(value, str):
        found = _DURATION.fullmatch(value)
        if not found:
            raise UsageError(f"{argument}: expected a number and a unit, such as 90s, 15m, 36h or 7d, not {value!r}")
        value = int(found[1]) * _UNITS_MS[found[2]]
    return _values.whole(argument, value, 1, MAX_TIME_MS)


def recipe(value: Any) -> str:
    """A recipe as a service takes it: a preset, or JSON. Files are read here, because the service reads none that a request names."""
    if isinstance(value, os.PathLike):
        value = Recipe(os.fspath(value))
    if isinstance(value, Recipe):
        return value.given if value.given.lstrip().startswith("{") or value.given in _core.preset_names() else value.canonical_json
    if isinstance(value, Mapping):
        return json.dumps(dict(value), ensure_ascii=False)
    if not isinstance(value, str):
        raise TypeError(f"recipe: expected a preset, JSON, a path, a dict or a Recipe, not {type(value).__name__}")
    return value


def share(argument: str, value: Any) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not hasattr(type(value), "__float__"):
        raise TypeError(f"{argument}: expected a number, not {type(value).__name__}")
    number = float(value)
    if not 0 <= number <= 1:
        raise UsageError(f"{argument}: expected 0 to 1, not {number}")
    return number


def seconds(argument: str, value: Any) -> float:
    """A time to wait, in seconds."""
    if isinstance(value, bool) or not hasattr(type(value), "__float__"):
        raise TypeError(f"{argument}: expected seconds, not {type(value).__name__}")
    number = float(value)
    if not 0 < number <= 1e6:
        raise UsageError(f"{argument}: expected more than 0 and at most 1000000 seconds, not {number}")
    return number
