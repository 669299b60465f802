"""Recipes that weigh by the IDF of the corpus: counted in a job of their own, with the weights of the command line."""

import json

import pytest
from test_dedup import of_shared
from test_sketch import signed

import neardup
import neardup.spark
from judge import by_command_line, by_spark, documents, frame, written
from neardup.spark import _dedup
from neardup.spark._steps import frequencies as _frequencies
from program import needs_program, run

pytestmark = needs_program
CHINESE = json.dumps(
    {
        "normalizer": "nfkc_casefold_v1",
        "tokenizer": "jieba_v1",
        "stop_words": "chinese_v1",
        "shingle": {"size": 1, "short_text": "none"},
        "weighting": {"kind": "tf_idf_v1", "idf": "corpus", "top_k": 60},
        "min_features": 1,
        "feature_hash": "xxh3_64_v1",
        "sketch": {"kind": "simhash_v1", "bits": 64},
    }
)


def recipe_of_command_line(folder, **options):
    """The name and the id in the summary of a run over the corpus that by_command_line() left in `folder`."""
    named = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    outputs = ("--verdicts", folder / "again.tsv", "--summary", folder / "summary.json")
    run("dedup", folder / "corpus.jsonl", *outputs, "--max-rejects", "100%", "-q", *named)
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return summary["recipe_name"], summary["recipe_id"]


@pytest.mark.parametrize(
    "texts, partitions, parts, adaptive, options",
    [
        (lambda: documents(300), 3, 5, "true", {"recipe": "simhash-words", "max_distance": 6}),
        (lambda: documents(200, seed=11), 1, 1, "false", {"recipe": "simhash-words", "verify": "jaccard", "threshold": 0.5}),
        (lambda: of_shared("zh-rev-hertzbeat", 300), 7, 3, "true", {"recipe": CHINESE, "max_distance": 5, "keep": "longest"}),
    ],
    ids=["words", "one part", "Chinese"],
)
def test_verdicts_and_recipe_are_those_of_the_command_line(spark, setting, tmp_path, texts, partitions, parts, adaptive, options):
    setting("spark.sql.adaptive.enabled", adaptive)
    setting("spark.sql.execution.arrow.useLargeVarTypes", adaptive)
    texts = texts()
    rejected = (len(texts), None)  # not counted
    result = neardup.spark.dedup(frame(spark, [*texts, rejected], partitions), partitions=parts, **options)
    assert by_spark(result) == by_command_line(tmp_path, texts, **options)
    summary = result.summary()
    assert summary["near_duplicates"] > 0
    assert (summary["recipe_name"], summary["recipe_id"]) == recipe_of_command_line(tmp_path, **options)
    counted = summary["stages"][0]
    assert counted["name"] == "frequencies"
    assert counted["bytes"] > 12
    assert counted["planned_bytes_per_document"] is None
    result.release()


def test_an_empty_frame(spark):
    result = neardup.spark.dedup(spark.createDataFrame([], "id long, text string"), partitions=1, recipe="simhash-words")
    assert result.summary()["read"] == 0
    result.release()


def test_a_resumed_run_does_not_count_again(spark, tmp_path, monkeypatch):
    path, work = str(tmp_path / "corpus.parquet"), tmp_path / "work"
    texts = documents(80)
    spark.createDataFrame(texts, "id long, text string").write.parquet(path)
    options, partitions = {"recipe": "simhash-words", "max_distance": 6}, 1

    def fail(*_):
        raise RuntimeError("the cluster went away")

    with monkeypatch.context() as broken:
        broken.setattr(_dedup, "find_links", fail)
        with pytest.raises(RuntimeError, match="went away"):
            neardup.spark.dedup(spark.read.parquet(path), work=work, partitions=partitions, **options)
    (stored,) = work.glob("*/frequencies-*.parquet")
    before = {each.name: each.stat().st_mtime_ns for each in stored.iterdir()}
    result = neardup.spark.dedup(spark.read.parquet(path), work=work, partitions=partitions, **options)
    assert {each.name: each.stat().st_mtime_ns for each in stored.iterdir()} == before
    assert by_spark(result) == by_command_line(tmp_path, texts, **options)
    result.release()


def test_pairs_and_sketches_are_those_of_the_command_line(spark, tmp_path):
    texts = documents(200)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": str(number), "text": text}) + "\n" for number, text in texts), encoding="utf-8")
    _, *expected = run("pairs", corpus, "-q", "--recipe", "simhash-words", "--max-distance", "8").splitlines()
    found = neardup.spark.pairs(frame(spark, texts), partitions=2, recipe="simhash-words", max_distance=8)
    assert sorted("\t".join(map(written, found.columns, row)) for row in found.collect()) == sorted(expected)
    assert len(expected) > 20
    found.unpersist()

    lines = map(json.loads, run("sketch", corpus, "--recipe", "simhash-words").splitlines())
    prints = {int(line["id"]): line.get("fingerprint") for line in lines}
    rows = neardup.spark.sketch(frame(spark, [*texts, (len(texts), None)]), recipe="simhash-words").collect()
    assert {row.id: row.fingerprint for row in rows} == {id: text and signed(int(text, 16)) for id, text in prints.items()}


def test_more_documents_than_a_table_counts_are_an_error(spark, monkeypatch):
    class Many(_frequencies._core_spark.FrequencyStages):
        def documents(self, blobs):
            return 2**32 - 1

    monkeypatch.setattr(_frequencies._core_spark, "FrequencyStages", Many)
    with pytest.raises(neardup.ResourceError, match="4294967295 documents, a table of document frequencies holds at most 4294967294"):
        neardup.spark.dedup(frame(spark, documents(20)), recipe="simhash-words")
