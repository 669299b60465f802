"""Options of a run: Python values as the texts that the option table parses."""

from __future__ import annotations

import decimal
import json
import os
from collections.abc import Mapping
from typing import Any

from ._core import Recipe, Settings, UsageError


def option_text(name: str, value: Any) -> str:
    """The value of an option as a command line would have it. Raises TypeError for a type that no option has."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return writable(os.fspath(value) if isinstance(value, os.PathLike) else value)
    if isinstance(value, int):
        return int.__format__(value, "d")
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else format(decimal.Decimal(float.__repr__(value)), "f")
    if isinstance(value, Mapping):
        return ",".join(f"{option_text(name, key)}={option_text(name, item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(option_text(name, item) for item in value)
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0:
        return option_text(name, value.item())
    raise TypeError(f"{name}: expected a string, a number, a Boolean, a list or a dict, not {type(value).__name__}")


def writable(text: Any) -> str:
    """`text` as the core reads it: UTF-8 has no lone surrogates, so these become U+FFFD."""
    if not isinstance(text, str):
        raise TypeError(f"expected a string, not {type(text).__name__}")
    return str.encode(text, "utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def field_names(argument: str, value: Any) -> list[str]:
    """One name or several. Raises TypeError, and UsageError for none."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{argument}: expected the name of a column, or a list of names, not {type(value).__name__}")
    if not names or not all(names):
        raise UsageError(f"{argument}: expected the name of a column, or a list of names, none of them empty")
    return [writable(name) for name in names]


def given_options(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and texts. Options that are None have their default."""
    return [
        (writable(name), _recipe_text(name, value) if name in ("recipe", "also") else option_text(name, value))
        for name, value in options.items()
        if value is not None
    ]


def _recipe_text(name: str, value: Any) -> str:
    """A recipe as what the core loads: the name of a preset, a path, or JSON."""
    if isinstance(value, Recipe):
        return value.given
    if isinstance(value, Mapping):
        return json.dumps(dict(value))
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}: expected the name of a preset, a path, a dict or a Recipe, not {type(value).__name__}")
    return option_text(name, value)


def make_settings(command: str, text: Any, id: Any, options: Mapping[str, Any]) -> Settings:
    """The settings of a run. Options that are None have their default."""
    if id is not None and not isinstance(id, str):
        raise TypeError(f"id: expected the name of a column or None, not {type(id).__name__}")
    return Settings(command, given_options(options), field_names("text", text), "" if id is None else writable(id))
