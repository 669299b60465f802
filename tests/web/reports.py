"""Reports made by hand: data as report_json() writes it (docs/formats.md), and the page around it.

NEARDUP_REPORT_PAGE names the program that calls report_page(): tests/support/write_report_page.cc.
"""
import json
import os
import subprocess

BANDS, ROWS = 21, 6


def found(similarity):
    return 1 - (1 - similarity**ROWS) ** BANDS


def document(name, source="part-1.jsonl", row=1):
    return {"id": name, "source": source, "row": row}


def removal(number, parts, similarity=0.8, distance=None):
    return {"removed": document(f"removed-{number}", row=number), "keeper": document(f"kept-{number}", row=1000 + number), "reason": "near_duplicate",
            "similarity": similarity, "distance": distance, "parts": parts}


PARTS = [["=", "The library opens at "], ["-", "nine"], ["+", "eight"], ["=", " o'clock on weekdays."], ["~", 1234], ["=", " Entry is free."]]


def report(sources=3, documents=1000):
    """A run of `sources` sources with so many documents each; the later a source, the more it loses."""
    table, losses = [], []
    for index in range(sources):
        exact = documents * index // (2 * sources)
        near = documents * index // (3 * sources)
        table.append({"name": f"corpus/part-{index + 1}.jsonl", "documents": documents, "kept": documents - exact - near, "exact": exact, "near": near, "wins": exact})
        for winner in sorted({0, index // 2, index}):
            losses.append([index, winner, exact + near - winner])
    losses = [loss for loss in losses if loss[2] > 0]
    exact, near = sum(row["exact"] for row in table), sum(row["near"] for row in table)
    read = sources * documents
    bins = [[round(0.8 + index / 100, 2), near // 20 + (3 - index if index < 3 else 0)] for index in range(20)]
    summary = {"read": read, "kept": read - exact - near, "removed": exact + near, "rejected": 0, "exact_copies": exact, "near_duplicates": near, "contained": 0,
               "connected": 0, "clusters": 321, "largest_cluster": {"size": 88, "keeper_id": "kept-1", "keeper_source": "corpus/part-1.jsonl", "keeper_row": 1001},
               "estimated": False, "short_texts": 4, "text_bytes": 123456789, "candidate_documents": 5000, "verifications": 9000, "capped_documents": 0,
               "largest_group": 90, "slices": 1, "bands": BANDS, "rows_per_band": ROWS, "predicted_miss": 0.0017, "spilled_bytes": 0,
               "peak_memory_bytes": 60325888, "recipe_name": "words-5", "recipe_id": "45c72da0977da1d1", "sample_certain": 0,
               "passes": [{"name": name, "seconds": seconds, "bytes": 31394125} for name, seconds in
                          (("sketch", 0.167), ("group", 0.024), ("features", 0.033), ("decide", 0.002), ("output", 0.04))], "warnings": []}
    return {
        "format": 1, "version": "0.1.0",
        "run": {"directory": "work", "command": ["neardup", "dedup", "corpus", "--verdicts", "it's here.tsv", "--work", "work"], "recipe_name": "words-5",
                "recipe": {"normalizer": "nfkc_casefold_v1", "tokenizer": "words_v1"}, "recipe_id": "45c72da0977da1d1",
                "options": {"threshold": "0.8", "keep": "first"}, "threshold": 0.8, "measure": "jaccard", "bits": 0, "max_distance": 0},
        "summary": summary, "histogram": {"unit": "similarity", "width": 0.01, "bins": bins},
        "search": {"kind": "bands", "bands": BANDS, "rows": ROWS, "curve": [[step / 100, found(step / 100)] for step in range(101)],
                   "missed": {"pairs": 12.3, "low": 4.5, "high": 31.2, "of": near}},
        "cluster_sizes": [[2, 200], [3, 80], [5, 30], [12, 9], [40, 1], [88, 1]],
        "sources": table, "losses": losses, "sources_left_out": None, "max_removed": 0.6, "max_removed_given": False, "warnings": [],
        "least_similar": [removal(number, PARTS, 0.8 + number / 1000) for number in range(1, 21)],
        "changes": {"removals": 200, "kinds": [["facts", 20], ["numbers", 0], ["letters", 90], ["words", 30], ["punctuation", 10], ["passages", 50]]},
        "clusters": [{"keeper": document(f"kept-{number}"), "size": 90 - number, "excerpt": "The library opens at eight o'clock on weekdays.",
                      "members": [document(f"member-{number}-{member}") | {"reason": "near_duplicate", "similarity": 0.9, "distance": None,
                                  "parts": PARTS if member < 3 else [["=", "The library opens "], ["-", "late"], ["+", "at eight"]]} for member in range(5)]}
                     for number in range(1, 11)],
        "passage_sample": {"documents": 1000, "removals": 400},
        "passages": [{"text": f"Passage {number}: all rights reserved.", "documents": 300 - 10 * number, "sampled": 1000, "removals": 50 + number, "without": 3 * number}
                     for number in range(1, 13)],
        "resources": {"passes": summary["passes"], "peak_memory_bytes": 60325888, "spilled_bytes": 0, "text_bytes": 123456789, "threads": 2, "kernels": "avx2"},
    }


def of_fingerprints():
    """Judged by the distance of fingerprints, found by an exact search."""
    data = report()
    data["run"] |= {"measure": "distance", "bits": 64, "max_distance": 3, "recipe_name": "simhash-words-3"}
    data["histogram"] = {"unit": "distance", "width": 1, "bins": [[0, 50], [1, 20], [2, 0], [3, 330]]}
    data["search"] = {"kind": "distance", "bands": 0, "rows": 0, "curve": [], "missed": None}
    data["least_similar"] = [removal(number, PARTS, 0.9, 3) for number in range(1, 4)]
    return data


def nothing_removed():
    data = report(sources=1)
    data["summary"] |= {"kept": 1000, "removed": 0, "exact_copies": 0, "near_duplicates": 0, "clusters": 0, "largest_cluster": None, "passes": []}
    data["sources"] = [{"name": "corpus.jsonl", "documents": 1000, "kept": 1000, "exact": 0, "near": 0, "wins": 0}]
    data["search"]["missed"] = {"pairs": 0, "low": 0, "high": 3.7, "of": 0}
    data["histogram"]["bins"] = []
    return data | {"cluster_sizes": [], "losses": [], "least_similar": [], "changes": {"removals": 0, "kinds": []}, "clusters": [], "passages": []}


def lost_texts():
    """The sources cannot be read any more, and the summary is lost."""
    data = report()
    data["summary"] = None
    data["warnings"] = ["corpus/part-1.jsonl: cannot open it: No such file or directory"]
    for example in data["least_similar"]:
        example["parts"] = None
    for cluster in data["clusters"]:
        cluster["excerpt"] = None
        for member in cluster["members"]:
            member["parts"] = None
    for passage in data["passages"]:
        passage["removals"] = passage["without"] = None
    return data


HOSTILE = ["</script><script>window.broken = 1</script>", "<!--<script>", "]]>", "</style><img src=x onerror='window.broken = 2'>", "\"'`${window.broken = 3}\\",
           "&lt;b&gt; &amp;", "\u202egnirts desrever\u202c", "שלום עולם", "مرحبا بالعالم", "👩‍👩‍👧‍👦 🇨🇳 𠮷", "\u0000\u0001\u001b[31m\u2028\u2029\ufeff", "\ud83d", "a" * 5000,
           "  \t\n  ", "é" * 3, "javascript:alert(1)"]


def hostile():
    """Texts that try to be markup, script or another line; names of any length."""
    data = report(sources=len(HOSTILE))
    for source, text in zip(data["sources"], HOSTILE, strict=True):
        source["name"] = text
    data["run"] |= {"directory": HOSTILE[0], "command": ["neardup", *HOSTILE], "recipe_name": HOSTILE[3], "options": {text: text for text in HOSTILE},
                    "recipe": {text: text for text in HOSTILE}}
    data["version"] = HOSTILE[3]
    data["warnings"] = HOSTILE
    data["summary"]["largest_cluster"]["keeper_id"] = HOSTILE[0]
    data["summary"]["passes"][0]["name"] = HOSTILE[3]
    data["least_similar"] = [removal(number, [["=", text], ["-", text], ["+", text], ["~", 5]]) for number, text in enumerate(HOSTILE)]
    for example, text in zip(data["least_similar"], HOSTILE, strict=True):
        example["removed"]["id"] = text
        example["keeper"] |= {"id": None, "source": text}
    data["clusters"] = [{"keeper": document(text), "size": 3, "excerpt": text, "members": [document(text) | {"similarity": 0.9, "distance": None, "parts": [["-", text]]}]}
                        for text in HOSTILE]
    data["passages"] = [{"text": text, "documents": 5, "sampled": 10, "removals": 3, "without": 1} for text in HOSTILE]
    data["resources"]["kernels"] = HOSTILE[3]
    return data


def huge_texts():
    data = report()
    text = "word " * 100_000
    data["least_similar"] = [removal(1, [["=", text], ["-", text], ["+", "\U0001f600" * 100_000]])]
    return data


def write_page(data, path):
    """`data`: a report, or text to stand in its place."""
    given = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    writer = os.environ.get("NEARDUP_REPORT_PAGE")
    if not writer:
        raise AssertionError("NEARDUP_REPORT_PAGE does not name the program that writes a page")
    done = subprocess.run([writer], input=given.encode("utf-8", "surrogatepass"), stdout=subprocess.PIPE, check=True, timeout=60)
    path.write_bytes(done.stdout)
    return path
