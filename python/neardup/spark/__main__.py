"""`neardup dedup` on a cluster: the program of spark-submit, and python -m neardup.spark.

usage: dedup INPUT... -o OUTPUT [--verdicts FOLDER] [--summary FILE] [--text-field FIELD[,FIELD...]] [--id-field FIELD] [--OPTION VALUE]...

INPUT      Parquet files or JSON Lines, folders and globs of them, in any file system of the cluster
OUTPUT     a new folder with the kept documents: Parquet, or the lines of the inputs
--verdicts a new folder of Parquet with the verdict of each document
--summary  a file on the driver for the summary as JSON; - is standard output
OPTION     the options of neardup dedup, and partitions, task-memory, work (docs/spark.md)

Exit codes: 0 done, 1 failed while running, 2 wrong usage.
"""

from __future__ import annotations

import json
import sys
from typing import Any

_OWN = ("output", "verdicts", "summary", "text_field", "id_field")
_FLAGS = ("strict",)
_ARGUMENTS = ("paths", "text", "id", "spark")  # of dedup_files, which are not options of the program


def main(arguments: list[str]) -> int:
    from neardup import Error, UsageError

    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    try:
        inputs, options = _parse(arguments)
        _run(inputs, options)
    except UsageError as error:
        print(f"neardup.spark: {error}", file=sys.stderr)
        return 2
    except Error as error:
        print(f"neardup.spark: {error}", file=sys.stderr)
        return 1
    return 0


def _parse(arguments: list[str]) -> tuple[list[str], dict[str, Any]]:
    from neardup import UsageError

    command, *rest = arguments
    if command != "dedup":
        raise UsageError(f"'{command}' is not a command; the command is dedup")
    inputs: list[str] = []
    options: dict[str, Any] = {}
    while rest:
        word = rest.pop(0)
        if word == "-o":
            word = "--output"
        if not word.startswith("--"):
            inputs.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        name = name.replace("-", "_")
        if name in _ARGUMENTS:
            raise UsageError(f"--{name} is not an option" + (f"; it is --{name}-field" if f"{name}_field" in _OWN else ""))
        if name in options:
            raise UsageError(f"--{name.replace('_', '-')} is given twice")
        if not equals and name in _FLAGS:
            options[name] = True
            continue
        if not equals and not rest:
            raise UsageError(f"{word} needs a value")
        options[name] = value if equals else rest.pop(0)
    if not inputs:
        raise UsageError("no INPUT is named")
    if "output" not in options and "verdicts" not in options:
        raise UsageError("-o OUTPUT or --verdicts FOLDER is needed")
    if "partitions" in options:
        options["partitions"] = _whole(options["partitions"])
    return inputs, options


def _whole(text: str) -> int:
    from neardup import UsageError

    if not text.isdecimal():
        raise UsageError(f"--partitions: expected a whole number, not '{text}'")
    return int(text)


def _run(inputs: list[str], options: dict[str, Any]) -> None:
    import neardup.spark
    from pyspark.sql import SparkSession

    own = {name: options.pop(name, None) for name in _OWN}
    spark = SparkSession.builder.appName("neardup dedup").getOrCreate()
    try:
        text = own["text_field"].split(",") if own["text_field"] else "text"
        _refuse_existing(spark, own["output"], own["verdicts"])
        result = neardup.spark.dedup_files(inputs, text, own["id_field"] or "auto", spark=spark, **options)
        if own["output"]:
            kept = result.kept
            kept.write.option("lineSep", "\n").text(own["output"]) if result.kind == "json" else kept.write.parquet(own["output"])
        if own["verdicts"]:
            result.verdicts().write.parquet(own["verdicts"])
        _write_summary(result.summary(), own["summary"])
    finally:
        spark.stop()


def _refuse_existing(spark: Any, *folders: str | None) -> None:
    """A run of hours must not find out at its end."""
    from neardup import UsageError

    for folder in folders:
        if folder is None:
            continue
        path = spark._jvm.org.apache.hadoop.fs.Path(folder)
        if path.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf()).exists(path):
            raise UsageError(f"'{folder}' exists already")


def _write_summary(summary: dict[str, Any], file: str | None) -> None:
    counts = ", ".join(f"{summary[name]:,} {name}" for name in ("read", "kept", "removed", "rejected"))
    print(f"neardup.spark: {counts}", file=sys.stderr)
    if file == "-":
        json.dump(summary, sys.stdout)
        print()
    elif file:
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(summary, stream)
            stream.write("\n")


if __name__ == "__main__":
    # spark-submit runs this file as a script, from its own folder, whose modules are not for import by their bare names.
    sys.path[:] = [place for place in sys.path if not place.rstrip("/").endswith("neardup/spark")]
    sys.exit(main(sys.argv[1:]))
