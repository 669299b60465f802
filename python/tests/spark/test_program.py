"""The program, as spark-submit runs it: an application of its own."""

import json
import os
import pathlib
import subprocess
import sys

import neardup
import neardup.spark
import pytest
from files import by_command_line
from neardup.spark.__main__ import main
from program import needs_program

pytestmark = needs_program
# A program of its own takes less time so.
SMALL = " ".join(
    [
        "--driver-java-options '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'",
        "--conf spark.sql.shuffle.partitions=1",
        "--conf spark.default.parallelism=1",
        "--conf spark.sql.codegen.wholeStage=false",
        "--conf spark.sql.codegen.factoryMode=NO_CODEGEN",
        "--conf spark.ui.enabled=false",
    ]
)


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


@pytest.mark.parametrize(
    "wrong, message",
    [
        (["dedup"], "no INPUT"),
        (["pairs", "a"], "not a command"),
        (["dedup", "a", "-o", "b", "--threshold"], "needs a value"),
        (["dedup", "a", "-o", "b", "--text", "body"], "--text is not an option; it is --text-field"),
        (["dedup", "a", "-o", "b", "--spark=x"], "--spark is not an option"),
    ],
)
def test_wrong_arguments_of_the_program(capsys, wrong, message):
    assert main(wrong) == 2
    assert message in capsys.readouterr().err
