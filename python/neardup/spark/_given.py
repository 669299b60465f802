"""Given: the options of the core, of which tasks make their stages."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import SparkSession

from .. import _core
from .._options import given_options
from ._recipe_files import IDF, Files, send_recipe, with_files

_INLINE = "inline"  # the name that the core gives to a recipe from JSON


@dataclass(frozen=True)
class Given:
    options: tuple[tuple[str, str], ...]
    #: Files of the application that the recipe names, which then is JSON: each machine has them in another folder.
    files: Files = ()
    #: The path that the recipe was read from, or empty.
    path: str = ""

    @classmethod
    def of(cls, options: Mapping[str, Any], spark: SparkSession) -> Given:
        """Sends the files of the recipe to the executors. Raises TypeError for values of types that no option has, UsageError for a wrong recipe."""
        texts = dict(given_options(options))
        if "recipe" not in texts:
            return cls(tuple(texts.items()))
        recipe, files = send_recipe(spark, texts["recipe"])
        path = texts["recipe"] if recipe.startswith("{") and not texts["recipe"].startswith("{") else ""
        return cls(tuple((texts | {"recipe": recipe}).items()), files, path)

    def with_table(self, recipe: str, table: str) -> Given:
        """With the fitted recipe, whose table of document frequencies is a file of the application."""
        return replace(self, options=tuple((dict(self.options) | {"recipe": recipe}).items()), files=(*self.files, (IDF, table)))

    def named(self, recipe: str) -> str:
        """The name of the recipe as the command line has it: that of its file."""
        return self.path + recipe.removeprefix(_INLINE) if self.path and recipe.startswith(_INLINE) else recipe

    def here(self) -> list[tuple[str, str]]:
        """The options as this machine reads them."""
        if not self.files:
            return list(self.options)
        options = dict(self.options)
        return list((options | {"recipe": with_files(options["recipe"], self.files)}).items())

    def stages(self) -> Any:
        """_core.spark.Stages. Raises UsageError."""
        return _with_files(self) if self.files else _core.spark.Stages(self.here())


@functools.lru_cache(maxsize=1)
def _with_files(given: Given) -> Any:
    """Kept for the next task of this process, because files are read and checked whole. Their names are those of their content."""
    return _core.spark.Stages(given.here())
