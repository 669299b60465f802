"""WeightedMinHash: signatures of vectors of weights, for estimates of the weighted Jaccard similarity (Ioffe 2010)."""

from __future__ import annotations

import collections.abc

import numpy as np

# Values of the arrays that are computed at a time.
_BLOCK = 1 << 20


class WeightedMinHash:
    """A weighted MinHash, made by a WeightedMinHashGenerator.

    Args:
        seed: of the generator.
        hashvalues: the samples, of shape (sample_size, 2): the chosen dimension and its level.
    """

    def __init__(self, seed: int, hashvalues: np.ndarray) -> None:
        self.seed = seed
        self.hashvalues = hashvalues

    def jaccard(self, other: WeightedMinHash) -> float:
        """The share of equal samples, an estimate of the weighted Jaccard similarity.

        Raises:
            ValueError: for different seeds or sample sizes.
        """
        if other.seed != self.seed:
            raise ValueError("cannot compare WeightedMinHash with different seeds")
        if len(self) != len(other):
            raise ValueError("cannot compare WeightedMinHash with different numbers of hash values")
        equal = np.asarray(self.hashvalues) == np.asarray(other.hashvalues)
        return float(np.count_nonzero(equal.reshape(len(self), -1).all(axis=1))) / float(len(self))

    def digest(self) -> np.ndarray:
        """A copy of the samples."""
        return np.array(self.hashvalues)

    def copy(self) -> WeightedMinHash:
        """A WeightedMinHash with the same state."""
        return WeightedMinHash(self.seed, self.digest())

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and self.seed == other.seed and np.array_equal(self.hashvalues, other.hashvalues)

    __hash__ = None


class WeightedMinHashGenerator:
    """Makes weighted MinHash of vectors with `dim` weights.

    Args:
        dim: the number of dimensions.
        sample_size: the number of samples of a WeightedMinHash.
        seed: of the random parameters `rs`, `ln_cs` and `betas`, each of shape (sample_size, dim).
    """

    def __init__(self, dim: int, sample_size: int = 128, seed: int = 1) -> None:
        self.dim = dim
        self.sample_size = sample_size
        self.seed = seed
        random = np.random.RandomState(seed=seed)
        shape = (sample_size, dim)
        self.rs = random.gamma(2, 1, shape).astype(np.float32)
        self.ln_cs = np.log(random.gamma(2, 1, shape)).astype(np.float32)
        self.betas = random.uniform(0, 1, shape).astype(np.float32)

    def minhash(self, v) -> WeightedMinHash:
        """The WeightedMinHash of a vector of `dim` weights. A weight of 0: the dimension is not in the set.

        Raises:
            TypeError: if v has no length.
            ValueError: if its length is not `dim`, or no weight is above 0.
        """
        if not isinstance(v, collections.abc.Sized):
            raise TypeError(f"v must be a vector, not {type(v).__name__}")
        if len(v) != self.dim:
            raise ValueError(f"v must have {self.dim} weights, not {len(v)}")
        weights = np.array(v, dtype=np.float32)
        if weights.ndim != 1:
            raise ValueError("v must have one dimension")
        if not weights.any():
            raise ValueError("all weights are zero")
        # Logarithms of what is not above 0 are not a number; the minimum passes over them.
        weights[weights == 0] = np.nan
        with np.errstate(invalid="ignore"):
            logs = np.log(weights)
        chosen = np.flatnonzero(~np.isnan(logs))
        if len(chosen) == 0:
            raise ValueError("no weight is above zero")
        return self._sample(chosen, logs[chosen], self._steps)

    def minhash_many(self, X) -> list[WeightedMinHash | None]:
        """The WeightedMinHash of each row of a matrix of shape (n, dim), an array or a sparse matrix of SciPy; None for rows of zeros.

        As in the original, the samples are not those of minhash().

        Raises:
            TypeError: for another kind of object.
            ValueError: for another shape.
        """
        sparse = hasattr(X, "tocsr") and hasattr(X, "nnz")
        if not sparse and not isinstance(X, np.ndarray):
            raise TypeError(f"X must be an array or a sparse matrix of SciPy, not {type(X).__name__}")
        if X.ndim != 2:
            raise ValueError("X must have two dimensions")
        if X.shape[1] != self.dim:
            raise ValueError(f"X must have {self.dim} columns, not {X.shape[1]}")
        rows = _sparse_rows(X) if sparse else _dense_rows(X)
        return [self._sample(columns, np.log(weights), self._steps_of_many) if len(columns) else None for columns, weights in rows]

    def _sample(self, columns: np.ndarray, logs: np.ndarray, steps) -> WeightedMinHash:
        values = np.empty((self.sample_size, 2), dtype=int)
        # Some samples at a time bound the memory.
        height = max(1, _BLOCK // max(1, len(columns)))
        for begin in range(0, self.sample_size, height):
            part = np.s_[begin : begin + height]
            rs = self.rs[part, columns]
            levels, order = steps(logs, rs, self.betas[part, columns], self.ln_cs[part, columns])
            best = np.argmin(order, axis=1)
            values[part, 0] = columns[best]
            values[part, 1] = levels[np.arange(len(best)), best]
        return WeightedMinHash(self.seed, values)

    # Both have the operations of the original in its order: they round to float32.
    @staticmethod
    def _steps(logs, rs, betas, ln_cs):
        levels = np.floor(logs / rs + betas)
        ln_y = (levels - betas) * rs
        return levels, ln_cs - ln_y - rs

    @staticmethod
    def _steps_of_many(logs, rs, betas, ln_cs):
        levels = np.floor(logs / rs + betas)
        return levels, ln_cs - (levels - betas + 1) * rs


def _dense_rows(X: np.ndarray):
    for row in X:
        weights = np.asarray(row, dtype=np.float32)
        columns = np.flatnonzero(weights)
        yield columns, weights[columns]


def _sparse_rows(X):
    csr = X.tocsr().astype(np.float32)
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    for begin, end in zip(csr.indptr[:-1], csr.indptr[1:]):
        weights = csr.data[begin:end]
        present = np.flatnonzero(weights)
        yield csr.indices[begin:end][present], weights[present]
