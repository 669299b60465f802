"""Recipes in files, and files that recipes name: tasks get them from the driver."""

import json
import shutil

import pytest
from judge import by_command_line, by_spark, documents, frame
from program import needs_program, run

import neardup
import neardup.spark
from neardup.spark import _dedup

pytestmark = needs_program
FIELDS = {
    "normalizer": "nfkc_casefold_v1",
    "tokenizer": "words_v1",
    "stop_words": "words.txt",
    "shingle": {"size": 1, "short_text": "none"},
    "min_features": 1,
    "feature_hash": "xxh3_64_v1",
    "sketch": {"kind": "simhash_v1", "bits": 64},
}


def write_recipe(folder, **changes):
    folder.mkdir()
    (folder / "words.txt").write_text("the\nof\nand\nriver\n", encoding="utf-8")
    (folder / "mine.json").write_text(json.dumps(FIELDS | changes), encoding="utf-8")


@pytest.mark.parametrize("changes", [{}, {"weighting": {"kind": "tf_idf_v1", "idf": "corpus"}}], ids=["words", "words and IDF"])
def test_tasks_need_no_file_of_the_driver(spark, tmp_path, monkeypatch, changes):
    monkeypatch.chdir(tmp_path)
    write_recipe(tmp_path / "recipes", **changes)
    options = {"recipe": "recipes/mine.json", "max_distance": 6}
    texts = documents(150)
    expected = by_command_line(tmp_path, texts, **options)
    make_plan = _dedup.make_plan

    def plan_and_delete(*arguments):
        made = make_plan(*arguments)
        shutil.rmtree(tmp_path / "recipes")
        return made

    monkeypatch.setattr(_dedup, "make_plan", plan_and_delete)
    result = neardup.spark.dedup(frame(spark, texts), partitions=2, **options)
    assert by_spark(result) == expected
    assert result.summary()["near_duplicates"] > 0
    assert result.summary()["recipe_name"] == "recipes/mine.json"
    result.release()


@pytest.mark.parametrize("given", [str, neardup.Recipe, lambda _: FIELDS], ids=["path", "recipe", "fields"])
def test_a_lazy_sketch_has_its_recipe(spark, tmp_path, monkeypatch, given):
    text = "the old bridge over the river"
    write_recipe(tmp_path / "recipes")
    monkeypatch.chdir(tmp_path / "recipes")
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"id": "1", "text": text}) + "\n", encoding="utf-8")
    expected = int(json.loads(run("sketch", corpus, "--recipe", "mine.json"))["fingerprint"], 16)
    sketches = neardup.spark.sketch(frame(spark, [(1, text)], 1), recipe=given("mine.json"))
    monkeypatch.chdir(tmp_path)
    shutil.rmtree(tmp_path / "recipes")
    assert [row.fingerprint % 2**64 for row in sketches.collect()] == [expected]


def test_a_missing_recipe_is_named(spark):
    with pytest.raises(neardup.UsageError, match="lost.json"):
        neardup.spark.dedup(frame(spark, documents(5)), recipe="lost.json")
