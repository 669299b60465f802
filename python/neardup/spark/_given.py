"""Given: the options of the core, of which tasks make their stages."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark import SparkFiles

from .. import _core
from .._options import given_options


@dataclass(frozen=True)
class Given:
    options: tuple[tuple[str, str], ...]
    #: Empty, or the file among those of the application with the document frequencies of the recipe, which then is JSON: each machine has
    #: it in another folder.
    table: str = ""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Given:
        """Raises TypeError for values of types that no option has."""
        return cls(tuple(given_options(options)))

    def with_table(self, recipe: str, table: str) -> Given:
        return Given(tuple((dict(self.options) | {"recipe": recipe}).items()), table)

    def here(self) -> list[tuple[str, str]]:
        """The options as this machine reads them."""
        if not self.table:
            return list(self.options)
        options = dict(self.options)
        recipe = json.loads(options["recipe"])
        recipe["weighting"]["idf"] = SparkFiles.get(self.table)
        return list((options | {"recipe": json.dumps(recipe)}).items())

    def stages(self) -> Any:
        """_core.spark.Stages. Raises UsageError."""
        return _with_table(self) if self.table else _core.spark.Stages(self.here())


@functools.lru_cache(maxsize=1)
def _with_table(given: Given) -> Any:
    """Kept for the next task of this process, because a table is read and checked whole when it is opened. Its name is that of its content."""
    return _core.spark.Stages(given.here())
