"""Two texts: every measure, the passages they share, and their differences."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from . import _core, _html, _values
from ._core import Recipe
from ._options import given_options

_SHOWN_PASSAGE = 200  # characters, on a page


class AlignedPart(NamedTuple):
    """A passage of each text. Places are in characters: a[a_begin:a_end] is the text of a."""

    kind: str  #: "same": up to white space, width and case; "changed"
    #: of a changed part "digits", "letters", "words", "punctuation", "inserted", "deleted" or "moved"; "spacing", also in parts that are
    #: the same otherwise; None: the same byte for byte
    change: str | None
    a: str
    b: str
    a_begin: int
    a_end: int
    b_begin: int
    b_end: int


class ChangeCount(NamedTuple):
    changes: int
    characters: int  #: of the longer side of each change


@dataclass(frozen=True, repr=False)
class Alignment:
    """What two original texts share and where they differ."""

    parts: list[AlignedPart]  #: in order, without gaps, and together both texts
    changes: dict[str, ChangeCount]  #: by kind; a moved passage counts once
    coarse: bool  #: some difference was too large to search for its smallest form
    excerpt: str  #: the text of a with the changes towards b, [-only a-] and {+only b+}, long equal passages left out
    _pieces: list[tuple[str, str, int]]  # of the excerpt

    def summary(self) -> str:
        """ "2 changes: digits 1, words 1", or "none"."""
        total = sum(count.changes for count in self.changes.values())
        if total == 0:
            return "none"
        kinds = ", ".join(f"{kind} {count.changes}" for kind, count in self.changes.items())
        return f"{total} change{'s' if total != 1 else ''}: {kinds}"

    def __repr__(self) -> str:
        return f"{self.summary()}\n{self.excerpt}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.summary())}</p><div style='white-space: pre-wrap'>{_html.marked(self._pieces)}</div>"


def align(a: str, b: str, *, join_changes: bool = True) -> Alignment:
    """Aligns two texts unit by unit: words, ideographs, punctuation. Case, width and white space make no difference.

    `join_changes` joins changes that little separates, for readers; without it as few units as possible are changed.
    """
    members = _core.align(a, b, _values.flag("join_changes", join_changes))
    return Alignment(
        parts=[AlignedPart(*part) for part in members["parts"]],
        changes={kind: ChangeCount(*count) for kind, count in members["changes"].items()},
        coarse=members["coarse"],
        excerpt=members["excerpt"],
        _pieces=members["pieces"],
    )


@dataclass(frozen=True)
class ComparedText:
    """The size of one of the texts."""

    bytes: int
    tokens: int
    shingles: int  #: with repetitions
    features: int  #: distinct shingles
    too_short: bool  #: fewer features than the recipe requires: matched as an exact copy only


class SharedPassage(NamedTuple):
    tokens: int
    text: str  #: normalized, as the recipe sees it


class ComparedWord(NamedTuple):
    word: str
    weight_a: float  #: 0: not a feature of this text
    weight_b: float


@dataclass(frozen=True, repr=False, eq=False)
class Comparison:
    """Every measure of two texts. Similarities are None if a text is too short for them."""

    recipe: Recipe
    a: ComparedText
    b: ComparedText
    match: bool  #: the verdict of a run with these options
    exact_copy: bool  #: the same normalized text
    numbers_differ: bool  #: and the recipe requires that they agree
    threshold: float
    max_distance: int  #: of fingerprints
    measure: str  #: "jaccard" or "containment"
    common: int  #: features of both
    union: int
    jaccard: float | None  #: exact, of the feature sets
    containment_a: float | None  #: the share of a's features that b has
    containment_b: float | None
    cosine: float | None  #: of the sets
    passages: list[SharedPassage]  #: the longest first
    passages_skipped: bool  #: a text was too long to look for shared passages
    a_in_b: bool | None = None  #: under measure="containment": a is contained in b
    b_in_a: bool | None = None
    # Of a MinHash recipe:
    lanes: int = 0
    equal_lanes: int = 0
    estimate: float | None = None  #: of the Jaccard similarity, from the signatures
    estimate_low: float | None = None  #: 95 % interval
    estimate_high: float | None = None
    found_probability: float | None = None  #: that a run finds a pair of this similarity
    bands: int = 0
    rows_per_band: int = 0
    # Of a recipe of fingerprints:
    bits: int = 0
    fingerprint_a: int | None = None
    fingerprint_b: int | None = None
    distance: int | None = None  #: bits that differ
    weighted_cosine: float | None = None
    words: list[ComparedWord] = field(default_factory=list)  #: the heaviest first
    words_in_all: int = 0
    presets: list[dict[str, Any]] | None = None  #: the verdict of each preset, if asked for
    _texts: tuple[str, str] = ("", "")

    @cached_property
    def differences(self) -> Alignment:
        """The alignment of the original texts, made when it is first asked for."""
        return align(*self._texts)

    @property
    def differing_bits(self) -> list[int]:
        """The bits in which the fingerprints differ, from 0, the lowest."""
        if self.fingerprint_a is None or self.fingerprint_b is None:
            return []
        different = self.fingerprint_a ^ self.fingerprint_b
        return [bit for bit in range(self.bits) if different >> bit & 1]

    def __repr__(self) -> str:
        return "\n".join([*self._measures(), *self._shared(), f"differences: {self.differences!r}"])

    def _measures(self):
        yield f"recipe {self.recipe.name} ({self.recipe.id})"
        yield f"{'':<22}{'a':>12}{'b':>12}"
        for name in ("bytes", "tokens", "shingles", "features"):
            yield f"{name:<22}{getattr(self.a, name):>12,}{getattr(self.b, name):>12,}"
        yield f"{'exact copy':<22}{'yes' if self.exact_copy else 'no'}"
        if self.jaccard is None:
            yield "too short: only an exact copy would match"
        else:
            yield f"{'Jaccard':<22}{self.jaccard:.6f}   {self.common:,} common of {self.union:,} features"
            if self.estimate is not None:
                yield (
                    f"{'  estimated':<22}{self.estimate:.6f}   {self.equal_lanes} of {self.lanes} lanes agree; 95 % interval "
                    f"{self.estimate_low:.3f} to {self.estimate_high:.3f}"
                )
            yield f"{'a contained in b':<22}{self.containment_a:.6f}"
            yield f"{'b contained in a':<22}{self.containment_b:.6f}"
            yield f"{'cosine of the sets':<22}{self.cosine:.6f}"
            if self.bits:
                yield f"{'cosine with weights':<22}{self.weighted_cosine:.6f}"
                yield f"{'distance':<22}{self.distance} of {self.bits} bits"
        yield self.verdict()

    def verdict(self) -> str:
        """One line: whether they match, and at which threshold."""
        if self.measure == "containment":
            found = {
                (True, True): "each is contained in the other",
                (True, False): "a is contained in b",
                (False, True): "b is contained in a",
                (False, False): "neither is contained in the other",
            }
            return f"{found[bool(self.a_in_b), bool(self.b_in_a)]} at containment {self.threshold}"
        return (
            f"{'they match' if self.match else 'they do not match'} "
            f"{f'within distance {self.max_distance}' if self.bits else f'at threshold {self.threshold}'}"
        )

    def _shared(self):
        if self.passages_skipped:
            yield "the texts are too long to look for shared passages"
        for passage in self.passages:
            text = passage.text if len(passage.text) <= _SHOWN_PASSAGE else passage.text[:_SHOWN_PASSAGE] + " ..."
            yield f"shared, {passage.tokens} token{'s' if passage.tokens != 1 else ''}: {text}"

    def _repr_html_(self) -> str:
        lines = html.escape("\n".join([*self._measures(), *self._shared()]))
        return f"<pre>{lines}</pre>{self.differences._repr_html_()}"


def compare(
    a: str,
    b: str,
    *,
    recipe: Any = "words-5",
    threshold: Any = 0.8,
    max_distance: int = 3,
    passages: int = 3,
    words: int = 20,
    presets: bool = False,
    **options: Any,
) -> Comparison:
    """Measures two texts against each other in every way.

    `recipe` is a preset, a path, a dict or a Recipe. The verdict is that of a run at `threshold`, or, of a recipe of fingerprints, within
    `max_distance` bits. At most `passages` shared passages, and of a recipe of fingerprints `words` weighted features. `presets`: also the
    verdict of every preset. Other `options` are those of ``neardup compare``: measure, min_contained, bands, ...

    Raises TypeError unless both are str, UsageError for options out of bounds.
    """
    given = {"threshold": threshold, "max_distance": max_distance, **options}
    members = _core.compare(
        a,
        b,
        recipe,
        given_options(given),
        _values.whole("passages", passages, 0, 2**32),
        _values.whole("words", words, 0, 2**32),
        _values.flag("presets", presets),
    )
    members["a"] = ComparedText(**members["a"])
    members["b"] = ComparedText(**members["b"])
    members["passages"] = [SharedPassage(*passage) for passage in members["passages"]]
    members["words"] = [ComparedWord(*word) for word in members.get("words", ())]
    return Comparison(**members, _texts=(a, b))
