"""neardup: near-duplicate texts in large collections, found exactly and explained."""

from ._core import Error, InputError, OutputError, ResourceError, UsageError, __version__
from ._dedup import Pairs, dedup, pairs
from ._explanation import Difference, Explanation
from ._result import Removal, Result
from ._table import Table

__all__ = [
    "Difference",
    "Error",
    "Explanation",
    "InputError",
    "OutputError",
    "Pairs",
    "Removal",
    "ResourceError",
    "Result",
    "Table",
    "UsageError",
    "__version__",
    "dedup",
    "pairs",
]
