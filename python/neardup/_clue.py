"""ClueIndex: finds every text that contains a passage, or something close to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core, _values
from ._core import UsageError
from ._index_folder import IndexFolder
from ._options import option_text

_MAX_EDITS = 0.5
_MIN_EDITS = 0.5e-6


@dataclass(frozen=True)
class ClueHit:
    """A text that contains a clue, or resembles it."""

    id: int
    name: str
    begin: int  #: the passage in the original text, in bytes of UTF-8
    end: int
    begin_character: int  #: the same in characters: text[begin_character:end_character] is the passage
    end_character: int
    text_bytes: int  #: of the whole text
    similarity: float  #: with resembles the measure, else 1 - edits / characters of the clue
    passage: str
    occurrences: int | None = None  #: passages in the text that match and do not overlap; not with resembles
    edits: int | None = None  #: edit distance to the clue; not with resembles
    differences: str | None = None  #: of a passage with edits: [-...-] only in the clue, {+...+} only in the text
    common: int | None = None  #: with resembles: distinct grams in both, of the clue, of the text
    clue_grams: int | None = None
    text_grams: int | None = None


@dataclass(frozen=True)
class ClueAnswer:
    """The answer to a clue. Iterates over its hits."""

    hits: list[ClueHit] = field(default_factory=list)
    certainty: str = "exact"  #: "exact": no matching text is missing; "likely": see predicted_recall; "scan": every text was read
    predicted_recall: float = 1.0  #: the expected share of matching texts that are found; 1 unless "likely"
    more: bool = False  #: matching texts are left out, or may be
    capped: bool = False  #: candidates were left unread, because of max_candidates or the length of their lists
    count: int = 0  #: matching texts that were found
    form: str = ""  #: of the clue, as it is compared
    characters: int = 0  #: of the form
    columns: int = 0  #: of the form; ideographs, kana and Hangul have two
    min_run: int = 0  #: the guaranteed length of the index in Latin characters
    min_run_wide: int = 0  #: in ideographs
    max_edits: int = 0  #: edits that hits may have
    guaranteed_edits: int = 0  #: up to how many the answer would be exact
    guaranteed: bool = False  #: the clue has the guaranteed length
    trace: dict[str, Any] | None = None  #: with explain: what the answer cost
    problem: str | None = None  #: of search_all(): why the clue cannot be asked; everything else is empty then

    def __iter__(self):
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __bool__(self) -> bool:
        return self.count > 0


def _answer(members: dict[str, Any]) -> ClueAnswer:
    return ClueAnswer(**{**members, "hits": [ClueHit(**hit) for hit in members.get("hits", ())]})


def _edits(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int, float, np.number)):
        raise TypeError(f"edits: expected a share such as 0.1 or '10%', not {type(value).__name__}")
    try:
        share = float(value[:-1]) / 100 if isinstance(value, str) and value.endswith("%") else float(value)
    except ValueError:
        share = -1.0
    if not _MIN_EDITS <= share <= _MAX_EDITS:
        raise UsageError(f"edits: expected a share of the clue's characters above 0 and at most 50%, such as 0.1 or '10%', not {value!r}")
    return share


def _options(
    *,
    edits: Any,
    resembles: bool,
    threshold: Any,
    measure: str | None,
    limit: int | None,
    count: bool,
    scan: bool,
    max_candidates: int | None,
    explain: bool,
    passages: bool,
) -> dict[str, Any]:
    given: dict[str, Any] = {
        "resembles": _values.flag("resembles", resembles),
        "scan": _values.flag("scan", scan),
        "count": _values.flag("count", count),
        "explain": _values.flag("explain", explain),
        "passages": _values.flag("passages", passages),
    }
    if resembles:
        if edits is not None:
            raise UsageError("edits cannot be combined with resembles: it allows edits of a contained clue")
        if measure not in (None, "containment", "jaccard"):
            raise UsageError(f"measure: expected 'containment' or 'jaccard', not {measure!r}")
        given["measure"] = measure or "containment"
        given["threshold"] = option_text("threshold", 0.8 if threshold is None else threshold)
    else:
        if measure is not None or threshold is not None:
            raise UsageError(
                f"{'threshold' if measure is None else 'measure'} requires resembles; edits allows differences in a contained clue"
            )
        given["edits"] = _edits(edits)
    if count and limit is not None:
        raise UsageError("limit cannot be combined with count, which counts all texts")
    if scan and max_candidates is not None:
        raise UsageError("max_candidates cannot be combined with scan, which reads every text")
    if limit is not None:
        given["limit"] = _values.whole("limit", limit, 1, _values.MAX_U64)
    if max_candidates is not None:
        given["max_candidates"] = _values.whole("max_candidates", max_candidates, 1, _values.MAX_U64)
    return given


class ClueIndex(IndexFolder):
    """Texts in a folder, in which passages are found: that of ``neardup index --kind clue``.

    Opens an existing one: mode "r" to read, "w" to write. ClueIndex.create() makes one. One process at a time writes an index, any number
    read it. May be used by several threads of Python at once; a context manager, which closes it.

    Texts and clues are compared without case, width, punctuation and blanks next to ideographs.

    Raises InputError if there is no index, or it is damaged, and OutputError if another process writes it.
    """

    __slots__ = ()

    _native = _core.ClueIndex

    @classmethod
    def create(cls, path: Any, *, fold_han: bool = False, min_run: int = 23) -> ClueIndex:
        """A new, empty index, open for writing.

        `fold_han`: traditional Chinese characters match simplified ones. `min_run` is the guaranteed length in Latin characters, 8 to 256:
        every text that contains a clue of so many is found; of ideographs about half. Raises OutputError if the folder holds something.
        """
        return cls._created(path, _values.flag("fold_han", fold_han), _values.whole("min_run", min_run, 0, 2**32 - 1))

    @classmethod
    def build(
        cls, path: Any, texts: Any, names: Any = None, *, fold_han: bool = False, min_run: int = 23, threads: int = 0, memory: int | str = 0
    ) -> ClueIndex:
        """create() and add() in one call."""
        made = cls.create(path, fold_han=fold_han, min_run=min_run)
        try:
            made.add(texts, names, threads=threads, memory=memory)
        except BaseException:
            made._core.close()
            raise
        return made

    def add(self, texts: Any, names: Any = None, *, threads: int = 0, memory: int | str = 0) -> np.ndarray:
        """Adds texts as one segment, which is on the disk at the end, and returns their ids, uint64 of shape (n,).

        `texts` is a list of str or a column, as for Sketcher.sketch(). `names` are as many strs, which need not be unique; by default the
        row numbers of this call. `memory`: bytes, or a text such as "2G"; beyond, temporary files are used (0: no bound). After an
        error nothing was added.
        """
        return self._core.add(texts, names, _values.threads(threads), _values.memory(memory))

    def search(
        self,
        clue: str,
        *,
        edits: Any = None,
        resembles: bool = False,
        threshold: Any = None,
        measure: str | None = None,
        limit: int | None = None,
        count: bool = False,
        scan: bool = False,
        max_candidates: int | None = None,
        explain: bool = False,
        passages: bool = True,
        threads: int = 0,
    ) -> ClueAnswer:
        """The texts that contain the clue, by id.

        - `edits`: a share of the clue's characters, 0.1 or "10%", at most a half: also passages at so many edits, the closest first.
        - `resembles`: instead, texts that share at least `threshold` (0.8) of the clue's 6-column grams, the most similar first; `measure`
          is "containment" (share of the clue's grams) or "jaccard" (of those of both).
        - `limit` (100): at most so many hits. `count`: only the number of matching texts, no hits.
        - `scan`: read every text instead of the index. `max_candidates` (1024): texts read for a clue that is short, edited or resembled.
        - `explain`: fill trace. `passages=False`: leave name, places and passage of hits empty.

        Raises UsageError for a clue without letters and options out of bounds, InputError for a damaged file.
        """
        options = _options(
            edits=edits,
            resembles=resembles,
            threshold=threshold,
            measure=measure,
            limit=limit,
            count=count,
            scan=scan,
            max_candidates=max_candidates,
            explain=explain,
            passages=passages,
        )
        return _answer(self._core.search(clue, options, _values.threads(threads)))

    def search_all(
        self,
        clues: Any,
        *,
        edits: Any = None,
        resembles: bool = False,
        threshold: Any = None,
        measure: str | None = None,
        limit: int | None = None,
        count: bool = False,
        scan: bool = False,
        max_candidates: int | None = None,
        explain: bool = False,
        passages: bool = True,
        threads: int = 0,
    ) -> list[ClueAnswer]:
        """search() for many clues on all cores. A clue that cannot be asked has an answer with a `problem`."""
        options = _options(
            edits=edits,
            resembles=resembles,
            threshold=threshold,
            measure=measure,
            limit=limit,
            count=count,
            scan=scan,
            max_candidates=max_candidates,
            explain=explain,
            passages=passages,
        )
        return [_answer(members) for members in self._core.search_all(clues, options, _values.threads(threads))]

    def text(self, id: int) -> str | None:
        """The original text; None if it is removed or unknown."""
        return self._core.text(_values.whole("id", id, 0, _values.MAX_U64))

    def name(self, id: int) -> str | None:
        """The name of a text; None if it is removed or unknown."""
        return self._core.name(_values.whole("id", id, 0, _values.MAX_U64))

    def stat(self) -> dict[str, Any]:
        """texts (including removed ones until a merge), removed_ids, next_id, and the segments."""
        return self._core.stat()

    @property
    def fold_han(self) -> bool:
        """Traditional Chinese characters match simplified ones."""
        return self._core.fold_han

    @property
    def min_run(self) -> int:
        """The guaranteed length in Latin characters."""
        return self._core.min_run

    @property
    def min_run_wide(self) -> int:
        """The guaranteed length in ideographs."""
        return self._core.min_run_wide

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"min_run {self.min_run} ({self.min_run_wide} ideographs)"
        return f"<neardup.ClueIndex '{self.path}': {state}>"
