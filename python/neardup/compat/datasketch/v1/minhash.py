"""MinHash of datasketch 1.10."""

from __future__ import annotations

from collections.abc import Callable

from .. import _schemes
from .. import minhash as _minhash
from ..hashfunc import sha1_hash32


class MinHash(_minhash.MinHash):
    """The MinHash of neardup.compat.datasketch with the scheme "legacy"; the other arguments are the same."""

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: str = "disable",
        hashfunc: Callable = sha1_hash32,
        hashobj: object | None = None,
        hashvalues=None,
        permutations=None,
    ) -> None:
        if not callable(hashfunc):
            raise ValueError("hashfunc must be callable")
        self._start(num_perm, seed, gpu_mode, hashfunc, hashobj, hashvalues, permutations, _schemes.LEGACY)
