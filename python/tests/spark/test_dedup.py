"""dedup(): the verdicts of the command line, byte for byte, whatever Spark does with the rows."""

import json
import subprocess

import pytest
from judge import by_command_line, by_spark, documents, frame
from needs import shared
from program import needs_program

import neardup
import neardup.spark

pytestmark = needs_program


def of_shared(name, count):
    lines = subprocess.run(["zstd", "-dc", str(shared(f"data/{name}.jsonl.zst"))], stdout=subprocess.PIPE, check=True).stdout.splitlines()
    return [(number, json.loads(line)["text"]) for number, line in enumerate(lines[:count])]


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 0.5},
        {"threshold": 0.5, "cluster": "components"},
        {"recipe": "chars-5", "threshold": 0.7, "min_length": 30},
        {"recipe": "simhash-chars-3", "max_distance": 6},
        {"threshold": 0.4, "verify": "false"},
        {"bands": 8, "rows_per_band": 2, "threshold": 0.3},
    ],
    ids=lambda options: ",".join(map(str, options.values())),
)
def test_verdicts_are_those_of_the_command_line(spark, tmp_path, options):
    texts = documents(300)
    result = neardup.spark.dedup(frame(spark, texts), **options)
    assert by_spark(result) == by_command_line(tmp_path, texts, **options)
    result.release()


@pytest.mark.parametrize(
    "name, count, options",
    [
        ("smoke", 1000, {}),
        ("code-irplag", 300, {"recipe": "code-5", "threshold": 0.6}),
        ("en-licenses", 150, {"threshold": 0.6}),
        ("zh-rev-hertzbeat", 300, {"recipe": "chars-5"}),
    ],
)
def test_real_texts(spark, tmp_path, name, count, options):
    texts = of_shared(name, count)
    result = neardup.spark.dedup(frame(spark, texts), **options)
    assert by_spark(result) == by_command_line(tmp_path, texts, **options)
    assert result.summary()["removed"] > 0
    result.release()


@pytest.mark.parametrize("partitions, parts, adaptive", [(1, 7, "true"), (7, 1, "false")])
def test_partitions_order_and_adaptive_execution_change_nothing(spark, setting, tmp_path, partitions, parts, adaptive):
    setting("spark.sql.adaptive.enabled", adaptive)
    texts = documents(200, seed=11)
    result = neardup.spark.dedup(frame(spark, texts, partitions, seed=partitions), partitions=parts, threshold=0.5)
    assert by_spark(result) == by_command_line(tmp_path, texts, threshold=0.5)
    result.release()


def test_result(spark):
    texts = [
        (5, "one two three four five six seven"),
        (9, None),
        (3, "One two three four five six SEVEN"),
        (4, "short"),
        (8, "something else that is long enough"),
    ]
    df = spark.createDataFrame(texts, "`the.id` int, text string").selectExpr("`the.id`", "text", "array(1, `the.id`) as other")
    result = neardup.spark.dedup(df, id="the.id")
    assert sorted(tuple(row) for row in result.kept.collect()) == [(3, texts[2][1], [1, 3]), (4, "short", [1, 4]), (8, texts[4][1], [1, 8])]
    assert [row["the.id"] for row in result.removed.collect()] == [5]
    assert result.kept.schema == df.schema
    rows = {row.id: row for row in result.verdicts().collect()}
    assert sorted(rows) == [3, 4, 5, 8]
    assert tuple(rows[5]) == (5, "remove", "exact_copy", 3, 1.0, 3, 2)
    assert tuple(rows[4]) == (4, "keep", "short", None, None, 4, 1)
    summary = result.summary()
    assert [summary[name] for name in ("read", "kept", "removed", "rejected", "exact_copies", "clusters")] == [5, 3, 1, 1, 1, 1]
    assert summary["rejected_by_kind"]["missing_field"] == 1
    assert summary["largest_cluster"] == {"size": 2, "keeper_id": "3"}
    assert repr(result) == "<neardup.spark.Result: 5 read, 3 kept, 1 removed, 1 rejected>"
    result.release()


def test_several_text_columns_are_joined_by_newlines(spark, tmp_path):
    halves = [
        (0, "one two three", "four five six"),
        (1, "one two three\nfour five six", None),
        (2, None, None),
        (3, None, "four five six seven"),
    ]
    result = neardup.spark.dedup(spark.createDataFrame(halves, "id long, title string, body string"), text=["title", "body"])
    joined = [(0, "one two three\nfour five six"), (1, "one two three\nfour five six"), (3, "four five six seven")]
    assert by_spark(result) == by_command_line(tmp_path, joined)
    assert result.summary()["rejected"] == 1
    result.release()


def test_empty_frame(spark):
    result = neardup.spark.dedup(spark.createDataFrame([], "id long, text string"))
    assert result.verdicts().collect() == []
    assert result.summary()["read"] == 0
    result.release()


def test_exact_dedup(spark, tmp_path):
    texts = documents(120)
    result = neardup.spark.exact_dedup(frame(spark, texts))
    assert by_spark(result) == by_command_line(tmp_path, texts, min_length=2**32 - 1)
    result.release()


def test_exact_dedup_has_no_min_length(spark):
    with pytest.raises(neardup.UsageError, match="min_length: exact_dedup"):
        neardup.spark.exact_dedup(frame(spark, documents(3)), min_length=5)


def kept_by_spark(spark):
    return spark.sparkContext._jsc.getPersistentRDDs().size()


def test_a_result_keeps_one_table_until_it_is_released(spark):
    df, before = frame(spark, documents(60)), kept_by_spark(spark)
    # Equal plans, and ranks that are sorted.
    results = [neardup.spark.dedup(df, threshold=0.5, order_by="text", partitions=1) for _ in range(2)]
    assert kept_by_spark(spark) == before + 2
    expected = sorted(results[0].verdicts().collect())
    results[0].release()
    assert kept_by_spark(spark) == before + 1
    assert sorted(results[1].verdicts().collect()) == expected
    for member in (lambda: results[0].kept, lambda: results[0].removed, results[0].verdicts, results[0].clusters):
        with pytest.raises(neardup.UsageError, match="this result was released"):
            member()
    assert results[0].summary() == results[1].summary()
    results[1].release()
    assert kept_by_spark(spark) == before


def test_clusters_keep_their_rows_alone(spark):
    df, before = frame(spark, documents(60)), kept_by_spark(spark)
    result = neardup.spark.dedup(df, threshold=0.5, partitions=1)
    found = neardup.spark.clusters(df, threshold=0.5, partitions=1)
    assert sorted(found.collect()) == sorted(result.clusters().collect()) != []
    result.release()
    assert kept_by_spark(spark) == before + 1
    found.unpersist()
    assert kept_by_spark(spark) == before
