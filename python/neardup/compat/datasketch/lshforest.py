"""MinHashLSHForest: an index of MinHash for the most similar sets (Bawa, Condie and Ganesan 2005)."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Hashable

import numpy as np

from .minhash import MinHash

_VALUE_BYTES = {4: np.uint32, 8: np.uint64}


class MinHashLSHForest:
    """An index of MinHash whose queries give the keys that agree in the longest prefixes.

    Args:
        num_perm: the length of the MinHash (the sample size of a WeightedMinHash).
        l: the number of prefix trees; each has a depth of num_perm // l. They are sorted lists.

    Attributes:
        k, l: the depth and the number of trees.
        keys: a dictionary of the bytes of the prefixes of each key.
    """

    def __init__(self, num_perm: int = 128, l: int = 8) -> None:  # noqa: E741
        if l <= 0 or num_perm <= 0:
            raise ValueError("num_perm and l must be positive")
        if l > num_perm:
            raise ValueError("l must be at most num_perm")
        self.l = l
        self.k = num_perm // l
        self.hashtables = [defaultdict(list) for _ in range(l)]
        self.hashranges = [(i * self.k, (i + 1) * self.k) for i in range(l)]
        self.keys = {}
        self.sorted_hashtables = [[] for _ in range(l)]
        self._minhash_scheme = None

    def add(self, key: Hashable, minhash: MinHash) -> None:
        """Adds a key with the MinHash of its set. Queries find it after index().

        Raises:
            ValueError: if the key was added before, or the MinHash is too short or has another scheme than the others.
        """
        scheme = self._scheme_with(minhash)
        if key in self.keys:
            raise ValueError("the key has already been added")
        prefixes = [self._H(minhash.hashvalues[start:end]) for start, end in self.hashranges]
        self._minhash_scheme = scheme
        self.keys[key] = prefixes
        for prefix, table in zip(prefixes, self.hashtables):
            table[prefix].append(key)

    def index(self) -> None:
        """Makes all keys that were added searchable."""
        for i, table in enumerate(self.hashtables):
            self.sorted_hashtables[i] = sorted(table)

    def query(self, minhash: MinHash, k: int) -> list[Hashable]:
        """At most k keys whose sets are likely to be the most similar ones, in no particular order.

        Raises:
            ValueError: if k is not positive, or the MinHash is too short or has another scheme than those added.
        """
        if k <= 0:
            raise ValueError("k must be positive")
        self._scheme_with(minhash)
        found = {}
        for depth in range(self.k, 0, -1):
            for key in self._query(minhash, depth, self.l):
                found[key] = True
                if len(found) >= k:
                    return list(found)
        return list(found)

    def _query(self, minhash, r, b):
        """The keys that agree in the first r values of one of the first b trees."""
        if r > self.k or r <= 0 or b > self.l or b <= 0:
            raise ValueError("r must be in [1, k] and b in [1, l]")
        trees = list(zip(self.hashranges, self.sorted_hashtables, self.hashtables))
        for (start, _), ordered, table in trees[:b]:
            prefix = self._H(minhash.hashvalues[start : start + r])
            place = bisect.bisect_left(ordered, prefix)
            while place < len(ordered) and ordered[place].startswith(prefix):
                yield from table[ordered[place]]
                place += 1

    def get_minhash_hashvalues(self, key: Hashable) -> np.ndarray:
        """The hash values that a key was added with: those of the trees, shape (k * l,).

        Raises:
            KeyError: if there is no such key.
        """
        prefixes = self.keys.get(key)
        if prefixes is None:
            raise KeyError(f"the key is not in the forest: {key!r}")
        width, rest = divmod(len(prefixes[0]), self.k)
        if rest != 0 or width not in _VALUE_BYTES or any(len(prefix) != len(prefixes[0]) for prefix in prefixes):
            raise ValueError("the prefixes of this key are not hash values of 4 or 8 bytes")
        return np.frombuffer(b"".join(prefixes), dtype=_VALUE_BYTES[width]).byteswap()

    def is_empty(self) -> bool:
        """Whether queries find nothing: before index(), and without keys."""
        return any(len(ordered) == 0 for ordered in self.sorted_hashtables)

    def _scheme_with(self, minhash):
        """The scheme of the forest once it has this MinHash; refuses a MinHash that does not fit."""
        if len(minhash) < self.k * self.l:
            raise ValueError(f"a MinHash must have at least {self.k * self.l} values, not {len(minhash)}")
        scheme = getattr(minhash, "scheme", None)
        if scheme is None or self._minhash_scheme is None:
            return scheme or self._minhash_scheme
        if scheme != self._minhash_scheme:
            raise ValueError(f"a MinHash with scheme {scheme!r} does not match the {self._minhash_scheme!r} of those in this forest")
        return scheme

    def _H(self, hs) -> bytes:
        """The bytes of values, those of each value reversed: they sort as the values do."""
        return np.ascontiguousarray(hs).byteswap().tobytes()

    def __contains__(self, key: Hashable) -> bool:
        return key in self.keys
