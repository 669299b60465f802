"""The files behind paths, folders and globs, in the order and with the names of the command line (src/io/files/input_list.cc)."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from ..._core import InputError, UsageError

_KINDS = {".parquet": "parquet", ".jsonl": "json", ".jsonl.gz": "json", ".jsonl.bz2": "json", ".jsonl.zst": "json"}
_ENDINGS = ", ".join(_KINDS)
_WILDCARD = re.compile(r"[*?\[{]")
_SIDE = (".", "_")  # the first characters of names of files that Spark does not read


@dataclass(frozen=True)
class File:
    path: str  #: of the file system
    name: str  #: as given, or below that; for verdicts

    @property
    def exact_path(self) -> str:
        """For spark.read, which reads globs. (With the option __globPaths__=false it reads each of several files several times.)"""
        return re.sub(r"([\\*?\[\]{}])", r"\\\1", self.path)


def list_files(spark: SparkSession, paths: str | os.PathLike | Iterable[str | os.PathLike]) -> list[File]:
    """The files of `paths`: those of a folder or glob, and of their subfolders, by name. Warns of folders in which files are left out.

    Raises InputError for a path without files, and UsageError for a file that is given twice.
    """
    files: list[File] = []
    before: dict[str, str] = {}  # path -> name
    for given in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        if not isinstance(given, (str, os.PathLike)):
            raise TypeError(f"paths: expected a path or a list of paths, not {type(given).__name__}")
        name = os.fspath(given)
        try:
            found = list(_files_of(spark, name))
        except Py4JJavaError as error:
            raise InputError(f"cannot read '{name}': {str(error.java_exception).splitlines()[0]}") from None
        for file in found:
            if file.path in before:
                first = before[file.path]
                raise UsageError(f"'{file.name}' is given twice" + ("" if first == file.name else f", before as '{first}'"))
            before[file.path] = file.name
        files += found
    if not files:
        raise InputError("paths: no files are given")
    return files


def kind_of(files: list[File]) -> str:
    """parquet or json. Raises UsageError for other files, and for both."""
    kinds = set()
    for file in files:
        kind = _kind(file.name)
        if kind is None:
            raise UsageError(f"paths: '{file.name}' ends in none of {_ENDINGS}")
        if os.path.basename(file.name).startswith(_SIDE):
            raise UsageError(f"paths: Spark does not read '{file.name}', because its name begins with '.' or '_'; rename it")
        kinds.add(kind)
    if len(kinds) > 1:
        raise UsageError("paths: Parquet and JSON Lines cannot be mixed in one run")
    return kinds.pop()


def _kind(name: str) -> str | None:
    return next((kind for ending, kind in _KINDS.items() if name.endswith(ending)), None)


def _files_of(spark: SparkSession, name: str) -> Iterator[File]:
    path = spark._jvm.org.apache.hadoop.fs.Path(name)
    system = path.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())
    if system.exists(path):
        yield from _of_status(system, system.getFileStatus(path), name)
        return
    if not _WILDCARD.search(name):
        raise InputError(f"cannot open '{name}': there is no such file")
    matches = [(_matched_name(spark, system, name, status), status) for status in system.globStatus(path) or []]
    matches = [match for match in matches if not _is_hidden(match[0], name)]
    if not matches:
        raise InputError(f"no file matches '{name}': there is no such file")
    for matched, status in sorted(matches, key=lambda match: match[0]):
        yield from _of_status(system, status, matched)


def _is_hidden(matched: str, pattern: str) -> bool:
    """Wildcards of a shell match no dot at the beginning of a name."""
    wildcards = ("*", "?", "[")
    return any(name.startswith(".") and part.startswith(wildcards) for name, part in zip(matched.split("/"), pattern.split("/")))


def _matched_name(spark: SparkSession, system: Any, pattern: str, status: Any) -> str:
    """The name of a match as a shell would write it: what the pattern has before its first wildcard stays, relative or not."""
    path = status.getPath().toString()
    start = pattern.rfind("/", 0, _WILDCARD.search(pattern).start()) + 1
    stem = pattern[:start]
    folder = system.makeQualified(spark._jvm.org.apache.hadoop.fs.Path(stem)) if stem else system.getWorkingDirectory()
    above = folder.toString().rstrip("/") + "/"
    return stem + path[len(above) :] if path.startswith(above) else path


def _of_status(system: Any, status: Any, name: str) -> Iterator[File]:
    if not status.isDirectory():
        yield File(status.getPath().toString(), name)
        return
    found: list[File] = []
    left_out: list[str] = []
    linked: list[str] = []
    folders = [(status.getPath(), name if name.endswith("/") else name + "/")]
    while folders:
        folder, stem = folders.pop()
        for inside in system.listStatus(folder):
            child = inside.getPath()
            base = child.getName()
            if inside.isDirectory():
                # As on the command line, because links may form a circle.
                if _is_local_link(child):
                    linked.append(stem + base)
                else:
                    folders.append((child, f"{stem}{base}/"))
            elif _kind(base) and not base.startswith(_SIDE):
                found.append(File(child.toString(), stem + base))
            elif _kind(base) == "json" or not base.startswith(_SIDE):
                left_out.append(stem + base)
    if not found:
        raise InputError(f"no files with one of the endings {_ENDINGS} in '{name}'")
    _warn_of(name, left_out, linked)
    yield from sorted(found, key=lambda file: file.name)


def _is_local_link(path: Any) -> bool:
    uri = path.toUri()
    return uri.getScheme() == "file" and os.path.islink(uri.getPath())


def _warn_of(folder: str, left_out: list[str], linked: list[str]) -> None:
    texts = []
    if left_out:
        count = f"{len(left_out):,} file" + ("s" if len(left_out) > 1 else "")
        texts.append(f"left out {count} of '{folder}', by their names; the first: '{min(left_out)}'. Files that are read end in {_ENDINGS}")
    if linked:
        texts.append(f"links to folders are not followed in '{folder}': {len(linked):,}; the first: '{min(linked)}'")
    if texts:
        warnings.warn("; ".join(texts), UserWarning, stacklevel=2)
