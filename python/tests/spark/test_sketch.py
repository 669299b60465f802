"""sketch(): the values of the command line."""

import json

import pytest
from judge import documents, frame
from program import needs_program, run

import neardup.spark


def signed(number):
    return number - (1 << 64) if number >> 63 else number


@needs_program
@pytest.mark.parametrize("recipe", ["words-5", "simhash-chars-3"])
def test_sketches_are_those_of_the_command_line(spark, tmp_path, recipe):
    texts = documents(120)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in texts), encoding="utf-8")
    expected = {}
    for line in run("sketch", corpus, "--recipe", recipe).splitlines():
        row = json.loads(line)
        bits = int(row["fingerprint"], 16) if row.get("fingerprint") else None
        sketch = row["signature"] if recipe == "words-5" else bits if bits is None else signed(bits)
        expected[int(row["id"])] = (row["exact"], row["too_short"], sketch)
    rows = neardup.spark.sketch(frame(spark, [*texts, (len(texts), None)]), recipe=recipe).collect()
    assert {row.id: tuple(row)[1:] for row in rows} == expected
    assert any(row.too_short for row in rows)
    assert not all(row.too_short for row in rows)
