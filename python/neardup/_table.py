"""Tables of results."""

from __future__ import annotations

from typing import Any

from . import _core


class Table:
    """Columns of results, for any library that reads Arrow by its PyCapsule interface, such as pyarrow, Polars, pandas and DuckDB.

    ``pyarrow.table(t)``, ``polars.DataFrame(t)`` and ``pandas.DataFrame.from_arrow(t)`` read it without a copy; none of them is needed for
    :meth:`column` and :meth:`to_pylist`.
    """

    def __init__(self, table: _core.Table) -> None:
        self._table = table

    def __arrow_c_schema__(self) -> object:
        return self._table.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._table.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return len(self._table)

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self._table)

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""
        return self._table.column_names

    def column(self, name: str) -> list[Any]:
        """The values of a column; None for null. Raises KeyError."""
        if name not in self.column_names:
            raise KeyError(f"no column {name!r}; the columns are {', '.join(self.column_names)}")
        return self._table.column(self.column_names.index(name))

    __getitem__ = column

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        names = self.column_names
        columns = [self._table.column(i) for i in range(len(names))]
        return [dict(zip(names, values)) for values in zip(*columns)]

    def to_pyarrow(self) -> Any:
        """The same as a ``pyarrow.Table``. Requires pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> Any:
        """The same as a ``pandas.DataFrame``. Requires pandas."""
        import pandas

        return pandas.DataFrame({name: self.column(name) for name in self.column_names})

    def to_polars(self) -> Any:
        """The same as a ``polars.DataFrame``. Requires Polars."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} with {len(self):,} rows: {', '.join(self.column_names)}>"
