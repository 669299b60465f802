"""The containers of documents that dedup() takes: one adapter a kind, with its columns and with a selection of its rows."""

from __future__ import annotations

import functools
import glob
import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _core, _values
from ._options import writable

_BATCH_ROWS = 1000  # of readers that make batches
_MAX_PATH = 4096  # characters; Linux has no longer names


class Container:
    """Documents in a container of the caller."""

    #: Texts can be read again at once: they are in memory.
    in_memory = False

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        """What a run reads. `name`: of the data in messages and verdicts; files have their own."""
        raise NotImplementedError

    def select(self, mask: np.ndarray) -> Any:
        """The documents where the mask is True, in a container of the same kind. The mask has a Boolean for each record."""
        raise NotImplementedError


def _names_to_read(settings: _core.Settings, available: list[str]) -> list[str]:
    """The columns that a run reads; all if a required one is missing, so that the message can list them."""
    known = set(available)
    return [name for name in settings.wanted if name in known] if known.issuperset(settings.required) else available


class _Columns(Container):
    """Columns by name, or texts without fields, in memory."""

    in_memory = True

    def __init__(self, data: Any, columns: Callable[[Any, _core.Settings], Any], select: Callable[[Any, np.ndarray], Any]) -> None:
        self._data = data
        self._columns = columns
        self._select = select

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        return _core.memory_data(settings, name, self._columns(self._data, settings))

    def select(self, mask: np.ndarray) -> Any:
        return self._select(self._data, mask)


class _Stream(Container):
    """A reader that can be opened again and again."""

    def __init__(self, reader: Callable[[_core.Settings], Any], select: Callable[[np.ndarray], Any]) -> None:
        self._reader = reader
        self._select = select

    def open(self, settings: _core.Settings, name: str) -> _core.Data:
        return _core.stream_data(settings, name, functools.partial(self._reader, settings))

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
        self._data = _core.file_data(settings, self._paths)
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
            [_core.stream_data(settings, path, functools.partial(self._reader, path, settings)) for path in self._paths]
        )

    @staticmethod
    def _reader(path: str, settings: _core.Settings | None) -> Iterator[Any]:
        """The batches of a file with the columns that a run reads; without settings, all columns."""
        import pyarrow.parquet

        try:
            with pyarrow.parquet.ParquetFile(path) as file:
                columns = None if settings is None else _names_to_read(settings, file.schema_arrow.names)
                empty = True
                for batch in file.iter_batches(columns=columns):
                    empty = False
                    yield batch
                if empty:
                    yield file.schema_arrow.empty_table()
        except (OSError, pyarrow.ArrowInvalid) as error:
            raise _core.InputError(f"cannot read '{path}': {error}") from error

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


_ABSENT = object()


def _field(record: Any, name: str) -> Any:
    """A field of a dict; dots lead into dicts. _ABSENT: the dict has none."""
    if not isinstance(record, Mapping):
        return _ABSENT
    if name in record:
        return record[name]
    first, dot, rest = name.partition(".")
    return _field(record.get(first), rest) if dot else _ABSENT


def _record_columns(records: list[Any], settings: _core.Settings) -> dict[str, list[Any]]:
    columns = {}
    for name in settings.wanted:
        values = [_field(record, name) for record in records]
        if any(value is not _ABSENT for value in values):
            columns[name] = [None if value is _ABSENT else value for value in values]
    # If no record has a required field, the message lists the fields of the first one.
    return columns if columns.keys() >= set(settings.required) else {writable(str(key)): [] for key in records[0]}


def _select_items(items: Any, mask: np.ndarray) -> Any:
    chosen = [items[i] for i in np.flatnonzero(mask)]
    return tuple(chosen) if isinstance(items, tuple) else chosen


def _items(items: Any) -> Container:
    if items and isinstance(items[0], Mapping):
        return _Columns(items, _record_columns, _select_items)
    return _Columns(items, lambda texts, settings: texts, _select_items)


def _pandas_column(series: Any) -> Any:
    """The array of Arrow that the series has, if it has one; else Python objects."""
    array = series.array
    if getattr(series.dtype, "storage", None) == "pyarrow" or type(series.dtype).__name__ == "ArrowDtype":
        return array.__arrow_array__()
    return series.tolist()


def _pandas(data: Any) -> Container:
    import pandas

    if isinstance(data, pandas.Series):
        return _Columns(data, lambda series, settings: _pandas_column(series), lambda series, mask: series[mask])

    def columns(frame: Any, settings: _core.Settings) -> dict[str, Any]:
        if any(name not in frame.columns for name in settings.required):
            return {writable(str(name)): [] for name in frame.columns}  # which the message lists
        result = {}
        for name in settings.wanted:
            if name not in frame.columns:
                continue
            if isinstance(frame[name], pandas.DataFrame):
                raise _core.UsageError(f"the frame has several columns '{name}'")
            result[name] = _pandas_column(frame[name])
        return result

    return _Columns(data, columns, lambda frame, mask: frame[mask])


def _polars(data: Any) -> Container:
    import polars

    if isinstance(data, polars.Series):
        return _Columns(
            data, lambda series, settings: series, lambda series, mask: series.filter(polars.Series(mask, dtype=polars.Boolean))
        )
    lazy = isinstance(data, polars.LazyFrame)
    frame = data.collect() if lazy else data

    def select(whole: Any, mask: np.ndarray) -> Any:
        chosen = whole.filter(polars.Series(mask, dtype=polars.Boolean))
        return chosen.lazy() if lazy else chosen

    return _Columns(frame, _some_columns(lambda whole: whole.columns, lambda whole, names: whole.select(names)), select)


def _some_columns(known: Callable[[Any], list[str]], select: Callable[[Any, list[str]], Any]) -> Callable[[Any, _core.Settings], Any]:
    """Only the columns of a table that a run reads; all if names are not unique, which is then an error that names them."""

    def columns(table: Any, settings: _core.Settings) -> Any:
        available = known(table)
        return select(table, _names_to_read(settings, available)) if len(set(available)) == len(available) else table

    return columns


def _pyarrow(data: Any) -> Container:
    import pyarrow

    if isinstance(data, pyarrow.RecordBatchReader):
        table = data.read_all()
        return _Columns(table, _arrow_columns, lambda whole, mask: _arrow_filter(whole, mask).to_reader())
    if isinstance(data, (pyarrow.Table, pyarrow.RecordBatch)):
        return _Columns(data, _arrow_columns, _arrow_filter)
    return _Columns(data, lambda array, settings: array, _arrow_filter)


_arrow_columns = _some_columns(lambda table: table.schema.names, lambda table, names: table.select(names))


def _any_arrow(data: Any) -> Container:
    """An object with the Arrow interface of a library that is not known here: read once, by pyarrow if that is installed."""
    try:
        import pyarrow
    except ImportError:
        return _Columns(data, lambda whole, settings: whole, _refuse_selection)
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

        def read(settings: _core.Settings) -> Iterator[Any]:
            yield from data.with_format("arrow").iter(batch_size=_BATCH_ROWS)

        return _Stream(read, lambda mask: data.filter(lambda example, position: bool(mask[position]), with_indices=True))

    def choose(mask: np.ndarray) -> Any:
        return data.select(np.flatnonzero(mask))

    if data._indices is None:
        return _Columns(data, lambda whole, settings: _arrow_columns(whole.data.table, settings), lambda whole, mask: choose(mask))

    # The rows are an index into the table: read them in batches.
    def read_chosen(settings: _core.Settings) -> Iterator[Any]:
        chosen = data.select_columns(_names_to_read(settings, data.column_names))
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

    return _Stream(lambda settings: data(), select)


def _paths_of(items: list[Any] | tuple[Any, ...]) -> list[Any] | None:
    """The files that a list names: one of Paths, or of strs that all are files. None: these are texts."""
    if not items or not (isinstance(items[0], os.PathLike) or _is_file(items[0])):
        return None
    if isinstance(items[0], os.PathLike) or all(isinstance(item, os.PathLike) or _is_file(item) for item in items):
        return list(items)
    warnings.warn(f"data: {items[0]!r} is a file, but not each string of the list is: all are read as texts", stacklevel=4)
    return None


def _is_file(name: Any) -> bool:
    if not isinstance(name, str) or len(name) > _MAX_PATH or "\n" in name or "\0" in name:
        return False
    try:
        return os.path.exists(name) or (any(letter in name for letter in "*?[") and bool(glob.glob(name)))
    except (OSError, ValueError):
        return False


def _files(given: list[Any]) -> Container:
    paths = [_values.path("data", path) for path in given]
    names = [name for path in paths for name in ([path] if os.path.exists(path) else sorted(glob.glob(path)) or [path])]
    if not names or not all(name.lower().endswith(".parquet") for name in names):
        return _Files(paths)
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return _Files(paths)  # read by the library of DuckDB
    return _ParquetFiles(names)


_DATA = "documents in order (a list of str, a frame, an Arrow table, paths)"


def _is_of(data: Any, module: str, *names: str) -> bool:
    """True for an object of such a class, without importing the module."""
    loaded = sys.modules.get(module)
    return loaded is not None and any(isinstance(data, kind) for name in names if (kind := getattr(loaded, name, None)) is not None)


def container_of(data: Any) -> Container:
    """The adapter of the data. Raises TypeError for what holds no documents."""
    if isinstance(data, str) and ("\n" in data or len(data) > _MAX_PATH):
        raise TypeError("data: a str is the name of a file; put texts into a list")
    if isinstance(data, (str, os.PathLike)):
        return _files([data])
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
        return _Columns(data, lambda array, settings: array.tolist(), lambda array, mask: array[mask])
    if isinstance(data, Mapping):
        raise TypeError(f"data: expected {_DATA}, not {type(data).__name__}: make a frame of its columns, or pass one of its splits")
    if isinstance(data, io.IOBase):
        raise TypeError(f"data: expected {_DATA}, not an open file: pass its path, or list(file) for its lines")
    if callable(data):
        return _callable(data)
    if isinstance(data, Iterable) and not isinstance(data, (bytes, bytearray, memoryview, set, frozenset)):
        return _items(list(data))
    raise TypeError(f"data: expected {_DATA}, not {type(data).__name__}")
