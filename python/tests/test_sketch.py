"""Sketcher: the arrays of `neardup sketch`, and their properties."""

import json
import pickle
import sys
import threading

import jieba.analyse
import neardup
import numpy as np
import pytest
from corpus import texts
from program import needs_program, run, run_json, write_jsonl

TEXTS = texts()
WIDE = json.dumps({**json.loads(neardup.recipe("simhash-words-3").canonical_json), "sketch": {"kind": "simhash_v1", "bits": 128}})
RECIPES = ["words-5", "chars-5", "record-chars-2", "code-5", "simhash-words-3", "simhash-chars-3", "python-simhash-text", WIDE]


def name_of(recipe):
    return "128 bits" if recipe is WIDE else recipe


@needs_program
@pytest.mark.parametrize("recipe", RECIPES, ids=name_of)
def test_arrays_and_hashes_equal_those_of_the_program(recipe, tmp_path):
    corpus = write_jsonl(tmp_path / "corpus.jsonl", TEXTS)
    run("sketch", corpus, "--recipe", recipe, "-o", tmp_path / "sketches.npy", "-q")
    run("sketch", corpus, "--recipe", recipe, "-o", tmp_path / "sketches.jsonl", "-q")
    lines = [json.loads(line) for line in (tmp_path / "sketches.jsonl").read_text().splitlines()]
    made = neardup.Sketcher(recipe).sketch(TEXTS)
    expected = np.load(tmp_path / "sketches.npy")
    ours = made.signatures if made.fingerprints is None else made.fingerprints
    assert ours.dtype == expected.dtype and np.array_equal(ours, expected)
    assert [f"{high:016x}{low:016x}" for low, high in made.exact.tolist()] == [line["exact"] for line in lines]
    assert made.too_short.tolist() == [line["too_short"] for line in lines]
    assert made.too_short.any() and not made.too_short.all()
    assert made.recipe.id == lines[0]["recipe_id"]


@pytest.mark.parametrize("recipe", RECIPES, ids=name_of)
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_do_not_change_the_result(recipe, threads):
    sketcher = neardup.Sketcher(recipe)
    many = TEXTS * 20
    one, more = sketcher.sketch(many, threads=1), sketcher.sketch(many, threads=threads)
    for name in ("signatures", "fingerprints", "exact", "too_short"):
        first, second = getattr(one, name), getattr(more, name)
        assert (first is None and second is None) or np.array_equal(first, second)


def test_arrays_belong_to_the_caller():
    made = neardup.Sketcher().sketch(TEXTS)
    for array in (made.signatures, made.exact, made.too_short):
        assert array.flags.writeable and array.flags.c_contiguous and not array.flags.owndata
        array.flat[0] = 1  # the memory is alive
    assert sys.getrefcount(made.signatures.base) >= 2


def test_one_fingerprint_is_the_number_of_the_array():
    for recipe in ("simhash-words-3", WIDE):
        sketcher = neardup.Sketcher(recipe)
        for text in TEXTS[5:9]:
            row = np.atleast_1d(sketcher.sketch([text]).fingerprints[0]).tolist()
            assert sketcher.fingerprint(text) == sum(word << 64 * place for place, word in enumerate(row))
    assert neardup.Sketcher("simhash-words-3").fingerprint("") is None
    with pytest.raises(neardup.UsageError, match="makes MinHash signatures"):
        neardup.Sketcher().fingerprint("one two three")


def naive_shingles(tokens, size):
    return {" ".join(tokens[i : i + size]) for i in range(len(tokens) - size + 1)}


def test_signatures_estimate_the_similarity_of_the_features():
    sketcher = neardup.Sketcher()
    a = " ".join(f"w{i}" for i in range(400))
    b = " ".join(f"w{i}" for i in range(40, 440))
    first, second = (naive_shingles(text.split(), 5) for text in (a, b))
    jaccard = len(first & second) / len(first | second)
    rows = sketcher.sketch([a, b]).signatures
    assert abs((rows[0] == rows[1]).mean() - jaccard) < 4 * (jaccard * (1 - jaccard) / 128) ** 0.5
    assert len(sketcher.features(a)) == len(first)
    assert len(np.intersect1d(sketcher.features(a), sketcher.features(b))) == len(first & second)


def test_the_steps_of_a_sketch():
    sketcher = neardup.Sketcher("words-5")
    assert sketcher.normalize("ＡＢＣ  Straße\n") == "abc strasse"
    assert sketcher.tokenize("Two words, 中文!") == ["two", "words", "中", "文"]
    assert sketcher.words("a b c d e f") == [("a b c d e", 1), ("b c d e f", 1)]
    assert sketcher.features("a b c").size == 0 and sketcher.words("a b c") == []


def test_weights_of_keywords_are_those_of_jieba():
    sketcher = neardup.Sketcher("simhash-jieba-30")
    text = "我来到北京清华大学，今天天气很好，我们去公园散步，公园里有很多花。"
    theirs = jieba.analyse.extract_tags(text, topK=30, withWeight=True)
    ours = dict(sketcher.words(text))
    assert ours.keys() == {word for word, _ in theirs}
    assert all(abs(ours[word] - weight) < 2**-15 for word, weight in theirs)


@needs_program
def test_recipes_have_the_ids_of_the_program():
    for name in neardup.presets():
        try:
            recipe = neardup.recipe(name)
        except neardup.Error:
            continue  # its dictionary is missing
        assert f"{name} " in run("recipe", "--list") and recipe.id in run("recipe", name)
        assert json.loads(recipe.canonical_json) == run_json("recipe", name, "--json")
    assert len(neardup.presets()) == len(run("recipe", "--list").splitlines())


def test_sketchers_go_to_other_processes():
    sketcher = pickle.loads(pickle.dumps(neardup.Sketcher("simhash-words-3")))
    assert sketcher.recipe.id == neardup.recipe("simhash-words-3").id
    sketches = pickle.loads(pickle.dumps(sketcher.sketch(TEXTS)))
    assert np.array_equal(sketches.fingerprints, sketcher.sketch(TEXTS).fingerprints) and sketches.recipe == sketcher.recipe


def test_recipes_compare_by_id(tmp_path):
    (tmp_path / "mine.json").write_text(neardup.recipe("words-5").canonical_json)
    assert (
        neardup.recipe("words-5") == neardup.recipe(tmp_path / "mine.json") == neardup.recipe(json.loads(neardup.recipe().canonical_json))
    )
    assert len({neardup.recipe("words-5"), neardup.recipe(tmp_path / "mine.json"), neardup.recipe("chars-5")}) == 2
    three = neardup.recipe("words-5", shingle={"size": 3})
    assert three != neardup.recipe("words-5") and len(neardup.Sketcher(three).features("a b c d")) == 2
    assert neardup.recipe("words-5", shingle={"size": 5}) == neardup.recipe("words-5")
    assert neardup.recipe("words-5") != "words-5"


@pytest.mark.parametrize(
    ("recipe", "error"),
    [
        (None, TypeError),
        (5, TypeError),
        (["words-5"], TypeError),
        ("no such", ValueError),
        ("", ValueError),
        ({}, ValueError),
        ({"tokenizer": object()}, TypeError),
        ("{", ValueError),
        ("a\0b", ValueError),
    ],
)
def test_wrong_recipes(recipe, error):
    with pytest.raises(error):
        neardup.Sketcher(recipe)


@pytest.mark.parametrize(
    ("threads", "error"), [(-1, ValueError), (1025, ValueError), (1.0, TypeError), ("2", TypeError), (True, TypeError), (None, TypeError)]
)
def test_wrong_threads(threads, error):
    with pytest.raises(error, match="threads: "):
        neardup.Sketcher().sketch(["a"], threads=threads)


@pytest.mark.parametrize("wrong", [None, 5, b"text", ["a"]])
def test_one_text_must_be_a_str(wrong):
    sketcher = neardup.Sketcher()
    for method in (sketcher.normalize, sketcher.tokenize, sketcher.features, sketcher.words):
        with pytest.raises(TypeError, match="text must be a str"):
            method(wrong)


def test_several_threads_of_python_share_a_sketcher():
    sketcher = neardup.Sketcher("simhash-words-3")
    expected = sketcher.sketch(TEXTS).fingerprints
    failures = []

    def work():
        for row in range(len(TEXTS)):
            if sketcher.sketch([TEXTS[row]]).fingerprints[0] != expected[row] or not isinstance(sketcher.tokenize(TEXTS[row]), list):
                failures.append(row)
        if not np.array_equal(sketcher.sketch(TEXTS * 10, threads=2).fingerprints[: len(TEXTS)], expected):
            failures.append("all")

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []


def test_a_list_may_change_while_it_is_sketched():
    sketcher = neardup.Sketcher()
    shared = [" ".join(f"word{i}{j}" for j in range(200)) for i in range(3000)]
    expected = sketcher.sketch(list(shared)).signatures
    stop = threading.Event()

    def change():
        while not stop.is_set():
            shared[0] = " ".join(["other"] * 200)
            shared.append("one more")
            shared.pop()

    worker = threading.Thread(target=change)
    worker.start()
    made = sketcher.sketch(shared).signatures
    stop.set()
    worker.join()
    assert np.array_equal(made[1:3000], expected[1:])
