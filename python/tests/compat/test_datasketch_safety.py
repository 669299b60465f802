"""Keys and tokens that run code of their own while the native half works never end the process or break an index."""

import random as randomness

import numpy as np
import pytest

import neardup.compat.datasketch as datasketch
from neardup._core.datasketch import LshIndex

BANDS = [b"aaaabbbb", b"aaaacccc", b"ddddbbbb"]


class Caller:
    """Calls the indexes at random, also from within the keys' own methods."""

    def __init__(self, seed):
        self.random = randomness.Random(seed)
        self.indexes = [LshIndex(2, 1, 2), LshIndex(2, 1, 2)]
        self.keys = [Key(self, i % 3) for i in range(8)]
        self.calls = 0  # that are left within the present call from outside

    def maybe_call(self, probability):
        if self.calls > 0 and self.random.random() < probability:
            self.calls -= 1
            self.call()

    def call(self):
        index = self.random.choice(self.indexes)
        other = self.random.choice(self.indexes)
        key = self.random.choice(self.keys)
        bands = self.random.choice(BANDS)
        calls = [
            lambda: index.insert_keys(key, bands, False),
            lambda: index.insert_keys(key, bands, True),
            lambda: index.remove(key),
            lambda: index.query_keys(bands, 2),
            lambda: index.table_counts(0),
            lambda: index.table_get(1, bands[4:]),
            lambda: index.table_keys(1),
            lambda: index.bands_of(key),
            lambda: index.has(key),
            lambda: LshIndex.__new__(LshIndex).__setstate__(index.__getstate__()),
            lambda: index.merge(other, False) if len(other.__getstate__()[4]) < 20 else index.remove(key),
        ]
        try:
            self.random.choice(calls)()
        except ValueError:
            pass

    def run(self):
        for _ in range(100):
            self.calls = 4
            self.call()
            if self.random.random() < 0.1:
                self.keys[self.random.randrange(len(self.keys))] = Key(self, self.random.randrange(3))


class Key:
    """Equal to others with its number."""

    def __init__(self, caller, number):
        self.caller = caller
        self.number = number

    def __hash__(self):
        self.caller.maybe_call(0.2)
        return 7

    def __eq__(self, other):
        self.caller.maybe_call(0.3)
        return isinstance(other, Key) and self.number == other.number

    def __del__(self):
        self.caller.maybe_call(0.3)


@pytest.mark.parametrize("seed", range(60))
def test_keys_that_call_the_index(seed):
    caller = Caller(seed)
    caller.run()
    caller.calls = 0
    for index in caller.indexes:
        for key in caller.keys + index.keys():
            while index.has(key):
                index.remove(key)
        assert index.size() == 0
        index.insert_keys("plain", BANDS[0], True)
        assert "plain" in index.query_keys(BANDS[0], 2)


def test_an_entry_that_is_removed_while_its_key_gets_another():
    class Removing:
        armed = False

        def __hash__(self):
            return 7

        def __eq__(self, other):
            if Removing.armed:
                Removing.armed = False
                index.remove(self)
            return True

    index = LshIndex(2, 1, 2)
    key = Removing()
    index.insert_keys(key, BANDS[0], False)

    class Arming(Removing):
        """Equal to the key, which is removed between the two looks at the index."""

        looks = 0
        __hash__ = Removing.__hash__

        def __eq__(self, other):
            Arming.looks += 1
            Removing.armed = Arming.looks == 2
            return Removing.__eq__(self, other)

    index.insert_keys(Arming(), BANDS[1], False)
    for _ in range(3):
        if index.has(key):
            index.remove(key)
    assert index.query_keys(BANDS[0], 2) == []


def test_a_buffer_that_changes_the_list_of_tokens():
    tokens = []

    class Token(bytearray):
        def __buffer__(self, flags):
            tokens.clear()
            return super().__buffer__(flags)

    tokens.extend([b"a", Token(b"b"), b"c" * 100])
    minhash = datasketch.MinHash(num_perm=16)
    minhash.update_batch(tokens)
    assert not minhash.is_empty()


def test_a_hash_function_that_changes_its_minhash():
    def change(token):
        minhash.hashvalues = minhash.hashvalues[:8]
        return 1

    minhash = datasketch.MinHash(num_perm=16, hashfunc=change)
    with pytest.raises(ValueError):
        minhash.update(b"a")
    with pytest.raises(ValueError):
        minhash.update_batch([b"a", b"b"])
    assert len(minhash) == 8


@pytest.mark.parametrize("scheme", ["affine32", "affine64", "legacy"])
def test_hash_values_that_are_not_aligned(scheme):
    expected = datasketch.MinHash(num_perm=16, scheme=scheme)
    expected.update_batch([b"a", b"b"])
    values = expected.hashvalues
    unaligned = np.zeros(values.nbytes + 1, np.uint8)[1:].view(values.dtype)
    unaligned[:] = values
    assert not unaligned.flags.aligned
    copy = datasketch.MinHash(num_perm=16, scheme=scheme, hashvalues=unaligned)
    for minhash in (expected, copy):
        minhash.update(b"c")
    assert copy == expected and copy.jaccard(expected) == 1
