"""The verdicts of every container are those of the command line, byte for byte, and kept documents come in the container they were in."""

import bz2
import gzip
import json
import pathlib
import subprocess

import numpy as np
import pytest

import neardup
from containers import (
    arrow_containers,
    frame_containers,
    read_set,
    text_containers,
    verdict_bytes,
    verdicts_of_command_line,
    write_lines,
)
from needs import shared
from program import BIN, needs_program

pytestmark = needs_program
FOX = (
    "the quick brown fox jumps over the lazy dog and runs away from the big bad wolf in the dark forest at night while the moon is shining"
)
MADE = [
    {"id": f"d{i}", "text": text}
    for i, text in enumerate(
        [
            FOX,
            FOX + " brightly",
            "",
            "short",
            FOX.upper(),
            "",
            "北京的秋天，天高云淡，适合出门走走看看。" * 3,
            "北京的秋天，天高云淡，适合出门走走看看。" * 3 + "好",
            "\u2028 \x00 \x1f é 😀",
            FOX.replace("fox", "cat"),
        ]
    )
]


@pytest.fixture(scope="module", params=["made", "smoke", "code-irplag", "zh-rev-hertzbeat"])
def documents(request, tmp_path_factory):
    """Records, the file that has them, and the verdicts of the command line with and without ids."""
    folder = tmp_path_factory.mktemp("set")
    records = MADE if request.param == "made" else read_set(shared(f"data/{request.param}.jsonl.zst"))
    path = str(folder / "corpus.jsonl")
    write_lines(path, records)
    plain = str(folder / "plain.jsonl")
    write_lines(plain, [{"text": record["text"]} for record in records])
    return records, path, verdicts_of_command_line(path, folder), plain, verdicts_of_command_line(plain, folder)


def checked(data, name, expected):
    result = neardup.dedup(data, name=name, progress=False)
    assert verdict_bytes(result.verdicts) == expected
    return result


def rows(container):
    """Any container as a list of (id, text), or of texts."""
    if hasattr(container, "collect"):
        container = container.collect()
    if callable(container):
        container = container()
    if hasattr(container, "read_all"):
        container = container.read_all()
    if hasattr(container, "to_pylist"):
        container = container.to_pylist()
    elif hasattr(container, "to_dict") and hasattr(container, "index"):
        container = container.to_dict("records") if hasattr(container, "columns") else container.tolist()
    elif hasattr(container, "to_dicts"):
        container = container.to_dicts()
    found = []
    for item in container:
        if hasattr(item, "to_pylist"):
            found += [(row["id"], row["text"]) for row in item.to_pylist()]
        else:
            found.append((item["id"], item["text"]) if isinstance(item, dict) else item)
    return found


def kinds_of(data):
    """What a container of the same kind is an instance of."""
    return list if isinstance(data, type(iter([]))) else type(data)


def test_every_container_with_ids(documents):
    records, path, expected, _, _ = documents
    wanted = {"keep": [], "remove": []}
    for record, line in zip(records, expected.decode().splitlines(), strict=True):
        wanted[json.loads(line)["verdict"]].append((record["id"], record["text"]))
    count = 0
    for kind, data in [*arrow_containers(records), *frame_containers(records)]:
        result = checked(data, path, expected)
        if kind != "arrow struct":
            assert rows(result.kept) == wanted["keep"], kind
            assert rows(result.removed) == wanted["remove"], kind
        assert rows(result.rejected) == [] if kind != "arrow struct" else True
        if kind not in ("arrow struct", "arrow reader"):
            assert isinstance(result.kept, kinds_of(data)), kind
        count += 1
    assert count > 20


def test_every_container_of_texts(documents):
    records, _, _, path, expected = documents
    texts = [record["text"] for record in records]
    kept = [text for text, line in zip(texts, expected.decode().splitlines(), strict=True) if json.loads(line)["verdict"] == "keep"]
    for kind, data in text_containers(texts):
        result = checked(data, path, expected)
        assert isinstance(result.kept, kinds_of(data)), kind
        assert rows(result.kept) == kept, kind


def test_files(documents, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    records, path, expected, _, _ = documents
    for data in (path, [path], path.replace("corpus", "corp*")):
        result = checked(data, "ignored", expected)
    kept = [
        (record["id"], record["text"])
        for record, line in zip(records, expected.decode().splitlines())
        if json.loads(line)["verdict"] == "keep"
    ]
    assert rows(result.kept) == kept
    assert rows(result.kept) == kept  # read again
    assert len(result.kept) == len(kept)
    table = str(tmp_path / "corpus.parquet")
    pq.write_table(pa.Table.from_pylist(records), table, row_group_size=100)
    result = checked(
        table,
        "ignored",
        expected.replace(json.dumps(path).encode(), json.dumps(table).encode()).replace(path.encode() + b":", table.encode() + b":"),
    )
    assert rows(result.kept) == kept


def test_fields_of_options(tmp_path):
    """Columns that options name are read as the command line reads members of JSON."""
    records = []
    for i in range(40):
        text = FOX + f" number {i // 4}" * 3
        records.append(
            {
                "id": i if i % 2 else f"x{i}",
                "text": text,
                "score": None if i % 7 == 3 else [i * 0.5, i, -i][i % 3],
                "lang": ["en", "zh", None][i % 3],
                "gold": i % 5 == 4,
                "title": None if i % 3 else f"t{i}",
            }
        )
    path = str(tmp_path / "fields.jsonl")
    write_lines(path, records)
    import polars as pl

    options = [
        ({"keep": "max:score,longest"}, ["--keep", "max:score,longest"]),
        ({"keep": ["min:score", "last"], "threshold": 0.6}, ["--keep", "min:score,last", "--threshold", "0.6"]),
        ({"block_on": "lang"}, ["--block-on", "lang"]),
        ({"protect": {"gold": True}}, ["--protect", "gold=true"]),
        ({"protect": "lang=zh,score=3.5"}, ["--protect", "lang=zh,score=3.5"]),
        ({"text": ["title", "text"]}, ["--text-field", "title,text"]),
        ({"id": "lang"}, ["--id-field", "lang"]),
        ({"cluster": "components", "threshold": np.float64(0.5)}, ["--cluster", "components", "--threshold", "0.5"]),
        ({"min_length": np.int64(200), "max_removed": "100%"}, ["--min-length", "200"]),
    ]
    frame = pl.DataFrame(records, schema_overrides={"score": pl.Float64, "id": pl.String}, strict=False)
    for python, command in options:
        expected = verdicts_of_command_line(path, tmp_path, *command)
        assert verdict_bytes(neardup.dedup(records, name=path, **python).verdicts) == expected, python
        assert verdict_bytes(neardup.dedup(frame, name=path, **python).verdicts) == expected, python
        assert verdict_bytes(neardup.dedup(path, **python).verdicts) == expected, python


@pytest.mark.parametrize("type_name", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float64", "bool"])
def test_ids_of_every_type(type_name, tmp_path):
    import pyarrow as pa

    texts = [FOX, FOX + " x", "y"]
    values = {"float64": [1.0, -2.5, 1e20], "bool": [True, False, None]}.get(type_name, [1, 0, 100])
    path = str(tmp_path / "ids.jsonl")
    write_lines(path, [{"id": value, "text": text} for value, text in zip(values, texts)])
    table = pa.table({"id": pa.array(values, getattr(pa, type_name.replace("bool", "bool_"))()), "text": texts})
    expected = verdicts_of_command_line(path, tmp_path)
    for data in (table, table.to_pylist(), table.to_pandas()):
        result = neardup.dedup(data, name=path)
        assert verdict_bytes(result.verdicts) == expected


@pytest.mark.filterwarnings("ignore")
def test_rejected_records(tmp_path):
    """Nulls and other objects are rejected and counted as in JSON."""
    import pyarrow as pa

    records = [
        {"id": "a", "text": FOX},
        {"id": "b", "text": None},
        {"id": "c", "text": FOX + " x"},
        {"id": "d", "text": 3},
        {"id": "e"},
        {"id": "f", "text": {"x": 1}},
        {"id": "g", "text": "z"},
    ]
    path = str(tmp_path / "rejected.jsonl")
    write_lines(path, records)
    expected = verdicts_of_command_line(path, tmp_path)
    result = neardup.dedup(records, name=path)
    assert verdict_bytes(result.verdicts) == expected
    assert result.rejected == [records[i] for i in (1, 3, 4, 5)]
    assert result.summary["rejected"] == 4
    assert result.rejects.column("row") == [2, 4, 5, 6]
    assert result.rejects.column("kind") == ["missing_field", "field_type", "missing_field", "field_type"]
    assert result.kept_positions.tolist() == [0, 6]
    assert result.removed_positions.tolist() == [2]
    with pytest.raises(KeyError, match="rejected"):
        result.explain(1)
    with pytest.raises(neardup.InputError, match="4 records"):
        neardup.dedup(records, strict=True)

    nulls = [None if record.get("text") is None or not isinstance(record["text"], str) else record["text"] for record in records]
    table = pa.table({"id": [record["id"] for record in records], "text": nulls})
    for data in (
        table,
        table.to_pandas(),
        table.set_column(1, "text", table["text"].cast(pa.string_view())),
        table.set_column(1, "text", table["text"].dictionary_encode()),
    ):
        assert verdict_bytes(neardup.dedup(data, name=path).verdicts) == expected
    struct = pa.StructArray.from_arrays(
        [pa.array([record["id"] for record in records]), pa.array([text or "q" for text in nulls])],
        ["id", "text"],
        mask=pa.array([text is None for text in nulls]),
    )
    assert verdict_bytes(neardup.dedup(struct, name=path).verdicts) == expected


@pytest.mark.filterwarnings("ignore")
def test_surrogates_are_read_as_from_json(tmp_path):
    records = [
        {"id": "a\ud800", "text": FOX + " \udfff x"},
        {"id": "b", "text": FOX + " \ufffd x"},
        {"id": "c", "text": FOX + " \ud83d\ude00"},
        {"id": "d", "text": FOX + " 😀"},
    ]
    path = str(tmp_path / "surrogates.jsonl")
    write_lines(path, records)
    expected = verdicts_of_command_line(path, tmp_path)
    result = neardup.dedup(records, name=path)
    assert verdict_bytes(result.verdicts) == expected
    assert [json.loads(line)["reason"] for line in expected.decode().splitlines()] == [
        "keeper",
        "exact_copy",
        "near_duplicate",
        "near_duplicate",
    ]
    assert result.summary["repaired"] == 1


def test_against(tmp_path):
    old = [{"id": "o1", "text": FOX}, {"id": "o2", "text": FOX}, {"id": "o3", "text": "nothing else"}]
    new = [
        {"id": "n1", "text": FOX + " x"},
        {"id": "n2", "text": "a text that is like no other text, with words of its own and nothing more"},
        {"id": "n3", "text": FOX},
    ]
    reference, path = str(tmp_path / "reference"), str(tmp_path / "new.jsonl")
    write_lines(reference, old)
    write_lines(path, new)
    expected = verdicts_of_command_line(path, tmp_path, "--against", reference).replace(reference.encode(), b"reference")
    result = neardup.dedup(new, against=old, name=path)
    assert verdict_bytes(result.verdicts) == expected
    assert result.kept == [new[1]]
    assert result.clusters == [[0, 2]]
    explained = result.explain(0)
    assert (explained.keeper, explained.keeper_id, explained.keeper_text) == (None, "o1", FOX)
    assert [(each.kind, each.text, each.keeper_text) for each in explained.differences] == [("words", " x", "")]


def test_pairs(documents, tmp_path):
    records, path, _, _, _ = documents
    for options, command in (({}, []), ({"threshold": 0.6, "measure": "containment"}, ["--threshold", "0.6", "--measure", "containment"])):
        output = tmp_path / "pairs.jsonl"
        subprocess.run([BIN, "pairs", path, "-o", output, "-q", *command], check=True)
        expected = [json.loads(line) for line in output.read_text().splitlines()]
        found = neardup.pairs(records, name=path, **options)
        assert [{name: row[name] for name in found.column_names[:3]} for row in found.to_pylist()] == expected
        numbers = {record["id"]: i + 1 for i, record in enumerate(records)}
        assert found.column("row_a") == [numbers[id] for id in found.column(found.column_names[0])]
        assert found.summary["pairs"] == len(expected)


@pytest.mark.parametrize("packer", ["gz", "zst", "bz2"])
def test_compressed_files_and_globs(packer, tmp_path):
    records = [{"id": f"d{i}", "text": FOX + f" {i // 3}"} for i in range(30)]
    for part in (0, 1):
        path = tmp_path / f"part{part}.jsonl"
        write_lines(path, records[part * 15 : part * 15 + 15])
        if packer == "zst":
            subprocess.run(["zstd", "-q", path], check=True)
        else:
            module = {"gz": gzip, "bz2": bz2}[packer]
            pathlib.Path(f"{path}.{packer}").write_bytes(module.compress(path.read_bytes()))
    pattern = str(tmp_path / "part*.jsonl.*")
    expected = verdicts_of_command_line(pattern, tmp_path)
    paths = sorted(tmp_path.glob("part*.jsonl.*"))
    for data in (pattern, paths, [str(path) for path in paths], tuple(paths)):
        result = neardup.dedup(data)
        assert verdict_bytes(result.verdicts) == expected
        assert [record["id"] for record in result.kept] == [records[i]["id"] for i in result.kept_positions]
        assert len(list(result.removed)) == len(result.removed) == result.summary["removed"] > 0
        assert result.explain(29).text == records[29]["text"]


@pytest.mark.filterwarnings("ignore")
def test_text_files_and_pages(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in (("a.txt", FOX), ("b.txt", FOX + " x"), ("c.md", "short")):
        (folder / name).write_text(text)
    result = neardup.dedup(folder)
    assert verdict_bytes(result.verdicts) == verdicts_of_command_line(str(folder), tmp_path)
    assert list(result.kept) == [{"id": f"{folder}/a.txt", "text": FOX}, {"id": f"{folder}/c.md", "text": "short"}]
    with pytest.raises(neardup.UsageError, match="text file"):
        neardup.dedup(folder, block_on="lang")

    page = tmp_path / "pages"
    page.mkdir()
    for name, rest in (("a.html", ""), ("b.html", "<br><i></i><script>var x = 1;</script>")):
        (page / name).write_text(f"<!DOCTYPE html><html><body><p>{FOX}</p>{rest}</body></html>")
    with pytest.warns(UserWarning, match="strips markup"):
        result = neardup.dedup(page)
    assert verdict_bytes(result.verdicts) == verdicts_of_command_line(str(page), tmp_path)
    assert result.verdicts.column("reason") == ["keeper", "exact_copy"]


@pytest.mark.filterwarnings("ignore")
def test_rejected_lines_of_files(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps({"id": 1, "text": FOX}) + '\n{"id": 2\n\n{"id": 3}\n' + json.dumps({"id": 4, "text": FOX}) + "\n")
    result = neardup.dedup(path)
    assert verdict_bytes(result.verdicts) == verdicts_of_command_line(str(path), tmp_path)
    assert list(result.kept) == [{"id": 1, "text": FOX}]
    assert list(result.removed) == [{"id": 4, "text": FOX}]
    assert list(result.rejected) == [{"line": '{"id": 2'}, {"id": 3}]
    assert result.rejects.column("row") == [2, 4]
    assert result.explain(3).keeper == 0


def test_several_parquet_files(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    records = [{"id": f"d{i}", "text": FOX + f" {i // 3}", "other": i} for i in range(30)]
    paths = []
    for part in range(3):
        paths.append(str(tmp_path / f"part{part}.parquet"))
        pq.write_table(pa.Table.from_pylist(records[part * 10 : part * 10 + 10]), paths[-1], row_group_size=4)
    result = neardup.dedup(str(tmp_path / "part*.parquet"))
    assert result.kept.read_all().to_pylist() == [records[i] for i in result.kept_positions]
    assert result.removed.read_all().to_pylist() == [records[i] for i in result.removed_positions]
    assert result.verdicts.column("source") == [path for path in paths for _ in range(10)]
    assert result.verdicts.column("row") == list(range(1, 11)) * 3
    assert result.verdicts.column("reason") == neardup.dedup(records).verdicts.column("reason")
    assert result.explain(29).text == records[29]["text"]
    with pytest.raises(neardup.UsageError, match="no column 'body'; the columns are id, text, other"):
        neardup.dedup(paths, "body")


def test_columns_types_and_indexes_are_untouched():
    import datasets
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    rows = [
        {"id": i, "text": FOX + f" {i // 3}" * 9, "tags": ["x"] * (i % 3), "when": pd.Timestamp(2020, 1, i + 1), "none": None}
        for i in range(20)
    ]
    table = pa.Table.from_pylist(rows).replace_schema_metadata({"made": "by hand"})
    result = neardup.dedup(table)
    kept, removed = result.kept_positions, result.removed_positions
    assert 0 < len(removed) < 20
    assert result.kept.equals(table.take(kept), check_metadata=True) and result.removed.equals(table.take(removed), check_metadata=True)
    batch = table.to_batches()[0]
    assert neardup.dedup(batch).kept.equals(batch.take(pa.array(kept)))
    views = table.set_column(1, "text", table["text"].cast(pa.string_view()))
    assert neardup.dedup(views).kept.schema == views.schema
    assert neardup.dedup(views["text"]).removed.to_pylist() == [rows[i]["text"] for i in removed]
    frame = pd.DataFrame(rows).set_index(pd.MultiIndex.from_product([["a", "b"], range(10)]))
    pd.testing.assert_frame_equal(neardup.dedup(frame).kept, frame.iloc[kept])
    pd.testing.assert_series_equal(neardup.dedup(frame["text"]).removed, frame["text"].iloc[removed])
    polars = pl.from_arrow(table)
    assert neardup.dedup(polars).kept.equals(polars[kept.tolist()]) and neardup.dedup(polars).kept.schema == polars.schema
    dataset = datasets.Dataset(table)
    assert neardup.dedup(dataset).removed.features == dataset.features
    assert neardup.dedup(dataset).removed["id"][:] == removed.tolist()
    reader = neardup.dedup(table.to_reader()).kept
    assert reader.schema == table.schema and reader.read_all().equals(table.take(kept))
