"""HammingStore: a dict is its twin; folders are those of `neardup index`, answers those of `neardup query`."""

import json
import tempfile
import threading

import neardup
import numpy as np
import pytest
from corpus import texts
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from program import needs_program, run, write_jsonl
from test_hamming_index import clustered, naive, rows

TEXTS = texts()
CODES = st.integers(0, 2**10).map(lambda bits: sum((bits >> i & 1) << (6 * i + 1) for i in range(11)))  # often near each other


class StoreMachine(RuleBasedStateMachine):
    """Additions, removals, flushes and merges against a list of (code, id)."""

    @initialize()
    def make(self):
        self.path = f"{tempfile.mkdtemp(dir=self.base)}/store"
        self.store = neardup.HammingStore.create(self.path, max_distance=4)
        self.entries = []

    @rule(codes=st.lists(CODES, max_size=20), bulk=st.booleans())
    def add(self, codes, bulk):
        ids = self.store.add(codes, bulk=bulk).tolist()
        assert len(set(ids)) == len(codes) and all(i not in {j for _, j in self.entries} for i in ids)
        self.entries += zip(codes, ids, strict=True)

    @rule(code=CODES, id=st.integers(0, 50))
    def add_with_id(self, code, id):
        assert self.store.add(code, ids=id).tolist() == [id]
        self.entries.append((code, id))

    @rule(ids=st.lists(st.integers(0, 60), max_size=5))
    def remove(self, ids):
        self.store.remove(ids)
        self.entries = [entry for entry in self.entries if entry[1] not in ids]

    @rule()
    def flush(self):
        self.store.flush()

    @rule()
    def merge(self):
        self.store.merge()

    @rule()
    def reopen(self):
        self.store.close()
        self.store = neardup.HammingStore(self.path, "w")

    @invariant()
    def answers(self):
        queries = [0, 66, 2**60 - 1]
        codes = np.array([code for code, _ in self.entries], dtype=np.uint64)
        expected = naive(codes, [i for _, i in self.entries], np.array(queries, dtype=np.uint64), 4)
        assert rows(self.store.query_all(queries)) == expected
        assert [(0, hit.id, hit.distance) for hit in self.store.query(0)] == [row for row in expected if row[0] == 0]
        assert self.store.count(66) == sum(row[0] == 1 for row in expected)

    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()


def test_changes_equal_those_of_a_list(tmp_path):
    machine = type("Machine", (StoreMachine,), {"base": str(tmp_path)})
    case = machine.TestCase
    case.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
    case("runTest").runTest()


@pytest.mark.parametrize("bits", [64, 128])
def test_answers_equal_those_of_the_flat_twin(bits, tmp_path):
    codes = clustered(3000, bits)
    with neardup.HammingStore.create(tmp_path / "store", bits=bits, max_distance=5) as store:
        assert store.add(codes[:1000]).tolist() == list(range(1000))
        assert store.add(codes[1000:], bulk=True).tolist() == list(range(1000, 3000))
        expected = naive(codes, range(3000), codes[:30], 5)
        assert rows(store.query_all(codes[:30])) == expected
    store = neardup.HammingStore(tmp_path / "store")
    assert rows(store.query_all(codes[:30])) == expected and (store.bits, store.max_distance, store.recipe) == (bits, 5, None)
    assert rows(store.query_all(codes[:30], 2, limit=1)) == naive(codes, range(3000), codes[:30], 2, 1)
    assert store.count_all(codes[:30]).tolist() == [sum(q == row for q, _, _ in expected) for row in range(30)]
    store.verify()
    assert store.stat()["entries"] == 3000 and store.stat()["unflushed"] == 0 and len(store.stat()["segments"]) == 2


def test_names(tmp_path):
    with neardup.HammingStore.create(tmp_path / "store", names=True) as store:
        ids = store.add([5, 6, 5], names=["first", "zweiter ü", "\ud800"])
        assert store.add(5, names="fourth").tolist() == [3]
        assert [(hit.name, hit.distance) for hit in store.query(5, 0)] == [("first", 0), ("\ufffd", 0), ("fourth", 0)]
        store.remove(ids[0])
        assert store.names([0, 1, 99]) == [None, "zweiter ü", None]
        positions, found = store.find_names(["fourth", "nobody", "first"])
        assert (positions.tolist(), found.tolist()) == ([0], [3])
        with pytest.raises(neardup.UsageError):
            store.add([1])
        with pytest.raises(neardup.UsageError, match="names: 1 for 2"):
            store.add([1, 2], names=["a"])
        with pytest.raises(neardup.UsageError, match="cannot be combined"):
            store.add([1], ids=[1], names=["a"])


@needs_program
def test_folders_and_answers_are_those_of_the_program(tmp_path):
    corpus = write_jsonl(tmp_path / "corpus.jsonl", TEXTS)
    run("index", "build", tmp_path / "theirs", corpus, "--recipe", "simhash-words-3", "--max-distance", "9", "-q")
    theirs = neardup.HammingStore(tmp_path / "theirs")
    sketcher = neardup.Sketcher(theirs.recipe)
    made = sketcher.sketch(TEXTS)
    keep = ~made.too_short
    names = [f"d{row}" for row in np.flatnonzero(keep)]
    with neardup.HammingStore.create(tmp_path / "ours", recipe="simhash-words-3", max_distance=9, names=True) as ours:
        ours.add(made.fingerprints[keep], names=names)
    answers = run("query", tmp_path / "ours", corpus, "--jsonl", "-q")
    assert answers == run("query", tmp_path / "theirs", corpus, "--jsonl", "-q") and answers.count("\n") > len(names)
    found = theirs.query_all(made.fingerprints[keep])
    lines = [
        {"query": names[query], "id": name, "distance": distance}
        for query, name, distance in zip(found.queries.tolist(), theirs.names(found.ids), found.distances.tolist(), strict=True)
    ]
    assert lines == [json.loads(line) for line in answers.splitlines()]
    run("index", "verify", tmp_path / "ours")
    assert json.loads(run("index", "stat", tmp_path / "ours", "--json"))["entries"] == len(names)


def test_what_the_folder_holds(tmp_path):
    with pytest.raises(neardup.InputError):
        neardup.HammingStore(tmp_path / "nothing")
    with pytest.raises(OSError):
        neardup.HammingStore(tmp_path / "nothing", "w")
    store = neardup.HammingStore.create(tmp_path / "store")
    store.add([1, 2])
    store.flush()
    with pytest.raises(neardup.OutputError):
        neardup.HammingStore.create(tmp_path / "store")
    with pytest.raises(neardup.OutputError):
        neardup.HammingStore(tmp_path / "store", "w")  # one writes it
    reader = neardup.HammingStore(tmp_path / "store")
    with pytest.raises(neardup.UsageError, match="reading"):
        reader.add([3])
    store.close()
    (tmp_path / "store" / "MANIFEST").write_bytes(b"damaged")
    with pytest.raises(neardup.InputError, match="MANIFEST"):
        neardup.HammingStore(tmp_path / "store")


def test_after_an_exception_nothing_is_written(tmp_path):
    with neardup.HammingStore.create(tmp_path / "store") as store:
        store.add([1])
    with pytest.raises(KeyError):
        with neardup.HammingStore(tmp_path / "store", "w") as store:
            store.add([2])
            raise KeyError
    assert store.closed and neardup.HammingStore(tmp_path / "store").stat()["entries"] == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.query(1),
        lambda store: store.query_all([1]),
        lambda store: store.add([1]),
        lambda store: store.remove([1]),
        lambda store: store.flush(),
        lambda store: store.merge(),
        lambda store: store.stat(),
        lambda store: store.verify(),
        lambda store: store.names([1]),
        lambda store: store.find_names(["a"]),
        lambda store: store.count(1),
    ],
)
def test_a_closed_store(call, tmp_path):
    store = neardup.HammingStore.create(tmp_path / "store")
    store.close()
    store.close()
    assert store.closed and "closed" in repr(store)
    with pytest.raises(neardup.UsageError, match="is closed"):
        call(store)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda path: neardup.HammingStore(5), TypeError),
        (lambda path: neardup.HammingStore(b"a"), TypeError),
        (lambda path: neardup.HammingStore("a\0b"), ValueError),
        (lambda path: neardup.HammingStore("\udcff"), ValueError),
        (lambda path: neardup.HammingStore(path, "rw"), ValueError),
        (lambda path: neardup.HammingStore(path, None), ValueError),
        (lambda path: neardup.HammingStore.create(path, bits=65), ValueError),
        (lambda path: neardup.HammingStore.create(path, bits="64"), TypeError),
        (lambda path: neardup.HammingStore.create(path, max_distance=65), ValueError),
        (lambda path: neardup.HammingStore.create(path, max_distance=-1), ValueError),
        (lambda path: neardup.HammingStore.create(path, names=1), TypeError),
        (lambda path: neardup.HammingStore.create(path, recipe="words-5"), ValueError),
        (lambda path: neardup.HammingStore.create(path, recipe=7), TypeError),
        (lambda path: neardup.HammingStore.create(path).add([2**64]), ValueError),
        (lambda path: neardup.HammingStore.create(path).add([1], ids=[2**64 - 1]), ValueError),
        (lambda path: neardup.HammingStore.create(path).add([1], names=["a"]), ValueError),
        (lambda path: neardup.HammingStore.create(path).merge(0), ValueError),
        (lambda path: neardup.HammingStore.create(path).add(None), TypeError),
        (lambda path: neardup.HammingStore.create(path).remove("a"), TypeError),
        (lambda path: neardup.HammingStore.create(path).find_names("a"), TypeError),
        (lambda path: neardup.HammingStore.create(path).add([1], bulk=None), TypeError),
    ],
)
def test_wrong_arguments(make, error, tmp_path):
    with pytest.raises(error):
        make(tmp_path / "store")


def test_threads_add_ask_and_close(tmp_path):
    store = neardup.HammingStore.create(tmp_path / "store", max_distance=2)
    codes = clustered(4000, 64)
    problems = []

    def guarded(work):
        try:
            work()
        except neardup.UsageError as error:
            if "closed" not in str(error):
                problems.append(error)

    def add():
        for part in np.array_split(codes, 40):
            store.add(part)

    def ask():
        for _ in range(40):
            found = store.query_all(codes[:100], threads=2)
            if (found.distances > 2).any():
                problems.append(found)

    def change():
        for _ in range(10):
            store.flush()
            store.merge(2)
        store.close()

    workers = [threading.Thread(target=guarded, args=(work,)) for work in (add, add, ask, ask, change)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert problems == [] and store.closed
    neardup.HammingStore(tmp_path / "store").verify()
