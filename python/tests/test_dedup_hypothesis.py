"""Whatever objects a caller passes, dedup() returns a result that adds up or raises an exception that it names; the process lives on."""

import datetime
import decimal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import neardup

pytestmark = pytest.mark.filterwarnings("ignore")
EXPECTED = (TypeError, ValueError, KeyError, neardup.Error)
SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


class Odd:
    """An object whose methods all fail."""

    def __getattr__(self, name):
        raise RuntimeError(name)


class OddIndex:
    def __index__(self):
        raise ZeroDivisionError


class OddStr(str):
    def encode(self, *arguments):
        raise ZeroDivisionError

    def __len__(self):
        return 3


any_text = st.text(st.characters(codec=None, categories=None), max_size=40)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    any_text,
    any_text.map(OddStr),
    st.binary(max_size=10),
    st.dates(),
    st.decimals(),
    st.builds(lambda: 10**5000),
    st.just(np.int32(3)),
    st.just(np.float32("nan")),
    st.just(np.datetime64("2020-01-01")),
    st.just(np.str_("x" * 30)),
    st.builds(OddIndex),
    st.just(Ellipsis),
    st.just(int),
    st.builds(object),
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.tuples(inner, inner), st.dictionaries(any_text, inner, max_size=3)),
    max_leaves=8,
)
records = st.dictionaries(st.sampled_from(["text", "id", "score", "x"]), anything, max_size=4)


def check(data, **options):
    try:
        result = neardup.dedup(data, **options)
    except EXPECTED:
        return
    summary = result.summary
    assert summary["read"] == summary["kept"] + summary["removed"] + summary["rejected"]
    assert len(result.verdicts) == summary["kept"] + summary["removed"]
    assert len(result.rejects) == summary["rejected"]
    assert len(result.verdicts.to_pylist()) == len(result.verdicts)
    repr(result)
    result._repr_html_()
    for position in [*result.kept_positions[:2].tolist(), *result.removed_positions[:2].tolist()]:
        str(result.explain(position))


@SETTINGS
@given(st.lists(scalars, max_size=12))
def test_lists_of_anything(items):
    check(items)


@SETTINGS
@given(
    st.lists(records, max_size=8),
    st.sampled_from(
        [{}, {"keep": "max:score"}, {"protect": {"x": 1}}, {"block_on": "x"}, {"text": ["x", "text"]}, {"id": "score"}, {"id": None}]
    ),
)
def test_lists_of_dicts(items, options):
    check(items, **options)


@SETTINGS
@given(anything)
def test_any_object_as_data(data):
    check(data)


@SETTINGS
@given(
    st.sampled_from(
        [
            "text",
            "id",
            "against",
            "work",
            "progress",
            "name",
            "threshold",
            "recipe",
            "keep",
            "protect",
            "memory",
            "bands",
            "clean",
            "max_rejects",
            "also",
        ]
    ),
    anything,
)
def test_any_object_as_argument(argument, value):
    if argument == "work" and isinstance(value, str):
        return  # would make folders
    if argument == "progress" and callable(value):
        return  # is called, and may raise what it likes
    check(["a b c d e f g", "a b c d e f g", "x"], **{argument: value})


@SETTINGS
@given(st.lists(st.one_of(any_text, st.none()), max_size=12), st.lists(scalars, max_size=12), st.data())
def test_arrow_and_frames(texts, others, data):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    clean = [None if text is None else text.encode("utf-8", "replace").decode() for text in texts]
    kind = data.draw(st.sampled_from([pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]))
    array = (
        pa.array(clean, pa.string()).cast(kind) if not pa.types.is_dictionary(kind) else pa.array(clean, pa.string()).dictionary_encode()
    )
    first = data.draw(st.integers(0, len(clean)))
    check(array[first:])
    check(pa.chunked_array([array[:first], array[first:]], type=array.type))
    check(pl.Series("t", clean, dtype=pl.String)[first:])
    check(pd.Series(clean, dtype=object))
    check(pd.Series(others, dtype=object))
    padded = (others + [None] * len(clean))[: len(clean)]
    frame = pd.DataFrame({"text": pd.Series(clean, dtype=object), "id": pd.Series(padded, dtype=object)})
    check(frame, keep=data.draw(st.sampled_from(["first", "max:id", "longest"])))
    try:
        # pyarrow itself crashes on some mixtures of NumPy's scalars and other objects.
        plain = [
            value if isinstance(value, (str, int, float, bytes)) and type(value).__module__ == "builtins" else None for value in padded
        ]
        table = pa.Table.from_pandas(frame.assign(id=pd.Series(plain, dtype=object)))
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return
    check(table)
    check(lambda: table.to_reader(2))


@SETTINGS
@given(
    st.sampled_from(
        [
            "int8",
            "uint64",
            "float16",
            "float32",
            "date32",
            "timestamp",
            "binary",
            "decimal",
            "list",
            "struct",
            "null",
            "bool",
            "time",
            "ree",
            "union",
        ]
    ),
    st.sampled_from(["text", "id", "score"]),
)
def test_columns_of_every_arrow_type(kind, role):
    import pyarrow as pa

    arrays = {
        "int8": pa.array([1, None, 3], pa.int8()),
        "uint64": pa.array([1, None, 2**64 - 1], pa.uint64()),
        "float16": pa.array(np.array([1, np.nan, 3], np.float16)),
        "float32": pa.array([1.5, None, float("inf")], pa.float32()),
        "date32": pa.array([datetime.date(2020, 1, 1), None, None]),
        "timestamp": pa.array([datetime.datetime(2020, 1, 1), None, None]),
        "binary": pa.array([b"\xff", None, b""]),
        "decimal": pa.array([decimal.Decimal("1.5"), None, None]),
        "list": pa.array([["a"], None, []]),
        "struct": pa.array([{"a": 1}, None, {"a": None}]),
        "null": pa.nulls(3),
        "bool": pa.array([True, None, False]),
        "time": pa.array([datetime.time(1), None, None]),
        "ree": pa.RunEndEncodedArray.from_arrays([2, 3], pa.array(["a", "b"])),
        "union": pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array(["a", "b", "c"]), pa.array([1, 2, 3])]),
    }
    columns = {"text": pa.array(["a b c d e f g", "x", None]), role: arrays[kind]}
    check(pa.table(columns), keep="max:score" if role == "score" else "first")
    check(arrays[kind])


@SETTINGS
@given(st.lists(any_text, max_size=6), st.lists(any_text, max_size=6))
def test_explanations_rebuild_both_texts(first, second):
    """The parts of a comparison are the texts, whatever they hold."""
    from neardup import _core

    a, b = "".join(first).encode("utf-8", "replace"), "".join(second).encode("utf-8", "replace")
    parts = _core.differences(a, b)
    assert "".join(part[1] for part in parts) == a.decode()
    assert "".join(part[2] for part in parts) == b.decode()
    for _, shown, _ in _core.excerpt(a, b):
        assert shown in a.decode() or shown in b.decode()
