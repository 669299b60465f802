"""neardup.compat.simhash gives what the package simhash 2.1.2 gives, passes its test file, and works where the package fails."""

import copy
import hashlib
import importlib
import json
import pickle
import sys
import unittest

import numpy as np
import pytest
import simhash as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from jieba_oracle import ODD_TEXTS, real_texts
from needs import shared

import neardup
from neardup.compat import simhash as ours
from neardup.compat.simhash import Simhash, SimhashIndex, simhash_many


@pytest.fixture(scope="module", name="texts")
def fixture_texts():
    return ODD_TEXTS + real_texts()


def fails_in_the_package(text):
    """A window of a text occurs 256 times and more, which is too much for it under numpy 2."""
    return max(map(text.count, {text[at : at + 4] for at in range(len(text))}), default=0) > 255


def test_texts(texts):
    for text in texts:
        if fails_in_the_package(text):
            continue
        for f in (8, 32, 64, 128):
            assert Simhash(text, f).value == theirs.Simhash(text, f).value, (text, f)
        for reg in (r"[\w]+", "[a-z一-龥]", r"[^\s\ud800-\udfff]+"):
            assert Simhash(text, reg=reg).value == theirs.Simhash(text, reg=reg).value, (text, reg)


def test_many_texts(texts):
    for f in (8, 24, 64):
        made = simhash_many(texts, f)
        assert made.dtype == np.uint64 and made.shape == (len(texts),)
        assert made.tolist() == [Simhash(text, f).value for text in texts]
    for f in (72, 128):
        made = simhash_many(iter(texts), f, threads=2)
        assert made.dtype == np.uint64 and made.shape == (len(texts), 2)
        assert [int(high) << 64 | int(low) for high, low in made] == [Simhash(text, f).value for text in texts]
    assert simhash_many([]).shape == (0,) and simhash_many([], 128).shape == (0, 2)
    assert simhash_many(texts * 300).tolist() == simhash_many(texts).tolist() * 300


@pytest.mark.parametrize(
    "arguments",
    [
        ("text",),
        (None,),
        (5,),
        ([None],),
        (["a", b"a"],),
        ([["a"]],),
        (["a"], 60),
        (["a"], 136),
        (["a"], 0),
        (["a"], 64, 0),
        (["a"], 64, "2"),
    ],
)
def test_many_texts_refuses(arguments):
    with pytest.raises((TypeError, ValueError)):
        simhash_many(*arguments)


def test_many_texts_names_the_item():
    with pytest.raises(TypeError, match=r"texts\[2\] must be str, not bytes"):
        simhash_many(["a", "b", b"c"])


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=100))
def test_any_text(text):
    # Python 3.11 has Unicode 14, the native library a later version.
    text = "".join(c for c in text if ord(c) < 0x10000)
    expected = theirs.Simhash(text).value
    assert Simhash(text).value == expected
    assert simhash_many([text]).tolist() == [expected]


tokens = st.text("ab的一😀é", max_size=4)
weights = st.one_of(st.integers(0, 255), st.integers(-100, 50), st.floats(-1e6, 1e6), st.booleans())


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.lists(tokens, max_size=300), st.lists(st.tuples(tokens, weights), max_size=30), st.dictionaries(tokens, weights, max_size=20)
    ),
    st.sampled_from([8, 64, 128]),
)
def test_any_features(features, f):
    assert Simhash(features, f).value == theirs.Simhash(features, f).value


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            tokens,
            st.one_of(
                st.integers(0, 255), st.floats(0, 1e6), st.floats(0, 100, width=32).map(np.float32), st.integers(0, 99).map(np.int64)
            ),
        ),
        max_size=20,
    )
)
def test_weights_of_numpy(features):
    assert Simhash(features).value == theirs.Simhash(features).value


def test_kinds_of_features():
    for features in (
        ("a", "b"),
        ["a"],
        [],
        {},
        {"a": 2, "b": 1.5},
        [("a", 1), ["b", 3]],
        [("a", 2), "b", "c"],
        {"a", "b"},
        {"a": 1}.items(),
        [("a", np.float64(0.3))],
    ):
        assert Simhash(features).value == theirs.Simhash(features).value, features
        assert Simhash(iter(features)).value == theirs.Simhash(iter(features)).value, features
    for features in ([1], [("a",)], [("a", 1, 2)], [None], [("a", "b")], [(1, 2)], b"abc", ["\ud800"], [("a", None)], [("a", 1.5), "b"]):
        with pytest.raises(Exception) as expected:
            theirs.Simhash(features)
        with pytest.raises((TypeError, ValueError, AttributeError, UnicodeEncodeError)):
            Simhash(features)
        assert expected.type is not SystemError
    many = [str(i) for i in range(501)]
    assert Simhash(many).value == theirs.Simhash(many).value
    floats = [(each, 0.1 * i) for i, each in enumerate(many)] + [(each, i % 50) for i, each in enumerate(many)]
    assert Simhash(floats).value == theirs.Simhash(floats).value


def exact(features, f):
    """The definition in whole numbers."""
    total = sum(weight for _, weight in features)
    hashes = [(int.from_bytes(hashlib.md5(feature.encode()).digest(), "big"), weight) for feature, weight in features]
    return sum(1 << bit for bit in range(f) if 2 * sum(weight for number, weight in hashes if number >> bit & 1) > total)


@pytest.mark.parametrize("largest", [256, 2**31, 2**52, 2**53, 2**63, 2**70])
def test_weights_that_the_package_cannot_add(largest):
    features = [(str(i), largest * i // 40) for i in range(1, 41)]
    for f in (64, 128):
        assert Simhash(features, f).value == exact(features, f)
    assert Simhash(dict(features)).value == exact(features, 64)
    text = "的" * 300 + "中国人民" * 400
    windows = [text[i : i + 4] for i in range(len(text) - 3)]
    assert Simhash(text).value == exact([(window, 1) for window in windows], 64)


def test_hash_functions():
    def sha(data):
        return hashlib.sha256(data).digest()

    def number(data):
        return int(hashlib.sha512(data).hexdigest(), 16)

    def short(data):
        return hashlib.md5(data).digest()[:2]

    for hashfunc, f in ((sha, 64), (sha, 256), (number, 64), (number, 512), (number, 8)):
        for value in ("How are you? 我很好", ["a", "b"], {"a": 0.5, "b": 3, "c": 80}, [("a", 7), "b"]):
            assert Simhash(value, f=f, hashfunc=hashfunc).value == theirs.Simhash(value, f=f, hashfunc=hashfunc).value
    with pytest.raises(ValueError, match="hashfunc gives 16 bits, f is 64"):
        Simhash("text", hashfunc=short)
    with pytest.raises(ValueError, match="hashfunc gives 128 bits, f is 256"):
        Simhash("text", 256)
    with pytest.raises(ZeroDivisionError):
        Simhash("text", hashfunc=lambda data: 1 // 0)


def test_values_and_comparison():
    one, other = Simhash("How are you"), Simhash("How are we")
    assert one == Simhash("How are you") == Simhash(one) and one != other and Simhash(5) == Simhash(5, f=128) and one != 5
    assert Simhash(np.int64(5)).value == theirs.Simhash(np.int64(5)).value == 5
    assert one.distance(other) == theirs.Simhash("How are you").distance(theirs.Simhash("How are we")) > 0
    assert (one.f, one.f_bytes, one.reg, Simhash.batch_size, Simhash.large_weight_cutoff) == (64, 8, theirs.Simhash("a").reg, 200, 50)
    with pytest.raises(AssertionError):
        one.distance(Simhash("a", 128))
    with pytest.raises(TypeError):
        hash(one)
    for clone in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert clone == one and clone.f == one.f
    for wrong in (7, 0, -8, 1.5, None, "8"):
        with pytest.raises(ValueError):
            Simhash("a", f=wrong)
    for value in (None, 1.5, object()):
        with pytest.raises(TypeError, match="not " + type(value).__name__):
            Simhash(value)


def test_subclasses():
    def make(base):
        class Words(base):
            """Words instead of windows."""

            def _tokenize(self, content):
                return content.split()

        class Pairs(base):
            """Windows of two."""

            def _slide(self, content, width=2):
                return super()._slide(content, width)

        return Words, Pairs

    for mine, judge in zip(make(Simhash), make(theirs.Simhash)):
        for text in ("the cat sat on the mat", "我很好 谢谢"):
            assert mine(text).value == judge(text).value != Simhash(text).value


def test_index(texts):
    texts = [text for text in texts if not fails_in_the_package(text)]
    edited = [text.replace("的", "地", 3) for text in texts]
    for f, k in ((64, 3), (64, 10), (32, 2), (128, 6)):
        mine, judge = (
            module.SimhashIndex([(str(i), module.Simhash(text, f)) for i, text in enumerate(texts)], f, k) for module in (ours, theirs)
        )
        assert dict(mine.bucket) == dict(judge.bucket) and mine.bucket_size() == judge.bucket_size() and mine.offsets == judge.offsets
        for text in edited:
            assert sorted(mine.get_near_dups(Simhash(text, f))) == sorted(judge.get_near_dups(theirs.Simhash(text, f)))
            assert list(mine.get_keys(Simhash(text, f))) == list(judge.get_keys(theirs.Simhash(text, f)))
        for index, module in ((mine, ours), (judge, theirs)):
            index.delete("3", module.Simhash(texts[3], f))
            index.delete("none", module.Simhash("never seen", f))
            index.add("a,b", module.Simhash(texts[3], f))
            index.add(5, module.Simhash(texts[3], f))
        assert sorted(mine.get_near_dups(Simhash(texts[3], f))) == sorted(judge.get_near_dups(theirs.Simhash(texts[3], f)))
        again = pickle.loads(pickle.dumps(mine))
        assert again.bucket == mine.bucket and again.get_near_dups(Simhash(texts[5], f)) == mine.get_near_dups(Simhash(texts[5], f))
        with pytest.raises(AssertionError):
            mine.add("x", Simhash("a", 8))
        with pytest.raises(neardup.UsageError):
            mine.get_near_dups(Simhash("a", 8))


def test_golden_values():
    path = shared("golden/simhash-golden.jsonl")
    judged = 0
    for line in path.read_text(encoding="utf-8").split("\n"):
        record = json.loads(line) if line else {"kind": None}
        if record["kind"] in ("text", "tokens", "weighted"):
            value = record["input"]
            value = [tuple(pair) for pair in value] if record["kind"] == "weighted" else value
            assert Simhash(value, record["f"]).value == int(record["value"]), record["case"]
            judged += 1
    assert judged > 100


def test_the_test_file_of_the_package(monkeypatch):
    folder = shared("upstream/simhash")
    monkeypatch.setitem(sys.modules, "simhash", ours)
    monkeypatch.delitem(sys.modules, "test_upstream_simhash", raising=False)
    spec = importlib.util.spec_from_file_location("test_upstream_simhash", folder / "test_simhash.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.Simhash is Simhash and module.SimhashIndex is SimhashIndex
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
    assert result.testsRun == 10
    assert not result.failures + result.errors, result.failures + result.errors
