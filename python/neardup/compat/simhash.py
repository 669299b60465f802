"""Fingerprints as the package simhash 2.1.2 makes them: `from neardup.compat.simhash import Simhash, SimhashIndex`.

The values are the same, also where the package fails under numpy 2 (weights of 256 and more). Texts are read by the native library when
`reg` and `hashfunc` are the usual ones; word characters are then those of its version of Unicode, which differs from that of Python in
characters newer than Unicode 14. For many texts use simhash_many(), which is not in the package.
"""

import collections
import collections.abc
import hashlib
import logging
import numbers
import re

import numpy as np

from .._core import UsageError, simhash_features, simhash_text, simhash_texts

__all__ = ["Simhash", "SimhashIndex", "simhash_many"]

USUAL_REG = r"[\w\u4e00-\u9fcc]+"
MD5_BITS = 128


class WidthError(UsageError, AssertionError):
    """Two fingerprints have different numbers of bits. The package raises AssertionError."""


class ValueKindError(UsageError, TypeError):
    """Nothing that a fingerprint can be made of."""


def _hashfunc(x):
    return hashlib.md5(x).digest()


def _check_width(f):
    if not isinstance(f, numbers.Integral) or f <= 0 or f % 8:
        raise UsageError(f"f must be a positive multiple of 8, not {f!r}")


def simhash_many(texts, f=64, threads=None):
    """The values of Simhash(text, f) for many texts, by all cores.

    texts: an iterable of str, read as it is used. f: 8 to 128 bits. threads: how many, all cores without. Returns a numpy array of uint64
    with one value for each text, or for f above 64 of the shape (texts, 2): the upper bits, then the lower 64. Raises TypeError with the
    position of an item that is not a str.
    """
    _check_width(f)
    if f > MD5_BITS:
        raise UsageError(f"f must be at most {MD5_BITS}, not {f}")
    if isinstance(texts, (str, bytes, bytearray)) or not isinstance(texts, collections.abc.Iterable):
        raise ValueKindError(f"texts must be an iterable of str, not {type(texts).__name__}")
    if threads is not None and (not isinstance(threads, int) or not 1 <= threads <= 1024):
        raise UsageError(f"threads must be an integer between 1 and 1024, not {threads!r}")
    low_high = np.frombuffer(simhash_texts(texts, threads or 0), dtype=np.uint64).reshape(-1, 2)
    if f <= 64:
        return low_high[:, 0] & np.uint64(2**f - 1)
    return np.stack([low_high[:, 1] & np.uint64(2 ** (f - 64) - 1), low_high[:, 0]], axis=1)


class Simhash:
    """The fingerprint of a text, of features, or an integer that is one: `value`, of `f` bits.

    value: str; an iterable of features (str), of pairs (feature, weight), or a dict of them; another Simhash; an integer.
    f: number of bits, a multiple of 8. reg: regular expression for what counts in a text. hashfunc: bytes -> bytes, of at least f / 8, or
    an unsigned integer; without: MD5, for up to 128 bits. log: a logger, kept as it is.
    """

    # Of the package, where they bound its memory.
    large_weight_cutoff = 50
    batch_size = 200

    def __init__(self, value, f=64, reg=USUAL_REG, hashfunc=_hashfunc, log=None):
        _check_width(f)
        self.f = f
        self.f_bytes = f // 8
        self.reg = reg
        self.value = None
        self.hashfunc = hashfunc
        self.hashfunc_returns_int = hashfunc is not _hashfunc and isinstance(hashfunc(b"test"), numbers.Integral)
        self.log = logging.getLogger("simhash") if log is None else log
        if isinstance(value, Simhash):
            self.value = value.value
        elif isinstance(value, str):
            self.build_by_text(value)
        elif isinstance(value, collections.abc.Iterable):
            self.build_by_features(value)
        elif isinstance(value, numbers.Integral):
            self.value = value
        else:
            raise ValueKindError(f"value must be str, features, an integer or a Simhash, not {type(value).__name__}")

    def __eq__(self, other):
        if not isinstance(other, Simhash):
            return NotImplemented
        return self.value == other.value

    __hash__ = None

    def __repr__(self):
        return f"Simhash({self.value!r}, f={self.f})"

    def distance(self, another):
        """The number of bits that differ. Raises WidthError, which is an AssertionError, for another number of bits."""
        if self.f != another.f:
            raise WidthError(f"the fingerprints have {self.f} and {another.f} bits")
        return ((self.value ^ another.value) & ((1 << self.f) - 1)).bit_count()

    # Of a text: its features are all windows of four characters, each as often as it is there.

    def _slide(self, content, width=4):
        return [content[at : at + width] for at in range(max(len(content) - width + 1, 1))]

    def _tokenize(self, content):
        return self._slide("".join(re.findall(self.reg, content.lower())))

    def _is_native(self):
        return self.hashfunc is _hashfunc and self.f <= MD5_BITS

    def build_by_text(self, content):
        """Makes `value` of a text."""
        kind = type(self)
        if (
            self._is_native()
            and self.reg == USUAL_REG
            and kind._tokenize is Simhash._tokenize
            and kind._slide is Simhash._slide
            and kind.build_by_features is Simhash.build_by_features
        ):
            self._take(simhash_text(content))
        else:
            counts = collections.Counter(self._tokenize(content))
            self.build_by_features({feature: counts[feature] for feature in sorted(counts)})

    def build_by_features(self, features):
        """Makes `value` of features: an iterable of str (weight 1), of pairs (str, weight), or a dict of weights."""
        items = list(features.items() if isinstance(features, dict) else features)
        made = simhash_features(items) if self._is_native() else None
        if made is None:
            self.value = self._of_features(items)
        else:
            self._take(made)

    def _take(self, made):
        high, low = made
        self.value = (high << 64 | low) & ((1 << self.f) - 1)

    # Of features with hash functions or weights that the native library does not know.

    def _bits(self, feature):
        digest = self.hashfunc(feature.encode("utf-8"))
        if self.hashfunc_returns_int:
            digest = (digest & ((1 << self.f) - 1)).to_bytes(self.f_bytes, "big")
        digest = digest[-self.f_bytes :]
        if len(digest) != self.f_bytes:
            raise UsageError(f"hashfunc gives {8 * len(digest)} bits, f is {self.f}")
        return np.unpackbits(np.frombuffer(digest, dtype=np.uint8))

    def _of_features(self, items):
        # The order in which the package adds matters where weights are floats: small ints are collected, and join the sum in batches.
        sums, batch, batched, total, weight = None, np.zeros(self.f, dtype=np.int64), 0, 0, 1

        def joined(row):
            return row if sums is None else sums + row

        for item in items:
            if isinstance(item, str):  # has the weight of the pair before it
                feature, alone = item, False
                if not isinstance(weight, int):
                    raise ValueKindError(f"the feature {feature!r} follows a pair whose weight is not an int, but {type(weight).__name__}")
            else:
                feature, weight = item
                alone = not isinstance(weight, int) or weight > self.large_weight_cutoff
            total += weight
            bits = self._bits(feature)
            if alone:
                large = isinstance(weight, int)
                sums = joined(bits.astype(object if large and weight >= 2**40 else np.int64 if large else np.uint8) * weight)
                continue
            batch += bits * np.int64(max(weight, 0))
            batched += 1
            if batched == self.batch_size:
                sums, batch, batched = joined(batch), np.zeros(self.f, dtype=np.int64), 0
        if batched:
            sums = joined(batch)
        if sums is None:
            return 0
        return int.from_bytes(np.packbits((sums > total / 2).astype(bool)).tobytes(), "big")


class SimhashIndex:
    """Finds fingerprints within k bits of another one. To search millions, neardup.HammingIndex is faster and needs less memory.

    objs: a list of pairs (id, Simhash); an id is used as str. f: bits of all fingerprints. k: the largest distance. `bucket` is as in the
    package, {key: {"value in hexadecimal,id"}}, but that a search adds no empty sets to it.
    """

    def __init__(self, objs, f=64, k=2, log=None):
        self.k = k
        self.f = f
        self.log = logging.getLogger("simhash") if log is None else log
        self.bucket = collections.defaultdict(set)
        for obj_id, simhash in objs:
            self.add(obj_id, simhash)

    def _check(self, simhash):
        if simhash.f != self.f:
            raise WidthError(f"the index has {self.f} bits, the fingerprint {simhash.f}")

    def get_near_dups(self, simhash):
        """The list of the ids of all fingerprints within k bits, each once, in no order."""
        self._check(simhash)
        found = set()
        seen = set()
        mask = (1 << self.f) - 1
        for key in self.get_keys(simhash):
            for entry in self.bucket.get(key, ()):
                if entry in seen:
                    continue
                seen.add(entry)
                value, obj_id = entry.split(",", 1)
                if ((int(value, 16) ^ simhash.value) & mask).bit_count() <= self.k:
                    found.add(obj_id)
        return list(found)

    def add(self, obj_id, simhash):
        """Adds a fingerprint under an id; the same pair again changes nothing."""
        self._check(simhash)
        for key in self.get_keys(simhash):
            self.bucket[key].add(f"{simhash.value:x},{obj_id}")

    def delete(self, obj_id, simhash):
        """Removes a pair, if it is there."""
        self._check(simhash)
        for key in self.get_keys(simhash):
            if key in self.bucket:
                self.bucket[key].discard(f"{simhash.value:x},{obj_id}")

    @property
    def offsets(self):
        """Where the k + 1 blocks begin, one of which two fingerprints within k bits share (pigeonhole principle)."""
        return [self.f // (self.k + 1) * i for i in range(self.k + 1)]

    def get_keys(self, simhash):
        """Yields the keys of a fingerprint in `bucket`: one for each block."""
        offsets = self.offsets
        for i, (begin, end) in enumerate(zip(offsets, [*offsets[1:], self.f])):
            yield f"{simhash.value >> begin & ((1 << (end - begin)) - 1):x}:{i:x}"

    def bucket_size(self):
        """The number of keys."""
        return len(self.bucket)
