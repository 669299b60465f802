"""dedup_files(): files, numbered and read as the command line does."""

import glob
import json
import os

import pyarrow as pa
import pytest
from pyspark.sql import functions as F

import neardup
import neardup.spark
from files import by_command_line
from judge import documents, table, written
from neardup.spark._cluster.session import bounded_batches
from neardup.spark._files.lines import read_lines
from neardup.spark._files.paths import list_files
from neardup.spark._files.places import FILE
from program import needs_program

pytestmark = needs_program


def by_spark(result):
    verdicts = result.verdicts()
    rows = [[written(name, value) for name, value in zip(verdicts.columns, row)] for row in verdicts.collect()]
    return verdicts.columns, sorted(table(rows).splitlines())


@pytest.mark.parametrize("keep", ["last", "source-order,longest"])
def test_json_lines(spark, setting, tmp_path, corpus, keep):
    setting("spark.sql.files.maxPartitionBytes", "8192")  # splits within files
    names = [corpus / "é.jsonl", corpus / "a b.jsonl", corpus / "c.jsonl.gz"]
    head, lines, kept = by_command_line(tmp_path, names, "--keep", keep)
    result = neardup.spark.dedup_files(names, threshold=0.5, max_rejects="100%", keep=keep)
    assert by_spark(result) == (head, lines)
    # Other splits, and larger batches, from now on.
    setting("spark.sql.files.maxPartitionBytes", "128m")
    assert sorted(bytes(row.value) for row in result.kept.select(F.col("value").cast("binary")).collect()) == kept
    summary = result.summary()
    assert summary["rejected"] == 4
    assert {kind: count for kind, count in summary["rejected_by_kind"].items() if count} == {
        "broken_json": 1,
        "not_utf8": 1,
        "field_type": 1,
        "missing_field": 1,
    }
    result.release()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A working folder with files in subfolders, whose names have what URLs and globs give a meaning to."""
    names = ["t/z.jsonl", "t/b/x[1] 100%+{é}.jsonl", "t/b/b2/part.jsonl", "t/B?*/part.jsonl", "t/.c/part.jsonl", "t/b.jsonl"]
    lines = [json.dumps({"text": text}) + "\n" for _, text in documents(90)]
    for number, name in enumerate(names):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(lines[number::6]), encoding="utf-8")
    (tmp_path / "t" / "link").symlink_to(tmp_path / "t")
    monkeypatch.chdir(tmp_path)
    return names


def listed(spark, *given):
    return [(os.path.relpath(file.path.removeprefix("file:")), file.name) for file in list_files(spark, list(given))]


def test_folders_have_subfolders(spark, tmp_path, tree):
    (tmp_path / "t" / "b" / "notes.rst").touch()
    (tmp_path / "t" / "_SUCCESS").touch()
    head, lines, _ = by_command_line(tmp_path, [str(tmp_path / "t")])
    with pytest.warns(UserWarning, match=r"left out 1 file of '.*t', by their names; the first: '.*t/b/notes.rst'") as warned:
        result = neardup.spark.dedup_files(str(tmp_path / "t"), threshold=0.5)
    assert len(warned) == 1 and "links to folders are not followed" in str(warned[0].message)
    assert by_spark(result) == (head, lines)
    result.release()


def test_globs_stand_for_their_files_by_name(spark, tmp_path, tree):
    # The working folder of Hadoop is that in which the JVM began.
    here = str(tmp_path)
    for pattern in ("t/*/part.jsonl", "t/b/*.jsonl", "*/b/b2/*", "t/b/b*"):
        matches = sorted(glob.glob(f"{here}/{pattern}"))
        expected = [match if os.path.isfile(match) else f"{match}/part.jsonl" for match in matches]
        assert listed(spark, f"{here}/{pattern}") == [(os.path.relpath(each), each) for each in expected]
    start = spark._jvm.java.lang.System.getProperty("user.dir")
    relative = os.path.relpath(here, start)
    assert [name for _, name in listed(spark, f"{relative}/t/B*/p*")] == [f"{relative}/t/B?*/part.jsonl"]
    # A file of this very name.
    assert [name for _, name in listed(spark, f"{here}/t/B?*/part.jsonl")] == [f"{here}/t/B?*/part.jsonl"]


def test_files_given_twice(spark, tmp_path, tree):
    here = str(tmp_path / "t")
    with pytest.raises(neardup.UsageError, match=r"^'[^']*z.jsonl' is given twice$"):
        listed(spark, *[f"{here}/z.jsonl"] * 2)
    with pytest.raises(neardup.UsageError, match=r"^'[^']*t/z.jsonl' is given twice, before as '[^']*t//z.jsonl'$"):
        listed(spark, f"{here}//z.jsonl", f"{here}/*.jsonl")


def test_parquet(spark, tmp_path):
    import pyarrow.parquet

    texts = documents(120)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in texts), encoding="utf-8")
    _, lines, _ = by_command_line(tmp_path, [corpus])
    file = tmp_path / "corpus 100%[1].parquet"
    # Names that a join of ours, or Spark, could mistake for its own.
    more = {name: [[number] for number, _ in texts] for name in ("Path", "number", "row", "source", "_metadata")}
    rows = pa.table({"id": [f"d{number}" for number, _ in texts], "text": [text for _, text in texts], **more})
    pyarrow.parquet.write_table(rows, file, row_group_size=25)
    result = neardup.spark.dedup_files(str(file), threshold=0.5, work=str(tmp_path / "work"))
    assert by_spark(result)[1] == [line.replace(str(corpus), str(file)) for line in lines]
    assert result.kept.columns == ["id", "text", *more]
    assert result.kept.count() == result.summary()["kept"]
    result.release()
    for name in ("neardup_place", "Neardup_File"):
        pyarrow.parquet.write_table(pa.table({"text": ["t"], name: ["t"]}), file)
        with pytest.raises(neardup.UsageError, match=f"the column '{name}' has a name that dedup_files uses itself"):
            neardup.spark.dedup_files(str(file))


def test_files_that_cannot_be_read(spark, tmp_path):
    with pytest.raises(neardup.InputError, match="no such file"):
        neardup.spark.dedup_files(str(tmp_path / "missing.jsonl"))
    with pytest.raises(neardup.InputError, match="no files with one of the endings"):
        neardup.spark.dedup_files(str(tmp_path))
    (tmp_path / "_a.jsonl").write_text("{}\n")
    with pytest.raises(neardup.UsageError, match=r"does not read '.*_a.jsonl', because its name begins with"):
        neardup.spark.dedup_files(str(tmp_path / "_a.jsonl"))
    (tmp_path / "a.csv").write_text("text\n")
    with pytest.raises(neardup.UsageError, match="ends in none of"):
        neardup.spark.dedup_files(str(tmp_path / "a.csv"))


def test_message_about_rejected_lines_names_the_first(spark, tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('\n{"text": "a text"}\n{"text": "cut\n{"id": 5}\n')
    with pytest.raises(neardup.InputError, match=r"2 of 3 documents were rejected; the first: .*a\.jsonl:3: .+ \(broken_json\)"):
        neardup.spark.dedup_files(str(file), strict=True)


def test_batches_are_bounded_where_the_setting_does_not_bound_them(spark, setting):
    for bytes_, rows in (("2147483647", "256"), ("64m", "10000")):
        setting("spark.sql.execution.arrow.maxBytesPerBatch", bytes_)
        with bounded_batches(spark):
            assert spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == rows


def test_splits_that_were_not_counted():
    batch = pa.record_batch({"value": ["{}"], FILE: ["file:/a.jsonl"], "begin": [4096]})
    with pytest.raises(neardup.InputError, match=r"'file:/a.jsonl' at byte 4096 .*maxPartitionBytes"):
        list(read_lines([batch], {"file:/a.jsonl": {0: (0, 0)}}, 1, ["text"], ""))
