"""The client of ``neardup serve``: stores that are asked over HTTP whether they have seen a text.

    service = neardup.connect("http://127.0.0.1:8080")
    answer = service.store("seen").check("The council approved the new bridge.", "a1")

Needs nothing but the standard library. A Service and what it makes may be shared by threads.
"""

from ._answers import (
    Access,
    Answer,
    ClueIndexInfo,
    Cluster,
    Clusters,
    Document,
    Duplicate,
    Explanation,
    Hit,
    Hits,
    IndexedText,
    Passage,
    Quantiles,
    Queue,
    RecentDecision,
    Removals,
    Rule,
    Snapshot,
    Stats,
    StoreInfo,
)
from ._clues import RemoteClueIndex
from ._errors import AccessError, ConflictError, NotFoundError, ServiceError, UnavailableError
from ._service import Service, connect
from ._store import RemoteStore

__all__ = [
    "Access",
    "AccessError",
    "Answer",
    "ClueIndexInfo",
    "Cluster",
    "Clusters",
    "ConflictError",
    "Document",
    "Duplicate",
    "Explanation",
    "Hit",
    "Hits",
    "IndexedText",
    "NotFoundError",
    "Passage",
    "Quantiles",
    "Queue",
    "RecentDecision",
    "RemoteClueIndex",
    "RemoteStore",
    "Removals",
    "Rule",
    "Service",
    "ServiceError",
    "Snapshot",
    "Stats",
    "StoreInfo",
    "UnavailableError",
    "connect",
]
