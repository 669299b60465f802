"""search(): the hits of a scan of a clue index over the same documents."""

import random

import pytest
from judge import documents, frame
from pyspark.sql import functions as F

import neardup
import neardup.spark

TEXTS = documents(150, seed=21)
COLUMNS = ("id", "begin", "end", "begin_character", "end_character", "similarity", "passage", "edits", "occurrences", "differences")


def some_clues(count=30, seed=4):
    """Parts of texts, some of them with another letter, and short ones."""
    draw = random.Random(seed)
    clues = ["of", "a text that nobody wrote", "ÀÉ"]
    while len(clues) < count:
        text = draw.choice(TEXTS)[1]
        length = draw.choice((3, 12, 60))
        begin = draw.randrange(max(1, len(text) - length))
        clue = text[begin : begin + length]
        if draw.random() < 0.3:
            clue = clue.replace(draw.choice(clue or "x"), "q", 1)
        if any(map(str.isalnum, clue)):
            clues.append(clue)
    return clues


def by_index(folder, texts, clues, **options):
    """By the place of the clue: (rows, count, more)."""
    with neardup.ClueIndex.build(folder / "index", [text for _, text in texts], [str(id) for id, _ in texts]) as index:
        answers = index.search_all(clues, scan=True, **options)
    named = {str(id): id for id, _ in texts}
    return {
        place: ([(named[hit.name], *(getattr(hit, name) for name in COLUMNS[1:])) for hit in answer], answer.count, answer.more)
        for place, answer in enumerate(answers)
        if answer.count
    }


def by_spark(found):
    answers = {}
    for row in found.orderBy("query", "rank").collect():
        rows, _, _ = answers.setdefault(row.query, ([], row["count"], row.more))
        rows.append(tuple(row[name] for name in COLUMNS))
        assert row.rank == len(rows)
    return answers


@pytest.mark.parametrize(
    "options, partitions",
    [
        ({}, 5),
        ({"limit": 2}, 3),
        ({"edits": "10%", "limit": 5}, 1),
        ({"resembles": True, "threshold": 0.3, "limit": 4}, 5),
        ({"resembles": True, "threshold": 0.2, "measure": "jaccard"}, 2),
    ],
    ids=lambda value: ",".join(map(str, value)) if isinstance(value, dict) else value,
)
def test_hits_are_those_of_an_index(spark, tmp_path, options, partitions):
    clues = some_clues()
    expected = by_index(tmp_path, TEXTS, clues, **options)
    found = neardup.spark.search(frame(spark, TEXTS, partitions), clues, **options)
    assert by_spark(found) == expected
    assert any(more for _, _, more in expected.values()) == ("limit" in options)
    found.unpersist()


def test_ids_and_clues_of_every_kind(spark, setting, tmp_path, monkeypatch):
    """String ids are in the order of their bytes; clues are named; several columns are one text."""
    named = sorted(((f"{'é' if number % 2 else 'z'}{number}", text) for number, text in TEXTS), key=lambda pair: pair[0].encode())
    clues = some_clues(12)
    expected = {f"c{place}": answer for place, answer in by_index(tmp_path, named, clues, limit=3).items()}
    df = frame(spark, named, 3)
    for given in (
        {f"c{place}": clue for place, clue in enumerate(clues)},
        spark.createDataFrame([(f"c{place}", clue, 1) for place, clue in enumerate(clues)], "id string, text string, more int"),
    ):
        assert by_spark(neardup.spark.search(df, given, limit=3)) == expected
    halves = spark.createDataFrame([(-5, "one two", "three"), (2, None, None), (7, None, "TWO Three")], "`the.id` int, a string, b string")
    found = neardup.spark.search(halves, ["two three"], text=["a", "b"], id="the.id")
    assert [(row.id, row.passage) for row in found.orderBy("rank").collect()] == [(-5, "two\nthree"), (7, "TWO Three")]
    assert found.schema["id"].dataType.simpleString() == "int"
    assert found.columns == ["query", "rank", *[name for name in found.columns if name in COLUMNS], "count", "more"]


def test_count_and_han(spark):
    df = spark.createDataFrame([(0, "國家 of the people"), (1, "国家"), (2, None)], "id long, text string")
    counted = neardup.spark.search(df, {"state": "国家", "people": "PEOPLE", "none": "king"}, count=True)
    assert sorted(map(tuple, counted.collect())) == [("none", 0), ("people", 1), ("state", 1)]
    assert [row["count"] for row in neardup.spark.search(df, ["国家"], count=True, fold_han=True).collect()] == [2]
    assert neardup.spark.search(df, []).collect() == []


@pytest.mark.parametrize(
    "clues, options, message",
    [
        ({"good": "text", "bad": "?!"}, {}, "clue 'bad': the clue has no letter"),
        (["text", None], {}, "clue '1' has no text"),
        (["x" * 5000], {"edits": 0.1}, "clue '0': the clue has 5000 characters"),
        (["text"], {"edits": 0.1, "resembles": True}, "edits cannot be combined with resembles"),
        (["text"], {"threshold": 0.5}, "threshold requires resembles"),
        (["text"], {"limit": 0}, "limit: expected 1"),
        (["text"], {"limit": 3, "count": True}, "limit cannot be combined with count"),
        (["text"], {"id": "key"}, "id: there is no column 'key'"),
        (["text"], {"id": "day"}, "id: column 'day' is date; an id is a whole number or a string"),
        (["text"], {"id": "made"}, "monotonically_increasing_id"),
    ],
)
def test_mistakes(spark, clues, options, message):
    df = spark.range(3).select("id", F.lit("the text").alias("text"), F.current_date().alias("day"))
    if "made" in options.values():
        df = df.withColumn("made", F.monotonically_increasing_id())
    with pytest.raises(neardup.UsageError) as caught:
        neardup.spark.search(df, clues, **options)
    assert message in str(caught.value)


def test_wrong_types_and_ids(spark):
    df = frame(spark, TEXTS[:5])
    for clues in ("text", 5, [3], {1: "text"}):
        with pytest.raises(TypeError, match="clue"):
            neardup.spark.search(df, clues)
    with pytest.raises(neardup.UsageError, match="clues: there is no column 'id'"):
        neardup.spark.search(df, df.select("text"))
    with pytest.raises(neardup.UsageError, match="'7' is the id of several clues"):
        neardup.spark.search(df, spark.createDataFrame([(7, "a"), (7, "b")], "id int, text string"))
    with pytest.raises(neardup.UsageError, match=r"2 rows have no id \(null\)"):
        neardup.spark.search(df.withColumn("id", F.when(F.col("id") > 1, F.col("id"))), ["text"])


def test_hits_beyond_the_memory_of_a_task_are_sent_at_once(spark, tmp_path, monkeypatch):
    from neardup.spark import _search

    monkeypatch.setattr(_search, "_HELD_BYTES", 0)
    clues = some_clues(10)
    expected = by_index(tmp_path, TEXTS, clues, limit=3)
    rows = frame(spark, TEXTS, 4)
    assert by_spark(neardup.spark.search(rows, clues, limit=3)) == expected
