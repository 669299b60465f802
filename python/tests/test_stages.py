"""neardup._core.spark: runs in stages over bytes and arrays against neardup.dedup(), and mistakes."""

import random
import threading

import neardup
import numpy as np
import pyarrow as pa
import pytest
from corpus import texts
from neardup._core import spark

MEMORY = 64_000_000
TEXTS = texts(400, seed=18)
OPTIONS = [
    {"recipe": "words-5", "threshold": "0.7"},
    {"recipe": "chars-5", "verify": "false"},
    {"recipe": "simhash-chars-4", "max_distance": "6"},
    {"recipe": "simhash-chars-4", "max_distance": "6", "verify": "jaccard", "cluster": "components"},
]


def roots_of(stage, blobs):
    stage.add(blobs)
    return {rank: root for some in stage.finish() for rank, root in zip(*(column.tolist() for column in some), strict=True)}


class Run:
    """All stages in one process. Ranks are the numbers of the texts."""

    def __init__(self, options, parts=5, task_memory=MEMORY, seed=1):
        self.stages = spark.Stages(list(options.items()))
        self.parts = parts
        self.task_memory = task_memory
        self.random = random.Random(seed)

    def exchange(self, blobs):
        """The blobs of each part in any order."""
        self.random.shuffle(blobs)
        return [[blob for blob in blobs if blob[0] == part] for part in range(self.parts)]

    def reduce(self, blobs, make):
        made = []
        for part in self.exchange(blobs):
            stage = make()
            mine = [blob for _, kind, blob in part if kind in stage.kinds]
            made += [row for row in part if row[1] not in stage.kinds]
            stage.add(pa.array(mine, pa.binary()) if self.random.random() < 0.5 else mine)
            made += list(stage.finish())
        return made

    def removals(self, texts):
        stages = self.stages
        blobs = []
        for first in range(0, len(texts), 90):
            packer = stages.pack(self.parts, True)
            some = texts[first : first + 90]
            ranks = np.arange(first, first + len(some), dtype=np.int64)
            blobs += packer.add(ranks[:40], pa.array(some[:40], pa.string()))
            blobs += packer.add(ranks[40:], pa.chunked_array([pa.array(some[40:], pa.large_string())]))
            blobs += packer.finish()
        blobs = self.reduce(blobs, lambda: stages.collapse(self.parts, self.task_memory, ""))
        blobs = self.reduce(blobs, lambda: stages.link(self.task_memory, ""))
        of_kind = {kind: [blob for _, k, blob in blobs if k == kind] for kind in range(1, 12)}
        self.counts = stages.counts(of_kind[spark.COUNTS])
        root_of = roots_of(stages.components(self.task_memory, ""), of_kind[spark.EDGES])
        rows = self.rows(texts, of_kind, root_of)
        found = {}
        while rows:
            rows = self.round(sorted(rows), found)
        copies = zip(*(column.tolist() for column in stages.copies(of_kind[spark.COPIES])), strict=True)
        for rank, first in copies:
            found[rank] = found.get(first, (first, 1.0))
        return found

    def rows(self, texts, of_kind, root_of):
        if not self.stages.facts["second_scan"]:
            ranks, payloads = self.stages.code_rows(of_kind[spark.CODES])
            return [(root_of[rank], rank, payload) for rank, payload in zip(ranks.tolist(), payloads, strict=True)]
        bloom = spark.Bloom(spark.bloom_bytes(len(root_of)))
        bloom.add(np.array(list(root_of), dtype=np.int64))
        bloom = spark.Bloom.of(bloom.data())
        wanted = np.flatnonzero(bloom.has(np.arange(len(texts), dtype=np.int64))).tolist()
        payloads = self.stages.candidates(pa.array([texts[rank] for rank in wanted], pa.string()))
        return [(root_of[rank], rank, payload) for rank, payload in zip(wanted, payloads, strict=True) if rank in root_of]

    def round(self, rows, found):
        """Decides; returns the rows that are left."""
        decider = self.stages.decide(self.task_memory)
        kept, later = [], []
        for first in range(0, len(rows), 50):
            some = rows[first : first + 50]
            removals, more, mask = decider.add(*columns(some))
            self.take(removals, found)
            kept += zip(*map(list, more), strict=True)
            later += [row for row, is_later in zip(some, mask.tolist(), strict=True) if is_later]
        removals, more, mask = decider.finish()
        assert len(mask) == 0
        self.take(removals, found)
        kept += zip(*map(list, more), strict=True)
        if not later:
            return []
        match = self.stages.match(*columns(kept), self.task_memory)
        left = []
        for removals, rows_left in (match.add(*columns(later)), match.finish()):
            self.take(removals, found)
            left += zip(*map(list, rows_left), strict=True)
        return left

    def take(self, removals, found):
        similarities = self.stages.similarities(removals["common"], removals["size_a"], removals["size_b"])
        for rank, keeper, similarity in zip(removals["rank"].tolist(), removals["keeper"].tolist(), similarities.tolist(), strict=True):
            assert rank not in found
            found[rank] = (keeper, similarity)


def columns(rows):
    return (
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int64),
        pa.array([row[2] for row in rows], pa.binary()),
    )


def expected(texts, options):
    typed = {name: int(value) if value.isdigit() else value for name, value in options.items()}
    if "verify" in typed and typed["verify"] == "false":
        typed["verify"] = False
    if "threshold" in typed:
        typed["threshold"] = float(typed["threshold"])
    verdicts = neardup.dedup([{"id": i, "text": text} for i, text in enumerate(texts)], **typed).verdicts
    table = pa.table(verdicts).to_pylist()
    return {int(row["id"]): (int(row["keeper_id"]), row["similarity"]) for row in table if row["verdict"] == "remove"}


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_removals_equal_those_of_dedup(options):
    clean = [text.replace("\ud800", "x") for text in TEXTS]
    wanted = expected(clean, options)
    assert len(wanted) > 40
    memories = [MEMORY] if options.get("cluster") == "components" else [MEMORY, 65536]
    for seed, task_memory in enumerate(memories):
        run = Run(options, parts=1 + 6 * seed, task_memory=task_memory, seed=seed)
        found = run.removals(clean)
        assert {rank: keeper for rank, (keeper, _) in found.items()} == {rank: keeper for rank, (keeper, _) in wanted.items()}
        for rank, (_, similarity) in found.items():
            assert similarity == pytest.approx(wanted[rank][1], abs=1e-6)
        assert run.counts["documents"] == len(clean)


def test_rounds_of_stars_give_the_components():
    stages = spark.Stages([])
    run = Run({}, parts=4)
    words = " ".join(f"word{i}" for i in range(60))
    packer = stages.pack(4, False)
    made = pa.array([f"{words} {i // 3} and {i}" for i in range(60)])
    blobs = packer.add(np.arange(-30, 30, dtype=np.int64), made) + packer.finish()
    blobs = run.reduce(blobs, lambda: stages.collapse(4, MEMORY, ""))
    edges = [blob for _, kind, blob in run.reduce(blobs, lambda: stages.link(MEMORY, "")) if kind == spark.EDGES]
    least, ranks = stages.edges(edges)
    assert stages.count_records(edges) == len(ranks) == len(least) > 50
    halves, tally = stages.split_edges(4, edges), None
    while True:
        halves = run.reduce(halves, lambda: stages.large_star(4, MEMORY, ""))
        halves = run.reduce(halves, lambda: stages.small_star(4, MEMORY, ""))
        before, tally = tally, stages.tally([blob for _, kind, blob in halves if kind == spark.TALLY])
        halves = [row for row in halves if row[1] == spark.HALVES]
        if tally == before:
            break
    found = {}
    for part in run.exchange(halves):
        found.update(roots_of(stages.star_roots(MEMORY, ""), [blob for _, _, blob in part]))
    assert found == roots_of(stages.components(MEMORY, ""), edges)


def test_nulls_are_rejected_with_their_ranks():
    packer = spark.Stages([]).pack(2, True)
    blobs = packer.add(np.array([4, 9], dtype=np.int64), pa.array(["some text", None]))
    blobs += packer.finish()
    counts = spark.Stages([]).counts([blob for _, kind, blob in blobs if kind == spark.COUNTS])
    assert counts["documents"] == 1
    assert counts["rejected_by_kind"] == {"missing_field": 1}
    assert counts["rejects"] == [(9, "missing_field", "the text is null")]
    assert spark.Stages([]).candidates(pa.array([None, "two words"])) == [None, None]


def test_mistakes_are_named():
    stages = spark.Stages([("recipe", "words-5")])
    assert stages.facts["recipe"] == "words-5"
    with pytest.raises(neardup.UsageError, match="block_on: 'shop' is not available in runs over several machines"):
        spark.Stages([("block_on", "shop")])
    with pytest.raises(neardup.UsageError, match="no option 'treshold'; did you mean 'threshold'"):
        spark.Stages([("treshold", "1")])
    with pytest.raises(neardup.UsageError, match="there are 1 ranks and 2 texts"):
        stages.pack(1, True).add(np.array([1], dtype=np.int64), pa.array(["a", "b"]))
    with pytest.raises(TypeError, match="texts: expected a column of strings"):
        stages.pack(1, True).add(np.array([1], dtype=np.int64), pa.array([1]))
    with pytest.raises(TypeError, match="texts: expected an Arrow array of strings, got list"):
        stages.pack(1, True).add(np.array([1], dtype=np.int64), ["a"])
    for bad, message in (("ab", r"blobs\[0\] must be bytes, not str"), (b"ab", "got bytes"), ([b"a", None], r"blobs\[1\] must be bytes")):
        with pytest.raises(TypeError, match=message):
            stages.counts(bad)
    with pytest.raises(TypeError, match=r"blobs\[1\] is null"):
        stages.counts(pa.array([b"", None]))
    with pytest.raises(TypeError, match="blobs: expected a column of bytes"):
        stages.counts(pa.array(["a"]))
    with pytest.raises(neardup.InputError, match="a blob is truncated: 3 bytes"):
        stages.counts([b"abc"])
    blobs = stages.pack(1, True).finish()
    with pytest.raises(neardup.InputError, match="was made by recipe .* and this run has recipe"):
        spark.Stages([("recipe", "chars-5")]).counts([blobs[0][2]])
    link = stages.link(MEMORY, "")
    assert list(link.finish()) == []
    with pytest.raises(neardup.UsageError, match="this stage is finished"):
        link.add([])
    collapse = stages.collapse(1, MEMORY, "")
    packer = stages.pack(1, True)
    blobs = packer.add(np.array([3, 3], dtype=np.int64), pa.array(["a", "b"])) + packer.finish()
    collapse.add([blob for _, kind, blob in blobs if kind in collapse.kinds])
    with pytest.raises(neardup.InputError, match="id 3 is given to 2 documents; ids must be unique"):
        list(collapse.finish())


def test_stages_keep_what_made_them():
    packer = spark.Stages([]).pack(1, True)
    packer.add(np.arange(3, dtype=np.int64), pa.array(["a", "b", "c"]))
    assert [kind for _, kind, _ in packer.finish()] == [spark.SHORT_DOCUMENTS, spark.IDS, spark.COUNTS]


def test_threads_take_turns():
    stages = spark.Stages([])
    packer = stages.pack(3, True)
    column = pa.array([f"text number {i} of some more words" for i in range(200)])

    def work(first):
        packer.add(np.arange(first, first + 200, dtype=np.int64), column)

    threads = [threading.Thread(target=work, args=(1000 * i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = stages.counts([blob for _, kind, blob in packer.finish() if kind == spark.COUNTS])
    assert counts["documents"] == 1600
