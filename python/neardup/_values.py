"""Checks of arguments, with messages that name the argument."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy as np

from ._core import UsageError, parse_bytes

MAX_U64 = 2**64 - 1
MAX_THREADS = 1024


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number from `low` to `high`; booleans and floats are none."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(type(value), "__index__"):
        raise TypeError(f"{name}: expected a whole number, not {type(value).__name__}")
    number = operator.index(value)
    if not low <= number <= high:
        raise UsageError(f"{name}: expected {low} to {high}, not {number}")
    return number


def threads(value: Any) -> int:
    return whole("threads", value, 0, MAX_THREADS)


def memory(value: Any) -> int:
    """Bytes: a whole number, or a text as the option `memory` takes it, such as "2G"."""
    return parse_bytes("memory", value) if isinstance(value, str) else whole("memory", value, 0, MAX_U64)


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, not {type(value).__name__}")
    return bool(value)


def path(name: str, value: Any) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a path, not {type(value).__name__}")
    text = os.fspath(value)
    if not isinstance(text, str):
        raise TypeError(f"{name}: expected a path of str, not of {type(text).__name__}")
    if "\0" in text:
        raise UsageError(f"{name}: a path has no null character")
    # A name that is not UTF-8 has lone surrogates in Python; the library takes only text.
    try:
        str.encode(text)  # not the method of a subclass
    except UnicodeEncodeError:
        raise UsageError(f"{name}: the path {text!r} is not valid UTF-8") from None
    return text


def is_whole(value: Any) -> bool:
    """An integer of Python or NumPy; arrays of other libraries may have __index__, too."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(type(value), "__index__"):
        return False
    return isinstance(value, np.integer) or not hasattr(type(value), "__array__")


def _integers(name: str, values: Any) -> np.ndarray:
    """An array of 64-bit integers, signed or not, in the byte order of this machine, aligned and without gaps."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{name}: not an array of numbers: {error}") from None
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.uint64)  # what numpy makes of an empty list
    if array.dtype.kind not in "ui" or array.dtype.itemsize != 8:
        raise TypeError(f"{name}: expected uint64 or int64, not {array.dtype}")
    if array.ndim == 0:
        raise UsageError(f"{name}: expected shape (n,), got a single number")
    return np.require(array, array.dtype.newbyteorder("="), ["C_CONTIGUOUS", "ALIGNED"])


def _words_of(name: str, numbers: list, bits: int) -> np.ndarray:
    rows = np.empty((len(numbers), bits // 64), dtype=np.uint64)
    for row, number in enumerate(numbers):
        value = whole(f"{name}[{row}]", number, 0, 2**bits - 1)
        rows[row, 0] = value & MAX_U64
        if bits == 128:
            rows[row, 1] = value >> 64
    return rows


def code(name: str, value: Any, bits: int) -> np.ndarray:
    """One fingerprint, an integer of `bits` bits, as an array of one row."""
    number = whole(name, value, 0, 2**bits - 1)
    return _words_of(name, [number], bits)


def codes(name: str, values: Any, bits: int | None = None) -> np.ndarray:
    """Fingerprints as an array of uint64 with a row each: one word of 64 bits, or two, the low half first.

    `bits` is the width that they must have; None: 64 or 128, as the shape says.
    """
    if isinstance(values, (list, tuple)) and values and all(map(is_whole, values)):
        return _words_of(name, list(values), bits or 64)
    array = _integers(name, values)
    if array.ndim == 1 and array.size == 0 and bits == 128:
        array = array.reshape(0, 2)
    words = 1 if array.ndim == 1 else array.shape[1] if array.ndim == 2 else 0
    if words not in (1, 2):
        raise UsageError(f"{name}: expected shape (n,) or, of 128 bits, (n, 2), not {array.shape}")
    if bits is not None and words * 64 != bits:
        raise UsageError(f"{name}: expected fingerprints of {bits} bits, not of {words * 64}: shape {array.shape}")
    return array.view(np.uint64).reshape(len(array), words)


def ids(name: str, values: Any) -> np.ndarray:
    """Ids as an array of uint64 of shape (n,)."""
    if isinstance(values, (list, tuple)) and values and all(map(is_whole, values)):
        return _words_of(name, list(values), 64)[:, 0].copy()
    array = _integers(name, values)
    if array.ndim != 1:
        raise UsageError(f"{name}: expected shape (n,), not {array.shape}")
    if array.dtype.kind == "i" and array.size and int(array.min()) < 0:
        raise UsageError(f"{name}: expected 0 to {MAX_U64}, not {int(array.min())}")
    return array.view(np.uint64)
