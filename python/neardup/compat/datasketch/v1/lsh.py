"""The same as in neardup.compat.datasketch."""

from ..lsh import *  # noqa: F403
