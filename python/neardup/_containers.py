"""The containers of documents that dedup() takes: one adapter a kind, with its columns and with a selection of its rows."""

from __future__ import annotations

import functools
import glob
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _core
from ._options import writable

_BATCH_ROWS = 1000  # of readers that make batches


class Container:
    """Documents in a container of the caller."""

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        """What a run reads. `name`: of the data in messages and verdicts; files have their own."""
        raise NotImplementedError

    def select(self, mask: np.ndarray) -> Any:
        """The documents where the mask is True, in a container of the same kind. The mask has a Boolean for each record."""
        raise NotImplementedError


class _Columns(Container):
    """Columns by name, in memory."""

    def __init__(self, data: Any, columns: Callable[[Any, list[str]], Any], select: Callable[[Any, np.ndarray], Any]) -> None:
        self._data = data
        self._columns = columns
        self._select = select

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        return _core.memory_data(settings, name, self._columns(self._data, settings.wanted))

    def select(self, mask: np.ndarray) -> Any:
        return self._select(self._data, mask)


class _Stream(Container):
    """A reader that can be opened again and again."""

    def __init__(self, reader: Callable[[list[str]], Any], select: Callable[[np.ndarray], Any]) -> None:
        self._reader = reader
        self._select = select

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        return _core.stream_data(settings, name, functools.partial(self._reader, settings.wanted))

    def select(self, mask: np.ndarray) -> Any:
        return self._select(mask)


class Records:
    """Documents of files, read again each time they are iterated.

    A line of JSON is a dict; a text file is ``{"id": path, "text": text}``.
    """

    def __init__(self, data: _core.Data, mask: np.ndarray) -> None:
        self._data = data
        self._mask = mask

    def __len__(self) -> int:
        return int(np.count_nonzero(self._mask))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        reader = _core.RecordReader(self._data)
        position = 0
        while batch := reader.next():
            for rejected, line, id, text in batch:
                if position < len(self._mask) and self._mask[position]:
                    yield _record(rejected, line, id, text)
                position += 1

    def __repr__(self) -> str:
        return f"<{len(self):,} records of files>"


def _record(rejected: bool, line: str, id: str, text: str) -> dict[str, Any]:
    if line:
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
        if rejected:
            return {"line": line}
    return {"id": id, "text": text or line}


class _Files(Container):
    """JSON Lines, text files and all else that the command line reads."""

    def __init__(self, paths: list[str]) -> None:
        self._paths = paths
        self._data: _core.Data | None = None

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        self._data = _core.file_data(settings, [writable(path) for path in self._paths])
        return self._data

    def select(self, mask: np.ndarray) -> Records:
        assert self._data is not None
        return Records(self._data, mask)


class _ParquetFiles(Container):
    """Parquet files, each a source of its own, read by pyarrow in record batches."""

    def __init__(self, paths: list[str]) -> None:
        self._paths = paths

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        return _core.chain_data(
            [_core.stream_data(settings, writable(path), functools.partial(self._reader, path, settings.wanted)) for path in self._paths]
        )

    @staticmethod
    def _reader(path: str, names: list[str] | None) -> Iterator[Any]:
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(path) as file:
            known = set(file.schema_arrow.names)
            # All, if a name is missing, so that the message can list them.
            columns = [name for name in names if name in known] if names is not None and names[0] in known else None
            empty = True
            for batch in file.iter_batches(columns=columns):
                empty = False
                yield batch
            if empty:
                yield file.schema_arrow.empty_table()

    def select(self, mask: np.ndarray) -> Any:
        import pyarrow
        import pyarrow.parquet

        schema = pyarrow.parquet.read_schema(self._paths[0])
        batches = (batch for path in self._paths for batch in self._reader(path, None) if batch.num_rows)
        return pyarrow.RecordBatchReader.from_batches(schema, _filtered(batches, mask))


def _filtered(batches: Iterable[Any], mask: np.ndarray) -> Iterator[Any]:
    """The wanted rows of record batches and tables of pyarrow, as record batches."""
    position = 0
    for piece in batches:
        part = mask[position : position + piece.num_rows]
        position += piece.num_rows
        chosen = _arrow_filter(piece, part)
        yield from chosen.to_batches() if hasattr(chosen, "to_batches") else [chosen]


def _arrow_filter(data: Any, mask: np.ndarray) -> Any:
    """data.filter(), also for the types that it does not know, such as string views."""
    import pyarrow

    try:
        return data.filter(pyarrow.array(mask))
    except pyarrow.ArrowNotImplementedError:
        edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
        runs = [data.slice(int(first), int(end - first)) for first, end in zip(edges[::2], edges[1::2])]
        if isinstance(data, pyarrow.Table):
            return pyarrow.concat_tables(runs) if runs else data.slice(0, 0)
        if isinstance(data, pyarrow.RecordBatch):
            return pyarrow.Table.from_batches(runs, data.schema)
        chunks = [chunk for run in runs for chunk in (run.chunks if isinstance(run, pyarrow.ChunkedArray) else [run])]
        return pyarrow.chunked_array(chunks, type=data.type)


def _field(record: Any, name: str) -> Any:
    """A field of a dict; dots lead into dicts."""
    if not isinstance(record, Mapping):
        return None
    if name in record:
        return record[name]
    first, dot, rest = name.partition(".")
    return _field(record.get(first), rest) if dot else None


def _record_columns(records: list[Any], names: list[str]) -> dict[str, list[Any]]:
    columns = {name: [_field(record, name) for record in records] for name in names}
    found = {name: column for name, column in columns.items() if any(value is not None for value in column)}
    # If no record has the text field, the message lists the fields of the first one.
    return found if names[0] in found or not records else {str(key): [None] * len(records) for key in records[0]}


def _select_items(items: Any, mask: np.ndarray) -> Any:
    chosen = [items[i] for i in np.flatnonzero(mask)]
    return tuple(chosen) if isinstance(items, tuple) else chosen


def _items(items: Any) -> Container:
    if items and all(isinstance(item, Mapping) for item in items[:1]):
        return _Columns(items, _record_columns, _select_items)
    return _Columns(items, lambda data, names: {names[0]: data}, _select_items)


def _pandas_column(series: Any) -> Any:
    """The array of Arrow that the series has, if it has one; else Python objects."""
    array = series.array
    if getattr(series.dtype, "storage", None) == "pyarrow" or type(series.dtype).__name__ == "ArrowDtype":
        return array.__arrow_array__()
    return series.tolist()


def _pandas(data: Any) -> Container:
    import pandas

    if isinstance(data, pandas.Series):
        return _Columns(data, lambda series, names: {names[0]: _pandas_column(series)}, lambda series, mask: series[mask])

    def columns(frame: Any, names: list[str]) -> dict[str, Any]:
        result = {}
        for name in names:
            if name not in frame.columns:
                continue
            if isinstance(frame[name], pandas.DataFrame):
                raise _core.UsageError(f"the frame has several columns '{name}'")
            result[name] = _pandas_column(frame[name])
        # If the text column is missing, the message lists the columns of the frame.
        return result if all(name in result for name in names[:1]) else {str(name): [] for name in frame.columns}

    return _Columns(data, columns, lambda frame, mask: frame[mask])


def _polars(data: Any) -> Container:
    import polars

    if isinstance(data, polars.Series):
        return _Columns(data, lambda series, names: series, lambda series, mask: series.filter(polars.Series(mask, dtype=polars.Boolean)))
    lazy = isinstance(data, polars.LazyFrame)
    frame = data.collect() if lazy else data

    def select(whole: Any, mask: np.ndarray) -> Any:
        chosen = whole.filter(polars.Series(mask, dtype=polars.Boolean))
        return chosen.lazy() if lazy else chosen

    return _Columns(frame, _some_columns(lambda whole: whole.columns, lambda whole, names: whole.select(names)), select)


def _some_columns(known: Callable[[Any], list[str]], select: Callable[[Any, list[str]], Any]) -> Callable[[Any, list[str]], Any]:
    """Only the wanted columns of a table, or all if the text is not among them, so that the message can list them."""

    def columns(table: Any, names: list[str]) -> Any:
        available = known(table)
        present = [name for name in names if name in available]
        return select(table, present) if present and present[0] == names[0] and len(set(available)) == len(available) else table

    return columns


def _pyarrow(data: Any) -> Container:
    import pyarrow

    if isinstance(data, pyarrow.RecordBatchReader):
        table = data.read_all()
        return _Columns(table, _arrow_columns, lambda whole, mask: _arrow_filter(whole, mask).to_reader())
    if isinstance(data, (pyarrow.Table, pyarrow.RecordBatch)):
        return _Columns(data, _arrow_columns, _arrow_filter)
    return _Columns(data, lambda array, names: array, _arrow_filter)


_arrow_columns = _some_columns(lambda table: table.schema.names, lambda table, names: table.select(names))


def _any_arrow(data: Any) -> Container:
    """An object with the Arrow interface of a library that is not known here: read once, by pyarrow if that is installed."""
    try:
        import pyarrow
    except ImportError:
        return _Columns(data, lambda whole, names: whole, _refuse_selection)
    try:
        return _pyarrow(pyarrow.table(data))
    except (TypeError, ValueError):
        return _pyarrow(pyarrow.chunked_array(data))


def _refuse_selection(data: Any, mask: np.ndarray) -> Any:
    raise _core.UsageError(
        f"rows of a {type(data).__name__} can be selected only with pyarrow, which is not installed; .kept_positions has their numbers"
    )


def _datasets(data: Any) -> Container:
    import datasets

    if isinstance(data, datasets.IterableDataset):

        def read(names: list[str]) -> Iterator[Any]:
            yield from data.with_format("arrow").iter(batch_size=_BATCH_ROWS)

        return _Stream(read, lambda mask: data.filter(lambda example, position: bool(mask[position]), with_indices=True))

    def choose(mask: np.ndarray) -> Any:
        return data.select(np.flatnonzero(mask))

    if data._indices is None:
        return _Columns(data, lambda whole, names: _arrow_columns(whole.data.table, names), lambda whole, mask: choose(mask))

    # The rows are an index into the table: read them in batches.
    def read_chosen(names: list[str]) -> Iterator[Any]:
        present = [name for name in names if name in data.column_names]
        chosen = data.select_columns(present) if present and present[0] == names[0] else data
        yield from chosen.with_format("arrow").iter(batch_size=_BATCH_ROWS)

    return _Stream(read_chosen, choose)


def _callable(data: Callable[[], Any]) -> Container:
    def select(mask: np.ndarray) -> Callable[[], Any]:
        def reopen() -> Any:
            import pyarrow

            reader = data()
            if isinstance(reader, (pyarrow.RecordBatchReader, pyarrow.Table)):
                batches = reader if isinstance(reader, pyarrow.RecordBatchReader) else reader.to_batches()
                return pyarrow.RecordBatchReader.from_batches(reader.schema, _filtered(batches, mask))
            if hasattr(reader, "__arrow_c_stream__"):
                imported = pyarrow.RecordBatchReader.from_stream(reader)
                return pyarrow.RecordBatchReader.from_batches(imported.schema, _filtered(imported, mask))
            return _filtered(
                (item if hasattr(item, "filter") and hasattr(item, "num_rows") else pyarrow.table(item) for item in reader), mask
            )

        return reopen

    return _Stream(lambda names: data(), select)


def _paths_of(data: Any) -> list[str] | None:
    """The files that a caller names: one str or Path; a list of Paths; a list of strs that all are files. None: these are texts."""
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if not isinstance(data, (list, tuple)) or not data:
        return None
    if all(isinstance(item, os.PathLike) for item in data):
        return [os.fspath(item) for item in data]
    if all(isinstance(item, (str, os.PathLike)) and _is_file(os.fspath(item)) for item in data):
        return [os.fspath(item) for item in data]
    return None


def _is_file(name: Any) -> bool:
    longest = 4096
    if not isinstance(name, str) or len(name) > longest or "\n" in name or "\0" in name:
        return False
    try:
        return os.path.exists(name) or (any(letter in name for letter in "*?[") and bool(glob.glob(name)))
    except (OSError, ValueError):
        return False


def _files(paths: list[Any]) -> Container:
    for path in paths:
        if not isinstance(path, str):
            raise TypeError(f"data: the path {path!r} is not a str")
    names = [name for path in paths for name in ([path] if os.path.exists(path) else sorted(glob.glob(path)) or [path])]
    if not names or not all(name.lower().endswith(".parquet") for name in names):
        return _Files(paths)
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return _Files(paths)  # read by the library of DuckDB
    return _ParquetFiles(names)


def _is_of(data: Any, module: str, *names: str) -> bool:
    """True for an object of such a class, without importing the module."""
    loaded = sys.modules.get(module)
    return loaded is not None and any(isinstance(data, kind) for name in names if (kind := getattr(loaded, name, None)) is not None)


def container_of(data: Any) -> Container:
    """The adapter of the data. Raises TypeError for what holds no documents."""
    if isinstance(data, (str, os.PathLike)):
        return _files(_paths_of(data) or [])
    if _is_of(data, "pandas", "Series", "DataFrame"):
        return _pandas(data)
    if _is_of(data, "polars", "Series", "DataFrame", "LazyFrame"):
        return _polars(data)
    if _is_of(data, "pyarrow", "Table", "RecordBatch", "RecordBatchReader", "Array", "ChunkedArray"):
        return _pyarrow(data)
    if _is_of(data, "datasets", "Dataset", "IterableDataset"):
        return _datasets(data)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return _any_arrow(data)
    if isinstance(data, (list, tuple)):
        paths = _paths_of(data)
        return _items(data) if paths is None else _files(paths)
    if isinstance(data, np.ndarray):
        if data.ndim != 1:
            raise TypeError(f"data: expected an array with one dimension, not {data.ndim}")
        return _Columns(data, lambda array, names: {names[0]: array.tolist()}, lambda array, mask: array[mask])
    if isinstance(data, (bytes, bytearray, memoryview, Mapping, set, frozenset)):
        raise TypeError(f"data: expected documents in order (a list of str, a frame, an Arrow table, paths), not {type(data).__name__}")
    if callable(data):
        return _callable(data)
    if isinstance(data, Iterable):
        return _items(list(data))
    raise TypeError(f"data: expected documents (a list of str, a frame, an Arrow table, paths), not {type(data).__name__}")
