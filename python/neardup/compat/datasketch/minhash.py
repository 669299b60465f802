"""MinHash: a signature of a set, for estimates of the Jaccard similarity."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable

import numpy as np

from ..._core import datasketch as _native
from . import _schemes
from .hashfunc import sha1_hash32, sha1_hash64

_MOST_PERMUTATIONS = 1 << 32
# The hash functions that are known natively; the numbers are those of python/src/datasketch/signature.h.
_SHA1_OF_32_BITS = 1
_SHA1_OF_64_BITS = 2


def _kind_of(hashfunc, scheme: str) -> int:
    if hashfunc is sha1_hash32:
        return _SHA1_OF_32_BITS
    if hashfunc is sha1_hash64 and scheme != _schemes.AFFINE32:
        return _SHA1_OF_64_BITS
    return 0


class MinHash(_native.MinHash):
    """The MinHash of a set of tokens: `num_perm` hash values, each the minimum of one permutation.

    Args:
        num_perm: the number of permutations; taken from `hashvalues` if given.
        seed: of the permutations, as numpy.random.RandomState takes it.
        gpu_mode: "disable" or "detect"; "always" raises a RuntimeError when tokens are added in a batch.
        hashfunc: a function from a token to an integer of 32 bits (64 for "affine64"). Default: `sha1_hash32` (`sha1_hash64`), which
            takes bytes and is native.
        hashobj: ignored, with a DeprecationWarning.
        hashvalues: the values of an existing MinHash, of shape (num_perm,). Needs `scheme`.
        permutations: the parameters (a, b) of an existing MinHash, of shape (2, num_perm). Needs `scheme`.
        scheme: "affine32" (the default), "affine64", or "legacy", the one of datasketch 1.x. Schemes cannot be mixed.

    Raises:
        ValueError: for values that are out of range or do not fit together.
    """

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: str = "disable",
        hashfunc: Callable | None = None,
        hashobj: object | None = None,
        hashvalues=None,
        permutations=None,
        scheme: str | None = None,
    ) -> None:
        if scheme is None:
            if hashvalues is not None or permutations is not None:
                raise ValueError("hashvalues and permutations need the scheme of their MinHash; before datasketch 2.0.0 it was 'legacy'")
            scheme = _schemes.AFFINE32
        self._start(num_perm, seed, gpu_mode, hashfunc, hashobj, hashvalues, permutations, scheme)

    def _start(self, num_perm, seed, gpu_mode, hashfunc, hashobj, hashvalues, permutations, scheme) -> None:
        _schemes.check(scheme)
        values = None
        if hashvalues is not None:
            values = _schemes.values_of(scheme, hashvalues, "hash values")
            num_perm = len(values)
        if num_perm < 1:
            raise ValueError("num_perm must be positive")
        if num_perm > _MOST_PERMUTATIONS:
            raise ValueError(f"num_perm must be at most {_MOST_PERMUTATIONS}")
        if hashfunc is None:
            hashfunc = sha1_hash64 if scheme == _schemes.AFFINE64 else sha1_hash32
        if not callable(hashfunc):
            raise ValueError("hashfunc must be callable")
        if hashobj is not None:
            warnings.warn("hashobj is deprecated and ignored: use hashfunc", DeprecationWarning, stacklevel=3)
        parameters = _schemes.draw(seed, num_perm, scheme) if permutations is None else _schemes.parse(scheme, permutations)
        if parameters.array.shape[1] != num_perm:
            raise ValueError("the numbers of hash values and permutations differ")
        super().__init__(_schemes.CODES[scheme], values, num_perm, parameters, seed, hashfunc, _kind_of(hashfunc, scheme), gpu_mode)

    @property
    def num_perm(self) -> int:
        """The number of permutations."""
        return len(self)

    @property
    def hashvalues(self) -> np.ndarray:
        """The hash values: shape (num_perm,), uint32 for "affine32", else uint64. An update leaves arrays that you hold as they are."""
        return self._values()

    @hashvalues.setter
    def hashvalues(self, values) -> None:
        self._set_values(_schemes.values_of(self.scheme, values, "hash values"))

    @property
    def permutations(self) -> np.ndarray:
        """The parameters of the permutations: shape (2, num_perm), the rows a and b; read-only."""
        return self._permutations().array

    @permutations.setter
    def permutations(self, permutations) -> None:
        self._set_permutations(_schemes.parse(self.scheme, permutations))

    @property
    def hashfunc(self) -> Callable:
        """The hash function of tokens."""
        return self._hashfunc()

    @hashfunc.setter
    def hashfunc(self, hashfunc: Callable) -> None:
        self._set_hashfunc(hashfunc, _kind_of(hashfunc, self.scheme))

    def update_batch(self, b: Iterable) -> None:
        """Adds all tokens of an iterable.

        Raises:
            TypeError: if the hash function is the default one, and a token has no bytes (str: encode it).
            RuntimeError: with gpu_mode="always".
        """
        if self._gpu_mode == "always":
            raise RuntimeError("gpu_mode='always': GPUs are not supported")
        super().update_batch(b)

    def count(self) -> float:
        """An estimate of the number of different tokens."""
        size = len(self)
        return float(size) / np.sum(self._values() / float(_schemes.MAXIMA[self.scheme])) - 1.0

    def digest(self) -> np.ndarray:
        """A copy of the hash values."""
        return self._values().copy()

    def copy(self) -> MinHash:
        """A MinHash with the same state."""
        return self._copy()

    def __eq__(self, other) -> bool:
        return (
            type(self) is type(other)
            and self.scheme == other.scheme
            and self.seed == other.seed
            and np.array_equal(self._values(), other._values())
        )

    __hash__ = None

    @classmethod
    def union(cls, *mhs: MinHash) -> MinHash:
        """The MinHash of the union of at least two sets.

        Raises:
            ValueError: for fewer than two, or different seeds, numbers of permutations or schemes.
        """
        _check_union(mhs)
        united = mhs[0].copy()
        for other in mhs[1:]:
            united.merge(other)
        return united

    @classmethod
    def bulk(cls, b: Iterable, **minhash_kwargs) -> list[MinHash]:
        """A MinHash of each set of tokens, on all cores if the hash function is the default one.

        Args:
            b: an iterable of iterables of tokens.
            **minhash_kwargs: of the constructor, for all of them.
        """
        first = cls(**minhash_kwargs)
        kind = _SHA1_OF_64_BITS if first.scheme == _schemes.AFFINE64 else _SHA1_OF_32_BITS
        if first._hash_kind() == kind and first._gpu_mode != "always":
            return first._bulk(b)
        return list(cls.generator(b, **minhash_kwargs))

    @classmethod
    def generator(cls, b: Iterable, **minhash_kwargs) -> Generator[MinHash, None, None]:
        """A MinHash of each set of tokens, one at a time; arguments as for bulk()."""
        first = cls(**minhash_kwargs)
        for tokens in b:
            made = first.copy()
            made.update_batch(tokens)
            yield made

    def __getstate__(self) -> dict:
        return {
            **self.__dict__,
            "scheme": self.scheme,
            "seed": self.seed,
            "num_perm": len(self),
            "hashfunc": self.hashfunc,
            "hashvalues": self._values(),
            "permutations": self.permutations,
            "_gpu_mode": self._gpu_mode,
        }

    def __setstate__(self, state: dict) -> None:
        # The states of the original have the same names; before 2.0.0, no scheme.
        state = dict(state)
        scheme = _schemes.check(state.pop("scheme", _schemes.LEGACY))
        values = _schemes.values_of(scheme, state.pop("hashvalues"), "hash values")
        seed = state.pop("seed")
        permutations = state.pop("permutations")
        hashfunc = state.pop("hashfunc")
        mode = state.pop("_gpu_mode", "disable")
        for name in ("num_perm", "_a_gpu", "_b_gpu"):
            state.pop(name, None)
        parameters = _schemes.draw(seed, len(values), scheme)
        if not np.array_equal(parameters.array, permutations):
            parameters = _schemes.parse(scheme, permutations)
        if parameters.array.shape[1] != len(values):
            raise ValueError("the numbers of hash values and permutations differ")
        _native.MinHash.__init__(
            self, _schemes.CODES[scheme], values, len(values), parameters, seed, hashfunc, _kind_of(hashfunc, scheme), mode
        )
        self.__dict__.update(state)


def _check_union(mhs) -> None:
    if len(mhs) < 2:
        raise ValueError("a union needs at least two MinHash")
    for other in mhs:
        if not isinstance(other, MinHash):
            raise TypeError(f"a union is of MinHash, not {type(other).__name__}")
    first = mhs[0]
    if any((first.seed != other.seed or len(first) != len(other) or first.scheme != other.scheme) for other in mhs):
        raise ValueError("MinHash of a union must have the same seed, number of permutations and scheme")
