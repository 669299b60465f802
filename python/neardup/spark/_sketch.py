"""sketch(): the fingerprint or signature of each document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import types as T

from .. import _core
from .._core import Recipe
from .._options import field_names
from .._sketch import Sketcher
from ._cluster.errors import clear_errors
from ._cluster.session import bounded_batches, check_frame, column
from ._cluster.ship import ship, task
from ._documents import check_columns, joined_text
from ._given import Given
from ._plan import make_plan
from ._steps.frequencies import fit_recipe


def sketch(df: DataFrame, text: str | list[str] | tuple[str, ...] = "text", id: str = "id", *, recipe: Any = "words-5") -> DataFrame:
    """The sketches of the documents of a DataFrame, as a lazy DataFrame with the columns

    - id
    - exact (string): the hash of the normalized text, 32 hexadecimal digits
    - too_short (boolean): fewer features than the recipe requires, so there is no sketch
    - signature (array of long), of a MinHash recipe: the lanes
    - fingerprint (long), of the others: the bits of the unsigned number; fingerprint_high (long), of those with 128 bits: the high half

    The values are those of ``neardup sketch``. Documents without a text are left out. A recipe that weighs by the IDF of the corpus is fitted
    to these documents first, by a job. Before Spark 4.1, lower ``spark.sql.execution.arrow.maxRecordsPerBatch`` for long texts.

    Raises:
        UsageError: a missing column, a wrong recipe. It is a ValueError.
        TypeError: an argument of a wrong type.
    """
    spark = check_frame(df)
    given, bits = Given.of({"recipe": recipe}, spark), Recipe(recipe).bits
    names, key = field_names("text", text), field_names("id", id)[0]
    check_columns(df, {"text": names, "id": [key]})
    ship(spark)
    texts = joined_text(df, names)
    if _core.spark.needs_frequencies(given.here()):
        given = _fitted(df, texts, recipe)
    rows = df.where(texts.isNotNull()).select(column(key).alias("id"), texts.alias("text"))
    schema = T.StructType(
        [rows.schema["id"], T.StructField("exact", T.StringType()), T.StructField("too_short", T.BooleanType()), *_sketch_fields(bits)]
    )
    return rows.mapInArrow(task("_sketch", "sketch_texts", given, bits), schema)


def _fitted(df: DataFrame, texts: Column, recipe: Any) -> Given:
    plan = make_plan(df, {"recipe": recipe})
    try:
        with bounded_batches(plan.spark), clear_errors():
            return fit_recipe(plan, df.select(texts.alias("text"))).given
    finally:
        plan.tables.release_all()


def _sketch_fields(bits: int) -> list[T.StructField]:
    if bits == 0:
        return [T.StructField("signature", T.ArrayType(T.LongType()))]
    names = ["fingerprint", "fingerprint_high"][: bits // 64]
    return [T.StructField(name, T.LongType()) for name in names]


def sketch_texts(batches: Iterable[pa.RecordBatch], given: Given, bits: int) -> Iterator[pa.RecordBatch]:
    sketcher = Sketcher(dict(given.here())["recipe"])
    for batch in batches:
        if not len(batch):
            continue
        made = sketcher.sketch(batch.column("text"), threads=1)
        short = pa.array(made.too_short)
        named = {"id": batch.column("id"), "exact": _hexadecimal(made.exact), "too_short": short}
        if bits == 0:
            lanes = made.signatures.astype(np.int64)
            offsets = np.arange(len(lanes) + 1, dtype=np.int32) * lanes.shape[1]
            named["signature"] = pa.ListArray.from_arrays(pa.array(offsets), pa.array(lanes.ravel()), mask=short)
        else:
            # Spark has no unsigned numbers: the same bits as a signed one.
            halves = made.fingerprints.reshape(len(batch), -1).view(np.int64)
            for name, half in zip(("fingerprint", "fingerprint_high"), halves.T):
                named[name] = pa.array(np.ascontiguousarray(half), mask=made.too_short)
        yield pa.record_batch(list(named.values()), list(named))


def _hexadecimal(exact: np.ndarray) -> pa.Array:
    """128-bit numbers, the low half first, as 32 digits each."""
    digits = np.ascontiguousarray(exact[:, ::-1]).astype(">u8").tobytes().hex().encode()
    offsets = np.arange(len(exact) + 1, dtype=np.int32) * 32
    return pa.StringArray.from_buffers(len(exact), pa.py_buffer(offsets), pa.py_buffer(digits))
