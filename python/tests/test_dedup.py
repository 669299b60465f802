"""dedup(), pairs() and Result: what they give back, their errors, progress and Ctrl-C."""

import gc
import json
import os
import random
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import neardup

FOX = (
    "the quick brown fox jumps over the lazy dog and runs away from the big bad wolf in the dark forest at night while the moon is shining"
)


def versions(documents=600, seed=1):
    """Texts of which many are versions of each other."""
    random.seed(seed)
    words = [f"w{i}" for i in range(2000)]
    bases = [random.choices(words, k=60) for _ in range(documents // 10)]
    texts = []
    for i in range(documents):
        text = list(bases[i % len(bases)])
        for _ in range(random.randint(0, 3)):
            text[random.randrange(len(text))] = random.choice(words)
        texts.append(" ".join(text))
    return texts


def test_counts_add_up_and_clusters_partition_the_removed():
    texts = versions()
    result = neardup.dedup(texts)
    summary = result.summary
    assert summary["read"] == len(texts) == summary["kept"] + summary["removed"] + summary["rejected"]
    assert len(result.kept) == summary["kept"] > 0
    assert len(result.removed) == summary["removed"] > 0
    assert sorted(result.kept_positions.tolist() + result.removed_positions.tolist()) == list(range(len(texts)))
    assert result.kept == [texts[i] for i in result.kept_positions]
    members = [position for cluster in result.clusters for position in cluster]
    assert len(members) == len(set(members))
    assert sorted(position for cluster in result.clusters for position in cluster[1:]) == result.removed_positions.tolist()
    assert len(result.clusters) == summary["clusters"]
    assert max(map(len, result.clusters)) == summary["largest_cluster"]["size"]
    rows = result.verdicts.to_pylist()
    for cluster in result.clusters:
        assert rows[cluster[0]]["verdict"] == "keep"
        assert {rows[i]["cluster_id"] for i in cluster} == {f"memory:{cluster[0] + 1}"}
        assert {rows[i]["cluster_size"] for i in cluster} == {len(cluster)}


def jaccard(a, b, size=5):
    def grams(text):
        words = text.lower().split()
        return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}

    return len(grams(a) & grams(b)) / len(grams(a) | grams(b))


def test_removed_documents_match_their_keepers():
    """Judged by sets of 5-grams made here."""
    texts = versions()
    result = neardup.dedup(texts, threshold=0.6)
    rows = result.verdicts.to_pylist()
    assert any(0.6 <= row["similarity"] < 0.8 for row in rows if row["verdict"] == "remove")
    for i, row in enumerate(rows):
        if row["verdict"] == "remove":
            assert row["similarity"] == pytest.approx(jaccard(texts[i], texts[row["keeper_row"] - 1]), abs=5e-7)
            assert row["similarity"] >= 0.6


def test_least_similar_are_sorted_and_agree_with_the_summary():
    texts = versions()
    result = neardup.dedup(texts, threshold=0.5)
    rows = result.verdicts.to_pylist()
    found = result.least_similar(1000)
    near = [row for row in rows if row["reason"] == "near_duplicate"]
    assert len(found) == len(near)
    assert [each.similarity for each in found] == sorted(row["similarity"] for row in near)
    for each in found:
        assert rows[each.position]["keeper_row"] == each.keeper + 1
    assert result.least_similar(3) == found[:3]
    assert result.least_similar(0) == []
    assert found[0].similarity == pytest.approx(result.summary["least_similar"][0]["similarity"])
    assert result.least_similar(np.int64(3)) == found[:3]
    for wrong in (2.5, "3", True):
        with pytest.raises(TypeError, match="n: expected a whole number"):
            result.least_similar(wrong)
    with pytest.raises(neardup.UsageError, match="n: expected 0"):
        result.least_similar(-1)


def test_explain_tells_the_differences():
    texts = [FOX, "another text that has nothing to do with it", FOX.replace("brown", "red") + " again <b>&amp;"]
    result = neardup.dedup([{"id": f"d{i}", "text": text} for i, text in enumerate(texts)], threshold=0.5)
    explained = result.explain(2)
    assert explained == result.explain("d2") == result.explain(np.int64(2))
    assert (explained.verdict, explained.reason, explained.keeper, explained.keeper_id) == ("remove", "near_duplicate", 0, "d0")
    assert (explained.text, explained.keeper_text) == (texts[2], texts[0])
    assert [(each.kind, each.text.strip(), each.keeper_text) for each in explained.differences] == [
        ("words", "red", "brown"),
        ("words", "again <b>&amp;", ""),
    ]
    assert "[-red-]{+brown+}" in str(explained)
    assert "<b>" not in explained._repr_html_() and "&lt;b&gt;" in explained._repr_html_()
    kept = result.explain(0)
    assert (kept.verdict, kept.members, kept.cluster_size, kept.keeper, kept.differences) == ("keep", [2], 2, None, [])
    assert "kept, keeper" in str(kept)
    for wrong, error in ((3, IndexError), (-1, IndexError), ("nobody", KeyError), (2.0, TypeError), (None, TypeError), (True, TypeError)):
        with pytest.raises(error):
            result.explain(wrong)


def test_explain_reads_streams_and_files_again(tmp_path):
    import pyarrow as pa

    texts = versions(100)
    table = pa.table({"text": texts})
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n\n" for text in texts))
    expected = neardup.dedup(texts)
    position = expected.removed_positions.tolist()[-1]
    for data in (lambda: table.to_reader(7), str(path), path):
        result = neardup.dedup(data)
        explained = result.explain(position)
        assert explained.text == texts[position]
        assert explained.keeper_text == expected.explain(position).keeper_text
        assert explained.keeper == expected.explain(position).keeper
        assert result.clusters == expected.clusters
        assert result.kept_positions.tolist() == expected.kept_positions.tolist()


@pytest.mark.parametrize("options", [{}, {"recipe": "chars-5"}])
def test_rethreshold_is_a_run_with_the_same_bands(options, tmp_path):
    texts = versions()
    for work in (True, str(tmp_path / "work")):
        first = neardup.dedup(texts, threshold=0.6, work=work, **options)
        bands = {"bands": first.summary["bands"], "rows_per_band": first.summary["rows_per_band"]}
        for threshold in (0.6, 0.7, 0.85, 1):
            again = first.rethreshold(threshold)
            expected = neardup.dedup(texts, threshold=threshold, **bands, **options)
            assert again.verdicts.to_pylist() == expected.verdicts.to_pylist()
            assert again.kept == expected.kept
        assert again.rethreshold(0.9).kept == first.rethreshold(0.9).kept
        with pytest.raises(neardup.UsageError, match=r"0\.5"):
            first.rethreshold(0.5)
    with pytest.raises(neardup.UsageError, match="work=True"):
        neardup.dedup(texts).rethreshold(0.9)
    with pytest.raises(neardup.UsageError, match="not an empty folder"):
        neardup.dedup(texts, work=tmp_path / "work")


def test_temporary_work_goes_with_the_results(tmp_path):
    result = neardup.dedup(versions(50), work=True, temp_dir=tmp_path)
    higher = result.rethreshold(0.9)
    assert len(list(tmp_path.iterdir())) == 1
    del result
    gc.collect()
    assert len(list(tmp_path.iterdir())) == 1
    del higher
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_rethreshold_reads_only_texts_of_candidates():
    """The sketches are not made again: texts are read for features only, and none where all are far apart."""
    import pyarrow as pa

    random.seed(3)
    texts = [" ".join(random.choices([f"w{i}" for i in range(5000)], k=50)) for _ in range(200)]
    table = pa.table({"text": texts})
    result = neardup.dedup(lambda: table.to_reader(50), work=True)
    assert "sketch" in [each["name"] for each in result.summary["passes"] if each["bytes"] > 0]
    again = result.rethreshold(0.9)
    assert [each["bytes"] for each in again.summary["passes"] if each["name"] == "features"] in ([], [0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"treshold": 0.5}, "did you mean 'threshold'"),
        ({"threshold": "x"}, "threshold: 'x' is not a number"),
        ({"threshold": 1.5}, "above 1"),
        ({"threshold": float("nan")}, "not a number"),
        ({"max_distance": 5}, "has no effect here"),
        ({"charset": "gbk"}, "has no effect here"),
        ({"format": "text"}, "has no effect here"),
        ({"text_field": "x"}, "named by 'text'"),
        ({"keep": "max:score"}, "no column 'score'"),
        ({"id": "number"}, "no column 'number'"),
        ({"memory": "1K"}, "at least 64M"),
        ({"threads": -1}, "0 to 1024"),
        ({"recipe": "no-such"}, "no-such"),
        ({"name\ud800": 1}, "no option"),
    ],
)
def test_wrong_options_are_value_errors(options, message):
    with pytest.raises(neardup.UsageError, match=message) as caught:
        neardup.dedup([FOX], **options)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, neardup.Error)


def test_options_of_other_commands_are_refused():
    with pytest.raises(neardup.UsageError, match="keep"):
        neardup.pairs([FOX], keep="last")
    with pytest.raises(neardup.UsageError, match="verified"):
        neardup.pairs([FOX], verify=False)


@pytest.mark.parametrize("data", [3, None, b"x", {"text": ["x"]}, {"x"}, object(), np.zeros((2, 2)), 1.5, lambda: 3, lambda: [3], int])
def test_wrong_data_are_type_errors(data):
    with pytest.raises(TypeError, match="data"):
        neardup.dedup(data)


def test_columns_without_text_are_type_errors():
    import polars as pl
    import pyarrow as pa

    for data in (
        pl.DataFrame({"text": [1]}),
        pa.table({"text": [[1]]}),
        pa.array([1.5]),
        pl.Series([True]),
        lambda: pa.table({"text": [1]}),
    ):
        with pytest.raises(TypeError, match=r"text.*expected strings"):
            neardup.dedup(data)


def test_missing_columns_are_named():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    for data in (
        pd.DataFrame({"body": ["x"]}),
        pl.DataFrame({"body": ["x"]}),
        pa.table({"body": ["x"]}),
        [{"body": "x"}],
        lambda: pa.table({"body": ["x"]}),
    ):
        with pytest.raises(neardup.UsageError, match="no column 'text'; the columns are body"):
            neardup.dedup(data)
        assert neardup.dedup(data, "body").summary["kept"] == 1
    for data in (pd.DataFrame([["a", "b"]], columns=["text", "text"]), pa.table([["a"], ["b"]], names=["text", "text"])):
        with pytest.raises(neardup.UsageError, match="several columns 'text'"):
            neardup.dedup(data)


def test_missing_files_are_os_errors(tmp_path):
    with pytest.raises(neardup.InputError) as caught:
        neardup.dedup(tmp_path / "nothing.jsonl")
    assert isinstance(caught.value, OSError)


def test_errors_of_the_data_are_passed_on():
    def broken():
        yield FOX
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        neardup.dedup(broken())

    import pyarrow as pa

    def second_time_broken():
        times.append(1)
        if len(times) > 1:
            raise KeyError("second")
        return pa.table({"text": versions(100)}).to_reader()

    times = []
    with pytest.raises(KeyError, match="second"):
        neardup.dedup(second_time_broken)


def test_a_source_that_changes_is_an_input_error():
    import pyarrow as pa

    sizes = iter([100, 60, 60, 60])
    with pytest.raises(neardup.InputError, match="changed"):
        neardup.dedup(lambda: pa.table({"text": versions(600)[: next(sizes)]}).to_reader())


def test_malformed_arrow_is_refused():
    import pyarrow as pa

    bytes_of = pa.py_buffer(b"abcdef")
    for offsets in ([0, 5, 2], [4, 2, 6]):
        array = pa.Array.from_buffers(pa.string(), 2, [None, pa.array(offsets, pa.int32()).buffers()[1], bytes_of])
        with pytest.raises(ValueError, match="malformed"):
            neardup.dedup(array)
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int32()), pa.array(["a"]), safe=False)
    with pytest.raises(ValueError, match="malformed"):
        neardup.dedup(wrong)


class Liar:
    """An Arrow interface that gives something else."""

    def __init__(self, answer):
        self.answer = answer

    def __arrow_c_stream__(self, requested_schema=None):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_false_arrow_interfaces_are_refused(monkeypatch):
    import pyarrow as pa

    for answer in (None, 3, "x", object(), pa.array(["a"]).__arrow_c_array__(), pa.array(["a"]).__arrow_c_array__()[0]):
        with pytest.raises((TypeError, ValueError)):
            neardup.dedup(Liar(answer))
    with pytest.raises(RuntimeError, match="mine"):
        neardup.dedup(Liar(RuntimeError("mine")))


def test_a_list_may_change_while_it_is_read():
    texts = versions(2000)
    expected = neardup.dedup(list(texts)).kept_positions.tolist()
    changing = list(texts)
    done = threading.Event()

    def clear():
        while not done.is_set():
            changing.clear()
            gc.collect()

    result = {}
    # The run holds the texts that the list had in the beginning.
    thread = threading.Thread(target=clear)
    source = iter(list(changing))
    del texts
    thread.start()
    try:
        result = neardup.dedup(source)
    finally:
        done.set()
        thread.join()
    assert result.kept_positions.tolist() == expected


def test_several_threads_at_once():
    import pyarrow as pa

    texts = versions(400)
    table = pa.table({"text": texts})
    expected = neardup.dedup(texts)
    position = expected.removed_positions.tolist()[0]
    failures = []

    def work(data):
        try:
            result = neardup.dedup(data, threads=2)
            assert result.kept_positions.tolist() == expected.kept_positions.tolist()
            assert expected.explain(position).text == texts[position]
            assert len(expected.verdicts.to_pylist()) == len(texts)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(data,)) for data in [texts, table, lambda: table.to_reader(30)] * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_progress_is_told_and_its_errors_are_raised():
    texts = versions(20000)
    told = []
    neardup.dedup(texts[:10], progress=told.append)
    assert told  # at the end of a run that takes no time, too
    told.clear()
    neardup.dedup(texts, progress=told.append)
    assert told and {each["pass_count"] for each in told} == {5}
    assert {each["pass"] for each in told} <= {"sketch", "group", "features", "decide", "output"}
    assert [each["pass_number"] for each in told] == sorted(each["pass_number"] for each in told)

    def broken(now):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        neardup.dedup(texts, progress=broken)
    with pytest.raises(TypeError, match="progress"):
        neardup.dedup(texts, progress=3)


def test_progress_by_tqdm(monkeypatch):
    import tqdm.auto

    bars = []

    class Bar:
        def __init__(self, **options):
            self.n, self.shown, self.closed, self.total = 0, [], False, options["total"]
            bars.append(self)

        def set_postfix_str(self, text, refresh):
            self.shown.append((self.n, text))

        def refresh(self):
            self.refreshed = True

        def close(self):
            self.closed = True

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    neardup.dedup(versions(20000), progress=True)
    assert len(bars) == 1 and bars[0].closed
    assert [n for n, _ in bars[0].shown] == sorted(n for n, _ in bars[0].shown)
    assert bars[0].shown and 0 < bars[0].n <= bars[0].total
    neardup.dedup(versions(100), progress=False)
    assert len(bars) == 1
    neardup.dedup(versions(10), progress=True)
    assert not hasattr(bars[1], "refreshed")  # too short to be seen


@pytest.mark.parametrize("kind", ["list", "stream"])
def test_ctrl_c_ends_a_run_within_a_second(kind):
    script = textwrap.dedent(
        """
        import sys, random, time, threading, os, signal
        import neardup, pyarrow as pa
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells let what they start in the background ignore
        random.seed(1)
        words = [f"w{i}" for i in range(1000)]
        texts = [" ".join(random.choices(words, k=400)) for _ in range(3000)]
        table = pa.table({"text": texts})
        def endless():
            while True:
                yield table
        data = [f"{text} {i}" for i in range(30) for text in texts] if sys.argv[1] == "list" else endless
        threading.Timer(1, lambda: (print(time.time(), flush=True), os.kill(os.getpid(), signal.SIGINT))).start()
        try:
            neardup.dedup(data, search="exact", threads=1)
        except KeyboardInterrupt:
            print(time.time(), flush=True)
        """
    )
    run = subprocess.run([sys.executable, "-c", script, kind], stdout=subprocess.PIPE, text=True, timeout=100, env=os.environ)
    sent, ended = map(float, run.stdout.split())
    assert run.returncode == 0
    assert ended - sent < 1


def test_table_without_other_libraries():
    """The package needs nothing but NumPy; a table goes to another library by the Arrow interface alone."""
    script = textwrap.dedent(
        f"""
        import sys
        sys.modules.update(dict.fromkeys(("pyarrow", "pandas", "polars", "datasets", "tqdm")))
        import neardup
        result = neardup.dedup([{FOX!r}, {FOX!r}, "x"], progress=True)
        assert result.kept == [{FOX!r}, "x"]
        assert result.verdicts.column("reason") == ["keeper", "exact_copy", "short"]
        assert result.verdicts.__arrow_c_stream__() is not None
        assert neardup.dedup(result.verdicts, "reason").summary["read"] == 3
        """
    )
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ)


def test_a_table_outlives_its_result():
    import polars as pl
    import pyarrow as pa

    table = neardup.dedup(versions(300)).verdicts
    rows = table.to_pylist()
    arrow, frame = pa.table(table), pl.DataFrame(table)
    record = pa.record_batch(table)
    schema = pa.schema(table)
    del table
    gc.collect()
    assert arrow.to_pylist() == rows
    assert frame.to_dicts() == rows
    assert record.to_pylist() == rows
    assert schema.names == list(rows[0])
    arrow.validate(full=True)
    assert neardup.dedup(versions(300)).verdicts.to_pandas()["reason"].tolist() == [row["reason"] for row in rows]


def test_wrong_folders_are_output_errors(tmp_path):
    for work in (tmp_path / "file" / "work", "/proc/work"):
        (tmp_path / "file").write_text("")
        with pytest.raises(neardup.OutputError, match="work"):
            neardup.dedup([FOX], work=work)
    with pytest.raises(neardup.OutputError, match="work"):
        neardup.dedup([FOX], work=True, temp_dir=tmp_path / "missing")


@pytest.mark.parametrize("argument", ["name", "id", "text", "work", "progress", "against"])
def test_arguments_of_a_wrong_type_are_named(argument):
    with pytest.raises(TypeError, match=argument if argument != "against" else "data"):
        neardup.dedup([FOX], **{argument: 3.5})


def test_functions_that_know_the_result_are_collected():
    """A cycle through the data, which only the collector of garbage finds, and which nanobind would report at the end."""
    script = textwrap.dedent(
        """
        import gc, weakref
        import neardup, pyarrow as pa
        table = pa.table({"text": ["a b c d e f g", "x"]})
        def make():
            holder = []
            holder.append(neardup.dedup(lambda: (holder, table)[1].to_reader()))
            return weakref.ref(holder[0])
        gone = make()
        gc.collect()
        assert gone() is None
        open_table = lambda: table.to_reader()
        result = neardup.dedup(open_table, work=True)
        """
    )
    run = subprocess.run([sys.executable, "-c", script], check=True, stderr=subprocess.PIPE, text=True, env=os.environ)
    assert "leaked" not in run.stderr


def test_html_of_a_result_is_a_table():
    result = neardup.dedup(versions(100), threshold=0.5)
    page = result._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 2
    assert f"{result.summary['removed']:,}" in page
    assert "100 read" in repr(result)
    assert neardup.dedup([])._repr_html_().count("<table>") == 1


def test_empty_data_have_an_empty_result():
    result = neardup.dedup([])
    assert (result.kept, result.removed, result.rejected, result.clusters, result.least_similar()) == ([], [], [], [], [])
    assert len(result.verdicts) == 0 and result.verdicts.to_pyarrow().num_rows == 0
    assert len(neardup.pairs([])) == 0


def test_memory_is_obeyed_for_streams():
    """Batches are read, used and dropped: a stream of 400 MB needs little more memory than a small one."""
    script = textwrap.dedent(
        """
        import resource, sys
        import numpy as np, pyarrow as pa, neardup
        letters = np.random.default_rng(1).integers(97, 123, 4_000_000, dtype=np.uint8)
        letters[::6] = 32
        def reader():
            for piece in range(int(sys.argv[1])):
                block = np.roll(letters, piece * 7 + 1)
                offsets = np.arange(0, 4_000_001, 2000, dtype=np.int32)
                yield pa.record_batch({"text": pa.StringArray.from_buffers(2000, pa.py_buffer(offsets), pa.py_buffer(block))})
        result = neardup.dedup(reader, memory="64M", progress=False)
        assert result.summary["read"] == 2000 * int(sys.argv[1])
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        """
    )
    small, large = (
        int(subprocess.run([sys.executable, "-c", script, pieces], check=True, stdout=subprocess.PIPE, text=True, env=os.environ).stdout)
        for pieces in ("4", "100")
    )
    assert large - small < 150, (small, large)


def test_nothing_is_held_after_a_result_is_gone():
    """Arrays of Arrow are released, and objects of lists, also after errors."""
    import pyarrow as pa

    class Text(str):
        pass

    def live():
        gc.collect()
        return pa.total_allocated_bytes(), sum(isinstance(each, Text) for each in gc.get_objects())

    def use():
        texts = [Text(text) for text in versions(200)]
        table = pa.table({"text": pa.array([str(text) for text in texts], pa.string())})
        for data in (texts, table, lambda: table.to_reader(30), table["text"].cast(pa.string_view())):
            result = neardup.dedup(data)
            pa.table(result.verdicts)
            result.explain(0)
            neardup.pairs(data)
            with pytest.raises(neardup.UsageError):
                neardup.dedup(data, keep="max:score")
            with pytest.raises(ZeroDivisionError):
                neardup.dedup(data, progress=lambda now: 1 / 0)

    use()
    before = live()
    use()
    assert live() == before
