"""Texts in any container: the same sketches from each, and an error, never a crash, for what is none."""

import ctypes

import neardup
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from corpus import texts
from hypothesis import given
from hypothesis import strategies as st

TEXTS = [text for text in texts(120) if "\ud800" not in text]
SKETCHER = neardup.Sketcher("words-5")


def signatures(container):
    return SKETCHER.sketch(container).signatures


def sliced(array):
    return pa.concat_arrays([array[:3], array]).slice(3)


class OnlyArray:
    """An object that has __arrow_c_array__ alone."""

    def __init__(self, array):
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


CONTAINERS = {
    "tuple": tuple,
    "generator": iter,
    "numpy of objects": lambda t: np.array(t, dtype=object),
    "numpy of strings": np.array,
    "pandas": pd.Series,
    "pandas of objects": lambda t: pd.Series(t, dtype=object),
    "pandas categories": lambda t: pd.Series(t, dtype="category"),
    "polars": pl.Series,
    "polars categories": lambda t: pl.Series(t, dtype=pl.Categorical),
    "polars slice": lambda t: pl.Series(["x", *t, "y"]).slice(1, len(t)),
    "arrow": pa.array,
    "arrow large": lambda t: pa.array(t, pa.large_string()),
    "arrow views": lambda t: pa.array(t, pa.string_view()),
    "arrow dictionary": lambda t: pa.array(t).dictionary_encode(),
    "arrow dictionary of uint8": lambda t: pa.array(t).dictionary_encode().cast(pa.dictionary(pa.uint8(), pa.string())),
    "arrow chunks": lambda t: pa.chunked_array([t[:1], [], t[1:7], t[7:]]),
    "arrow slice": lambda t: sliced(pa.array(t)),
    "arrow slice of views": lambda t: sliced(pa.array(t, pa.string_view())),
    "arrow slice of a dictionary": lambda t: sliced(pa.array(t).dictionary_encode()),
    "arrow array alone": lambda t: OnlyArray(pa.array(t)),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_every_container_gives_the_sketches_of_the_list(kind):
    assert np.array_equal(signatures(CONTAINERS[kind](TEXTS)), signatures(TEXTS))


@pytest.mark.parametrize(
    "empty", [[], (), pa.array([], pa.string()), pa.chunked_array([], pa.string()), pl.Series([], dtype=pl.String), iter([])]
)
def test_no_texts(empty):
    made = SKETCHER.sketch(empty)
    assert made.signatures.shape == (0, 128) and made.exact.shape == (0, 2) and made.too_short.shape == (0,)


def test_a_lone_surrogate_is_a_replacement_character():
    ours = SKETCHER.sketch(["a \ud800\udc00 b c d e", "中\udfff"]).exact
    assert np.array_equal(ours, SKETCHER.sketch(["a \ufffd\ufffd b c d e", "中\ufffd"]).exact)


@given(st.lists(st.text(st.characters(), max_size=60), max_size=30))
def test_arrow_and_list_agree_on_any_text(values):
    whole = ["".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in value) for value in values]
    assert np.array_equal(SKETCHER.sketch(values).exact, SKETCHER.sketch(pa.array(whole, pa.string_view())).exact)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, "got NoneType"),
        (5, "got int"),
        ("text", "got one str"),
        (b"text", "got one bytes"),
        ({"a": 1}, "got a dict"),
        ({"a"}, "got a set"),
        ([1], r"texts\[0\] must be a str, not int"),
        (["a", None], r"texts\[1\] must be a str, not NoneType"),
        ([b"a"], "not bytes"),
        ([["a"]], "not list"),
        (np.zeros(3), "not float64"),
        (pa.array(["a", None]), r"texts\[1\] is null"),
        (pa.array([None, None]), r"texts\[0\] is null"),
        (pa.array([1, 2]), "Arrow format 'l'"),
        (pa.array([b"a"]), "Arrow format 'z'"),
        (pl.Series([[1]]), "Arrow format"),
        (pa.table({"a": ["x"], "b": ["y"]}), "a table with the columns a, b"),
        (pl.DataFrame({"text": ["x"]}), "a table with the columns text"),
    ],
)
def test_what_is_no_text_is_a_type_error(wrong, message):
    with pytest.raises(TypeError, match=message):
        SKETCHER.sketch(wrong)


class Raises:
    def __iter__(self):
        yield "text"
        raise KeyError("from the caller")


class RaisesInArrow:
    def __arrow_c_stream__(self, requested_schema=None):
        raise KeyError("from the caller")


class NoCapsule:
    def __init__(self, value):
        self.value = value

    def __arrow_c_stream__(self, requested_schema=None):
        return self.value


class NoPair:
    def __init__(self, value):
        self.value = value

    def __arrow_c_array__(self, requested_schema=None):
        return self.value


@pytest.mark.parametrize("wrong", [Raises(), RaisesInArrow()])
def test_what_a_container_raises_is_raised(wrong):
    with pytest.raises(KeyError, match="from the caller"):
        SKETCHER.sketch(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        NoCapsule(None),
        NoCapsule(5),
        NoCapsule(pa.array(["a"]).__arrow_c_array__()[0]),
        NoPair(None),
        NoPair((1, 2)),
        NoPair(pa.array(["a"]).__arrow_c_array__()[::-1]),
        NoPair((1,)),
    ],
)
def test_broken_capsules_are_type_errors(wrong):
    with pytest.raises(TypeError, match="texts: "):
        SKETCHER.sketch(wrong)


def test_a_used_capsule_is_a_type_error():
    capsule = pa.chunked_array([["one two three four five six"]]).__arrow_c_stream__()
    assert len(SKETCHER.sketch(NoCapsule(capsule))) == 1
    with pytest.raises(TypeError, match="did not return a new capsule"):
        SKETCHER.sketch(NoCapsule(capsule))


def malformed(kind, values, data, *, dtype=np.int32):
    """An array of one row less than `values` has offsets, or of one view; its numbers are written when pyarrow has checked others."""
    places = np.zeros(len(values), dtype=dtype)
    rows = 1 if kind == pa.string_view() else len(values) - 1
    made = pa.Array.from_buffers(kind, rows, [None, pa.py_buffer(places), *data])
    places[:] = values
    return made


def view(length, prefix=0, buffer=0, offset=0):
    return [length, prefix, buffer, offset]


BYTES = pa.py_buffer(b"x" * 40)


@pytest.mark.parametrize(
    "array",
    [
        malformed(pa.string(), [0, 4, 2], [BYTES]),
        malformed(pa.string(), [-1, 2], [BYTES]),
        malformed(pa.large_string(), [3, 1], [BYTES], dtype=np.int64),
        malformed(pa.string_view(), view(-5), []),
        malformed(pa.string_view(), view(13), []),
        malformed(pa.string_view(), view(20, buffer=7), [BYTES]),
        malformed(pa.string_view(), view(20, buffer=-1), [BYTES]),
        malformed(pa.string_view(), view(20, offset=-1), [BYTES]),
        malformed(pa.string_view(), view(20, offset=30), [BYTES]),
        pa.DictionaryArray.from_arrays(pa.array([0, 5]), pa.array(["a"]), safe=False),
        pa.DictionaryArray.from_arrays(pa.array([0, -1]), pa.array(["a"]), safe=False),
        pa.DictionaryArray.from_arrays(pa.array([2**64 - 1], pa.uint64()), pa.array(["a"]), safe=False),
    ],
)
def test_malformed_arrays_are_value_errors(array):
    with pytest.raises(ValueError, match="texts: malformed Arrow array"):
        SKETCHER.sketch(NoPair(array.__arrow_c_array__()))


def test_bytes_that_are_not_utf8_are_texts():
    array = malformed(pa.string(), [0, 6], [pa.py_buffer(b"a\xff\xfe b\xf0")])
    assert np.array_equal(SKETCHER.sketch(array).exact, SKETCHER.sketch(["a\ufffd\ufffd b\ufffd"]).exact)


def test_references_to_texts_are_given_back():
    texts_before = ["one two three four five six seven " * 50 for _ in range(3)]
    counts = [ctypes.c_ssize_t.from_address(id(text)).value for text in texts_before]
    for _ in range(5):
        SKETCHER.sketch(texts_before)
        with pytest.raises(TypeError):
            SKETCHER.sketch([*texts_before, None])
    assert [ctypes.c_ssize_t.from_address(id(text)).value for text in texts_before] == counts
