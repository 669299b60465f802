"""Plan: what every job of a run shares, made from the options of the call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from .. import _core, _values
from .._core import UsageError
from .._options import option_text
from ._cluster.checkpoint import StoredTables, check_folder, run_id
from ._cluster.session import MAX_PARTS, check_frame, parts_for
from ._cluster.ship import ship
from ._cluster.tables import Tables
from ._given import Given
from ._guards import Guards

# Not of the core.
OWN_OPTIONS = ("partitions", "work", "task_memory", "temp_dir", "max_rejects", "strict", "max_removed", "max_cluster")
_TASK_MEMORY = "256M"
_MIN_TASK_MEMORY = 1 << 20


@dataclass
class Plan:
    spark: SparkSession
    given: Given
    recipe: str  #: its name
    stages: Any  #: _core.spark.Stages of the driver; FrequencyStages, until fit_recipe() has made the table that the recipe needs
    keep: str
    parts: int
    task_memory: int
    temp_dir: str
    guards: Guards
    tables: Tables
    frequency_bytes: int | None = None  #: that fit_recipe() exchanged; None: there was nothing to fit


def make_plan(df: DataFrame, options: Mapping[str, Any], call: Any = None, source: Any = None) -> Plan:
    """Checks the session and the options. `call` is what besides options and documents decides the tables of the run, which checkpoints are
    named after; `source`: as of run_id(). Raises TypeError and UsageError."""
    spark = check_frame(df)
    own = {name: options.get(name) for name in OWN_OPTIONS}
    given = Given.of({name: value for name, value in options.items() if name not in OWN_OPTIONS}, spark)
    stages = _core.spark.FrequencyStages(given.here()) if _core.spark.needs_frequencies(given.here()) else given.stages()
    keep = dict(given.options).get("keep", "auto")
    parts = parts_for(df) if own["partitions"] is None else _values.whole("partitions", own["partitions"], 1, MAX_PARTS)
    memory, guards = _memory(own["task_memory"]), Guards.of(own)
    facts = [call, given.options, given.files, stages.facts, parts, memory]
    tables = Tables() if own["work"] is None else _stored(df, own["work"], facts, source)
    ship(spark)
    return Plan(spark, given, given.named(stages.facts["recipe"]), stages, keep, parts, memory, _temp_dir(own["temp_dir"]), guards, tables)


def _stored(df: DataFrame, work: Any, facts: list[Any], source: Any) -> StoredTables:
    folder = _values.path("work", work)
    run = run_id(df, facts, source)
    check_folder(df.sparkSession, folder)
    return StoredTables(df.sparkSession, folder, run)


def _memory(value: Any) -> int:
    bytes_ = _core.spark.parse_bytes("task_memory", option_text("task_memory", _TASK_MEMORY if value is None else value))
    if bytes_ < _MIN_TASK_MEMORY:
        raise UsageError(f"task_memory: {bytes_} bytes is below the minimum of {_MIN_TASK_MEMORY}")
    return bytes_


def _temp_dir(value: Any) -> str:
    """Empty: the folder for temporary files of each executor."""
    return "" if value is None else option_text("temp_dir", value)
