"""Recipes for tasks: the JSON of a recipe file, and the files that a recipe names as files of the application.

A path means something on the machine of the driver alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import shutil
import uuid
from collections.abc import Iterator
from typing import Any

from pyspark import SparkFiles
from pyspark.sql import SparkSession

from .. import _core
from .._core import InputError, Recipe, ResourceError
from ._cluster.ship import driver_folder

#: The keys, or places in arrays, that lead to a field.
Place = tuple[str | int, ...]
#: A field of a recipe that names a file, and the name of that file among those of the application.
Files = tuple[tuple[Place, str], ...]
IDF: Place = ("weighting", "idf")

_STOP_WORD_LISTS = ("chinese_v1", "english_v1")
_ID = re.compile(r"[0-9a-fA-F]{16}")


def send_recipe(spark: SparkSession, given: str) -> tuple[str, Files]:
    """The recipe as tasks get it, and its files, which are sent to the executors. `given`: a preset, a path or JSON.

    Raises UsageError for a recipe that is none, InputError for a file that cannot be read.
    """
    if given in _core.preset_names():
        return given, ()
    Recipe(given)  # raises what is wrong with it
    text, folder = given, ""
    if not given.startswith("{"):
        text, folder = _read(given), os.path.dirname(given)
    fields = json.loads(text)
    files = tuple((place, _send(spark, os.path.join(folder, _field(fields, place)))) for place in _named_files(fields, folder))
    return (json.dumps(fields) if files else text.strip()), files


def with_files(recipe: str, files: Files) -> str:
    """`recipe`, which is JSON if there are files, with their paths on this machine."""
    if not files:
        return recipe
    fields = json.loads(recipe)
    for (*parents, last), name in files:
        _field(fields, parents)[last] = SparkFiles.get(name)
    return json.dumps(fields)


def _read(path: str) -> str:
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InputError(f"cannot read the recipe '{path}': {error}") from None


def _field(fields: Any, place: Any) -> Any:
    for key in place:
        fields = fields[key]
    return fields


def _named_files(fields: dict[str, Any], folder: str) -> Iterator[Place]:
    """The fields that name files, and not an installed one by its id or name."""
    if not _ID.fullmatch(fields.get("dictionary", "0" * 16)):
        yield ("dictionary",)
    if "user_words" in fields:
        yield ("user_words",)
    words = fields.get("stop_words", _STOP_WORD_LISTS[0])
    if words not in _STOP_WORD_LISTS and not _ID.fullmatch(words) and os.path.isfile(os.path.join(folder, words)):
        yield ("stop_words",)
    for number in range(len(fields.get("line_lists", []))):
        yield ("line_lists", number)
    if fields.get("weighting", {}).get("idf", "corpus") != "corpus":
        yield IDF


def _send(spark: SparkSession, path: str) -> str:
    """Makes a copy of the file one of the application, named after its content. Returns its name there."""
    copy = driver_folder() / uuid.uuid4().hex
    try:
        shutil.copyfile(path, copy)
        with copy.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:32]
    except OSError as error:
        raise ResourceError(f"cannot copy '{path}' for the executors to '{copy}': {error}") from None
    suffix = pathlib.Path(path).suffix
    sent = driver_folder() / f"neardup-{digest}{suffix if suffix[1:].isalnum() else ''}"
    # Spark wants one path for one name as long as the driver lives.
    os.replace(copy, sent)
    spark.sparkContext.addFile(str(sent))
    return sent.name
