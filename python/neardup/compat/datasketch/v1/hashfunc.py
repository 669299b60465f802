"""The same as in neardup.compat.datasketch."""

from ..hashfunc import *  # noqa: F403
