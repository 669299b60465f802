"""LeanMinHash of datasketch 1.10."""

from __future__ import annotations

from .. import _schemes
from .. import lean_minhash as _lean_minhash
from . import minhash as _minhash


class LeanMinHash(_lean_minhash.LeanMinHash):
    """The LeanMinHash of neardup.compat.datasketch with the scheme "legacy"."""

    def __init__(self, minhash: _minhash.MinHash | None = None, seed: int | None = None, hashvalues=None) -> None:
        super().__init__(minhash, seed, hashvalues, None if minhash is not None else _schemes.LEGACY)
