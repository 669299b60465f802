"""HammingIndex: a comparison with every fingerprint is its twin."""

import threading

import neardup
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def clustered(count, bits, seed=3):
    """Random fingerprints, a third of them near others."""
    draw = np.random.default_rng(seed)
    codes = draw.integers(0, 2**64, (count, bits // 64), dtype=np.uint64)
    for row in range(0, count, 3):
        codes[row] = codes[draw.integers(count)]
        for bit in draw.integers(0, bits, draw.integers(0, 5)):
            codes[row, bit // 64] ^= np.uint64(1) << np.uint64(bit % 64)
    return codes[:, 0].copy() if bits == 64 else codes


def distances(codes, query):
    different = np.bitwise_count(codes ^ query)
    return different.astype(int) if codes.ndim == 1 else different.astype(int).sum(axis=1)


def naive(codes, ids, queries, distance, limit=None):
    """(query, id, distance), one comparison after the other."""
    found = []
    for number, query in enumerate(queries):
        away = distances(codes, query)
        hits = sorted((int(d), int(i)) for d, i in zip(away, ids, strict=True) if d <= distance)
        found += [(number, i, d) for d, i in hits[:limit]]
    return found


def rows(neighbours):
    return list(zip(*(column.tolist() for column in neighbours), strict=True))


@pytest.mark.parametrize("bits", [64, 128])
@pytest.mark.parametrize("distance", [0, 1, 3, 7])
@pytest.mark.parametrize("count", [1, 50, 3000])
def test_answers_equal_those_of_the_flat_twin(bits, distance, count):
    codes = clustered(count, bits)
    ids = np.random.default_rng(5).integers(0, 2**40, count, dtype=np.uint64)
    index = neardup.HammingIndex(codes, ids, distance)
    queries = codes[:40]
    for radius in {0, distance // 2, distance}:
        expected = naive(codes, ids, queries, radius)
        assert rows(index.query_all(queries, radius)) == expected
        assert index.count_all(queries, radius).tolist() == [sum(q == number for q, _, _ in expected) for number in range(len(queries))]
    assert rows(index.query_all(queries, limit=2)) == naive(codes, ids, queries, distance, 2)
    number = int(queries[0]) if bits == 64 else int(queries[0, 0]) | int(queries[0, 1]) << 64
    assert [(0, hit.id, hit.distance) for hit in index.query(number)] == naive(codes, ids, queries[:1], distance)
    assert index.count(number) == len(index.query(number)) and index.query(number, limit=1) == index.query(number)[:1]
    assert (len(index), index.bits, index.max_distance) == (count, bits, distance)
    assert index.distinct == len(np.unique(codes, axis=0)) and index.nbytes > 0


@pytest.mark.parametrize("bits", [64, 128])
def test_joins_equal_those_of_the_flat_twin(bits):
    codes, others = clustered(400, bits), clustered(300, bits)
    index, other = neardup.HammingIndex(codes, max_distance=3), neardup.HammingIndex(others, max_distance=5)
    within = [(i, j, int(d)) for i in range(400) for j, d in enumerate(distances(codes, codes[i])) if i < j and d <= 3]
    assert rows(index.self_join()) == within and index.count_pairs() == len(within) > 50
    across = [(i, j, int(d)) for i in range(400) for j, d in enumerate(distances(others, codes[i])) if d <= 3]
    assert rows(index.join(other)) == across and len(across) > 50


@given(st.lists(st.integers(0, 2**64 - 1), max_size=60), st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=10), st.integers(0, 64))
@settings(max_examples=60)
def test_any_codes_and_distance(codes, queries, distance):
    index = neardup.HammingIndex(codes, max_distance=distance)
    array = np.array(codes, dtype=np.uint64)
    assert rows(index.query_all(queries)) == naive(array, range(len(codes)), np.array(queries, dtype=np.uint64), distance)


def test_layout_of_an_array_does_not_matter():
    codes = clustered(500, 64)
    expected = rows(neardup.HammingIndex(codes).query_all(codes))
    wide = np.zeros((500, 3), dtype=np.uint64)
    wide[:, 1] = codes
    read_only = codes.copy()
    read_only.flags.writeable = False
    unaligned = np.zeros(8 * 500 + 1, dtype=np.uint8)[1:].view(np.uint64)
    unaligned[:] = codes
    for same in (
        wide[:, 1],
        codes[::-1][::-1],
        read_only,
        unaligned,
        codes.astype(">u8"),
        codes.view(np.int64),
        codes.tolist(),
        tuple(codes.tolist()),
        list(codes),
        np.asfortranarray(codes),
    ):
        assert rows(neardup.HammingIndex(same).query_all(same)) == expected
    two = clustered(500, 128)
    expected = rows(neardup.HammingIndex(two).query_all(two))
    for same in (np.asfortranarray(two), np.hstack([two, two])[:, 2:], two.view(np.int64), two.astype(">i8")):
        assert rows(neardup.HammingIndex(same).query_all(same)) == expected


class Tensor:
    """An array of another library: __index__ is for its single elements."""

    def __init__(self, values):
        self.values = values

    def __index__(self):
        raise TypeError("only one element")

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_columns_of_frames_are_arrays():
    codes = clustered(100, 64)
    expected = rows(neardup.HammingIndex(codes).query_all(codes))
    for same in (pd.Series(codes), pl.Series(codes), pa.array(codes), pd.Series(codes.view(np.int64)), Tensor(codes)):
        assert rows(neardup.HammingIndex(same).query_all(same)) == expected


CODES = clustered(100, 64)
INDEX = neardup.HammingIndex(CODES)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (None, TypeError),
        ("text", TypeError),
        (CODES.astype(float), TypeError),
        (CODES.astype(np.uint32), TypeError),
        (CODES.astype(object), TypeError),
        (CODES.astype(bool), TypeError),
        (CODES.reshape(4, 25), ValueError),
        (CODES.reshape(1, 50, 2), ValueError),
        (np.array(3, dtype=np.uint64), ValueError),
        ([1, -1], ValueError),
        ([1, 2**64], ValueError),
        ([1, 0.5], TypeError),
        ([1, "a"], TypeError),
        ([True, False], TypeError),
        ([[1, 2], [3]], TypeError),
        (np.zeros((3, 0), dtype=np.uint64), ValueError),
        (np.array(["2020-01-01"], dtype="M8[s]"), TypeError),
        ({"a": 1}, TypeError),
        (np.zeros(3, dtype=[("a", "u8")]), TypeError),
        (object(), TypeError),
        (CODES.astype(complex), TypeError),
    ],
)
def test_what_are_no_codes(wrong, error):
    with pytest.raises(error, match="codes"):
        neardup.HammingIndex(wrong)
    with pytest.raises(error, match="codes"):
        INDEX.query_all(wrong)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: INDEX.query(-1), ValueError, "code"),
        (lambda: INDEX.query(2**64), ValueError, "code"),
        (lambda: INDEX.query(1.0), TypeError, "code"),
        (lambda: INDEX.query("00"), TypeError, "code"),
        (lambda: INDEX.query(None), TypeError, "code"),
        (lambda: INDEX.query(True), TypeError, "code"),
        (lambda: INDEX.query(1, 4), ValueError, "max_distance: expected 0 to 3, not 4"),
        (lambda: INDEX.query(1, -1), ValueError, "max_distance"),
        (lambda: INDEX.query(1, limit=0), ValueError, "limit"),
        (lambda: INDEX.query_all([1], limit=2**64), ValueError, "limit"),
        (lambda: INDEX.query_all(clustered(3, 128)), ValueError, "64 bits, not of 128"),
        (lambda: neardup.HammingIndex(CODES, max_distance=65), ValueError, "max_distance"),
        (lambda: neardup.HammingIndex(CODES, max_distance=2**70), ValueError, "max_distance"),
        (lambda: neardup.HammingIndex(CODES, [1, 2]), ValueError, "ids: 2 for 100"),
        (lambda: neardup.HammingIndex(CODES, np.full(100, -1)), ValueError, "ids"),
        (lambda: neardup.HammingIndex(CODES, CODES.reshape(2, 50)), ValueError, "ids"),
        (lambda: neardup.HammingIndex(CODES, ["a"] * 100), TypeError, "ids"),
        (lambda: neardup.HammingIndex(CODES, threads=-1), ValueError, "threads"),
        (lambda: neardup.HammingIndex(CODES, temp_dir=5), TypeError, "temp_dir"),
        (lambda: INDEX.join(5), TypeError, "other"),
        (lambda: INDEX.join(neardup.HammingIndex(clustered(3, 128))), ValueError, "128 bits"),
        (lambda: INDEX.self_join(5), ValueError, "max_distance"),
        (lambda: INDEX.count_all(CODES, threads="1"), TypeError, "threads"),
        (lambda: neardup.HammingIndex(CODES, memory=-1), ValueError, "memory"),
        (lambda: neardup.HammingIndex(CODES, memory="2Q"), neardup.UsageError, "memory: expected a number of bytes.*not '2Q'"),
        (lambda: neardup.HammingIndex(CODES, memory=1e6), TypeError, "memory: expected a whole number, not float"),
    ],
)
def test_wrong_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_an_uninitialized_index_is_an_error():
    with pytest.raises((TypeError, AttributeError)):
        neardup.HammingIndex.__new__(neardup.HammingIndex).query(1)
    with pytest.warns(RuntimeWarning, match="uninitialized"), pytest.raises(TypeError):
        type(INDEX._core).__new__(type(INDEX._core)).query(np.zeros((1, 1), dtype=np.uint64), 0, 1, 1)


def test_no_codes():
    index = neardup.HammingIndex([])
    assert len(index) == 0 and index.query(5) == [] and rows(index.self_join()) == [] and rows(index.query_all([])) == []
    assert neardup.HammingIndex(np.zeros((0, 2), dtype=np.uint64)).bits == 128


def test_several_threads_ask_one_index_while_the_array_changes():
    codes = clustered(20000, 64)
    index = neardup.HammingIndex(codes)
    expected = rows(index.query_all(codes[:200]))
    failures = []

    def ask(seed):
        mine = codes[:200].copy()
        for _ in range(5):
            if rows(index.query_all(mine, threads=2)) != expected or len(index.self_join(threads=1).a) == 0:
                failures.append(seed)

    def build():
        shared = clustered(20000, 64)
        stop = threading.Event()
        writer = threading.Thread(target=lambda: [shared.sort() for _ in iter(stop.is_set, True)])
        writer.start()
        for _ in range(5):
            neardup.HammingIndex(shared)
        stop.set()
        writer.join()

    workers = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)] + [threading.Thread(target=build)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
