"""The summary of a run: counts that add up, and bytes per stage next to those that were planned."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ._plan import Plan
from ._steps.links import Links


def summarize(plan: Plan, links: Links, notes: DataFrame, decided: dict[str, int]) -> dict[str, Any]:
    """Counts the notes, which computes them. `notes` have ids."""
    facts, counts = plan.stages.facts, links.counts
    # Of equal clusters that of the first keeper in rank order: complements are in the opposite order.
    largest = F.max(F.struct("cluster_size", F.bitwise_not("r").alias("before"), "id")).alias("largest")
    reasons = {row.reason: row for row in notes.groupBy("reason").agg(F.count(F.lit(1)).alias("n"), largest).collect()}
    removed = {reason: row.n for reason, row in reasons.items() if reason not in ("keeper", "short")}
    keepers = reasons.get("keeper")
    removed_count = sum(removed.values())
    read = counts["documents"] + counts["rejected"]
    return {
        "read": read,
        "kept": counts["documents"] - removed_count,
        "removed": removed_count,
        "rejected": counts["rejected"],
        "rejected_by_kind": counts["rejected_by_kind"],
        "exact_copies": removed.get("exact_copy", 0),
        "near_duplicates": removed.get("near_duplicate", 0) + removed.get("unverified", 0),
        "connected": removed.get("connected", 0),
        "clusters": keepers.n if keepers else 0,
        "largest_cluster": {"size": keepers.largest.cluster_size, "keeper_id": str(keepers.largest.id)} if keepers else None,
        "estimated": facts["measure"] == "none",
        "short_texts": counts["short"],
        "repaired": counts["repaired"],
        "text_bytes": counts["text_bytes"],
        "candidate_documents": decided.get("documents", 0),
        "verifications": decided.get("verifications", 0),
        "capped_documents": decided.get("capped", 0),
        "largest_group": decided.get("largest_group", 0),
        "links": links.measured.get("edges", 0),
        "rounds": decided.get("rounds", 0),
        "bands": facts["bands"],
        "rows_per_band": facts["rows_per_band"],
        "fingerprint_bits": facts["fingerprint_bits"],
        "max_distance": facts["max_distance"],
        "measure": facts["measure"],
        "predicted_miss": facts["predicted_miss"],
        "recipe_id": facts["recipe_id"],
        "recipe_name": plan.recipe,
        "partitions": plan.parts,
        "stages": _stages(plan, links, decided),
    }


def _stages(plan: Plan, links: Links, decided: dict[str, int]) -> list[dict[str, Any]]:
    """Bytes that the exchanges moved, and of those of all documents what they would be for documents that are all different and long enough."""
    facts, documents, measured = plan.stages.facts, links.counts["documents"], links.measured
    wide = "_narrow" if measured["narrow"] else ""
    id_bytes = 5 if measured["narrow"] else 8
    planned: dict[str, float | None] = {} if plan.frequency_bytes is None else {"frequencies": None}  # it depends on the words
    planned |= {
        "documents": facts["document_bytes" + wide] + id_bytes,
        "keys": facts["keys"] * facts["key_bytes" + wide],
        "edges": None,
        "candidates": None,
    }
    moved = {
        "frequencies": plan.frequency_bytes or 0,
        "documents": measured.get("document_bytes", 0),
        "keys": measured.get("key_bytes", 0),
        "edges": measured.get("edge_bytes", 0),
        "candidates": decided.get("candidate_bytes", 0),
    }
    return [
        {
            "name": name,
            "bytes": moved[name],
            "bytes_per_document": round(moved[name] / documents, 1) if documents else 0.0,
            "planned_bytes_per_document": None if bytes_ is None else float(bytes_),
        }
        for name, bytes_ in planned.items()
    ]
