"""The same as in neardup.compat.datasketch."""

from ..lshforest import *  # noqa: F403
