"""The same as in neardup.compat.datasketch."""

from ..storage import *  # noqa: F403
