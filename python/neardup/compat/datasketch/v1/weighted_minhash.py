"""The same as in neardup.compat.datasketch."""

from ..weighted_minhash import *  # noqa: F403
