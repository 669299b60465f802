"""What a service answers, as values. Times are milliseconds since 1970."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

_SHOWN_CHARACTERS = 60  # of a text in a repr


class Value:
    """Prints members that say something: neither their default nor None."""

    #: members that are values themselves, or lists of them, and their classes
    _parts: ClassVar[dict[str, type[Value]]] = {}

    def __repr__(self) -> str:
        shown = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            value = getattr(self, field.name)
            if value is None or value == field.default:
                continue
            if isinstance(value, str) and len(value) > _SHOWN_CHARACTERS:
                shown.append(f"{field.name}={value[:_SHOWN_CHARACTERS]!r}... ({len(value):,} characters)")
            else:
                shown.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


Made = TypeVar("Made", bound=Value)


def made(kind: type[Made], members: Any) -> Made:
    """The value of a JSON object. Members that it does not have are those of a later version, and left out. Raises ValueError."""
    if not isinstance(members, dict):
        raise ValueError(f"expected an object, got {type(members).__name__}")
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]  # every subclass is a dataclass
    given = {field.name: members[field.name] for field in fields if field.name in members}
    for name, part in kind._parts.items():
        if name in given:
            inner = given[name]
            given[name] = tuple(made(part, one) for one in inner) if isinstance(inner, list) else made(part, inner)
    try:
        return kind(**given)
    except TypeError:
        missing = [field.name for field in fields if field.name not in given and field.default is dataclasses.MISSING]
        raise ValueError(f"the answer lacks {', '.join(missing)}") from None


@dataclass(frozen=True, repr=False)
class Passage(Value):
    """A run of tokens that two texts share, normalized."""

    text: str
    tokens: int


@dataclass(frozen=True, repr=False)
class Answer(Value):
    """What was decided about a document, or would be."""

    id: str | None
    verdict: str | None  #: "keep" or "remove"; None: the document was refused, see problem
    #: unique, short (too short for a sketch), repeated (this id and text are stored already); exact_copy, near_duplicate
    reason: str | None = None
    keeper_id: str | None = None  #: of a removed document: the first stored one that matches it
    similarity: float | None = None  #: to the keeper
    sequence: int | None = None  #: of the kept document, or of the keeper, in the order of all decisions; None for a query
    problem: str | None = None  #: why it was refused
    passages: tuple[Passage, ...] = ()  #: with explain: what it shares with its keeper

    _parts: ClassVar = {"passages": Passage}

    @property
    def kept(self) -> bool:
        return self.verdict == "keep"

    @property
    def removed(self) -> bool:
        return self.verdict == "remove"

    @property
    def refused(self) -> bool:
        """It was neither kept nor removed; `problem` says why."""
        return self.verdict is None


@dataclass(frozen=True, repr=False)
class Explanation(Value):
    """How a text, or a stored document, compares with a stored document. Pairs are of the text and of the document."""

    match: bool  #: by the rule of the store
    exact_copy: bool
    similarity: float  #: Jaccard similarity of the features; in a store of fingerprints the share of equal bits
    tokens: list[int]
    features: list[int]
    common: int  #: features in both
    passages: tuple[Passage, ...]  #: the longest first
    passages_skipped: bool  #: a text is too long for passages
    distance: int | None = None  #: in a store of fingerprints: bits that differ

    _parts: ClassVar = {"passages": Passage}


@dataclass(frozen=True, repr=False)
class Document(Value):
    """A stored document."""

    id: str
    sequence: int  #: in the order of all decisions
    time: int  #: of its insertion
    expires: int | None = None  #: not seen from then on
    text: str | None = None  #: None in lists, and in a store without texts


@dataclass(frozen=True, repr=False)
class Duplicate(Value):
    """A document that was removed lately."""

    id: str
    reason: str
    similarity: float
    time: int


@dataclass(frozen=True, repr=False)
class Cluster(Value):
    """A keeper, and what was removed lately because of it."""

    keeper_id: str
    sequence: int  #: of the keeper
    removed: int  #: remembered documents that were removed because of it
    duplicates: tuple[Duplicate, ...]  #: the latest first

    _parts: ClassVar = {"duplicates": Duplicate}


@dataclass(frozen=True, repr=False)
class Clusters(Value):
    """Keepers of recently removed documents, those with the latest removal first. Iterates over its clusters."""

    clusters: tuple[Cluster, ...]
    remembered: int  #: removed documents that the service remembers, of those since it was started

    _parts: ClassVar = {"clusters": Cluster}

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self.clusters)

    def __len__(self) -> int:
        return len(self.clusters)


@dataclass(frozen=True, repr=False)
class Rule(Value):
    """What decides the verdicts of a store."""

    recipe: str  #: canonical JSON
    threshold: float
    max_distance: int
    min_length: int
    ttl: int | None  #: milliseconds until documents are forgotten; None: never
    texts: bool  #: the store has the texts of its documents


@dataclass(frozen=True, repr=False)
class StoreInfo(Value):
    """A store of the service."""

    name: str
    rule: Rule
    documents: int
    next_sequence: int

    _parts: ClassVar = {"rule": Rule}


@dataclass(frozen=True, repr=False)
class Quantiles(Value):
    """Milliseconds; 0 if there were none."""

    p50: float
    p99: float


@dataclass(frozen=True, repr=False)
class Removals(Value):
    """Removed documents by reason."""

    exact_copy: int
    near_duplicate: int


@dataclass(frozen=True, repr=False)
class Queue(Value):
    """What waits to be decided."""

    requests: int
    bytes: int


@dataclass(frozen=True, repr=False)
class Stats(Value):
    """Counts and sizes of a store. From `checked` to `syncs` they are of the time since the service was started."""

    name: str
    documents: int
    deleted: int  #: whose rows are still there
    next_sequence: int
    record_bytes: int
    segments: int
    segment_bytes: int
    rows_in_memory: int
    template_rows: int  #: documents that share a band with many others
    checked: int
    kept: int
    removed: Removals
    repeated: int
    conflicts: int
    refused: int
    syncs: int
    checks_per_second: float  #: over the last ten seconds
    check_ms: Quantiles  #: of the last minute, as sync_ms
    sync_ms: Quantiles
    queue: Queue
    resident_bytes: int  #: of the process
    uptime: int  #: of the process, in seconds

    _parts: ClassVar = {"removed": Removals, "check_ms": Quantiles, "sync_ms": Quantiles, "queue": Queue}


@dataclass(frozen=True, repr=False)
class RecentDecision(Value):
    """A recent answer, as events() shows it."""

    id: str | None
    verdict: str | None
    reason: str | None = None
    keeper_id: str | None = None
    similarity: float | None = None
    time: int | None = None


@dataclass(frozen=True, repr=False)
class Snapshot(Value):
    """A copy of a store."""

    snapshot: str  #: the name of its folder among the snapshots of the service
    documents: int


@dataclass(frozen=True, repr=False)
class Access(Value):
    """What the key of this service may do."""

    role: str  #: "none", "read", "write" or "admin"
    keys: bool  #: False: the service asks for no keys
    version: str  #: of the service


@dataclass(frozen=True, repr=False)
class ClueIndexInfo(Value):
    """A clue index of the service."""

    name: str
    texts: int


@dataclass(frozen=True, repr=False)
class Hit(Value):
    """A text that contains a clue, or resembles it."""

    id: int
    name: str
    begin: int  #: the passage in the text, in bytes of UTF-8
    end: int
    passage: str
    similarity: float
    text_bytes: int  #: of the whole text
    edits: int | None = None  #: edit distance to the clue
    occurrences: int | None = None  #: passages in the text that match and do not overlap
    differences: str | None = None  #: of a passage with edits: [-...-] only in the clue, {+...+} only in the text


@dataclass(frozen=True, repr=False)
class Hits(Value):
    """The answer to a clue. Iterates over its hits."""

    hits: tuple[Hit, ...]
    certainty: str  #: "exact": no matching text is missing; "likely": see predicted_recall; "scan": every text was read
    predicted_recall: float
    more: bool  #: matching texts are left out, or may be
    count: int  #: matching texts that were found

    _parts: ClassVar = {"hits": Hit}

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, repr=False)
class IndexedText(Value):
    """A text of a clue index."""

    id: int
    name: str
    text: str
