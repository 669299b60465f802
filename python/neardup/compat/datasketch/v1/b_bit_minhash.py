"""The same as in neardup.compat.datasketch."""

from ..b_bit_minhash import *  # noqa: F403
