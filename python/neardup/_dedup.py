"""dedup() and pairs()."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from typing import Any

from . import _core
from ._containers import Container, container_of
from ._options import make_settings, option_text, writable
from ._progress import progress_function
from ._result import Result, warn
from ._table import Table


class Run:
    """What a run reads and how, for all that its result asks for later."""

    def __init__(
        self,
        container: Container,
        data: _core.Data,
        settings: _core.Settings,
        reference: _core.Data | None,
        work: _Work | None,
        progress: Any,
        in_memory: bool,
    ) -> None:
        self.container = container
        self.data = data
        self.reference = reference
        self.in_memory = in_memory  # all texts: they can be read again at once
        self._settings = settings
        self._work = work
        self._progress = progress

    def execute(self, threshold: str | None = None) -> tuple[Result, list[str]]:
        with progress_function(self._progress, "dedup") as report:
            verdicts = _core.dedup(self.data, self._settings, self.reference, self._work.path if self._work else "", threshold, report)
        return Result(self, verdicts), verdicts.warnings

    def rethreshold(self, threshold: float) -> tuple[Result, list[str]]:
        if self._work is None:
            raise _core.UsageError("rethreshold: this run left no sketches; run dedup(..., work=True)")
        return self.execute(option_text("threshold", threshold))


def _check_name(name: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"name: expected a string, not {type(name).__name__}")


class _Work:
    """The checkpoint directory of a run: one that the caller names, or a temporary one, which goes with the results of the run."""

    def __init__(self, work: Any, parent: Any) -> None:
        if work is True:
            try:
                self._temporary = tempfile.TemporaryDirectory(prefix="neardup-work-", dir=os.fspath(parent) if parent else None)
            except OSError as error:
                raise _core.OutputError(f"work: cannot make a temporary folder: {error}") from None
            self.path = self._temporary.name
            return
        if not isinstance(work, (str, os.PathLike)):
            raise TypeError(f"work: expected True or the name of a folder, not {type(work).__name__}")
        self.path = writable(os.fspath(work))
        try:
            os.makedirs(self.path, exist_ok=True)
            used = os.listdir(self.path)
        except (OSError, ValueError) as error:
            raise _core.OutputError(f"work: cannot use the folder '{self.path}': {error}") from None
        if used:
            raise _core.UsageError(f"work: '{self.path}' is not an empty folder")


def dedup(
    data: Any,
    text: str | list[str] | tuple[str, ...] = "text",
    id: str | None = "auto",
    *,
    against: Any = None,
    work: Any = None,
    progress: Any = None,
    name: str = "memory",
    **options: Any,
) -> Result:
    """Removes exact and near-duplicates: scans the documents in order and keeps each one unless a kept one matches it.

    Args:
        data: the documents, in one of these forms. Columns are read where they are, without a copy.

            - a list, tuple, iterator or NumPy array of str, or of dicts
            - a pandas or Polars Series or DataFrame, or a LazyFrame
            - an Arrow table, record batch, array or reader (which is read into memory), and any object with the Arrow PyCapsule interface
            - a Hugging Face ``Dataset`` or ``IterableDataset``
            - a path, a glob or a list of these: JSON Lines, text files and archives, plain or compressed; Parquet with pyarrow or the
              library of DuckDB
            - a function without arguments that returns a new reader of record batches each time, for data that do not fit into memory
        text: the column with the text, or several, which are joined by newlines.
        id: the column with the id of a document; "auto": the column ``id``, if there is one; None: none.
        against: a reference corpus in any of these forms; documents that match one of its documents are removed.
        work: True or an empty folder: keeps the sketches, which :meth:`Result.rethreshold` needs.
        progress: True, False, None (a bar by tqdm in a terminal or notebook), or a function that gets a dict now and then.
        name: what messages and verdicts call the data. Files have their own names.
        options: the options of ``neardup dedup`` by their names with ``_``, such as ``threshold=0.7``, ``keep="longest"``, ``memory="4G"``.

    Records without a text are rejected and counted, as the command line does. With ``strict=True`` that is an error.

    Raises:
        UsageError: an unknown option, a wrong value, a missing column. It is a ValueError.
        InputError: a missing file, too many rejected records, data that changed while they were read. It is an OSError.
        ResourceError, OutputError: a limit of the machine, a disk that cannot be written.
        TypeError: an argument of a wrong type.
    """
    _check_name(name)
    settings = make_settings("dedup", text, id, options)
    container = container_of(data)
    kept_sketches = None if work is None or work is False else _Work(work, options.get("temp_dir"))
    reference, in_memory = None, container.in_memory
    if against is not None:
        # Protection is for documents that can be removed.
        spared = make_settings("dedup", text, id, {key: value for key, value in options.items() if key != "protect"})
        corpus = container_of(against)
        reference, in_memory = corpus.open(spared, "reference"), in_memory and corpus.in_memory
    run = Run(container, container.open(settings, writable(name)), settings, reference, kept_sketches, progress, in_memory)
    result, warnings = run.execute()
    warn(warnings)
    if _is_strict(options, result.summary):
        first = f"; the first: {result.rejects['source'][0]}:{result.rejects['row'][0]}: {result.rejects['problem'][0]}"
        raise _core.InputError(_rejected(result.summary) + first)
    return result


def _is_strict(options: Mapping[str, Any], summary: dict[str, Any]) -> bool:
    """True if rejected records are an error, and there are some."""
    return summary["rejected"] > 0 and option_text("strict", options.get("strict") or False) == "true"


def _rejected(summary: dict[str, Any]) -> str:
    return f"strict: {summary['rejected']:,} {'record was' if summary['rejected'] == 1 else 'records were'} rejected"


class Pairs(Table):
    """Pairs of documents, sorted by the first, then by the second: ``id_a``, ``id_b`` (``SOURCE:ROW`` for a document without an id) and
    ``similarity``, as in a file of pairs, then ``source_a``, ``row_a``, ``source_b``, ``row_b``; rows count from 1.

    With ``measure="containment"`` the first three are ``contained``, ``container`` and ``containment``.
    """

    def __init__(self, table: _core.Table, summary: dict[str, Any]) -> None:
        super().__init__(table)
        self.summary = summary  #: counts and costs, as of a :class:`Result`


def pairs(
    data: Any,
    text: str | list[str] | tuple[str, ...] = "text",
    id: str | None = "auto",
    *,
    progress: Any = None,
    name: str = "memory",
    **options: Any,
) -> Pairs:
    """All pairs of documents that match, with their exact similarity. Arguments, options and errors as of :func:`dedup`."""
    _check_name(name)
    settings = make_settings("pairs", text, id, options)
    source = container_of(data).open(settings, writable(name))
    with progress_function(progress, "pairs") as report:
        table, summary, warnings = _core.pairs(source, settings, report)
    warn(warnings)
    found = Pairs(table, json.loads(summary))
    if _is_strict(options, found.summary):
        raise _core.InputError(_rejected(found.summary))
    return found
