"""neardup: near-duplicate texts in large collections, found exactly and explained."""
from ._core import Error, InputError, OutputError, ResourceError, UsageError, __version__, library_versions

__all__ = ["Error", "InputError", "OutputError", "ResourceError", "UsageError", "__version__", "library_versions"]
