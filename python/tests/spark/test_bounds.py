"""Every private bound lowered, so that small data take the ways of large ones."""

import corpus
import neardup
import neardup.spark
import pytest
from judge import by_command_line, by_spark, frame
from neardup.spark import _candidates, _components, _plan, _result
from program import needs_program
from test_dedup import documents

pytestmark = needs_program
TEXTS = documents(200, seed=5)


def alike(count, kinds):
    """Documents of which many are alike: large groups, long chains."""
    made = []
    for number in range(count):
        words = (corpus.ENGLISH * 2)[number % kinds : number % kinds + 25]
        words[number % 20] = f"w{number % 11}"
        made.append((number, " ".join(words)))
    return made


def test_stars_connect_as_one_task_does(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(_components, "_TASK_EDGES", 0)
    texts = alike(120, 5)
    result = neardup.spark.dedup(frame(spark, texts), partitions=2, threshold=0.6)
    assert by_spark(result) == by_command_line(tmp_path, texts, threshold=0.6)
    result.release()


def test_stars_that_do_not_converge_are_an_error(spark, monkeypatch):
    monkeypatch.setattr(_components, "_TASK_EDGES", 0)
    monkeypatch.setattr(_components, "_MAX_ROUNDS", 1)
    with pytest.raises(neardup.ResourceError, match="after 1 round"):
        neardup.spark.dedup(frame(spark, alike(60, 5)), partitions=2, threshold=0.6)


@pytest.mark.parametrize("ids", [int, "k{:05}".format])
def test_candidates_through_the_filter(spark, tmp_path, monkeypatch, ids):
    monkeypatch.setattr(_candidates, "_BROADCAST_MEMBERS", 0)
    monkeypatch.setattr(_result, "_BROADCAST_REMOVED", 0)
    texts = [(ids(number), text) for number, text in TEXTS]
    result = neardup.spark.dedup(frame(spark, texts), partitions=2, threshold=0.5)
    assert by_spark(result) == by_command_line(tmp_path, texts, threshold=0.5)
    assert result.kept.count() == result.summary()["kept"]
    result.release()


@pytest.mark.parametrize("recipe", ["words-5", "simhash-chars-3"])
def test_large_groups_are_decided_in_rounds(spark, tmp_path, monkeypatch, recipe):
    monkeypatch.setattr(_plan, "_LEAST_TASK_MEMORY", 1)
    texts = alike(150, 3) + [(1000 + number, text) for number, text in TEXTS]
    options = {"recipe": recipe, "max_candidates": 0}
    result = neardup.spark.dedup(frame(spark, texts), partitions=2, task_memory=16_000, **options)
    assert result.summary()["rounds"] > 1
    assert by_spark(result) == by_command_line(tmp_path, texts, **options)
    result.release()


def test_large_groups_of_components_are_refused(spark, monkeypatch):
    monkeypatch.setattr(_plan, "_LEAST_TASK_MEMORY", 1)
    with pytest.raises(neardup.ResourceError, match="components"):
        neardup.spark.dedup(frame(spark, alike(150, 3)), partitions=2, task_memory=4_000, threshold=0.5, cluster="components")
