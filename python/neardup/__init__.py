"""neardup: near-duplicate texts in large collections, found exactly and explained."""
from ._clue import ClueAnswer, ClueHit, ClueIndex
from ._compare import AlignedPart, Alignment, ChangeCount, ComparedText, ComparedWord, Comparison, SharedPassage, align, compare
from ._core import Error, InputError, OutputError, Recipe, ResourceError, UsageError, library_versions, __version__
from ._hamming import HammingIndex, HammingPairs, HammingStore, Neighbour, Neighbours
from ._plan import plan
from ._recipe import presets, recipe
from ._sketch import Sketcher, Sketches

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
    "Error",
    "HammingIndex",
    "HammingPairs",
    "HammingStore",
    "InputError",
    "Neighbour",
    "Neighbours",
    "OutputError",
    "Recipe",
    "ResourceError",
    "SharedPassage",
    "Sketcher",
    "Sketches",
    "UsageError",
    "__version__",
    "align",
    "compare",
    "library_versions",
    "plan",
    "presets",
    "recipe",
]
