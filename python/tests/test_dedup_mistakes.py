"""What users do wrong, or pass in a form of their own: the error or the warning says what to do."""

import json
import os
import pathlib
import warnings

import numpy as np
import pytest

import neardup

FOX = "the quick brown fox jumps over the lazy dog and runs away from the big bad wolf in the dark forest at night"


def containers_of_columns(columns):
    """The same columns in every container that has names for them."""
    import datasets
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    dataset = datasets.Dataset.from_dict(columns)
    yield pd.DataFrame(columns)
    yield pl.DataFrame(columns)
    yield pl.LazyFrame(columns)
    yield pa.table(columns)
    yield dataset
    yield dataset.select([1, 0])
    yield dataset.to_iterable_dataset()
    yield [dict(zip(columns, row)) for row in zip(*columns.values())]
    yield lambda: pa.table(columns).to_reader()


@pytest.mark.parametrize(
    "options", [{"text": "score"}, {"id": "score"}, {"keep": "max:score"}, {"block_on": "score"}, {"text": ["text", "score"]}]
)
def test_a_missing_column_is_named_with_all_that_there_are(options, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet

    columns = {"text": [FOX, FOX + " x"], "lang": ["en", "en"], "rank": [1, 2]}
    path = tmp_path / "x.parquet"
    pa.parquet.write_table(pa.table(columns), path)
    for data in (*containers_of_columns(columns), path):
        with pytest.raises(neardup.UsageError, match="there is no column 'score'; the columns are text, lang, rank"):
            neardup.dedup(data, **options)


def test_texts_without_fields_have_no_other_column():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    for data in ([FOX], (FOX,), iter([FOX]), np.array([FOX]), pd.Series([FOX]), pl.Series([FOX]), pa.array([FOX])):
        with pytest.raises(neardup.UsageError, match="no column 'lang': the data are texts without fields"):
            neardup.dedup(data, block_on="lang")
    for frame in (pd.DataFrame(), pl.DataFrame(), pa.table({})):
        with pytest.raises(neardup.UsageError, match="no column 'text': the data have no columns"):
            neardup.dedup(frame)


def test_a_field_of_which_all_values_are_none_is_there():
    records = [{"text": FOX, "score": None}, {"text": FOX + " x", "score": None}]
    with pytest.warns(UserWarning, match="no record has a number in field 'score'"):
        assert neardup.dedup(records, keep="max:score").kept == records[:1]
    with pytest.raises(neardup.InputError, match="is null"):
        neardup.dedup([{"text": None}])


@pytest.mark.parametrize("name", ["a\nb", "x" * 5000, "two words\n" * 100_000])
def test_a_str_that_is_a_text_is_no_path(name):
    with pytest.raises(TypeError, match="put texts into a list"):
        neardup.dedup(name)


def test_wrong_paths(tmp_path):
    for name in ("nothing.jsonl", "nothing.parquet", "nothing*.jsonl", "nothing*.parquet"):
        with pytest.raises(neardup.InputError, match="nothing"):
            neardup.dedup(tmp_path / name)
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1" + b"x" * 100)
    with pytest.raises(neardup.InputError, match=r"cannot read '.*damaged\.parquet'"):
        neardup.dedup(damaged)
    with pytest.raises(neardup.UsageError, match="null character"):
        neardup.dedup("a\0b")
    # Written with "?" for the surrogate, it would be a glob for any character.
    (tmp_path / "axb").write_text(FOX)
    with pytest.raises(neardup.UsageError, match="not valid UTF-8"):
        neardup.dedup(f"{tmp_path}/a\udc80b")
    with pytest.raises(neardup.InputError, match="nothing"):
        neardup.dedup([tmp_path / "nothing", str(tmp_path / "axb")])


def test_a_list_of_files_and_other_strings_is_warned_of(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(FOX)
    with pytest.warns(UserWarning, match="not each string of the list") as caught:
        assert neardup.dedup([str(path), FOX]).kept == [str(path), FOX]
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert neardup.dedup([str(path)]).kept_positions.tolist() == [0]
        assert neardup.dedup([FOX, str(path)]).kept == [FOX, str(path)]


def test_an_open_file_is_not_a_list_of_texts(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": FOX}) + "\n")
    for mode in ("r", "rb"):
        with open(path, mode) as file, pytest.raises(TypeError, match="open file: pass its path"):
            neardup.dedup(file)


def test_dicts_of_columns_and_of_splits_are_not_documents():
    import datasets

    splits = datasets.DatasetDict({"train": datasets.Dataset.from_dict({"text": [FOX]})})
    for data in ({"text": [FOX]}, splits):
        with pytest.raises(TypeError, match="make a frame of its columns, or pass one of its splits"):
            neardup.dedup(data)


def test_no_text_column_is_a_usage_error():
    for text in ([], "", ["text", ""]):
        with pytest.raises(neardup.UsageError, match="text: expected the name of a column"):
            neardup.dedup([FOX], text)


def test_recipes_are_names_dicts_and_recipes():
    short = neardup.recipe("words-5", shingle={"size": 3})
    texts = ["one two three four five six", "one two three four five six seven"]
    expected = neardup.pairs(texts, recipe=short, threshold=0.5).to_pylist()
    assert expected and expected[0]["similarity"] == 0.8
    assert neardup.pairs(texts, recipe=json.loads(short.canonical_json), threshold=0.5).to_pylist() == expected
    assert neardup.dedup(texts, recipe=short, threshold=0.5).summary["recipe_id"] == short.id
    assert neardup.dedup(texts, also=neardup.recipe("simhash-words-3")).summary["read"] == 2
    for name in ("recipe", "also"):
        with pytest.raises(TypeError, match=f"{name}: expected the name of a preset, a path, a dict or a Recipe, not list"):
            neardup.dedup(texts, **{name: ["words-5"]})


def test_whole_floats_are_whole_numbers():
    assert neardup.dedup([FOX], memory=1e9, threads=np.float64(2)).summary["kept"] == 1
    with pytest.raises(neardup.UsageError, match=r"threads: .*'1\.5'"):
        neardup.dedup([FOX], threads=1.5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strict", [True, np.True_, "true"])
def test_strict_names_the_first_rejected_record(strict):
    with pytest.raises(neardup.InputError, match=r"^strict: 1 record was rejected; the first: memory:2: field 'text' is null"):
        neardup.dedup([FOX, None], strict=strict)
    with pytest.raises(neardup.InputError, match="^strict: 2 records were rejected"):
        neardup.pairs([FOX, None, None], strict=strict)
    for no in (False, None, "false"):
        assert neardup.dedup([FOX, None], strict=no).summary["rejected"] == 1


@pytest.mark.filterwarnings("ignore")
def test_messages_name_arguments_of_python(tmp_path):
    with pytest.raises(
        neardup.InputError, match=r"more records rejected than max_rejects=0 accepts.*max_rejects='100%' accepts them, and the"
    ):
        neardup.dedup([FOX, None], max_rejects=0)
    with pytest.raises(neardup.InputError, match=r"1 of 3 \(10% accepted by max_rejects\)"):
        neardup.dedup([FOX, None, "x"], max_rejects="10%")
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"body": FOX}) + "\n")
    with pytest.raises(neardup.InputError, match="Use the argument 'text'"):
        neardup.dedup(path)
    result = neardup.dedup([FOX, FOX + " x"], threshold=0.5, work=True)
    with pytest.raises(neardup.UsageError, match=r"start a new run with threshold=0\.3$"):
        result.rethreshold(0.3)
    with pytest.raises(neardup.UsageError, match="^threshold: '1.5' is above 1"):
        result.rethreshold(1.5)
    with pytest.warns(UserWarning) as caught:
        neardup.dedup([{"text": FOX, "score": None}], keep="max:score")
    assert str(caught[0].message).startswith("keep max:score: no record has a number")


def test_warnings_are_those_of_the_caller():
    texts = [{"id": 1, "text": FOX}, {"id": 1, "text": "x"}]
    with pytest.warns(UserWarning, match="already used") as caught:
        result = neardup.dedup(texts, work=True)
        neardup.pairs(texts)
        result.rethreshold(0.9)
    assert len(caught) >= 3 and {each.filename for each in caught} == {__file__}


def test_paths_of_every_kind(tmp_path, monkeypatch):
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": name, "text": FOX}) + "\n")
    monkeypatch.chdir(tmp_path)
    for data in (
        ["a.jsonl", "b.jsonl"],
        [pathlib.Path("a.jsonl"), pathlib.Path("b.jsonl")],
        ("a.jsonl", pathlib.Path("b.jsonl")),
        "?.jsonl",
        ["*.jsonl"],
        os.curdir,
    ):
        assert [record["id"] for record in neardup.dedup(data).kept] == ["a"], data


def test_ids_and_columns_with_lone_surrogates():
    import pandas as pd

    records = [{"id": "a\ud800", "text": FOX}, {"id": "b", "text": FOX}]
    result = neardup.dedup(records)
    assert result.explain("a\ud800").position == 0 == result.explain("a\ufffd").position
    for data in ([{"b\ud800": FOX}], pd.DataFrame([[FOX]], columns=pd.Index(["b\ud800"], dtype=object))):
        with pytest.raises(neardup.UsageError, match="no column 'text'; the columns are b\ufffd"):
            neardup.dedup(data)
