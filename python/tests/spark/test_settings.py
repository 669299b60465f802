"""Settings of the session, names of columns, and types of ids: none of them changes a verdict."""

import datetime
import decimal

from judge import by_command_line, by_spark, documents
from program import needs_program
from pyspark.sql import functions as F

import neardup.spark

pytestmark = needs_program
TEXTS = documents(100)


def test_settings_and_names_of_columns(spark, setting, tmp_path):
    """ANSI mode, off here, is on by default in Spark 4."""
    setting("spark.sql.ansi.enabled", "false")
    setting("spark.sql.caseSensitive", "true")
    setting("spark.sql.execution.arrow.useLargeVarTypes", "true")
    names = ("r", "root", "kind", "blob", "part", "value", "Text")
    rows = [(id, text, *(name + str(id) for name in names)) for id, text in TEXTS]
    df = spark.createDataFrame(rows, ["id", "text", *names]).repartition(3).withColumn("r", F.col("id"))
    options = {"threshold": 0.5, "keep": "longest"}
    result = neardup.spark.dedup(df, order_by=["r"], partitions=2, **options)
    assert by_spark(result) == by_command_line(tmp_path, TEXTS, **options)
    kept = result.kept
    assert kept.columns == df.columns
    assert all(row.Text == f"Text{row.id}" and row.root == f"root{row.id}" for row in kept.collect())
    result.release()


def test_dates_and_decimal_numbers_are_ids(spark, tmp_path):
    ids = [(decimal.Decimal(number * 7) / 4, datetime.date(1999, 12, 1) + datetime.timedelta(number)) for number, _ in TEXTS]
    df = spark.createDataFrame([(*pair, text) for pair, (_, text) in zip(ids, TEXTS)], "number decimal(20,2), day date, text string")
    for name in ("number", "day"):
        result = neardup.spark.dedup(df, id=name, partitions=1, threshold=0.5)
        written = [(f"{pair[0]:.2f}" if name == "number" else str(pair[1]), text) for pair, (_, text) in zip(ids, TEXTS)]
        assert by_spark(result) == by_command_line(tmp_path, written, threshold=0.5)
        assert result.kept.count() == result.summary()["kept"] < len(TEXTS)
        result.release()
