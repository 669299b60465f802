"""Checkpoints: a run that failed continues, and only that run."""

import random

import pytest
from pyspark.sql import functions as F

import neardup
import neardup.spark
from judge import by_command_line, by_spark, documents
from neardup.spark import _dedup
from neardup.spark._cluster import checkpoint
from program import needs_program


@pytest.fixture
def df(spark, tmp_path):
    path = str(tmp_path / "corpus.parquet")
    spark.createDataFrame(documents(80), "id long, text string").write.parquet(path)
    return spark.read.parquet(path)


def times(folder):
    return {path.relative_to(folder): path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}


@needs_program
def test_a_failed_run_continues(df, tmp_path, monkeypatch):
    work, options = tmp_path / "work", {"threshold": 0.5, "partitions": 1}

    def fail(*_):
        raise RuntimeError("the cluster went away")

    with monkeypatch.context() as broken:
        broken.setattr(_dedup, "make_notes", fail)
        with pytest.raises(RuntimeError, match="went away"):
            neardup.spark.dedup(df, work=work, **options)
    before = times(work)
    assert before
    result = neardup.spark.dedup(df, work=work, **options)
    assert before.items() <= times(work).items(), "what was there was not computed again"
    assert by_spark(result) == by_command_line(tmp_path, documents(80), threshold=0.5)
    # Another threshold is another run.
    neardup.spark.dedup(df, work=work, **options | {"threshold": 0.6})
    assert len(list(work.iterdir())) == 2


def test_work_needs_files(spark, tmp_path):
    df = spark.createDataFrame(documents(10), "id long, text string")
    with pytest.raises(neardup.UsageError, match="work: the documents are not read from files"):
        neardup.spark.dedup(df, work=str(tmp_path))


def test_ranks_of_a_sort_do_not_depend_on_how_files_are_read(spark, tmp_path):
    """Spark reads large files first, and here the last documents have the longest ids."""
    rows = [(random.Random(place).randbytes(1 + 50 * place).hex(), "the same text for each of them here", place) for place in range(40)]
    path = str(tmp_path / "corpus.parquet")
    spark.createDataFrame(rows, "id string, text string, place int").write.parquet(path)
    for _ in "first", "again":
        result = neardup.spark.dedup(spark.read.parquet(path), order_by="place", partitions=5, work=tmp_path / "work")
        assert [row.place for row in result.kept.collect()] == [0]
        result.release()


class TableFunction:
    def eval(self, text):
        yield (text,)


def run_of(df):
    return checkpoint.run_id(df, [])


def test_columns_and_calls_are_other_runs(spark, tmp_path):
    path, work = str(tmp_path / "corpus.parquet"), tmp_path / "work"
    text = "one two three four five six {}".format
    rows = [(number, 9 - number, text("seven"), text(number) * 3) for number in range(5)]
    spark.createDataFrame(rows, "id long, key long, title string, body string").write.parquet(path)
    df = spark.read.parquet(path)
    kept = []
    for arguments in ({"text": "title"}, {"text": "body"}, {"text": "title", "id": "key"}, {"text": "title", "order_by": "key"}):
        result = neardup.spark.dedup(df, threshold=0.99, partitions=1, work=work, **arguments)
        kept.append(sorted(row.id for row in result.kept.collect()))
        result.release()
    assert kept == [[0], [0, 1, 2, 3, 4], [4], [4]]
    neardup.spark.pairs(df, "title", threshold=0.99, partitions=1, work=work).unpersist()
    assert len(list(work.iterdir())) == 5


def test_all_of_a_plan_names_the_run(spark, df):
    wide = df.select("id", "text", *(F.lit(place).alias(f"c{place}") for place in range(40)))

    def swapped(place):
        return wide.select("id", "text", *(F.col(f"c{place if each == 35 else each}").alias(f"d{each}") for each in range(40)))

    many = list(range(40))
    joined = "select * from values (1L), ({}L) as t(id)".format
    different = [
        df,
        swapped(3),
        swapped(4),
        df.where(F.col("id").isin(many)),
        df.where(F.col("id").isin([*many[:-1], 77])),
        df.join(spark.sql(joined(2)), "id", "left_anti"),
        df.join(spark.sql(joined(3)), "id", "left_anti"),
    ]
    assert len({run_of(each) for each in different}) == len(different)
    assert run_of(swapped(3)) == run_of(swapped(3))


def test_readers_name_the_run(spark, tmp_path):
    path = tmp_path / "corpus.csv"
    path.write_text("one,'two;three'\n")
    read = spark.read.schema("a string, b string")
    frames = [read.csv(str(path)), read.option("quote", "'").csv(str(path)), read.schema("b string, a string").csv(str(path)).select("b", "a")]
    assert len({run_of(each.toDF("a", "b")) for each in frames}) == 3


def test_documents_that_a_later_call_cannot_compare_are_refused(spark, df):
    spark.udtf.register("table_function", F.udtf(TableFunction, returnType="text string"))
    df.createOrReplaceTempView("documents")
    for made in (
        df.mapInArrow(lambda batches: batches, df.schema),
        df.withColumn("text", F.udf(lambda text: text)("text")),
        spark.sql("select documents.id, made.text from documents, lateral table_function(documents.text) made"),
    ):
        with pytest.raises(neardup.UsageError, match="work: .* user-defined function"):
            run_of(made)
    with pytest.raises(neardup.UsageError, match="work: .* not read from files .*write them to Parquet first"):
        run_of(df.join(spark.createDataFrame([(1,)], "id long"), "id", "left_anti"))


def test_half_deleted_tables_are_made_again(df, tmp_path):
    work = tmp_path / "work"
    options = {"threshold": 0.5, "partitions": 1, "work": work}
    result = neardup.spark.dedup(df, **options)
    expected = sorted(result.verdicts().collect())
    (notes,) = work.glob("*/notes-*.parquet")
    largest = max(notes.glob("part-*"), key=lambda part: part.stat().st_size)
    largest.unlink()
    assert sorted(neardup.spark.dedup(df, **options).verdicts().collect()) == expected
    neardup.spark.dedup(df, **options)
    assert len(list(work.glob("*/notes-*.parquet"))) == 2
    assert not list(work.glob("*/_*"))
