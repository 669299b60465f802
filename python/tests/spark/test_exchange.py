"""Labels: every part has a partition of its own, and adaptive execution leaves it there."""

import pyarrow as pa
import pytest

from neardup.spark._cluster.exchange import exchange, labels
from neardup.spark._cluster.session import parts_for


def tell_parts():
    # Nested, so that workers get it by value: they cannot import this file.
    def run(batches):
        from pyspark import TaskContext

        found = {part for batch in batches for part in batch.column("part").to_pylist()}
        values = [pa.array([TaskContext.get().partitionId()], pa.int32()), pa.array([sorted(found)], pa.list_(pa.int32()))]
        yield pa.record_batch(values, ["partition", "parts"])

    return run


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("parts", [1, 2, 7, 13])
def test_each_part_is_a_partition(spark, setting, parts, adaptive):
    setting("spark.sql.adaptive.enabled", adaptive)
    numbers = labels(spark, parts)
    assert len(set(numbers)) == parts
    rows = spark.createDataFrame([(numbers[each % parts], 1, b"blob") for each in range(5 * parts)], "part int, kind tinyint, blob binary")
    found = exchange(rows, parts, tell_parts(), "partition int, parts array<int>").collect()
    assert {row.partition: row.parts for row in found} == {part: [label] for part, label in enumerate(numbers)}


def test_parts_follow_what_is_read_and_not_the_product_of_a_join(spark, tmp_path):
    spark.range(200_000).selectExpr("id", "repeat('text ', 200) as text").write.parquet(str(tmp_path / "texts"))
    texts = spark.read.parquet(str(tmp_path / "texts"))
    joined = texts.join(texts.withColumnRenamed("text", "other"), "id")
    assert parts_for(texts) <= parts_for(joined) <= 8
    assert parts_for(spark.createDataFrame([(1, "text")], "id long, text string")) == 2 * spark.sparkContext.defaultParallelism
