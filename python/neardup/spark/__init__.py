"""neardup on Apache Spark: the results of one machine, from a cluster. Spark 3.5 and 4, classic sessions."""

try:
    import pyarrow as _pyarrow  # noqa: F401
    import pyspark as _pyspark  # noqa: F401
except ImportError as _error:
    raise ImportError(f"neardup.spark needs PySpark 3.5 or later and pyarrow: {_error}") from None

from ._dedup import clusters, dedup, exact_dedup
from ._files.dedup_files import FileResult, dedup_files
from ._pairs import pairs
from ._result import Result
from ._search import search
from ._sketch import sketch

__all__ = ["FileResult", "Result", "clusters", "dedup", "dedup_files", "exact_dedup", "pairs", "search", "sketch"]
