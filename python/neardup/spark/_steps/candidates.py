"""The third job: the payloads of the documents in groups, which the decision needs; of no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ... import _core
from .._cluster.broadcast import WHOLE, broadcast_rows
from .._cluster.ship import task
from .._given import Given
from .._plan import Plan
from .._ranks import Documents
from .components import find_groups
from .links import Links

_core_spark = _core.spark
# Texts whose payloads are made at a time: a payload has 8 bytes for each feature, of which a character can begin one.
_SLICE_BYTES = 8 << 20
_ROWS = "root long, r long, payload binary"


def find_payloads(plan: Plan, documents: Documents, links: Links) -> DataFrame:
    """The columns root, r and payload of the documents in groups."""
    second_scan = plan.stages.facts["second_scan"]
    most = broadcast_rows(documents.id_type if second_scan else WHOLE)
    groups = find_groups(plan, links, most)
    members, few = groups.members, groups.bound <= most
    if not second_scan:
        codes = links.blobs(_core_spark.CODES).mapInArrow(task("_steps.candidates", "read_codes", plan.given), "r long, payload binary")
        return codes.join(F.broadcast(members) if few else members, "r").select("root", "r", "payload")
    if few:
        texts = documents.scan_members(members).select("root", "r", "text")
        return texts.mapInArrow(task("_steps.candidates", "make_payloads", plan.given), _ROWS)
    keyed = documents.with_keys(members)
    filter_ = _filter(plan, keyed.select("hash"), groups.bound)
    scan = documents.scan_keys()
    schema = T.StructType([scan.schema["key"], T.StructField("payload", T.BinaryType())])
    # A key that passes the filter by chance has no member to join.
    chosen = scan.mapInArrow(task("_steps.candidates", "choose_payloads", plan.given, filter_), schema)
    return chosen.join(keyed.drop("hash"), "key").select("root", "r", "payload")


def read_codes(batches: Iterable[pa.RecordBatch], given: Given) -> Iterator[pa.RecordBatch]:
    stages = given.stages()
    for batch in batches:
        ranks, payloads = stages.code_rows(batch.column("blob"))
        yield pa.record_batch([pa.array(ranks), pa.array(payloads, pa.binary())], ["r", "payload"])


def make_payloads(batches: Iterable[pa.RecordBatch], given: Given) -> Iterator[pa.RecordBatch]:
    stages = given.stages()
    for batch in slices(batches):
        payloads = pa.array(stages.candidates(batch.column("text")), pa.binary())
        yield pa.record_batch([batch.column("root"), batch.column("r"), payloads], ["root", "r", "payload"])


def choose_payloads(batches: Iterable[pa.RecordBatch], given: Given, filter_: bytes) -> Iterator[pa.RecordBatch]:
    stages, bloom = given.stages(), _core_spark.Bloom.of(filter_)
    for batch in batches:
        chosen = batch.filter(pa.array(bloom.has(batch.column("hash").to_numpy(zero_copy_only=False))))
        for part in slices([chosen]):
            payloads = pa.array(stages.candidates(part.column("text")), pa.binary())
            made = pa.record_batch([part.column("key"), payloads], ["key", "payload"])
            yield made.filter(pc.is_valid(payloads))


def slices(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows, in slices of at most _SLICE_BYTES of text each, or of one text."""
    for batch in batches:
        ends = np.cumsum(pc.fill_null(pc.binary_length(batch.column("text")), 0).to_numpy(zero_copy_only=False), dtype=np.int64)
        begin, before = 0, 0
        while begin < len(batch):
            end = max(begin + 1, int(np.searchsorted(ends, before + _SLICE_BYTES, "right")))
            yield batch.slice(begin, end - begin)
            begin, before = end, int(ends[end - 1])


def _filter(plan: Plan, hashes: DataFrame, count: int) -> bytes:
    """A Bloom filter of the hashes, made in parts and merged on the driver."""
    size = _core_spark.bloom_bytes(count)
    bloom = _core_spark.Bloom(size)
    pieces = hashes.coalesce(plan.spark.sparkContext.defaultParallelism).mapInArrow(
        task("_steps.candidates", "make_filter", size), "filter binary"
    )
    for row in pieces.toLocalIterator():
        bloom.merge(bytes(row[0]))
    return bloom.data()


def make_filter(batches: Iterable[pa.RecordBatch], size: int) -> Iterator[pa.RecordBatch]:
    bloom = _core_spark.Bloom(size)
    for batch in batches:
        bloom.add(np.ascontiguousarray(batch.column(0).to_numpy(zero_copy_only=False)))
    yield pa.record_batch([pa.array([bloom.data()], pa.binary())], ["filter"])
