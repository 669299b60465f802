"""pairs(): the pairs of the command line."""

import json

import pytest
from judge import documents, frame, written
from program import needs_program, run

import neardup
import neardup.spark

pytestmark = needs_program


@pytest.mark.parametrize("options", [{"threshold": 0.4}, {"recipe": "simhash-chars-3", "max_distance": 6}], ids=["minhash", "simhash"])
def test_pairs_are_those_of_the_command_line(spark, tmp_path, options):
    texts = documents(200)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": str(number), "text": text}) + "\n" for number, text in texts), encoding="utf-8")
    named = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    _, *expected = run("pairs", corpus, "-q", *named).splitlines()
    found = neardup.spark.pairs(frame(spark, texts), partitions=3, **options)
    assert sorted("\t".join(map(written, found.columns, row)) for row in found.collect()) == sorted(expected)
    assert len(expected) > 20
    found.unpersist()


def test_options_of_another_command_are_refused(spark):
    with pytest.raises(neardup.UsageError, match="keep"):
        neardup.spark.pairs(frame(spark, documents(10)), keep="longest")
