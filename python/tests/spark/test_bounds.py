"""Every private bound lowered, so that small data take the ways of large ones."""

import pyarrow as pa
import pytest

import corpus
import neardup
import neardup.spark
from judge import by_command_line, by_spark, documents, frame
from neardup.spark import _plan
from neardup.spark._cluster import broadcast
from neardup.spark._given import Given
from neardup.spark._steps import candidates
from neardup.spark._steps import components as _components
from program import needs_program

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


def test_stars_connect_as_one_task_does(spark, setting, tmp_path, monkeypatch):
    setting("spark.sql.execution.arrow.useLargeVarTypes", "true")
    monkeypatch.setattr(_components, "_BYTES_PER_EDGE", 1 << 60)
    texts = alike(60, 5)
    result = neardup.spark.dedup(frame(spark, texts), partitions=2, threshold=0.6)
    assert by_spark(result) == by_command_line(tmp_path, texts, threshold=0.6)
    result.release()


def test_stars_that_do_not_converge_are_an_error(spark, monkeypatch):
    monkeypatch.setattr(_components, "_BYTES_PER_EDGE", 1 << 60)
    monkeypatch.setattr(_components, "_MAX_ROUNDS", 1)
    with pytest.raises(neardup.ResourceError, match="after 1 round"):
        neardup.spark.dedup(frame(spark, alike(60, 5)), partitions=2, threshold=0.6)


@pytest.mark.parametrize("ids", [int, "k{:05}".format])
def test_candidates_through_the_filter(spark, tmp_path, monkeypatch, ids):
    monkeypatch.setattr(broadcast, "_WHOLE_ROWS", 0)
    monkeypatch.setattr(broadcast, "_OTHER_ROWS", 0)
    texts = [(ids(number), text) for number, text in TEXTS]
    result = neardup.spark.dedup(frame(spark, texts), partitions=2, threshold=0.5)
    assert by_spark(result) == by_command_line(tmp_path, texts, threshold=0.5)
    assert result.kept.count() == result.summary()["kept"]
    result.release()


@pytest.mark.parametrize("recipe, count", [("words-5", 200), ("simhash-chars-3", 3000)])
def test_large_groups_are_decided_in_rounds(spark, setting, tmp_path, monkeypatch, recipe, count):
    setting("spark.sql.execution.arrow.useLargeVarTypes", "true" if recipe == "words-5" else "false")
    monkeypatch.setattr(_plan, "_MIN_TASK_MEMORY", 0)
    texts = alike(count, 3) + [(count + number, text) for number, text in TEXTS]
    options = {"recipe": recipe} if recipe.startswith("simhash") else {"recipe": recipe, "max_candidates": 0}
    result = neardup.spark.dedup(frame(spark, texts), partitions=2, task_memory="64KiB", **options)
    assert result.summary()["rounds"] > 0
    assert by_spark(result) == by_command_line(tmp_path, texts, **options)
    result.release()


def test_large_groups_of_components_are_refused(spark, monkeypatch):
    monkeypatch.setattr(_plan, "_MIN_TASK_MEMORY", 0)
    with pytest.raises(neardup.ResourceError, match="components"):
        neardup.spark.dedup(frame(spark, alike(200, 3)), partitions=2, task_memory="64KiB", threshold=0.5, cluster="components")


def test_payloads_are_made_in_slices(monkeypatch):
    texts = pa.array(["", *(text for _, text in TEXTS[:50]), None, TEXTS[0][1]])
    numbers = pa.array(range(len(texts)))
    batch = pa.record_batch([numbers, numbers, texts], ["root", "r", "text"]).slice(1)
    (whole,) = candidates.make_payloads([batch], Given(()))
    monkeypatch.setattr(candidates, "_SLICE_BYTES", 500)
    made = list(candidates.make_payloads([batch], Given(())))
    assert pa.Table.from_batches(made).combine_chunks() == pa.table(whole)
    assert len(made) > 5
    assert any(len(part) > 1 for part in made)


def long_texts():
    def run(batches):
        import pyarrow

        long = (" ".join(f"w{number}" for number in range(500_000)) + " ") * 30
        long = long[:100_000_000]
        for batch in batches:
            texts = ["one two three four five six", long, "something else that is long enough", long + " more"]
            for id in batch.column("id").to_pylist():
                yield pyarrow.record_batch([pyarrow.array([id]), pyarrow.array([texts[id]])], ["id", "text"])

    return run


def test_one_very_long_text(spark):
    """Of 100 MB: next to short ones, and in a group of two."""
    rows = spark.range(0, 4, 1, 1).mapInArrow(long_texts(), "id long, text string")
    result = neardup.spark.dedup(rows, partitions=1)
    assert [(row.id, row.keeper_id) for row in result.verdicts().where("verdict = 'remove'").collect()] == [(3, 1)]
    result.release()


def test_a_bucket_of_alike_documents_has_few_edges(spark):
    """Copies of one text but for a word: links grow with the documents, not with their pairs."""
    measured = []
    for count in (500, 1000):
        texts = [(number, " ".join(corpus.ENGLISH * 3) + f" w{number}") for number in range(count)]
        result = neardup.spark.dedup(frame(spark, texts), partitions=2)
        assert result.summary()["kept"] == 1
        measured.append(result.summary()["links"])
        result.release()
    assert measured[1] < 2.2 * measured[0]
