"""The default hash functions of tokens."""

from ..._core import datasketch as _native


def sha1_hash32(data) -> int:
    """The first 4 bytes of the SHA-1 digest of `data` (bytes or another buffer) as a number, lowest byte first."""
    return _native.sha1_hash32(data)


def sha1_hash64(data) -> int:
    """The first 8 bytes of the SHA-1 digest of `data` (bytes or another buffer) as a number, lowest byte first."""
    return _native.sha1_hash64(data)
