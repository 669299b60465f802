"""The same documents in every container that dedup() takes, and verdicts as the bytes of a verdict file: for tests and benchmarks."""

import json
import os
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]


def command_line() -> pathlib.Path | None:
    """The program neardup: NEARDUP_BIN, or that of the release build."""
    path = pathlib.Path(os.environ.get("NEARDUP_BIN", ROOT / "build/release/apps/cli/neardup"))
    return path if path.exists() else None


def data_folder() -> pathlib.Path | None:
    """The sets of documents: NEARDUP_DATA, or the folder next to the repository."""
    path = pathlib.Path(os.environ.get("NEARDUP_DATA", ROOT.parent / "shared/data"))
    return path if path.is_dir() else None


def read_set(path, text="text"):
    """The records of a set, with their ids and texts."""
    lines = subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout.splitlines()
    return [{"id": record["id"], "text": record[text]} for record in map(json.loads, lines)]


def write_lines(path, records):
    """A file of JSON Lines; lone surrogates are written as escapes."""
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            line = json.dumps(record, ensure_ascii=False)
            try:
                line.encode("utf-8")
            except UnicodeEncodeError:
                line = json.dumps(record)
            file.write(line + "\n")


def verdicts_of_command_line(path, folder, *options):
    """The bytes of the verdict file."""
    output = pathlib.Path(folder) / "verdicts.jsonl"
    subprocess.run([command_line(), "dedup", path, "--verdicts", output, "-q", *options], check=True, stdout=subprocess.DEVNULL)
    return output.read_bytes()


def verdict_bytes(table):
    """A table of verdicts as the bytes of a verdict file."""
    lines = []
    for row in table.to_pylist():
        members = (
            (name, f"{value:.6f}" if name == "similarity" and value is not None else json.dumps(value, ensure_ascii=False))
            for name, value in row.items()
        )
        lines.append("{" + ",".join(f'"{name}":{value}' for name, value in members) + "}\n")
    return "".join(lines).encode()


def _split(count, parts):
    return [count * i // parts for i in range(parts + 1)]


def arrow_containers(records):
    """Tables of pyarrow with all layouts of strings, and all ways to cut them."""
    import pyarrow as pa

    table = pa.table(
        {
            "other": list(range(len(records))),
            "id": [record["id"] for record in records],
            "text": pa.array([record["text"] for record in records], pa.string()),
        }
    )

    def with_text(column):
        return table.set_column(2, "text", column)

    def cut(whole, parts=7):
        edges = _split(len(whole), parts)
        return pa.concat_tables([whole.slice(first, end - first) for first, end in zip(edges, edges[1:])])

    padded = pa.concat_tables([table.slice(0, min(3, len(table))), table, table.slice(0, min(2, len(table)))])
    batches = cut(table).to_batches()
    struct = table.to_struct_array().combine_chunks() if len(table) else table.to_struct_array()
    yield "arrow table", table
    yield "arrow large_string", with_text(table["text"].cast(pa.large_string()))
    yield "arrow string_view", with_text(pa.array(table["text"].to_pylist(), pa.string_view()))
    yield "arrow string_view, chunked", cut(with_text(pa.array(table["text"].to_pylist(), pa.string_view())))
    yield "arrow dictionary", with_text(table["text"].dictionary_encode())
    yield (
        "arrow dictionary, chunked and int8 where it fits",
        with_text(pa.array(table["text"].to_pylist(), pa.dictionary(pa.int16() if len(table) < 30000 else pa.int32(), pa.large_string()))),
    )
    yield "arrow chunked", cut(table)
    yield (
        "arrow columns chunked differently",
        with_text(
            pa.chunked_array(
                [
                    part.combine_chunks()
                    for part in (
                        table["text"].slice(first, end - first) for first, end in zip(_split(len(table), 5), _split(len(table), 5)[1:])
                    )
                ],
                pa.string(),
            )
        ),
    )
    yield "arrow sliced", padded.slice(min(3, len(table)), len(table))
    yield "arrow record batch", table.combine_chunks().to_batches()[0] if len(table) else pa.RecordBatch.from_pylist([], table.schema)
    yield "arrow reader", pa.RecordBatchReader.from_batches(table.schema, batches)
    yield "arrow struct", struct
    yield "function that opens a reader", lambda: pa.RecordBatchReader.from_batches(table.schema, batches)
    yield "function that opens a generator", lambda: (batch for batch in batches)


def frame_containers(records):
    """Frames of pandas and Polars, datasets, dicts."""
    import datasets
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    frame = pd.DataFrame({"id": [record["id"] for record in records], "text": [record["text"] for record in records]})
    yield "pandas", frame
    yield "pandas of objects", frame.astype({"text": object})
    yield "pandas of Arrow", frame.astype({"text": pd.ArrowDtype(pa.string())})
    yield "pandas with an index", frame.set_index(np.arange(len(frame))[::-1] * 10)
    yield "polars", pl.DataFrame(frame.to_dict("list"), schema={"id": pl.String, "text": pl.String})
    yield "polars lazy", pl.LazyFrame(frame.to_dict("list"), schema={"id": pl.String, "text": pl.String})
    yield "polars categorical", pl.DataFrame(frame.to_dict("list"), schema={"id": pl.String, "text": pl.Categorical})
    edges = _split(len(frame), 4)
    whole = pl.DataFrame(frame.to_dict("list"), schema={"id": pl.String, "text": pl.String})
    yield "polars chunked", pl.concat([whole.slice(first, end - first) for first, end in zip(edges, edges[1:])], rechunk=False)
    dataset = datasets.Dataset.from_dict(frame.to_dict("list"))
    yield "datasets", dataset
    backwards = dataset.select(range(len(dataset) - 1, -1, -1))
    yield "datasets with an index", backwards.select(range(len(dataset) - 1, -1, -1))
    yield "datasets iterable", dataset.to_iterable_dataset(num_shards=1)
    yield "dicts", records


def text_containers(texts):
    """Texts without ids."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    yield "list", texts
    yield "tuple", tuple(texts)
    yield "iterator", iter(texts)
    yield "numpy", np.array(texts, dtype=object)
    yield "pandas series", pd.Series(texts, dtype="str")
    yield "polars series", pl.Series("t", texts, dtype=pl.String)
    yield "arrow array", pa.array(texts, pa.string())
    yield "arrow chunked array", pa.chunked_array([texts[: len(texts) // 2], texts[len(texts) // 2 :]], pa.string_view())
