"""The command line as the judge of neardup.spark: verdicts as the text of a table, byte for byte."""

import json
import random

import corpus
from program import run

COLUMNS = ("id", "verdict", "reason", "keeper_id", "similarity", "cluster_size")


def documents(count, seed=7):
    """(number, text) of the texts of all tests. Lone surrogates cannot enter a DataFrame."""
    return [(number, text.encode("utf-8", "replace").decode()) for number, text in enumerate(corpus.texts(count, seed))]


def by_command_line(folder, documents, **options):
    """The table of `neardup dedup` over (id, text) in their order, sorted by id."""
    corpus, verdicts = folder / "corpus.jsonl", folder / "verdicts.tsv"
    with corpus.open("w", encoding="utf-8") as file:
        for id, text in documents:
            print(json.dumps({"id": str(id), "text": text}), file=file)
    named = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    run("dedup", corpus, "--verdicts", verdicts, "--max-rejects", "100%", "-q", *named)
    head, *lines = verdicts.read_text(encoding="utf-8").splitlines()
    places = [head.split("\t").index(name) for name in COLUMNS]
    return table(sorted([line.split("\t")[place] for place in places] for line in lines))


def by_spark(result):
    """The same of a result of neardup.spark."""
    rows = result.verdicts().select(*COLUMNS).collect()
    return table(sorted([written(name, value) for name, value in zip(COLUMNS, row)] for row in rows))


def written(name, value):
    if value is None:
        return ""
    return f"{value:.6f}" if name == "similarity" else str(value)


def table(rows):
    return "".join("\t".join(row) + "\n" for row in rows)


def frame(spark, documents, partitions=2, seed=1):
    """A DataFrame of (id, text) in another order than `documents`, which must not matter."""
    shuffled = list(documents)
    random.Random(seed).shuffle(shuffled)
    kind = "long" if isinstance(shuffled[0][0], int) else "string"
    return spark.createDataFrame(shuffled, f"id {kind}, text string").repartition(partitions)
