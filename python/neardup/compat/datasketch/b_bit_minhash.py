"""bBitMinHash: the lowest bits of the hash values of a MinHash (Li and König 2010)."""

from __future__ import annotations

import struct

import numpy as np

from . import _schemes

# Seed, b, r and the number of hash values, which is negative, and followed by one byte for the scheme, if that is not "legacy".
_HEADER = "<qBdi"
_BLOCK_BITS = 64


def _slot_bits(b: int) -> int:
    """The bits that a value takes when serialized: 1, 2, or the next power of two from 4 on (also of 0, as in the original)."""
    for bits in (1, 2, 4, 8, 16, 32):
        if b == bits or (bits > 2 and b <= bits):
            return bits
    raise ValueError(f"b must be in [0, 32], not {b}")


class bBitMinHash:
    """The lowest `b` bits of each hash value of a MinHash, with an estimate of the Jaccard similarity and a compact pickle.

    Args:
        minhash: the MinHash.
        b: the number of bits, 0 to 32.
        r: the size of the set divided by that of the universe of tokens; 0 if it is unknown, or small.
    """

    __slots__ = ("b", "hashvalues", "r", "scheme", "seed")

    def __init__(self, minhash, b: int = 1, r: float = 0.0) -> None:
        b = int(b)
        r = float(r)
        if not 0 <= b <= 32:
            raise ValueError("b must be in [0, 32]")
        if r > 1.0:
            raise ValueError("r must be in [0.0, 1.0]")
        self.scheme = _schemes.check(minhash.scheme)
        values = _schemes.values_of(self.scheme, minhash.hashvalues, "hash values")
        self.hashvalues = (values & values.dtype.type((1 << b) - 1)).astype(np.uint32)
        self.seed = minhash.seed
        self.b = b
        self.r = r

    def __eq__(self, other) -> bool:
        return (
            type(self) is type(other)
            and self.scheme == other.scheme
            and self.seed == other.seed
            and self.b == other.b
            and self.r == other.r
            and np.array_equal(self.hashvalues, other.hashvalues)
        )

    __hash__ = None

    def jaccard(self, other: bBitMinHash) -> float:
        """An estimate of the Jaccard similarity; it can be below 0.

        Raises:
            ValueError: for a different b, scheme or seed.
        """
        for name, what in (("b", "values of b"), ("scheme", "permutation schemes"), ("seed", "seeds")):
            if getattr(self, name) != getattr(other, name):
                raise ValueError(f"cannot compare bBitMinHash with different {what}")
        equal = np.count_nonzero(self.hashvalues == other.hashvalues)
        share = float(equal) / float(self.hashvalues.size)
        c1, c2 = self._chance(other)
        return (share - c1) / (1 - c2)

    def _chance(self, other: bBitMinHash) -> tuple[float, float]:
        """How the share of equal values depends on the similarity: the paper's C1 and C2."""
        a1 = _agreement(self.r, self.b)
        a2 = _agreement(other.r, other.b)
        if self.r == 0.0 and other.r == 0.0:
            return a1, a2
        scale = 1 / (self.r + other.r)
        return (a1 * other.r + a2 * self.r) * scale, (a1 * self.r + a2 * other.r) * scale

    def _blocks(self) -> int:
        per_block = _BLOCK_BITS // _slot_bits(self.b)
        return -(-self.hashvalues.size // per_block)

    def _header(self) -> str:
        return _HEADER if self.scheme == _schemes.LEGACY else _HEADER + "B"

    def bytesize(self) -> int:
        """The number of bytes of the state that is pickled."""
        return struct.calcsize(f"{self._header()}{self._blocks()}Q")

    def __getstate__(self) -> bytearray:
        bits = _slot_bits(self.b)
        per_block = _BLOCK_BITS // bits
        slots = np.zeros(self._blocks() * per_block, dtype=np.uint64)
        slots[: self.hashvalues.size] = self.hashvalues
        # The first value of a block is in its highest slot.
        shifts = np.arange(per_block - 1, -1, -1, dtype=np.uint64) * np.uint64(bits)
        blocks = np.bitwise_or.reduce(slots.reshape(-1, per_block) << shifts, axis=1)
        size = self.hashvalues.size
        if self.scheme == _schemes.LEGACY:
            head = struct.pack(self._header(), self.seed, self.b, self.r, size)
        else:
            head = struct.pack(self._header(), self.seed, self.b, self.r, -size, _schemes.CODES[self.scheme])
        return bytearray(head + blocks.astype(np.uint64).tobytes())

    def __setstate__(self, buf) -> None:
        buf = memoryview(buf)
        try:
            self.seed, self.b, self.r, size = struct.unpack_from(_HEADER, buf, 0)
            offset = struct.calcsize(_HEADER)
            self.scheme = _schemes.LEGACY
            if size < 0:
                size = -size
                (code,) = struct.unpack_from("<B", buf, offset)
                self.scheme = _schemes.NAMES.get(code, _schemes.LEGACY)
                if self.scheme == _schemes.LEGACY:
                    raise ValueError(f"unknown scheme code {code}")
                offset += 1
        except struct.error as error:
            raise ValueError(f"not a pickled bBitMinHash: {error}") from error
        bits = _slot_bits(self.b)
        per_block = _BLOCK_BITS // bits
        count = -(-size // per_block)
        if offset + 8 * count > len(buf):
            raise ValueError("not a pickled bBitMinHash: it is too short")
        blocks = np.frombuffer(buf, dtype=np.uint64, count=count, offset=offset)
        shifts = np.arange(per_block - 1, -1, -1, dtype=np.uint64) * np.uint64(bits)
        slots = (blocks[:, None] >> shifts) & np.uint64((1 << bits) - 1)
        self.hashvalues = slots.reshape(-1)[:size].astype(np.uint32)


def _agreement(r: float, b: int) -> float:
    """The paper's A(r, b), for r = 0 its limit, with the exponent that datasketch has."""
    if r == 0.0:
        return 1.0 / (1 << b)
    return r * (1 - r) ** (2**b - 1) / (1 - (1 - r) ** (2 * b))
