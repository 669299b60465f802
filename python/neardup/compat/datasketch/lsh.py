"""MinHashLSH: an index of MinHash for sets above a Jaccard similarity."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable

import numpy as np

from ..._core import datasketch as _native
from .minhash import MinHash
from .storage import BandView, KeyView, _check_type, ordered_storage, unordered_storage
from .weighted_minhash import WeightedMinHash

_DEFAULT_BUFFER = 50000
_MOST_LANES = (1 << 32) - 1


def _check_weights(weights) -> None:
    if any(weight < 0.0 or weight > 1.0 for weight in weights):
        raise ValueError("weights must be in [0.0, 1.0]")
    if sum(weights) != 1.0:
        raise ValueError("weights must sum to 1.0")


def _check_threshold(threshold) -> None:
    if not 0.0 <= threshold <= 1.0:
        raise ValueError("threshold must be in [0.0, 1.0]")


def _check_num_perm(num_perm) -> None:
    if num_perm < 2:
        raise ValueError("num_perm must be at least 2")
    if num_perm > _MOST_LANES:
        raise ValueError(f"num_perm must be at most {_MOST_LANES}")


class MinHashLSH:
    """An index of MinHash. A query finds the keys whose MinHash agrees in a band, which is likely above the threshold.

    Args:
        threshold: the Jaccard similarity for which the bands are chosen, in [0.0, 1.0].
        num_perm: the length of the MinHash (the sample size of a WeightedMinHash).
        weights: of false positives and false negatives in the choice of the bands; their sum is 1.0.
        params: the number of bands and their size (b, r) instead; b * r is at most num_perm.
        storage_config: {"type": "dict"}.
        prepickle: pickle keys; then they need not be hashable.
        hashfunc: a function from the bytes of a band to what is stored instead. It makes the index slower.

    Attributes:
        b, r, h: the number of bands, their size, and num_perm.
        keys: the bytes of the bands of each key, a storage (see the module storage).
        hashtables: for each band, a storage with a set of keys for the bytes of each bucket.

    Raises:
        ValueError: for values that are out of range.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
        storage_config: dict | None = None,
        prepickle: bool | None = None,
        hashfunc: Callable[[bytes], bytes] | None = None,
    ) -> None:
        config = storage_config or {"type": "dict"}
        _check_type(config)
        _check_threshold(threshold)
        _check_num_perm(num_perm)
        _check_weights(weights)
        if params is None:
            self.b, self.r = _native.lsh_parameters(threshold, num_perm, *weights)
        else:
            self.b, self.r = params
            if self.b * self.r > num_perm:
                raise ValueError(f"params need {self.b} * {self.r} = {self.b * self.r} permutations, more than num_perm = {num_perm}")
        if self.b < 2:
            raise ValueError(f"b must be at least 2, not {self.b}")
        self.h = num_perm
        self.prepickle = bool(prepickle)
        self.hashfunc = hashfunc
        self.hashranges = [(i * self.r, (i + 1) * self.r) for i in range(self.b)]
        self._buffer_size = _DEFAULT_BUFFER
        self._queries = []
        # It also keeps the scheme of the signatures; with a hash function, only that.
        self._index = _native.LshIndex(self.b, self.r, self.h)
        if hashfunc is None:
            self.hashtables = [BandView(self._index, band) for band in range(self.b)]
            self.keys = KeyView(self._index)
        else:
            self.hashtables = [unordered_storage(config) for _ in range(self.b)]
            self.keys = ordered_storage(config)

    @property
    def buffer_size(self) -> int:
        """Without effect: nothing is buffered in memory."""
        return self._buffer_size

    @buffer_size.setter
    def buffer_size(self, value: int) -> None:
        self.keys.buffer_size = value
        for table in self.hashtables:
            table.buffer_size = value
        self._buffer_size = value

    @property
    def _minhash_scheme(self):
        return self._index.scheme()

    def insert(self, key: Hashable, minhash: MinHash | WeightedMinHash, check_duplication: bool = True) -> None:
        """Inserts a key with the MinHash of its set.

        Args:
            check_duplication: refuse a key that is in the index; False adds the MinHash to the key's others.

        Raises:
            ValueError: if the key is in the index, or the MinHash has another length or scheme than the index.
            TypeError: if the key is not hashable.
        """
        if self.prepickle:
            key = pickle.dumps(key)
        if self.hashfunc is not None or not self._index.insert(key, minhash, check_duplication):
            self._insert_slowly(key, minhash, check_duplication)

    def _insert_slowly(self, key, minhash, check_duplication) -> None:
        """Of an object that is no MinHash of ours, or with a hash function."""
        self._check(minhash, learn=False)
        if check_duplication and key in self.keys:
            raise ValueError("the key is already in the index")
        if self.hashfunc is None:
            bands = self._bytes_of(minhash)
            self._check(minhash, learn=True)
            self._index.insert_keys(key, bands, check_duplication)
            return
        bands = [self._H(minhash.hashvalues[start:end]) for start, end in self.hashranges]
        self._check(minhash, learn=True)
        self._store(key, bands)

    def _store(self, key, bands) -> None:
        self.keys.insert(key, *bands)
        for band, table in zip(bands, self.hashtables):
            table.insert(band, key)

    def _check(self, minhash, learn: bool) -> None:
        if len(minhash) != self.h:
            raise ValueError(f"expected a MinHash of length {self.h}, got one of length {len(minhash)}")
        scheme = getattr(minhash, "scheme", None)
        if scheme is not None:
            self._index.meet_scheme(scheme, learn)

    def _H(self, hs) -> bytes:
        """What is stored of a band: the bytes of its values, those of each value reversed."""
        band = np.ascontiguousarray(hs).byteswap().tobytes()
        return band if self.hashfunc is None else self.hashfunc(band)

    def _bytes_of(self, minhash) -> bytes:
        values = np.ascontiguousarray(minhash.hashvalues[: self.b * self.r])
        if values.dtype.hasobject:
            raise TypeError("hash values must be numbers")
        return values.byteswap().tobytes()

    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds all keys of another index.

        Args:
            check_overlap: refuse an index that has a key of this one.

        Raises:
            ValueError: for another type, other bands or another scheme, and for common keys with check_overlap.
        """
        if type(self) is not type(other):
            raise ValueError(f"cannot merge a {type(other).__name__} into a {type(self).__name__}")
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("cannot merge indexes with different num_perm or bands")
        if (self.hashfunc is None) != (other.hashfunc is None):
            raise ValueError("cannot merge an index with a hashfunc and one without")
        if self.hashfunc is None:
            self._index.merge(other._index, check_overlap)
            return
        if other._minhash_scheme is not None:
            self._index.meet_scheme(other._minhash_scheme, False)
        if check_overlap and not set(self.keys).isdisjoint(other.keys):
            raise ValueError("the indexes share a key")
        if other._minhash_scheme is not None:
            self._index.meet_scheme(other._minhash_scheme, True)
        for key in list(other.keys):
            self._store(key, list(other.keys.get(key)))

    def insertion_session(self, buffer_size: int = _DEFAULT_BUFFER) -> MinHashLSHInsertionSession:
        """A context manager with a method insert()."""
        return MinHashLSHInsertionSession(self, buffer_size)

    def deletion_session(self, buffer_size: int = _DEFAULT_BUFFER) -> MinHashLSHDeletionSession:
        """A context manager with a method remove()."""
        return MinHashLSHDeletionSession(self, buffer_size)

    def query(self, minhash: MinHash | WeightedMinHash) -> list[Hashable]:
        """The keys whose MinHash agrees with this one in a band, each once, in the order in which they were inserted.

        Raises:
            ValueError: for another length or scheme than that of the index.
        """
        # The usual case first: its cost is that of these lines.
        found = self._index.query(minhash, self.b) if self.hashfunc is None else None
        if found is None:
            found = self._candidates(minhash, self.b)
        return [pickle.loads(key) for key in found] if self.prepickle else found

    def _candidates(self, minhash, b: int) -> list:
        if self.hashfunc is None:
            found = self._index.query(minhash, b)
            if found is not None:
                return found
        self._check(minhash, learn=False)
        if self.hashfunc is None:
            return self._index.query_keys(self._bytes_of(minhash), b)
        found = {}
        for (start, end), table in zip(self.hashranges[:b], self.hashtables[:b]):
            found.update(dict.fromkeys(table.get(self._H(minhash.hashvalues[start:end]))))
        return list(found)

    def _query_b(self, minhash, b: int) -> set:
        """The keys that agree in one of the first b bands."""
        if not 0 <= b <= self.b:
            raise ValueError(f"b must be in [0, {self.b}]")
        found = self._candidates(minhash, int(b))
        return {pickle.loads(key) for key in found} if self.prepickle else set(found)

    def add_to_query_buffer(self, minhash: MinHash | WeightedMinHash) -> None:
        """Queries for collect_query_buffer()."""
        self._queries.append(self._candidates(minhash, self.b))

    def collect_query_buffer(self) -> list[Hashable]:
        """The keys that all buffered queries found; forgets the queries."""
        queries, self._queries = self._queries, []
        if not queries:
            return []
        common = set(queries[0]).intersection(*queries[1:])
        found = [key for key in queries[0] if key in common]
        return [pickle.loads(key) for key in found] if self.prepickle else found

    def __contains__(self, key: Hashable) -> bool:
        return (pickle.dumps(key) if self.prepickle else key) in self.keys

    def remove(self, key: Hashable) -> None:
        """Removes a key; a ValueError if it is not in the index."""
        if self.prepickle:
            key = pickle.dumps(key)
        if self.hashfunc is None:
            self._index.remove(key)
            return
        if key not in self.keys:
            raise ValueError("the key is not in the index")
        bands = self.keys.get(key)
        self.keys.remove(key)
        for i, band in enumerate(bands):
            table = self.hashtables[i % self.b]
            members = table.get(band)
            members.discard(key)
            if not members and band in table:
                table.remove(band)

    def is_empty(self) -> bool:
        """Whether there is no key."""
        return any(table.size() == 0 for table in self.hashtables)

    def get_counts(self) -> list[dict[Hashable, int]]:
        """For each band, a dictionary of the number of keys in each bucket."""
        return [table.itemcounts() for table in self.hashtables]

    def get_subset_counts(self, *keys: Hashable) -> list[dict[Hashable, int]]:
        """The counts of get_counts() of these keys only."""
        wanted = [pickle.dumps(key) for key in set(keys)] if self.prepickle else list(set(keys))
        tables = [unordered_storage({"type": "dict"}) for _ in range(self.b)]
        for key, bands in zip(wanted, self.keys.getmany(*wanted)):
            for band, table in zip(bands, tables):
                table.insert(band, key)
        return [table.itemcounts() for table in tables]


class _Session:
    """Nothing is buffered in memory, so a session calls the index at once."""

    def __init__(self, lsh: MinHashLSH, buffer_size: int) -> None:
        self.lsh = lsh
        self.lsh.buffer_size = buffer_size

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session."""


class MinHashLSHInsertionSession(_Session):
    """Inserts keys into a MinHashLSH."""

    def insert(self, key: Hashable, minhash: MinHash | WeightedMinHash, check_duplication: bool = True) -> None:
        """MinHashLSH.insert()."""
        self.lsh.insert(key, minhash, check_duplication)


class MinHashLSHDeletionSession(_Session):
    """Removes keys from a MinHashLSH."""

    def remove(self, key: Hashable) -> None:
        """MinHashLSH.remove()."""
        self.lsh.remove(key)
