"""ClueIndex: the answers of `neardup search --json`; a search in every text is the twin."""

import json
import threading

import neardup
import pytest
from corpus import texts
from hypothesis import given
from hypothesis import strategies as st
from program import needs_program, rounded, run, write_jsonl

TEXTS = [text for text in texts() if "\ud800" not in text]
CLUES = [
    TEXTS[8][:40],
    TEXTS[13][10:30],
    "stone window morning",
    TEXTS[7].upper(),
    "nowhere in any of the texts at all",
    TEXTS[12][3:25],
    "!!!",
    "",
    TEXTS[9][:60].replace("e", "3", 2),
]
OPTIONS = [
    {},
    {"limit": 2},
    {"count": True},
    {"edits": "10%"},
    {"edits": 0.3, "max_candidates": 5},
    {"resembles": True, "threshold": 0.4},
    {"resembles": True, "measure": "jaccard", "threshold": 0.2, "limit": 3},
    {"scan": True},
    {"scan": True, "edits": 0.2},
    {"explain": True},
]
SIX_DIGITS = ("predicted_recall", "similarity")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("clue") / "index"
    neardup.ClueIndex.build(path, TEXTS, [f"d{row}" for row in range(len(TEXTS))]).close()
    return path


@pytest.fixture(scope="module")
def index(folder):
    return neardup.ClueIndex(folder)


def flags(options):
    for name, value in options.items():
        yield f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}")


def same(ours, theirs):
    """Every member that the program prints has the value that we have; `id` there is our name."""
    for name, value in theirs.items():
        if name in ("query", "hits"):
            continue
        mine = ours["name"] if name == "id" else ours[name]
        if isinstance(value, float):
            mine = rounded(mine, 6) if len(repr(value)) < 10 else rounded(mine, 9)
        assert mine == value, name


@needs_program
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_answers_equal_those_of_the_program(options, folder, index, tmp_path):
    clues = write_jsonl(tmp_path / "clues.jsonl", CLUES)
    theirs = [json.loads(line) for line in run("search", folder, clues, "--json", "-q", *flags(options)).splitlines()]
    ours = index.search_all(CLUES, **options)
    assert len(ours) == len(theirs) == len(CLUES)
    found = 0
    for answer, expected in zip(ours, theirs, strict=True):
        if "problem" in expected:
            assert answer.problem == expected["problem"]
            continue
        assert answer.problem is None
        same(vars(answer), expected)
        hits = expected.get("hits", [])
        assert len(answer.hits) == len(hits)
        found += len(hits) + answer.count
        for hit, line in zip(answer.hits, hits, strict=True):
            same(vars(hit), line)
            assert TEXTS[hit.id][hit.begin_character : hit.end_character] == hit.passage
            assert TEXTS[hit.id].encode()[hit.begin : hit.end].decode() == hit.passage
    assert found > 3


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_one_clue_has_the_answer_of_many(options, index):
    for clue, answer in zip(CLUES, index.search_all(CLUES, **options), strict=True):
        if answer.problem is not None:
            with pytest.raises(neardup.UsageError):
                index.search(clue, **options)
        else:
            assert index.search(clue, **options) == answer


@given(st.integers(5, len(TEXTS) - 1), st.integers(0, 200), st.integers(23, 60))
def test_passages_are_found_in_every_text_that_has_them(index, row, begin, length):
    clue = TEXTS[row][begin : begin + length]
    if len(clue) < 23 or not clue.isascii() or clue.strip() != clue:
        return
    answer = index.search(clue, limit=1000)
    assert answer.certainty == "exact" and not answer.more
    plain = " ".join(clue.lower().split())
    assert [hit.id for hit in answer] == [i for i, text in enumerate(TEXTS) if plain in " ".join(text.lower().split())]


@needs_program
def test_an_index_of_the_program_is_one_of_ours(tmp_path):
    corpus = write_jsonl(tmp_path / "corpus.jsonl", TEXTS)
    run("index", "build", tmp_path / "theirs", corpus, "--kind", "clue", "-q")
    run("index", "build", tmp_path / "refers", corpus, "--kind", "clue", "--texts", "refer", "-q")
    theirs, refers = neardup.ClueIndex(tmp_path / "theirs"), neardup.ClueIndex(tmp_path / "refers")
    ours = neardup.ClueIndex.build(tmp_path / "ours", TEXTS, [f"d{row}" for row in range(len(TEXTS))], threads=2)
    asked = [clue for clue in CLUES if clue]
    assert ours.search_all(asked, edits=0.1) == theirs.search_all(asked, edits=0.1) == refers.search_all(asked, edits=0.1)
    assert ours.stat()["texts"] == theirs.stat()["texts"] == len(TEXTS)
    assert theirs.text(9) == TEXTS[9] and refers.text(9) == TEXTS[9] and ours.name(9) == "d9" and ours.text(10**6) is None
    ours.close()
    files = [sorted((tmp_path / name).glob("segment-*")) for name in ("ours", "theirs")]
    assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]


def test_threads_do_not_change_an_index(tmp_path):
    many = TEXTS * 60
    for threads in (1, 2, 5):
        neardup.ClueIndex.build(tmp_path / f"index{threads}", many, threads=threads).close()
    segments = [[path.read_bytes() for path in sorted((tmp_path / f"index{threads}").glob("segment-*"))] for threads in (1, 2, 5)]
    assert segments[0] == segments[1] == segments[2]


def test_changes(tmp_path):
    with neardup.ClueIndex.create(tmp_path / "index", min_run=16, fold_han=True) as index:
        assert index.add(["one passage that is long enough", "another passage that is long enough"], ["a", "b"]).tolist() == [0, 1]
        assert index.add(["a passage that is long enough, too"]).tolist() == [2]
        clue = "passage that is long enough"
        assert [(hit.id, hit.name) for hit in index.search(clue)] == [(0, "a"), (1, "b"), (2, "0")]
        index.remove(1)
        assert [hit.id for hit in index.search(clue)] == [0, 2] and bool(index.search(clue)) and len(index.search(clue)) == 2
        assert index.stat()["texts"] == 3
        index.merge()
        assert index.stat()["texts"] == 2 and len(index.stat()["segments"]) == 1
        positions, ids = index.find_names(["b", "a"])
        assert (positions.tolist(), ids.tolist()) == ([1], [0])
        index.verify()
        assert (index.min_run, index.fold_han) == (16, True) and index.min_run_wide < 16
        index.remove([0])
    reader = neardup.ClueIndex(tmp_path / "index")
    assert [hit.id for hit in reader.search(clue)] == [2]
    with pytest.raises(neardup.UsageError, match="reading"):
        reader.remove(2)
    with pytest.raises(neardup.UsageError):
        reader.add(["text"])


def test_traditional_characters_match_simplified_ones(tmp_path):
    index = neardup.ClueIndex.build(tmp_path / "index", ["我們在學校裡學習歷史和語言文學課程"], fold_han=True)
    assert index.search("我们在学校里学习历史和语言文学").hits[0].passage == "我們在學校裡學習歷史和語言文學"


def test_after_an_error_nothing_is_added(tmp_path):
    with neardup.ClueIndex.create(tmp_path / "index") as index:
        index.add(["first text"])
        for wrong in (["a", None], "text", None, [1]):
            with pytest.raises(TypeError, match="texts"):
                index.add(wrong)
        with pytest.raises(neardup.UsageError, match="names: 1 for 2 texts"):
            index.add(["a", "b"], ["x"])
        with pytest.raises(TypeError, match="names"):
            index.add(["a"], [1])
        assert index.stat()["texts"] == 1
        with pytest.raises(neardup.OutputError):
            neardup.ClueIndex(tmp_path / "index", "w")
    with pytest.raises(neardup.OutputError):
        neardup.ClueIndex.create(tmp_path / "index")
    with pytest.raises(neardup.InputError):
        neardup.ClueIndex(tmp_path / "other")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"edits": 0}, ValueError, "edits"),
        ({"edits": 0.51}, ValueError, "edits"),
        ({"edits": "x%"}, ValueError, "edits"),
        ({"edits": []}, TypeError, "edits"),
        ({"edits": True}, TypeError, "edits"),
        ({"edits": float("nan")}, ValueError, "edits"),
        ({"edits": 0.1, "resembles": True}, ValueError, "cannot be combined"),
        ({"threshold": 0.5}, ValueError, "requires resembles"),
        ({"measure": "jaccard"}, ValueError, "requires resembles"),
        ({"resembles": True, "measure": "cosine"}, ValueError, "measure"),
        ({"resembles": True, "threshold": 0}, ValueError, "threshold"),
        ({"resembles": 1}, TypeError, "resembles"),
        ({"limit": 0}, ValueError, "limit"),
        ({"limit": 1.5}, TypeError, "limit"),
        ({"limit": 3, "count": True}, ValueError, "limit"),
        ({"scan": True, "max_candidates": 5}, ValueError, "max_candidates"),
        ({"max_candidates": 0}, ValueError, "max_candidates"),
        ({"threads": -1}, ValueError, "threads"),
        ({"scan": "yes"}, TypeError, "scan"),
    ],
)
def test_wrong_options(options, error, message, index):
    for ask in (lambda: index.search("some clue", **options), lambda: index.search_all(["some clue"], **options)):
        with pytest.raises(error, match=message):
            ask()


@pytest.mark.parametrize("clue", [None, 5, b"text", ["a"]])
def test_a_clue_must_be_a_str(clue, index):
    with pytest.raises(TypeError, match="clue must be a str"):
        index.search(clue)


def test_a_closed_index(tmp_path):
    index = neardup.ClueIndex.build(tmp_path / "index", TEXTS)
    index.close()
    index.close()
    assert index.closed and "closed" in repr(index)
    for call in (
        lambda: index.search("clue"),
        lambda: index.search_all(["clue"]),
        lambda: index.add(["a"]),
        lambda: index.remove([1]),
        index.flush,
        index.merge,
        index.verify,
        index.stat,
        lambda: index.text(1),
        lambda: index.name(1),
        lambda: index.find_names(["a"]),
    ):
        with pytest.raises(neardup.UsageError, match="is closed"):
            call()


def test_threads_add_ask_and_close(tmp_path):
    index = neardup.ClueIndex.create(tmp_path / "index")
    problems = []

    def guarded(work):
        try:
            work()
        except neardup.UsageError as error:
            if "closed" not in str(error):
                problems.append(error)

    def ask():
        for _ in range(30):
            for answer in index.search_all(CLUES[:5], threads=2):
                problems.extend(hit for hit in answer if hit.passage.lower() not in TEXTS[hit.id % len(TEXTS)].lower())

    def change():
        for _ in range(5):
            index.merge()
        index.close()

    workers = [threading.Thread(target=guarded, args=(work,)) for work in (lambda: [index.add(TEXTS) for _ in range(8)], ask, ask, change)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert problems == [] and index.closed
    neardup.ClueIndex(tmp_path / "index").verify()
