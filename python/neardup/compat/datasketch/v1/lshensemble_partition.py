"""The same as in neardup.compat.datasketch."""

from ..lshensemble_partition import *  # noqa: F403
