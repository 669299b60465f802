"""MinHashLSHEnsemble: an index of MinHash for sets that contain most of a query (Zhu, Nargesian, Pu and Miller 2016)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Hashable, Iterable

import numpy as np

from ..._core import datasketch as _native
from .lsh import MinHashLSH, _check_num_perm, _check_threshold, _check_weights
from .lshensemble_partition import optimal_partitions
from .minhash import MinHash
from .storage import _check_type


class MinHashLSHEnsemble:
    """An index of sets by their containment, the share of a query's tokens that a set has. It has partitions of similar set sizes.

    Args:
        threshold: the containment for which the bands are chosen, in [0.0, 1.0].
        num_perm: the length of the MinHash.
        num_part: the number of partitions. More are more precise, and slower.
        m: the largest size of a band, in [2, num_perm]; memory grows with it.
        weights: of false positives and false negatives in the choice of the bands; their sum is 1.0.
        storage_config: {"type": "dict"}.
        prepickle: pickle keys; then they need not be hashable.

    Raises:
        ValueError: for values that are out of range.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        num_part: int = 16,
        m: int = 8,
        weights: tuple[float, float] = (0.5, 0.5),
        storage_config: dict | None = None,
        prepickle: bool | None = None,
    ) -> None:
        _check_threshold(threshold)
        _check_num_perm(num_perm)
        if num_part < 1:
            raise ValueError("num_part must be at least 1")
        if m < 2 or m > num_perm:
            raise ValueError("m must be in [2, num_perm]")
        _check_weights(weights)
        config = storage_config or {"type": "dict"}
        _check_type(config)
        self.threshold = threshold
        self.h = num_perm
        self.m = m
        # Bands are chosen for ten ratios of set sizes to the size of a query; queries take those of the next ratio.
        self.xqs = np.exp(np.linspace(-5, 5, 10))
        self.params = np.array([_native.ensemble_parameters(threshold, num_perm, m, float(xq), *weights) for xq in self.xqs], dtype=int)
        sizes = sorted({int(r) for _, r in self.params})
        self.indexes = [
            {r: MinHashLSH(num_perm=num_perm, params=(num_perm // r, r), storage_config=config, prepickle=prepickle) for r in sizes}
            for _ in range(num_part)
        ]
        self.lowers = [None] * num_part
        self.uppers = [None] * num_part

    def _get_optimal_param(self, x, q):
        """(b, r) for sets of size x and a query of size q."""
        place = np.searchsorted(self.xqs, float(x) / float(q), side="left")
        return self.params[min(place, len(self.params) - 1)]

    def index(self, entries: Iterable[tuple[Hashable, MinHash, int]]) -> None:
        """Indexes all sets, once. A list is sorted by size, in place.

        Args:
            entries: of each set its key, its MinHash, and its number of different tokens.

        Raises:
            ValueError: if the index has sets, there are no entries, or a size is not positive.
        """
        if not self.is_empty():
            raise ValueError("the index is not empty: index() can be called once")
        if not isinstance(entries, list):
            entries = list(entries)
        if not entries:
            raise ValueError("there are no entries")
        if any(size <= 0 for _, _, size in entries):
            raise ValueError("set sizes must be positive")
        counts = sorted(Counter(size for _, _, size in entries).items())
        sizes, frequencies = np.array(counts).T
        partitions = optimal_partitions(sizes, frequencies, len(self.indexes))
        for i, (lower, upper) in enumerate(partitions):
            self.lowers[i], self.uppers[i] = lower, upper
        entries.sort(key=lambda entry: entry[2])
        part = 0
        for key, minhash, size in entries:
            if size > self.uppers[part]:
                part += 1
            for index in self.indexes[part].values():
                index.insert(key, minhash)

    def query(self, minhash: MinHash, size: int) -> Generator[Hashable, None, None]:
        """The keys of the sets that likely contain at least the threshold's share of a query.

        Args:
            minhash: of the query.
            size: the number of different tokens of the query.

        Raises:
            ValueError: for another length or scheme of the MinHash, when the first key is asked for.
        """
        for upper, index in zip(self.uppers, self.indexes):
            if upper is None:
                continue
            b, r = self._get_optimal_param(upper, size)
            yield from index[int(r)]._query_b(minhash, int(b))

    def __contains__(self, key: Hashable) -> bool:
        return any(key in lsh for index in self.indexes for lsh in index.values())

    def is_empty(self) -> bool:
        """Whether there is no set."""
        return all(lsh.is_empty() for index in self.indexes for lsh in index.values())
