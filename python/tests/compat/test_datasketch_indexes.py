"""The indexes of neardup.compat.datasketch against those of the installed package, and what is ours alone."""

import copy
import gc
import pickle
import random as randomness
import threading
import weakref

import datasketch as theirs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup.compat.datasketch as ours
from neardup.compat.datasketch import storage

SCHEMES = ("affine32", "affine64", "legacy")


def signatures(package, scheme, count, num_perm=64, seed=1):
    """MinHash of sets that share tokens in groups of ten."""
    random = randomness.Random(seed)
    sets = []
    for i in range(count):
        base = [b"%d" % token for token in range(i // 10 * 100, i // 10 * 100 + 60)]
        sets.append(random.sample(base, 60 - i % 10 * 3) + [b"own%d" % i])
    return package.MinHash.bulk(sets, num_perm=num_perm, scheme=scheme), [len(s) for s in sets]


def tables(lsh):
    return [{H: set(table[H]) for H in table} for table in lsh.hashtables]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "options",
    (
        {"threshold": 0.5},
        {"threshold": 0.8},
        {"params": (16, 4)},
        {"threshold": 0.7, "hashfunc": lambda H: H[:3]},
        {"threshold": 0.5, "prepickle": True},
    ),
)
def test_lsh_answers_and_buckets(scheme, options):
    made = []
    for package in (ours, theirs):
        minhashes, _ = signatures(package, scheme, 120)
        lsh = package.MinHashLSH(num_perm=64, **options)
        with lsh.insertion_session() as session:
            for i, minhash in enumerate(minhashes[:100]):
                session.insert(f"key {i}", minhash)
        state = [(lsh.b, lsh.r, lsh.h, lsh.hashranges, lsh.is_empty(), len(lsh.keys))]
        for step in range(3):
            state.append([sorted(lsh.query(minhash)) for minhash in minhashes])
            state.append([lsh._query_b(minhash, 2) for minhash in minhashes])
            state.append((tables(lsh), lsh.get_counts(), lsh.get_subset_counts("key 7", "key 8"), sorted(lsh.keys)))
            state.append([list(lsh.keys[key]) for key in sorted(lsh.keys)])
            for i in range(step, 100, 3):
                lsh.remove(f"key {i}")
                assert f"key {i}" not in lsh
        assert lsh.is_empty()
        with pytest.raises(ValueError):
            lsh.remove("key 1")
        made.append(state)
    assert made[0] == made[1]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_lsh_refuses_what_the_original_refuses(scheme):
    for package in (ours, theirs):
        minhashes, _ = signatures(package, scheme, 3)
        lsh = package.MinHashLSH(0.5, 64)
        lsh.insert("a", minhashes[0])
        other = next(s for s in SCHEMES if s != scheme)
        with pytest.raises(ValueError):
            lsh.insert("a", minhashes[1])
        with pytest.raises(ValueError):
            lsh.insert("b", package.MinHash(64, scheme=other))
        with pytest.raises(ValueError):
            lsh.query(package.MinHash(64, scheme=other))
        with pytest.raises(ValueError):
            lsh.query(package.MinHash(65, scheme=scheme))
        with pytest.raises(ValueError):
            lsh._query_b(minhashes[0], lsh.b + 1)
        with pytest.raises(TypeError):
            lsh.insert(["list"], minhashes[1])
        for wrong in (
            {"threshold": 1.1},
            {"num_perm": 1},
            {"weights": (0.5, 0.6)},
            {"weights": (-1, 2)},
            {"params": (9, 9), "num_perm": 80},
            {"params": (1, 5)},
        ):
            with pytest.raises(ValueError):
                package.MinHashLSH(**wrong)


def test_lsh_merge_and_repeated_keys():
    made = []
    for package in (ours, theirs):
        minhashes, _ = signatures(package, "affine32", 40)
        first, second = package.MinHashLSH(0.5, 64), package.MinHashLSH(0.5, 64)
        for i in range(20):
            first.insert(i, minhashes[i])
            second.insert(i + 15, minhashes[i + 15])
        with pytest.raises(ValueError):
            first.merge(second, check_overlap=True)
        first.merge(second)
        third = package.MinHashLSH(0.5, 64)
        third.insert(3, minhashes[39])
        first.merge(third)
        first.insert(4, minhashes[39], check_duplication=False)
        made.append(
            (
                tables(first),
                first.get_counts(),
                [sorted(first.query(m)) for m in minhashes],
                [list(first.keys[key]) for key in range(35)],
                len(first.keys),
            )
        )
        with pytest.raises(ValueError):
            first.merge(package.MinHashLSH(0.9, 64))
        legacy = package.MinHashLSH(0.5, 64)
        legacy.insert("legacy", signatures(package, "legacy", 1)[0][0])
        with pytest.raises(ValueError):
            first.merge(legacy)
    assert made[0] == made[1]
    # Unlike the original: nothing is left of a key that was inserted twice.
    first = ours.MinHashLSH(0.5, 64)
    minhashes, _ = signatures(ours, "affine32", 40)
    first.insert("twice", minhashes[0])
    first.insert("twice", minhashes[30], check_duplication=False)
    assert first.query(minhashes[30]) == ["twice"]
    first.remove("twice")
    assert first.is_empty() and not any(tables(first)) and first.query(minhashes[30]) == []


def test_lsh_query_buffer():
    made = []
    for package in (ours, theirs):
        minhashes, _ = signatures(package, "affine32", 60)
        lsh = package.MinHashLSH(0.5, 64)
        for i, minhash in enumerate(minhashes[:50]):
            lsh.insert(i, minhash)
        answers = [lsh.collect_query_buffer()]
        for queries in (minhashes[:1], minhashes[:3], minhashes[3:13], minhashes[55:]):
            for minhash in queries:
                lsh.add_to_query_buffer(minhash)
            answers.append(sorted(lsh.collect_query_buffer()))
        made.append(answers)
    assert made[0] == made[1]


def test_lsh_with_weighted_and_other_objects():
    made = []
    for package in (ours, theirs):
        generator = package.WeightedMinHashGenerator(10, 32)
        random = np.random.RandomState(1)
        minhashes = [generator.minhash(v) for v in np.repeat(random.uniform(1, 10, (20, 10)), 2, axis=0)]
        lsh = package.MinHashLSH(0.5, 32)
        for i, minhash in enumerate(minhashes):
            lsh.insert(i, minhash)
        made.append((tables(lsh), [sorted(lsh.query(m)) for m in minhashes]))
    assert made[0] == made[1]
    # A MinHash of the original fits into our index, as does any object with hash values.
    minhashes, _ = signatures(ours, "affine32", 1)
    lsh = ours.MinHashLSH(0.5, 64)
    lsh.insert("ours", minhashes[0])
    foreign = theirs.MinHash(hashvalues=minhashes[0].hashvalues, scheme="affine32")
    assert lsh.query(foreign) == ["ours"]
    lsh.insert("theirs", foreign)
    assert lsh.query(minhashes[0]) == ["ours", "theirs"]


def test_lsh_pickles_and_copies():
    minhashes, _ = signatures(ours, "affine64", 30)
    for options in ({}, {"hashfunc": bytes.hex}, {"prepickle": True}):
        lsh = ours.MinHashLSH(0.5, 64, **options)
        for i, minhash in enumerate(minhashes):
            lsh.insert((i, "key"), minhash)
        lsh.insert((0, "key"), minhashes[20], check_duplication=False)
        for twin in (pickle.loads(pickle.dumps(lsh)), copy.deepcopy(lsh)):
            assert tables(twin) == tables(lsh) and twin.b == lsh.b
            assert all(sorted(twin.query(m)) == sorted(lsh.query(m)) for m in minhashes)
            assert {key: list(twin.keys[key]) for key in twin.keys} == {key: list(lsh.keys[key]) for key in lsh.keys}
            with pytest.raises(ValueError):
                twin.insert("legacy", ours.MinHash(64, scheme="legacy"))
            twin.remove((1, "key"))
            assert (1, "key") in lsh
        # As in the original, a copy that is not deep shares the tables.
        copy.copy(lsh).remove((1, "key"))
        assert (1, "key") not in lsh


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("trees", (1, 5, 8))
def test_forest(scheme, trees):
    made = []
    for package in (ours, theirs):
        minhashes, _ = signatures(package, scheme, 80)
        forest = package.MinHashLSHForest(64, trees)
        for i, minhash in enumerate(minhashes[:70]):
            forest.add(i, minhash)
        assert forest.is_empty() and 3 in forest and 75 not in forest
        assert forest.query(minhashes[0], 3) == []
        forest.index()
        with pytest.raises(ValueError):
            forest.add(1, minhashes[1])
        with pytest.raises(ValueError):
            forest.query(minhashes[1], 0)
        with pytest.raises(ValueError):
            forest.query(package.MinHash(64, scheme=next(s for s in SCHEMES if s != scheme)), 1)
        with pytest.raises(KeyError):
            forest.get_minhash_hashvalues("none")
        forest = pickle.loads(pickle.dumps(forest))
        made.append(
            (
                [sorted(forest.query(m, k)) for m in minhashes for k in (1, 2, 5, 30, 500)],
                [list(forest._query(m, r, trees)) for m in minhashes for r in (1, forest.k)],
                [forest.get_minhash_hashvalues(key).tolist() for key in range(70)],
                forest.sorted_hashtables,
                forest.keys,
                forest.k,
                forest.l,
            )
        )
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "options",
    (
        {"threshold": 0.5, "num_part": 4},
        {"threshold": 0.8, "num_part": 1, "m": 4},
        {"threshold": 0.3, "num_part": 32, "weights": (0.25, 0.75)},
    ),
)
def test_ensemble(options):
    made = []
    for package in (ours, theirs):
        minhashes, sizes = signatures(package, "affine32", 200)
        ensemble = package.MinHashLSHEnsemble(num_perm=64, **options)
        assert ensemble.is_empty()
        with pytest.raises(ValueError):
            ensemble.index([])
        ensemble.index(zip(range(150), minhashes, sizes))
        with pytest.raises(ValueError):
            ensemble.index([(1, minhashes[0], 3)])
        ensemble = pickle.loads(pickle.dumps(ensemble))
        assert 3 in ensemble and 170 not in ensemble and not ensemble.is_empty()
        made.append(
            (
                [set(ensemble.query(m, size)) for m, size in zip(minhashes, sizes)],
                [set(ensemble.query(m, 3 * size)) for m, size in zip(minhashes, sizes)],
                ensemble.lowers,
                ensemble.uppers,
                ensemble.params.tolist(),
            )
        )
    assert made[0] == made[1]


class Key:
    """A key whose comparison calls the index again."""

    def __init__(self, lsh, minhash, calls):
        self.lsh, self.minhash, self.calls = lsh, minhash, calls

    def __hash__(self):
        return 7

    def __eq__(self, other):
        if self.calls:
            self.calls.pop()
            try:
                self.lsh.remove(other)
                self.lsh.insert(self, self.minhash)
                self.lsh.query(self.minhash)
            except (ValueError, KeyError):
                pass
        return True


def test_keys_that_call_the_index():
    lsh = ours.MinHashLSH(0.5, 64)
    minhashes, _ = signatures(ours, "affine32", 8)
    keys = [Key(lsh, minhash, [1] * 20) for minhash in minhashes]
    for _ in range(5):
        for key, minhash in zip(keys, minhashes):
            for call in (
                lambda: lsh.insert(key, minhash),
                lambda: lsh.insert(key, minhash, False),
                lambda: lsh.remove(key),
                lambda: lsh.query(minhash),
            ):
                try:
                    call()
                except (ValueError, KeyError):
                    pass
    del keys
    gc.collect()
    assert isinstance(lsh.get_counts(), list)


class Marker:
    """Something that can be seen to go."""


def make_cycles(gone):
    lsh = ours.MinHashLSH(0.5, 64)
    key = Marker()
    key.lsh = lsh
    lsh.insert(key, ours.MinHash(64))
    weakref.finalize(key, gone.append, "index")
    held = []
    minhash = ours.MinHash(64, hashfunc=lambda token: len(held))
    minhash.update(b"x")
    minhash.marker = Marker()
    weakref.finalize(minhash.marker, gone.append, "minhash")
    held.append(minhash)


def test_cycles_are_collected():
    gone = []
    make_cycles(gone)
    gc.collect()
    assert sorted(gone) == ["index", "minhash"]


def test_threads_share_an_index_and_a_minhash():
    lsh = ours.MinHashLSH(0.5, 64)
    minhashes, _ = signatures(ours, "affine32", 200)
    shared = ours.MinHash(64)
    tokens = [b"%d" % i for i in range(6000)]

    def work(part):
        for i in range(part, 200, 4):
            lsh.insert(i, minhashes[i])
            lsh.query(minhashes[i])
            shared.update_batch(tokens[: 10 if i % 20 else None])
            shared.hashvalues
        for i in range(part, 200, 8):
            lsh.remove(i)

    threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = ours.MinHash(64)
    expected.update_batch(tokens)
    assert shared == expected
    assert sorted(lsh.keys) == [i for i in range(200) if i % 8 >= 4]


# Any object for any argument: an exception or a result, never a crash.
anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=70),
    st.lists(st.one_of(st.binary(max_size=3), st.integers(-5, 300), st.text(max_size=2), st.none()), max_size=5),
    st.tuples(st.integers(0, 5), st.binary(max_size=3)),
    st.dictionaries(st.binary(max_size=2), st.integers(), max_size=2),
    st.sampled_from(
        [
            object(),
            ours.MinHash,
            ours.MinHash(4),
            ours.MinHash(8, scheme="affine64"),
            ours.LeanMinHash(ours.MinHash(4)),
            np.arange(6),
            np.arange(6.0).reshape(2, 3),
            np.float32(2),
            np.array(["a"]),
            ours.MinHash.__new__(ours.MinHash),
            ours.LeanMinHash.__new__(ours.LeanMinHash),
            memoryview(b"abcd")[::2],
            bytearray(b"x"),
            np.zeros((2, 3, 2))[:, ::2],
            lambda *a: 3,
            lambda *a: b"",
            range(3),
        ]
    ),
)


@given(st.lists(st.tuples(st.integers(0, 30), anything, anything, anything), min_size=1, max_size=8))
@settings(max_examples=400, deadline=None)
def test_any_object_is_refused_or_taken(calls):
    m = ours.MinHash(4)
    lean = ours.LeanMinHash(m)
    lsh = ours.MinHashLSH(num_perm=4, params=(2, 2))
    forest = ours.MinHashLSHForest(4, 2)
    ensemble = ours.MinHashLSHEnsemble(0.5, 4, 2, 2)
    generator = ours.WeightedMinHashGenerator(3, 4)
    small = lambda x: x if not isinstance(x, int) or abs(x) < 200 else 3  # noqa: E731  sizes that take long are not the point
    actions = [
        lambda a, b, c: m.update(a),
        lambda a, b, c: m.update_batch(a),
        lambda a, b, c: m.merge(a),
        lambda a, b, c: m.jaccard(a),
        lambda a, b, c: m == a,
        lambda a, b, c: setattr(m, "hashvalues", a),
        lambda a, b, c: setattr(m, "permutations", (a, b)),
        lambda a, b, c: setattr(m, "hashfunc", a),
        lambda a, b, c: setattr(m, "seed", a),
        lambda a, b, c: ours.MinHash(small(a), b, scheme=c),
        lambda a, b, c: ours.MinHash(hashvalues=a, permutations=b, scheme="legacy", hashfunc=c),
        lambda a, b, c: ours.MinHash.bulk([a, b, c], num_perm=4),
        lambda a, b, c: ours.MinHash.bulk(a, hashfunc=b),
        lambda a, b, c: ours.MinHash.union(m, a),
        lambda a, b, c: ours.LeanMinHash(a, b, c),
        lambda a, b, c: ours.LeanMinHash(seed=a, hashvalues=b, scheme="affine32"),
        lambda a, b, c: lean.serialize(a, b),
        lambda a, b, c: ours.LeanMinHash.deserialize(a),
        lambda a, b, c: m.__setstate__(a),
        lambda a, b, c: lean.__setstate__(a),
        lambda a, b, c: ours.bBitMinHash(a, b, c),
        lambda a, b, c: ours.bBitMinHash(m).__setstate__(a),
        lambda a, b, c: lsh.insert(a, b, c),
        lambda a, b, c: lsh.insert(a, m),
        lambda a, b, c: lsh.query(a) + lsh.query(m),
        lambda a, b, c: lsh._query_b(a, b) or lsh.remove(c),
        lambda a, b, c: lsh._index.__setstate__(a),
        lambda a, b, c: ([t[a] for t in lsh.hashtables], lsh.keys[b], lsh.merge(c)),
        lambda a, b, c: (forest.add(a, b), forest.index(), forest.query(b, c)),
        lambda a, b, c: (ensemble.index([(a, b, c), (b, m, 2)]), list(ensemble.query(a, b))),
        lambda a, b, c: (ours.sha1_hash32(a), generator.minhash(b), generator.minhash_many(c)),
    ]
    for number, a, b, c in calls:
        try:
            actions[number](a, b, c)
        except Exception:  # noqa: BLE001  whatever it is, the process lives
            pass


def test_initialized_twice_and_not_at_all():
    m = ours.MinHash(4)
    array = m.hashvalues
    try:
        m.__init__(8, scheme="affine64")
    except Exception:  # noqa: BLE001
        pass
    assert array.tolist() == [2**32 - 1] * 4 and len(m) in (4, 8)
    empty = ours.MinHash.__new__(ours.MinHash)
    lsh = ours.MinHashLSH(num_perm=4, params=(2, 2))
    for call in (
        lambda: empty.update(b""),
        lambda: empty.hashvalues,
        lambda: lsh.insert(1, empty),
        lambda: lsh.query(empty),
        lambda: ours.MinHash(4).merge(empty),
    ):
        with pytest.raises(Exception):  # noqa: B017  which one is nanobind's business
            call()


def test_errors_name_the_argument():
    with pytest.raises(TypeError, match="token must be bytes .* not str: encode it"):
        ours.MinHash(4).update("text")
    with pytest.raises(TypeError, match="not int"):
        ours.MinHash(4).update_batch([b"a", 3])
    with pytest.raises(ValueError, match="scheme must be one of"):
        ours.MinHash(4, scheme="other")
    with pytest.raises(RuntimeError, match="gpu_mode"):
        ours.MinHash(4, gpu_mode="always").update_batch([b"a"])
    with pytest.raises(ValueError, match="redis.*not supported"):
        ours.MinHashLSH(storage_config={"type": "redis"})
    with pytest.raises(TypeError, match="view"):
        ours.MinHashLSH(0.5, 16).keys.insert("a", b"x")
    assert storage.ordered_storage({"type": "dict"})["none"] == []
