"""Recipes: everything that determines how a text becomes features and a sketch."""

from __future__ import annotations

import json
from typing import Any

from . import _core
from ._core import Recipe, UsageError


def presets() -> list[str]:
    """The names of the built-in recipes, sorted."""
    return _core.preset_names()


def recipe(name: Any = "words-5", /, **changes: Any) -> Recipe:
    """A recipe: a preset, the path of a JSON file, or a dict with the fields of docs/recipe.md.

    `changes` replace fields of it: ``recipe("words-5", shingle={"size": 3})``. Fields that are objects are
    merged.

    Raises UsageError for an unknown name and for fields out of bounds, InputError for files that cannot be read.
    """
    loaded = Recipe(name)
    if not changes:
        return loaded
    fields = json.loads(loaded.given if loaded.given.lstrip().startswith("{") else loaded.canonical_json)
    for field, value in changes.items():
        before = fields.get(field)
        fields[field] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    try:
        return Recipe(fields)
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, UsageError) else UsageError(f"recipe: {error}") from None
