"""neardup: near-duplicate texts in large collections, found exactly and explained."""
from ._clue import ClueAnswer, ClueHit, ClueIndex
from ._compare import Alignment, Comparison, align, compare
from ._core import Error, InputError, OutputError, Recipe, ResourceError, UsageError, __version__
from ._hamming import HammingIndex, HammingStore, Neighbour, Neighbours, Pairs
from ._plan import plan
from ._recipe import presets, recipe
from ._sketch import Sketcher, Sketches

__all__ = [
    "Alignment", "ClueAnswer", "ClueHit", "ClueIndex", "Comparison", "Error", "HammingIndex", "HammingStore", "InputError", "Neighbour",
    "Neighbours", "OutputError", "Pairs", "Recipe", "ResourceError", "Sketcher", "Sketches", "UsageError", "__version__", "align", "compare",
    "plan", "presets", "recipe",
]
