"""The same as in neardup.compat.datasketch."""

from ..lshensemble import *  # noqa: F403
