"""The package next to Spark: who imports what, and executors that lack it."""

import pathlib
import subprocess
import sys

import neardup

FOLDER = str(pathlib.Path(neardup.__file__).parents[1])


def run(code, **environment):
    import os

    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=300, check=False, env=kept | environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_neardup_alone_imports_nothing_of_spark():
    assert run("import sys, neardup; print('pyspark' in sys.modules, 'pyarrow' in sys.modules)", PYTHONPATH=FOLDER) == "False False"


def test_without_pyspark_the_error_says_so():
    code = "import sys; sys.modules['pyspark'] = None\ntry:\n  import neardup.spark\nexcept ImportError as error: print(error)"
    assert run(code, PYTHONPATH=FOLDER).startswith("neardup.spark needs PySpark 3.5 or later and pyarrow")


SHIPPED = """
import sys
sys.path.insert(0, {folder!r})
from pyspark.sql import SparkSession
settings = {{
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.default.parallelism": "1",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}}
spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
import neardup.spark
df = spark.createDataFrame([(0, "one two three four five six"), (1, "One two three, four five six!")], "id long, text string")
print(neardup.spark.dedup(df, partitions=1))
"""


def test_executors_get_the_package():
    """PYTHONPATH names no folder of the package here, so that workers find it only if it was sent to them."""
    assert run(SHIPPED.format(folder=FOLDER)).splitlines()[-1] == "<neardup.spark.Result: 2 read, 1 kept, 1 removed, 0 rejected>"
