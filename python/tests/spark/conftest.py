"""One Spark application for all tests of neardup.spark, and a folder of files."""

import gzip
import json
import os
import sys

# Workers must run this very interpreter, and the driver must not look for its own name in the network.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pytest
from judge import documents
from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "2g")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=160m")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        # Tables are tiny here, so that a job takes the time of its tasks, 30 ms each: few of them, and no compression.
        .config("spark.default.parallelism", "1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.shuffle.compress", "false")
        .config("spark.shuffle.spill.compress", "false")
        .config("spark.broadcast.compress", "false")
        .config("spark.sql.inMemoryColumnarStorage.compressed", "false")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def setting(spark):
    """Sets options of the session for one test."""
    before = {}

    def set_(name, value):
        before.setdefault(name, spark.conf.get(name))
        spark.conf.set(name, value)

    yield set_
    for name, value in before.items():
        spark.conf.set(name, value)


@pytest.fixture
def corpus(tmp_path):
    """Three files of JSON Lines, with lines that are no documents; the order of their names is not the order of their sizes."""
    lines = [json.dumps({"text": text, "id": f"d{number % 90}"}, ensure_ascii=number % 2 == 0) for number, text in documents(150)]
    lines[3:3] = ["", '{"text": 5, "id": "number"}', '{"text": "cut', "  "]
    lines[70] = '{"id": "no text"}'
    folder = tmp_path / "corpus"
    folder.mkdir()
    broken = b'{"text": "\xff\xfe what an encoding this is, cut \xe2\x82", "id": "broken UTF-8"}\n'
    (folder / "a b.jsonl").write_bytes(("\ufeff" + "\n".join(lines[:90]) + "\n").encode() + broken)
    (folder / "é.jsonl").write_text("\r\n".join(lines[90:120]), encoding="utf-8")
    (folder / "c.jsonl.gz").write_bytes(gzip.compress("\n".join(lines[120:]).encode()))
    return folder
