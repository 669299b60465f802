"""Ranks: every order of the documents, and ids that are refused."""

import copy

import pytest
from pyspark.sql import functions as F

import neardup
import neardup.spark
from judge import by_command_line, by_spark, documents, frame
from neardup.spark._cluster.ship import task
from neardup.spark._steps import numbering
from program import needs_program

TEXTS = documents(150, seed=3)


@needs_program
def test_keep_policies(spark, tmp_path):
    """test_settings.py has the longest first."""
    keep = "shortest,last"
    result = neardup.spark.dedup(frame(spark, TEXTS), threshold=0.5, keep=keep)
    assert by_spark(result) == by_command_line(tmp_path, TEXTS, threshold=0.5, keep=keep)
    result.release()


@needs_program
def test_string_ids_are_in_the_order_of_their_bytes(spark, tmp_path):
    named = sorted((f"{text[:1]}é{number * 7919 % 1000}", text) for number, text in TEXTS)
    named.sort(key=lambda pair: pair[0].encode())
    result = neardup.spark.dedup(frame(spark, named, 4), threshold=0.5)
    assert by_spark(result) == by_command_line(tmp_path, named, threshold=0.5)
    result.release()


@needs_program
def test_order_by(spark, tmp_path):
    placed = [(number, text, (number * 31) % 17) for number, text in TEXTS]
    df = spark.createDataFrame(placed, "id long, text string, place int").repartition(3)
    result = neardup.spark.dedup(df, order_by="place", threshold=0.5)
    in_order = [(number, text) for number, text, _ in sorted(placed, key=lambda each: (each[2], each[0]))]
    assert by_spark(result) == by_command_line(tmp_path, in_order, threshold=0.5)
    result.release()


def test_values_of_a_column(spark):
    text = "one two three four five six seven"
    rows = [(0, text, None), (1, text, 2.0), (2, text, float("nan")), (3, text, 5.0), (4, text, 5.0), (5, text, -0.0)]
    df = spark.createDataFrame(rows, "id long, text string, score double")
    for keep, keeper in (("max:score", 3), ("min:score", 5), ("max:score,last", 4)):
        result = neardup.spark.dedup(df, keep=keep, partitions=1)
        assert [row.id for row in result.kept.collect()] == [keeper], keep
        result.release()


@pytest.mark.parametrize("first, keep", [(-5, "last"), (2**40 - 3, "first"), (2**63 - 10, "last"), (-(2**63), "first")])
def test_any_whole_number_is_an_id(spark, first, keep):
    texts = ["one two three four five six seven"] * 2 + ["something else that is long enough", "one two three four five six seven eight"]
    df = spark.createDataFrame([(first + number, text) for number, text in enumerate(texts)], "id long, text string")
    result = neardup.spark.dedup(df, threshold=0.5, keep=keep, partitions=1)
    assert sorted(row.id - first for row in result.kept.collect()) == ([0, 2] if keep == "first" else [2, 3])
    result.release()


def ids(spark, column):
    return spark.range(20).select(column.alias("id"), F.format_string("text number %d of this test", "id").alias("text"))


def test_ids_that_spark_makes_up_are_refused(spark):
    made = ids(spark, F.monotonically_increasing_id())
    shifted = made.withColumn("id", F.col("id") * 2 + 1).where("id > 3").select("text", "id")
    mixed = ids(spark, F.col("id")).unionAll(made)
    for df in (made, shifted, mixed, made.alias("a").select("a.id", "a.text")):
        with pytest.raises(neardup.UsageError, match="monotonically_increasing_id"):
            neardup.spark.dedup(df)
    with pytest.raises(neardup.UsageError, match="uuid"):
        neardup.spark.dedup(ids(spark, F.expr("uuid()")))
    with pytest.raises(neardup.UsageError, match="order_by: column 'place' is made by rand"):
        neardup.spark.dedup(ids(spark, F.col("id")).withColumn("place", F.rand(seed=1)), order_by="place")


@pytest.mark.parametrize("kind", ["long", "string"])
def test_null_and_double_ids_are_refused(spark, kind):
    good = ids(spark, F.col("id").cast(kind))
    null = good.withColumn("id", F.when(F.col("id") != "7", F.col("id")))
    with pytest.raises(neardup.UsageError, match=r"no id \(null\)"):
        neardup.spark.dedup(null, partitions=3)
    double = good.unionAll(good.where("id = 13"))
    with pytest.raises(neardup.Error, match="13"):
        neardup.spark.dedup(double, partitions=3)
    with pytest.raises(neardup.Error, match="13"):
        neardup.spark.dedup(double.withColumn("place", F.length("text")), order_by="place", partitions=3)


def test_ranks_of_other_partitions_are_an_error(spark):
    """Ids that are sorted again, after Spark dropped them, may be cut elsewhere: the places of the first cut do not fit."""
    df = ids(spark, F.col("id").cast("string")).repartition(3)

    def ordered(parts):
        return df.repartitionByRange(parts, "id").sortWithinPartitions("id").select("id")

    def numbered(parts):
        return ordered(parts).mapInArrow(task("_steps.numbering", "number_partition", expected), "id string, r long")

    counted = ordered(3).mapInArrow(task("_steps.numbering", "count_rows"), numbering._COUNTED)
    expected, at = {}, 0
    for row in sorted(counted.collect(), key=lambda row: row.partition):
        expected[row.partition] = (at, row.rows, row.first, row.last)
        at += row.rows
    assert [row.r for row in numbered(3).orderBy("id").collect()] == list(range(20))
    with pytest.raises(Exception, match="the sorted ids that Spark kept are lost"):
        numbered(2).collect()


def test_a_cleared_cache_gives_no_wrong_verdicts(spark):
    df = spark.createDataFrame([(f"{number:03}", "the same text for each of them here") for number in range(40)], "id string, text string")
    result = neardup.spark.dedup(df, partitions=4)
    unused = copy.copy(result)
    assert [row.id for row in result.kept.collect()] == ["000"]
    spark.catalog.clearCache()
    for each in (unused, result):
        try:
            assert [row.id for row in each.kept.collect()] == ["000"]
        except Exception as error:
            assert "the sorted ids that Spark kept are lost" in str(error)
    result.release()


@pytest.mark.parametrize("options", [{"keep": "last"}, {"order_by": "place"}], ids=["complements", "sorted"])
def test_double_ids_are_named_and_not_their_ranks(spark, options):
    made = ids(spark, F.col("id")).withColumn("place", -F.col("id"))
    double = made.unionAll(made.where("id = 13").withColumn("place", F.lit(5)))
    with pytest.raises(neardup.InputError, match="id 13 is given to 2 documents; ids must be unique"):
        neardup.spark.dedup(double, partitions=3, **options)


def test_collations_are_refused(spark):
    if int(spark.version.split(".")[0]) < 4:
        pytest.skip("Spark 3.5 has no collations")
    df = ids(spark, F.format_string("Id %d", "id")).withColumn("other", F.expr("id collate UTF8_LCASE"))
    with pytest.raises(neardup.UsageError, match="id: column 'other' has the collation UTF8_LCASE, .* cast it to a plain string"):
        neardup.spark.dedup(df, id="other")
    with pytest.raises(neardup.UsageError, match="id: column 'id' has the collation UTF8_LCASE"):
        neardup.spark.pairs(df.withColumn("id", F.col("other")))
    with pytest.raises(neardup.UsageError, match="order_by: column 'other' has the collation UTF8_LCASE"):
        neardup.spark.dedup(df, order_by="other")
    plain = df.select(F.col("other").cast("string").alias("id"), F.expr("text collate UNICODE_CI").alias("text"))
    result = neardup.spark.exact_dedup(plain, partitions=2)
    assert result.summary()["kept"] == 20
    assert result.kept.schema == plain.schema
    result.release()
