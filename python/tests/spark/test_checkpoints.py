"""Checkpoints: a run that failed continues, and only that run."""

import random

import pytest
from judge import documents

import neardup
import neardup.spark
from neardup.spark import _dedup


@pytest.fixture
def df(spark, tmp_path):
    path = str(tmp_path / "corpus.parquet")
    spark.createDataFrame(documents(80), "id long, text string").write.parquet(path)
    return spark.read.parquet(path)


def times(folder):
    return {path.relative_to(folder): path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}


def test_a_failed_run_continues(df, tmp_path, monkeypatch):
    work = tmp_path / "work"
    expected = neardup.spark.dedup(df, threshold=0.5)

    def fail(*_):
        raise RuntimeError("the cluster went away")

    with monkeypatch.context() as broken:
        broken.setattr(_dedup, "make_notes", fail)
        with pytest.raises(RuntimeError, match="went away"):
            neardup.spark.dedup(df, threshold=0.5, work=work)
    before = times(work)
    assert before
    result = neardup.spark.dedup(df, threshold=0.5, work=work)
    assert before.items() <= times(work).items(), "what was there was not computed again"
    assert sorted(result.verdicts().collect()) == sorted(expected.verdicts().collect())
    # Another threshold is another run.
    neardup.spark.dedup(df, threshold=0.6, work=work)
    assert len(list(work.iterdir())) == 2
    expected.release()


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
