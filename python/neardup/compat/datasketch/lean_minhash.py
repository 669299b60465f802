"""LeanMinHash: a MinHash without what is needed to update it, and with a compact serialization."""

from __future__ import annotations

import struct

import numpy as np

from ..._core import datasketch as _native
from . import _schemes
from .minhash import MinHash, _check_union

# One hash value in the format of struct.
_VALUE_FORMATS = {_schemes.LEGACY: "I", _schemes.AFFINE32: "I", _schemes.AFFINE64: "Q"}


class LeanMinHash(MinHash):
    """The seed and the hash values of a MinHash: it can be compared, merged, serialized and hashed, but not updated.

    Args:
        minhash: the MinHash to take over.
        seed, hashvalues, scheme: or the state of one.

    Serialized, it is the seed (8 bytes), the number of hash values (4 bytes; negative, and followed by one byte for the scheme, if that
    is not "legacy"), and the hash values (4 bytes each, 8 for "affine64"), which are aligned in the native byte order "@".
    """

    def __init__(self, minhash: MinHash | None = None, seed: int | None = None, hashvalues=None, scheme: str | None = None) -> None:
        if minhash is not None:
            if scheme is not None and scheme != minhash.scheme:
                raise ValueError(f"scheme {scheme!r} is not that of the MinHash, {minhash.scheme!r}")
            self._start(minhash.seed, minhash.hashvalues, minhash.scheme)
        elif hashvalues is None or seed is None:
            raise ValueError("give a MinHash, or seed and hashvalues")
        elif scheme is None:
            raise ValueError("give the scheme of the MinHash that hashvalues came from; before datasketch 2.0.0 it was 'legacy'")
        else:
            self._start(seed, hashvalues, scheme)

    def _start(self, seed, hashvalues, scheme) -> None:
        values = _schemes.values_of(_schemes.check(scheme), hashvalues, "hash values")
        if scheme != _schemes.LEGACY and len(values) == 0:
            raise ValueError("hashvalues must not be empty")
        _native.MinHash.__init__(self, _schemes.CODES[scheme], values, len(values), None, seed, None, 0, None)

    def update(self, b) -> None:
        """Raises a TypeError: a LeanMinHash cannot be updated."""
        raise TypeError("a LeanMinHash cannot be updated")

    def update_batch(self, b) -> None:
        """Raises a TypeError: a LeanMinHash cannot be updated."""
        raise TypeError("a LeanMinHash cannot be updated")

    def _header(self, byteorder: str) -> str:
        return f"{byteorder}qi" if self.scheme == _schemes.LEGACY else f"{byteorder}qiB"

    def _format(self, byteorder: str) -> str:
        return f"{self._header(byteorder)}{len(self)}{_VALUE_FORMATS[self.scheme]}"

    def bytesize(self, byteorder: str = "@") -> int:
        """The number of bytes that serialize() writes. `byteorder` is a character of the module struct: @, =, <, > or !."""
        return struct.calcsize(self._format(byteorder))

    def serialize(self, buf, byteorder: str = "@") -> None:
        """Writes this LeanMinHash to the beginning of a writable buffer.

        Raises:
            ValueError: if the buffer is too small.
        """
        if len(buf) < self.bytesize(byteorder):
            raise ValueError("the buffer is too small for this LeanMinHash")
        values = self._values().tolist()
        if self.scheme == _schemes.LEGACY:
            struct.pack_into(self._format(byteorder), buf, 0, self.seed, len(self), *values)
        else:
            struct.pack_into(self._format(byteorder), buf, 0, self.seed, -len(self), _schemes.CODES[self.scheme], *values)

    @classmethod
    def deserialize(cls, buf, byteorder: str = "@") -> LeanMinHash:
        """The LeanMinHash at the beginning of a buffer.

        Raises:
            ValueError: if there is none.
        """
        made = cls.__new__(cls)
        made._read(buf, byteorder)
        return made

    def _read(self, buf, byteorder: str) -> None:
        buf = memoryview(buf)
        header = f"{byteorder}qi"
        try:
            seed, size = struct.unpack_from(header, buf, 0)
            scheme = _schemes.LEGACY
            if size < 0:
                size = -size
                (code,) = struct.unpack_from(f"{byteorder}B", buf, struct.calcsize(header))
                scheme = _schemes.NAMES.get(code, _schemes.LEGACY)
                if scheme == _schemes.LEGACY:
                    raise ValueError(f"unknown scheme code {code}")
                header += "B"
            # "0I" aligns what follows, as one format for all of it does.
            offset = struct.calcsize(f"{header}0{_VALUE_FORMATS[scheme]}")
            form = f"{byteorder}{size}{_VALUE_FORMATS[scheme]}"
            if offset + struct.calcsize(form) > len(buf):
                raise ValueError("the buffer is too small for the LeanMinHash that it begins with")
            values = struct.unpack_from(form, buf, offset)
        except struct.error as error:
            raise ValueError(f"not a serialized LeanMinHash: {error}") from error
        LeanMinHash._start(self, seed, values, scheme)

    def __getstate__(self) -> bytearray:
        buf = bytearray(self.bytesize())
        self.serialize(buf)
        return buf

    def __setstate__(self, buf) -> None:
        self._read(buf, "@")

    def __hash__(self) -> int:
        return hash((self.scheme, self.seed, tuple(self._values().tolist())))

    @classmethod
    def union(cls, *lmhs: MinHash) -> LeanMinHash:
        """The LeanMinHash of the union of at least two sets; ValueError for fewer, and for those that cannot be merged."""
        _check_union(lmhs)
        values = np.minimum.reduce([other._values() for other in lmhs])
        made = cls.__new__(cls)
        LeanMinHash._start(made, lmhs[0].seed, values, lmhs[0].scheme)
        return made

    @classmethod
    def generator(cls, b, **minhash_kwargs):
        """Raises a TypeError: a LeanMinHash cannot be updated."""
        raise TypeError("a LeanMinHash cannot be updated: use MinHash.bulk")

    bulk = generator
