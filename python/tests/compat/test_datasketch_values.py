"""neardup.compat.datasketch against the installed package datasketch: the same values, bit for bit."""

import pickle
import struct
import sys

import datasketch as theirs
import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup.compat.datasketch as ours
import neardup.compat.datasketch.v1 as ours_v1
from neardup.compat.datasketch import lshensemble_partition

SCHEMES = ("affine32", "affine64", "legacy")
TOKENS = [b"token%d" % i for i in range(700)] + [
    b"",
    b"x" * 55,
    b"y" * 56,
    b"z" * 64,
    b"long" * 500,
    bytearray(b"array"),
    memoryview(b"view"),
]


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("num_perm", (1, 4, 63, 64, 65, 128, 200))
@pytest.mark.parametrize("seed", (0, 1, 42, 2**32 - 1))
def test_hash_values_of_every_scheme(scheme, num_perm, seed):
    a = ours.MinHash(num_perm, seed, scheme=scheme)
    b = theirs.MinHash(num_perm, seed, scheme=scheme)
    assert same(a.hashvalues, b.hashvalues) and same(a.permutations, b.permutations)
    for each in (a, b):
        each.update_batch(TOKENS[:20])
    assert same(a.hashvalues, b.hashvalues)
    for token in TOKENS[20:30] + TOKENS[-7:]:
        a.update(token)
        b.update(token)
    assert same(a.hashvalues, b.hashvalues)
    for each in (a, b):
        each.update_batch(iter(TOKENS))
    assert same(a.hashvalues, b.hashvalues)
    assert a.count() == b.count() and len(a) == len(b) and not a.is_empty()


def test_the_default_is_that_of_the_installed_package():
    a, b = ours.MinHash(), theirs.MinHash()
    assert getattr(b, "scheme", "legacy") == a.scheme
    for each in (a, b):
        each.update_batch(TOKENS)
    assert same(a.hashvalues, b.hashvalues)


def test_version_1_has_the_values_of_legacy():
    a, b = ours_v1.MinHash(16, 3), theirs.MinHash(16, 3, scheme="legacy")
    for each in (a, b):
        each.update_batch(TOKENS)
    assert same(a.hashvalues, b.hashvalues) and a.scheme == "legacy"
    assert same(ours_v1.LeanMinHash(seed=3, hashvalues=a.hashvalues).hashvalues, b.hashvalues)
    assert type(ours_v1.MinHash.bulk([[b"a"]])[0]) is ours_v1.MinHash


@pytest.mark.parametrize("scheme", SCHEMES)
def test_bulk_and_generator(scheme):
    random = np.random.RandomState(3)
    sets = [[TOKENS[i] for i in random.randint(0, len(TOKENS), size)] for size in (0, 1, 2, 17, 1000, 5000, *random.randint(0, 30, 200))]
    expected = theirs.MinHash.bulk(sets, num_perm=70, seed=9, scheme=scheme)
    for made in (
        ours.MinHash.bulk(sets, num_perm=70, seed=9, scheme=scheme),
        list(ours.MinHash.generator(iter(sets), num_perm=70, seed=9, scheme=scheme)),
    ):
        assert len(made) == len(expected)
        assert all(same(a.hashvalues, b.hashvalues) and type(a) is ours.MinHash for a, b in zip(made, expected))
    made[0].update(b"one")
    assert made[0].hashvalues is not made[1].hashvalues and not np.array_equal(made[0].hashvalues, expected[0].hashvalues)
    # Arrays of numbers are tokens too: their bytes are hashed.
    numbers = random.randint(0, 30, (5, 10))
    assert all(
        same(a.hashvalues, b.hashvalues)
        for a, b in zip(ours.MinHash.bulk(numbers, scheme=scheme), theirs.MinHash.bulk(numbers, scheme=scheme))
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_more_tokens_than_are_hashed_with_the_lock(scheme):
    tokens = [b"%d" % i for i in range(20_000)]
    a, b = ours.MinHash(scheme=scheme), theirs.MinHash(scheme=scheme)
    for each in (a, b):
        each.update(b"first")
        each.update_batch(tokens)
    assert same(a.hashvalues, b.hashvalues)


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20), st.sampled_from(SCHEMES), st.integers(1, 70), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_hash_functions_in_python(numbers, scheme, num_perm, seed):
    if scheme == "affine32":
        numbers = [number >> 32 for number in numbers]
    a = ours.MinHash(num_perm, seed, hashfunc=lambda x: x, scheme=scheme)
    b = theirs.MinHash(num_perm, seed, hashfunc=lambda x: x, scheme=scheme)
    for each in (a, b):
        each.update_batch(numbers[1:])
        if numbers:
            each.update(numbers[0])
    assert same(a.hashvalues, b.hashvalues)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_hash_functions_out_of_range(scheme):
    for value in (-1, 2**64, 2**32):
        outcomes = []
        for package in (ours, theirs):
            m = package.MinHash(8, hashfunc=lambda x: x, scheme=scheme)
            outcomes.append([])
            for call in (lambda: m.update_batch([value]), lambda: m.update_batch([3, value])):
                try:
                    call()
                    outcomes[-1].append(m.hashvalues.tolist())
                except (ValueError, OverflowError) as error:
                    outcomes[-1].append(type(error))
        assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_comparison_union_and_lean(scheme):
    made = []
    for package in (ours, theirs):
        a = package.MinHash(64, scheme=scheme)
        b = package.MinHash(64, scheme=scheme)
        a.update_batch(TOKENS[:50])
        b.update_batch(TOKENS[20:70])
        lean = package.LeanMinHash(a)
        orders = []
        for order in "@=<>!":
            buffer = bytearray(lean.bytesize(order) + 5)
            lean.serialize(buffer, order)
            orders.append(bytes(buffer))
            assert package.LeanMinHash.deserialize(buffer, order) == lean
        union = package.MinHash.union(a, b)
        lean_union = package.LeanMinHash.union(lean, package.LeanMinHash(b))
        bits = []
        for b_bits in (0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 27, 32):
            for size in (1, 5, 64):
                # Not with r > 0 and no bits, where the original divides by zero.
                r = 0.25 if b_bits else 0.0
                x = package.bBitMinHash(package.MinHash(hashvalues=a.hashvalues[:size], scheme=scheme), b_bits, r)
                y = package.bBitMinHash(package.MinHash(hashvalues=b.hashvalues[:size], scheme=scheme), b_bits, r)
                # Of no bits there is no similarity: the original keeps slots of 4 bits for them.
                bits.append((bytes(x.__getstate__()), x.bytesize(), x.jaccard(y) if b_bits else None))
                assert pickle.loads(pickle.dumps(x)) == x
        a_values = a.hashvalues
        a.merge(b)
        assert not np.array_equal(a_values, a.hashvalues)  # an array that is held does not change
        made.append(
            (
                a.jaccard(b),
                union.hashvalues.tolist(),
                lean_union.hashvalues.tolist(),
                lean.count(),
                orders,
                bytes(lean.__getstate__()),
                bits,
                a.hashvalues.tolist(),
            )
        )
    assert made[0] == made[1]


def test_what_the_original_pickled_can_be_read(monkeypatch):
    states = []
    for scheme in SCHEMES:
        m = theirs.MinHash(16, 5, scheme=scheme)
        m.update_batch(TOKENS)
        states += [pickle.dumps(m), pickle.dumps(theirs.LeanMinHash(m)), pickle.dumps(theirs.bBitMinHash(m, 5))]
    expected = [pickle.loads(state).hashvalues for state in states]
    modules = [name for name in sys.modules if name == "datasketch" or name.startswith("datasketch.")]
    for name in modules:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "datasketch", ours)
    for name in ("minhash", "lean_minhash", "b_bit_minhash", "hashfunc"):
        monkeypatch.setitem(sys.modules, f"datasketch.{name}", sys.modules[f"neardup.compat.datasketch.{name}"])
    for state, values in zip(states, expected):
        read = pickle.loads(state)
        assert type(read).__module__.startswith("neardup.") and same(read.hashvalues, values)


def test_weighted():
    random = np.random.RandomState(5)
    for dim, size in ((1, 1), (2, 4), (40, 32), (300, 128)):
        a, b = ours.WeightedMinHashGenerator(dim, size, 3), theirs.WeightedMinHashGenerator(dim, size, 3)
        assert same(a.rs, b.rs) and same(a.ln_cs, b.ln_cs) and same(a.betas, b.betas)
        rows = random.uniform(0, 9, (12, dim)) * (random.uniform(0, 1, (12, dim)) < 0.6)
        rows[0] = 1
        for row in rows:
            for vector in (row, row.astype(np.float32), list(row), random.randint(1, 10**8, dim)):
                if np.any(vector):
                    x, y = a.minhash(vector), b.minhash(vector)
                    assert same(x.hashvalues, y.hashvalues)
                    assert x.jaccard(a.minhash(rows[0])) == y.jaccard(b.minhash(rows[0]))
        for matrix in (rows, sparse.csr_matrix(rows), sparse.coo_matrix(rows)):
            for x, y in zip(a.minhash_many(matrix), b.minhash_many(matrix), strict=True):
                assert (x is None) == (y is None)
                assert x is None or same(x.hashvalues, y.hashvalues)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=30, unique=True), st.integers(1, 12), st.randoms())
@settings(max_examples=150, deadline=None)
def test_partitions(sizes, parts, random):
    from datasketch.lshensemble_partition import optimal_partitions

    sizes = np.array(sorted(sizes))
    counts = np.array([random.randint(1, 50) for _ in sizes])
    assert lshensemble_partition.optimal_partitions(sizes, counts, parts) == optimal_partitions(sizes, counts, parts)


def test_parameters():
    from datasketch.lsh import _optimal_param
    from datasketch.lshensemble import _optimal_param as _ensemble_param

    from neardup._core import datasketch as native

    for threshold in (0.0, 0.1, 0.25, 0.5, 0.55, 0.8, 0.9, 0.99, 1.0):
        for num_perm in (2, 5, 16, 64, 128):
            for weight in (0.5, 0.25, 0.9, 0.1):
                assert native.lsh_parameters(threshold, num_perm, weight, 1 - weight) == _optimal_param(
                    threshold, num_perm, weight, 1 - weight
                )
    for threshold in (0.1, 0.5, 0.9):
        for xq in np.exp(np.linspace(-5, 5, 10)):
            assert native.ensemble_parameters(threshold, 64, 8, xq, 0.5, 0.5) == _ensemble_param(threshold, 64, 8, xq, 0.5, 0.5)


def test_hash_functions():
    for token in TOKENS:
        assert ours.sha1_hash32(token) == theirs.sha1_hash32(token)
        assert ours.sha1_hash64(token) == theirs.hashfunc.sha1_hash64(token)
    assert ours.sha1_hash32(b"abc") == struct.unpack("<I", bytes.fromhex("a9993e36"))[0]  # FIPS 180-4
