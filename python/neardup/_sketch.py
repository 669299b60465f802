"""Sketcher: texts to MinHash signatures or SimHash fingerprints, in NumPy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core, _values
from ._core import Recipe, UsageError


@dataclass(frozen=True, eq=False, repr=False)
class Sketches:
    """The sketches of n texts. Row i is text i. The arrays belong to the caller."""

    recipe: Recipe
    #: uint32 of shape (n, lanes), of a MinHash recipe; else None. A text that is too short has zeros.
    signatures: np.ndarray | None
    #: uint64 of shape (n,), of 128 bits (n, 2) with the low half first; None of a MinHash recipe. Zeros for a text that is too short.
    fingerprints: np.ndarray | None
    #: uint64 of shape (n, 2), the low half first: the 128-bit hash of the normalized text. Equal rows are exact copies.
    exact: np.ndarray
    #: bool of shape (n,): fewer features than the recipe requires, so there is no sketch, and only exact copies match.
    too_short: np.ndarray

    def __len__(self) -> int:
        return len(self.exact)

    def __repr__(self) -> str:
        array = self.fingerprints if self.signatures is None else self.signatures
        kind = "fingerprints" if self.signatures is None else "signatures"
        return (
            f"<neardup.Sketches of {len(self)} texts by '{self.recipe.name}': {kind} {array.dtype} {array.shape}, "
            f"{int(self.too_short.sum())} too short>"
        )


class Sketcher:
    """Makes sketches by a recipe: clean, normalize, tokenize, shingle or weigh, hash.

    `recipe` is a preset, a path, a dict or a Recipe. Immutable; may be used by several threads of Python at once.
    Raises UsageError for a recipe out of bounds or one that weighs by the IDF of a corpus, InputError for files of it that cannot be read.
    """

    __slots__ = ("_core",)

    def __init__(self, recipe: Any = "words-5") -> None:
        self._core = _core.Sketcher(recipe)

    @property
    def recipe(self) -> Recipe:
        return self._core.recipe

    def sketch(self, texts: Any, *, threads: int = 0) -> Sketches:
        """The sketches of many texts, on `threads` threads (0: all cores), which do not change the result.

        `texts` is a list or iterable of str, a column of pandas or Polars, or anything with the Arrow C interface, which is read in place.
        Raises TypeError for anything that is not a str, nulls included, and UsageError for a text above 256 MiB.
        """
        sketches, exact, too_short = self._core.sketch(texts, _values.threads(threads))
        fingerprints = self.recipe.bits > 0
        return Sketches(self.recipe, None if fingerprints else sketches, sketches if fingerprints else None, exact, too_short)

    def fingerprint(self, text: str) -> int | None:
        """The fingerprint of one text as an integer of 64 or 128 bits; None if the text is too short."""
        if self.recipe.bits == 0:
            raise UsageError(f"recipe '{self.recipe.name}' makes MinHash signatures, not fingerprints")
        made = self.sketch([text])
        if made.too_short[0]:
            return None
        words = np.atleast_1d(made.fingerprints[0])
        return sum(int(word) << (64 * place) for place, word in enumerate(words))

    def normalize(self, text: str) -> str:
        """The text as the tokenizer sees it: cleaned and normalized."""
        return self._core.normalize(text)

    def tokenize(self, text: str) -> list[str]:
        """The tokens of the normalized text, in order."""
        return self._core.tokenize(text)

    def features(self, text: str) -> np.ndarray:
        """The hashes of the features: uint64, sorted, unique; empty if the text is too short."""
        return self._core.features(text)

    def words(self, text: str) -> list[tuple[str, float]]:
        """The features in words with their weights, the heaviest first, of equal weights in the order of the text."""
        return self._core.words(text)

    def __reduce__(self) -> tuple:
        return Sketcher, (self.recipe,)

    def __repr__(self) -> str:
        return f"neardup.Sketcher({self.recipe!r})"
