"""neardup: near-duplicate texts in large collections, found exactly and explained."""

from ._clue import ClueAnswer, ClueHit, ClueIndex
from ._compare import AlignedPart, Alignment, ChangeCount, ComparedText, ComparedWord, Comparison, SharedPassage, align, compare
from ._core import Error, InputError, OutputError, Recipe, ResourceError, UsageError, __version__, library_versions
from ._dedup import Pairs, dedup, pairs
from ._explanation import Difference, Explanation
from ._hamming import HammingIndex, HammingPairs, HammingStore, Neighbour, Neighbours
from ._plan import plan
from ._recipe import presets, recipe
from ._result import Removal, Result
from ._sketch import Sketcher, Sketches
from ._table import Table
from .service import connect

__all__ = [
    "AlignedPart",
    "Alignment",
    "ChangeCount",
    "ClueAnswer",
    "ClueHit",
    "ClueIndex",
    "ComparedText",
    "ComparedWord",
    "Comparison",
    "Difference",
    "Error",
    "Explanation",
    "HammingIndex",
    "HammingPairs",
    "HammingStore",
    "InputError",
    "Neighbour",
    "Neighbours",
    "OutputError",
    "Pairs",
    "Recipe",
    "Removal",
    "ResourceError",
    "Result",
    "SharedPassage",
    "Sketcher",
    "Sketches",
    "Table",
    "UsageError",
    "__version__",
    "align",
    "compare",
    "connect",
    "dedup",
    "library_versions",
    "pairs",
    "plan",
    "presets",
    "recipe",
]
