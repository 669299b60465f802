"""What the scripts about neardup.spark share: sessions, documents as Parquet, verdicts as tables of texts, the processes of Spark."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

import common

# Workers must run this very interpreter, and the driver must not look for its own name in the network.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyarrow as pa  # noqa: E402
import pyarrow.compute as pc  # noqa: E402
import pyarrow.csv  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

COLUMNS = ["id", "verdict", "reason", "keeper_id", "similarity", "cluster_size"]
ROW_GROUP = 50_000
EXECUTOR = "CoarseGrainedExecutorBackend"


# --- sessions ----------------------------------------------------------------------------------------------------------------------


def session(options, master, **settings):
    """A new session; stop() it before the next one."""
    from pyspark.sql import SparkSession

    local = options.work / "spark-local"
    local.mkdir(exist_ok=True)
    builder = SparkSession.builder.master(master).appName("neardup-bench")
    fixed = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "4g", "spark.local.dir": local,
             "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    for name, value in {**fixed, **settings}.items():
        builder = builder.config(name, str(value))
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def gateway_process(spark):
    """The id of the JVM, which this process started."""
    return spark.sparkContext._gateway.proc.pid


def processes_below(root):
    """{process: command line} of all that `root` started, directly or not."""
    found, waiting = {}, [root]
    while waiting:
        process = waiting.pop()
        try:
            found[process] = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            for task in os.listdir(f"/proc/{process}/task"):
                waiting += map(int, pathlib.Path(f"/proc/{process}/task/{task}/children").read_text(encoding="ascii").split())
        except OSError:  # it has ended
            found.pop(process, None)
    return found


def executors(spark):
    """The processes of the executors of a local-cluster."""
    return sorted(process for process, command in processes_below(gateway_process(spark)).items() if EXECUTOR in command)


# --- documents ---------------------------------------------------------------------------------------------------------------------


def sets(options):
    """The sets of documents by name: (file, field of the text)."""
    named = sorted(path.name.removesuffix(".zst").removesuffix(".jsonl") for path in options.data.iterdir()
                   if ".jsonl" in path.name and ".pairs." not in path.name)
    return {name: (common.plain(options, f"{name}.jsonl"), common.TEXT_FIELDS.get(name, "text")) for name in named}


def numbered(path, field):
    """Yields (number, text) from 0. Lone surrogates, which no DataFrame can have, are replaced."""
    for number, line in enumerate(common.lines(path)):
        yield number, json.loads(line)[field].encode("utf-8", "replace").decode()


def write_corpus(options, name, path, field, seed=1):
    """(JSON Lines, Parquet) of a set, with the numbers of documents as ids. The Parquet file is shuffled, unless `seed` is 0."""
    lines, table = options.work / f"{name}.numbered.jsonl", options.work / f"{name}-{seed}.parquet"
    if not lines.exists():
        part = lines.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            for number, text in numbered(path, field):
                file.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
        part.rename(lines)
    if not table.exists():
        ids, texts = zip(*numbered(path, field))
        # `key` orders as the number does, and is a string.
        keys = [f"{number:012d}" for number in ids]
        columns = {"id": pa.array(ids, pa.int64()), "key": pa.array(keys), "text": pa.array(texts, pa.string())}
        order = list(range(len(ids)))
        if seed:
            random.Random(seed).shuffle(order)
        part = table.with_suffix(".part")
        with pq.ParquetWriter(part, pa.table(columns).schema) as writer:
            for begin in range(0, len(order), ROW_GROUP):
                writer.write_table(pa.table(columns).take(order[begin:begin + ROW_GROUP]))
        part.rename(table)
    return lines, table


# --- verdicts ----------------------------------------------------------------------------------------------------------------------


def by_command_line(options, lines, **given):
    """The table of `neardup dedup`, as texts, sorted by id."""
    verdicts = options.work / "identity-verdicts.tsv"
    named = [part for name, value in given.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    subprocess.run([options.neardup, "dedup", lines, "--verdicts", verdicts, "--max-rejects", "100%", "-q", *named], check=True)
    convert = pa.csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, pa.string()), include_columns=COLUMNS, strings_can_be_null=False)
    read = pa.csv.read_csv(verdicts, parse_options=pa.csv.ParseOptions(delimiter="\t", quote_char=False), convert_options=convert)
    verdicts.unlink()
    return sorted_by_id(read)


def by_spark(options, result, id_column="id"):
    """The same of a result of neardup.spark. Goes through files, so that the driver need not hold it."""
    folder = options.work / "identity-verdicts.parquet"
    shutil.rmtree(folder, ignore_errors=True)
    result.verdicts().select(*COLUMNS).write.parquet(str(folder))
    read = pq.read_table(folder)
    shutil.rmtree(folder)
    return sorted_by_id(pa.table({name: written(name, read[name], id_column == "key") for name in COLUMNS}))


def written(name, column, keys):
    """A column as the verdict file has it."""
    if name == "similarity":
        values = {value: f"{value:.6f}" for value in pc.unique(column).to_pylist() if value is not None}
        return pa.array([values.get(value, "") for value in column.to_pylist()], pa.string())
    if keys and name in ("id", "keeper_id"):
        column = pc.cast(column, pa.int64())
    return pc.fill_null(pc.cast(column, pa.string()), "")


def sorted_by_id(table):
    order = pc.sort_indices(pc.cast(table["id"], pa.int64()))
    return table.take(order).combine_chunks()


def difference(expected, found):
    """The first row in which two tables differ, or None."""
    if expected.num_rows != found.num_rows:
        return f"{expected.num_rows} rows expected, {found.num_rows} found"
    for name in COLUMNS:
        same = pc.equal(expected[name], found[name])
        if not pc.all(same).as_py():
            row = pc.index(same, False).as_py()
            return f"expected {expected.slice(row, 1).to_pylist()[0]}, found {found.slice(row, 1).to_pylist()[0]}"
    return None
