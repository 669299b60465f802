"""pairs(): the pairs of the command line."""

import json

import numpy as np
import pyarrow as pa
import pytest
from judge import documents, frame, written
from program import needs_program, run

import neardup
import neardup.spark
from neardup.spark import _pairs
from neardup.spark._given import Given

pytestmark = needs_program


@pytest.mark.parametrize("options", [{"threshold": 0.4}, {"recipe": "simhash-chars-3", "max_distance": 6}], ids=["minhash", "simhash"])
def test_pairs_are_those_of_the_command_line(spark, tmp_path, options):
    texts = documents(200)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": str(number), "text": text}) + "\n" for number, text in texts), encoding="utf-8")
    named = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    _, *expected = run("pairs", corpus, "-q", *named).splitlines()
    found = neardup.spark.pairs(frame(spark, texts), partitions=2, **options)
    assert sorted("\t".join(map(written, found.columns, row)) for row in found.collect()) == sorted(expected)
    assert len(expected) > 20
    found.unpersist()


def test_many_equal_texts(spark, setting):
    """Their pairs are those of joins: only the first of them is compared."""
    setting("spark.sql.execution.arrow.useLargeVarTypes", "true")
    river = "the old bridge over the river was closed because its timber had rotted"
    kinds = [river, river.upper() + "!", river + " in spring", "tiny", "something else that is long enough"]
    rows = [(number, kinds[number % 5]) for number in range(200)]
    found = {(row.id_a, row.id_b): row.similarity for row in neardup.spark.pairs(frame(spark, rows), partitions=2, threshold=0.5).collect()}
    alike = {0: 0, 1: 0, 2: 0, 3: 3, 4: 4}
    pairs = [(a, b) for a in range(200) for b in range(a + 1, 200) if alike[a % 5] == alike[b % 5]]
    assert sorted(found) == pairs
    assert all((found[a, b] == 1) == ((a % 5 == 2) == (b % 5 == 2)) for a, b in pairs)


def test_groups_are_listed_in_bundles(monkeypatch, tmp_path):
    words = [[f"w{group}x{number}" for number in range(12)] for group in range(15)]
    texts = [" ".join([*words[number // 4], f"w{number}"]) for number in range(60)]
    rows = pa.record_batch([pa.array(np.arange(60) // 4), pa.array(range(60)), pa.array(texts)], ["root", "r", "text"])
    batches = [rows.slice(begin, 7) for begin in range(0, 60, 7)]
    arguments = (Given((("threshold", "0.5"),)), 64_000_000, str(tmp_path))
    (whole,) = _pairs.list_pairs(batches, *arguments)
    assert len(whole) == 15 * 6
    monkeypatch.setattr(_pairs, "_BYTES_PER_PAIR", 6_400_000)
    monkeypatch.setattr(_pairs, "_PAIRS_PER_BATCH", 5)
    made = list(_pairs.list_pairs(batches, *arguments))
    assert max(map(len, made)) == 5
    assert pa.Table.from_batches(made).combine_chunks() == pa.table(whole)
    assert list(tmp_path.iterdir()) == []


def test_options_of_another_command_are_refused(spark):
    with pytest.raises(neardup.UsageError, match="keep"):
        neardup.spark.pairs(frame(spark, documents(10)), keep="longest")
