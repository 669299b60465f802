"""dedup_files() and the program: files, numbered and read as the command line does."""

import gzip
import json
import os
import pathlib
import subprocess
import sys

import pytest
from judge import documents, table, written
from program import needs_program, run

import neardup
import neardup.spark

pytestmark = needs_program
# A program of its own takes less time so.
SMALL = "--driver-java-options -XX:TieredStopAtLevel=1 --conf spark.sql.shuffle.partitions=2 --conf spark.ui.enabled=false"


@pytest.fixture
def corpus(tmp_path):
    """Three files of JSON Lines, with lines that are no documents; the order of their names is not the order of their sizes."""
    lines = [json.dumps({"text": text, "id": f"d{number % 90}"}, ensure_ascii=number % 2 == 0) for number, text in documents(150)]
    lines[3:3] = ["", '{"text": 5, "id": "number"}', '{"text": "cut', "  "]
    lines[70] = '{"id": "no text"}'
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a b.jsonl").write_text("\ufeff" + "\n".join(lines[:90]) + "\n", encoding="utf-8")
    (folder / "é.jsonl").write_text("\r\n".join(lines[90:120]), encoding="utf-8")
    (folder / "c.jsonl.gz").write_bytes(gzip.compress("\n".join(lines[120:]).encode()))
    return folder


def by_command_line(folder, inputs, *options):
    run(
        "dedup",
        *inputs,
        "-o",
        folder / "kept.jsonl",
        "--verdicts",
        folder / "verdicts.tsv",
        "--threshold",
        "0.5",
        "--max-rejects",
        "100%",
        "-q",
        *options,
    )
    head, *lines = (folder / "verdicts.tsv").read_text(encoding="utf-8").splitlines()
    kept = sorted((folder / "kept.jsonl").read_bytes().split(b"\n"))
    return head.split("\t"), sorted(lines), [line for line in kept if line]


def by_spark(result):
    verdicts = result.verdicts()
    rows = [[written(name, value) for name, value in zip(verdicts.columns, row)] for row in verdicts.collect()]
    return verdicts.columns, sorted(table(rows).splitlines())


@pytest.mark.parametrize("keep", ["first", "last", "source-order,longest"])
def test_json_lines(spark, setting, tmp_path, corpus, keep):
    setting("spark.sql.files.maxPartitionBytes", "4096")  # splits within files
    names = [corpus / "é.jsonl", corpus / "a b.jsonl", corpus / "c.jsonl.gz"]
    head, lines, kept = by_command_line(tmp_path, names, "--keep", keep)
    result = neardup.spark.dedup_files(names, threshold=0.5, max_rejects="100%", keep=keep)
    assert by_spark(result) == (head, lines)
    assert sorted(row.value.encode() for row in result.kept.collect()) == kept
    summary = result.summary()
    assert summary["rejected"] == 3
    assert {kind: count for kind, count in summary["rejected_by_kind"].items() if count} == {
        "broken_json": 1,
        "field_type": 1,
        "missing_field": 1,
    }
    result.release()


def test_folders_and_globs_stand_for_their_files_by_name(spark, tmp_path, corpus):
    head, lines, _ = by_command_line(tmp_path, sorted(corpus.iterdir(), key=os.fspath))
    for given in (corpus, corpus / "*.jsonl*"):
        result = neardup.spark.dedup_files(str(given), threshold=0.5, max_rejects="100%")
        assert by_spark(result) == (head, lines)
        result.release()


def test_parquet(spark, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet

    texts = documents(120)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in texts), encoding="utf-8")
    _, lines, _ = by_command_line(tmp_path, [corpus])
    file = tmp_path / "corpus.parquet"
    rows = pa.table(
        {"id": [f"d{number}" for number, _ in texts], "text": [text for _, text in texts], "more": [[number] for number, _ in texts]}
    )
    pyarrow.parquet.write_table(rows, file, row_group_size=25)
    result = neardup.spark.dedup_files(str(file), threshold=0.5)
    assert by_spark(result)[1] == [line.replace(str(corpus), str(file)) for line in lines]
    assert result.kept.columns == ["id", "text", "more"]
    assert result.kept.count() == result.summary()["kept"]
    result.release()


def test_files_that_cannot_be_read(spark, tmp_path):
    with pytest.raises(neardup.InputError, match="no such file"):
        neardup.spark.dedup_files(str(tmp_path / "missing.jsonl"))
    with pytest.raises(neardup.InputError, match="no files with one of the endings"):
        neardup.spark.dedup_files(str(tmp_path))
    (tmp_path / "a.csv").write_text("text\n")
    with pytest.raises(neardup.UsageError, match="ends in none of"):
        neardup.spark.dedup_files(str(tmp_path / "a.csv"))


def test_program(tmp_path, corpus):
    """As spark-submit runs it: the file as a script."""
    head, lines, kept = by_command_line(tmp_path, [corpus / "a b.jsonl"])
    script = pathlib.Path(neardup.spark.__file__).parent / "__main__.py"
    output, verdicts = tmp_path / "out", tmp_path / "verdicts"
    command = [
        sys.executable,
        script,
        "dedup",
        corpus / "a b.jsonl",
        "-o",
        output,
        "--verdicts",
        verdicts,
        "--threshold=0.5",
        "--max-rejects",
        "100%",
        "--summary",
        "-",
    ]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | {"PYSPARK_SUBMIT_ARGS": f"--master local[2] {SMALL} pyspark-shell"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kept"] == len(kept)
    assert sorted(line for part in output.glob("part-*") for line in part.read_bytes().split(b"\n") if line) == kept
    for wrong, message in (
        (["dedup"], "no INPUT"),
        (["pairs", "a"], "not a command"),
        (["dedup", "a", "-o", "b", "--threshold"], "needs a value"),
    ):
        done = subprocess.run([sys.executable, script, *wrong], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
