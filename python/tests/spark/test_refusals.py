"""Wrong calls: each has an error that names the argument."""

import pytest

import neardup
import neardup.spark


@pytest.fixture(scope="module")
def df(spark):
    return spark.createDataFrame(
        [(number, f"this is the text with the number {number}", None) for number in range(5)], "id long, text string, other string"
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"text": "body"}, "text: there is no column 'body'; columns: id, text, other"),
        ({"id": "key"}, "id: there is no column 'key'"),
        ({"order_by": ["key"]}, "order_by: there is no column 'key'"),
        ({"text": "id"}, "text: column 'id' is bigint, not a string"),
        ({"keep": "max:text"}, "keep: column 'text' is string, not a number"),
        ({"keep": "best"}, "keep: 'best' is not one of"),
        ({"threshold": 2}, "threshold"),
        ({"treshold": 0.5}, "treshold"),
        ({"partitions": 0}, "partitions: expected 1 to"),
        ({"task_memory": "1K"}, "task_memory"),
        ({"task_memory": "much"}, "task_memory"),
        ({"max_rejects": "many"}, "max_rejects"),
        ({"measure": "containment"}, "measure"),
        ({"memory": "4G"}, "memory"),
    ],
)
def test_usage_errors(df, arguments, message):
    with pytest.raises(neardup.UsageError) as caught:
        neardup.spark.dedup(df, **arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize("kind", ["double", "boolean", "array<long>"])
def test_ids_of_other_types(spark, df, kind):
    made = df.selectExpr("array(id) as id" if kind.startswith("array") else f"cast(id as {kind}) as id", "text")
    with pytest.raises(neardup.UsageError, match="id: column 'id' is"):
        neardup.spark.dedup(made)


def test_types(df):
    for call in (
        lambda: neardup.spark.dedup([("a", "text")]),
        lambda: neardup.spark.dedup(df, text=3),
        lambda: neardup.spark.dedup(df, partitions="2"),
    ):
        with pytest.raises(TypeError):
            call()


def test_rejected_documents(df):
    with pytest.raises(neardup.InputError, match="no document could be used: 5 of 5 documents were rejected"):
        neardup.spark.dedup(df, text="other")
    for options, first in (({}, 0), ({"keep": "last"}, 4), ({"order_by": "text", "keep": "last"}, 4)):
        with pytest.raises(neardup.InputError, match=f"strict: 5 of 5 documents were rejected; the first: id {first}: "):
            neardup.spark.dedup(df, text="other", strict=True, partitions=1, **options)
    result = neardup.spark.dedup(df, text="other", max_rejects="100%")
    assert result.summary()["rejected"] == 5
    assert result.kept.count() == 0
    result.release()


def test_guards(spark):
    df = spark.createDataFrame([(number, "the same text for each of them here") for number in range(5)], "id long, text string")
    with pytest.raises(neardup.ResourceError, match=r"4 of 5 \(max_removed allows 50%\)"):
        neardup.spark.dedup(df, max_removed="50%")
    with pytest.raises(neardup.ResourceError, match="5 documents .max_cluster allows 4., with the keeper '0'"):
        neardup.spark.dedup(df, max_cluster=4)
