"""The permutation schemes: their numbers, widths and parameters."""

import functools
import threading

import numpy as np

from ..._core import datasketch as _native

LEGACY = "legacy"
AFFINE32 = "affine32"
AFFINE64 = "affine64"
# As in python/src/datasketch/signature.h; those of the affine schemes are also in serialized sketches.
CODES = {LEGACY: 0, AFFINE32: 1, AFFINE64: 2}
NAMES = {code: name for name, code in CODES.items()}
DTYPES = {LEGACY: np.uint64, AFFINE32: np.uint32, AFFINE64: np.uint64}
# The hash value of the empty set, and the largest one.
MAXIMA = {LEGACY: (1 << 32) - 1, AFFINE32: (1 << 32) - 1, AFFINE64: (1 << 64) - 1}

_MERSENNE_PRIME = (1 << 61) - 1
_CACHE = functools.lru_cache(maxsize=64)
_LOCK = threading.Lock()


def check(scheme) -> str:
    """The scheme, or a ValueError if there is none of this name."""
    if not isinstance(scheme, str) or scheme not in CODES:
        raise ValueError(f"scheme must be one of affine32, affine64, legacy, not {scheme!r}")
    return scheme


def values_of(scheme: str, values, what: str) -> np.ndarray:
    """One-dimensional values as a contiguous array of the scheme's type; a ValueError if one is out of its range."""
    limit = (1 << 64) - 1 if scheme == LEGACY else MAXIMA[scheme]
    dtype = DTYPES[scheme]
    if not isinstance(values, np.ndarray):
        # Of a list, NumPy would guess float64 for numbers above 2^63.
        try:
            array = np.array(values, dtype=dtype)
        except OverflowError as error:
            raise ValueError(f"{what} out of range for scheme {scheme!r}: {error}") from error
    else:
        array = values
        if array.dtype.kind not in "iub":
            raise TypeError(f"{what} must be integers, not {array.dtype}")
        if array.size and (int(array.max()) > limit or int(array.min()) < 0):
            raise ValueError(f"{what} out of range for scheme {scheme!r}")
    if array.ndim != 1:
        raise ValueError(f"{what} must have one dimension, not {array.ndim}")
    return np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"])


def draw(seed, num_perm: int, scheme: str):
    """Permutations drawn by numpy.random.RandomState(seed). Those of a seed that is an int are shared by all that ask for them."""
    # A random state is a function of an int only; None is a new one each time, and equal keys of other types may not be equal seeds.
    if type(seed) is not int:
        return _draw(seed, num_perm, scheme)
    with _LOCK:
        return _draw_shared(seed, num_perm, scheme)


def _draw(seed, num_perm: int, scheme: str):
    random = np.random.RandomState(seed)
    if scheme == LEGACY:
        # One a and one b at a time: a in [1, p), b in [0, p).
        pairs = [
            (random.randint(1, _MERSENNE_PRIME, dtype=np.uint64), random.randint(0, _MERSENNE_PRIME, dtype=np.uint64))
            for _ in range(num_perm)
        ]
        return share(scheme, np.array(pairs, dtype=np.uint64).T)
    dtype = DTYPES[scheme]
    bits = 8 * np.dtype(dtype).itemsize
    # All a, then all b. An odd a makes the permutation a bijection.
    a = random.randint(0, 1 << (bits - 1), num_perm, dtype=dtype) * dtype(2) + dtype(1)
    b = random.randint(0, 1 << bits, num_perm, dtype=dtype)
    return share(scheme, np.array([a, b]))


_draw_shared = _CACHE(_draw)


def share(scheme: str, array: np.ndarray):
    """Permutations that MinHash objects share, of an array with the rows a and b."""
    rows = np.ascontiguousarray(array)
    if rows is array:
        rows = array.copy()
    rows.setflags(write=False)
    return _native.Permutations(CODES[scheme], rows)


def parse(scheme: str, permutations):
    """Permutations of a pair (a, b)."""
    if len(permutations) != 2:
        raise ValueError("permutations must be a pair (a, b)")
    a = values_of(scheme, permutations[0], "permutation parameters")
    b = values_of(scheme, permutations[1], "permutation parameters")
    if len(a) != len(b):
        raise ValueError("a and b of the permutations differ in length")
    if scheme != LEGACY and not np.all(a & a.dtype.type(1)):
        raise ValueError(f"all parameters a must be odd for scheme {scheme!r}")
    return share(scheme, np.array([a, b]))
