"""compare() and align(): the numbers of `neardup compare --json`, and what every alignment has."""

import json
import re

import neardup
import pytest
from corpus import texts
from hypothesis import given
from hypothesis import strategies as st
from program import needs_program, rounded, run_json

TEXTS = [text for text in texts() if text and "\ud800" not in text]
PAIRS = [(TEXTS[i], TEXTS[j]) for i, j in [(4, 5), (8, 13), (0, 0), (1, 20), (30, 31), (7, 9), (0, 40)]] + [
    ("The quick brown fox jumps over the lazy dog, and on.", "The quick brown fox jumped over 12 lazy dogs, and on!"),
    ("今天天气很好，我们去公园散步。", "今天天气真好，我们去公园跑步。"),
    ("Straße  ＡＢＣ one two three four", "strasse abc one two three four"),
    (" ".join(f"w{i}" for i in range(100)), " ".join(f"w{i}" for i in range(3, 100))),
]
EXACT = (
    "exact_copy",
    "match",
    "common",
    "union",
    "equal_lanes",
    "lanes",
    "bands",
    "rows_per_band",
    "passages_skipped",
    "a_in_b",
    "b_in_a",
    "bits",
    "distance",
    "max_distance",
    "words_in_all",
    "differing_bits",
    "threshold",
    "numbers_differ",
)
NINE_DIGITS = ("jaccard", "containment_a", "containment_b", "cosine", "estimate", "estimate_low", "estimate_high", "found_probability")


@needs_program
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"threshold": 0.3},
        {"recipe": "chars-5", "measure": "containment", "min_contained": 3},
        {"bands": 10, "rows_per_band": 4},
        {"recipe": "simhash-words-3", "max_distance": 12},
        {"recipe": "simhash-chars-3"},
        {"recipe": "record-chars-2"},
        {"recipe": "python-simhash-text"},
    ],
    ids=str,
)
@pytest.mark.parametrize("pair", range(len(PAIRS)))
def test_every_number_equals_that_of_the_program(options, pair):
    a, b = PAIRS[pair]
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    theirs = run_json("compare", f"--text-a={a}", f"--text-b={b}", "--json", *words)
    ours = neardup.compare(a, b, presets=True, **options)
    for name in EXACT:
        if name in theirs:
            assert getattr(ours, name) == theirs[name], name
    for name in NINE_DIGITS:
        if name in theirs:
            assert rounded(getattr(ours, name), 9) == theirs[name], name
    for side in "ab":
        assert vars(getattr(ours, side)) == {name: value for name, value in theirs[side].items() if name != "name"}
    assert [{"tokens": tokens, "text": text} for tokens, text in ours.passages] == theirs["passages"]
    assert (ours.recipe.name, ours.recipe.id) == (theirs["recipe"], theirs["recipe_id"])
    if "weighted_cosine" in theirs:
        assert ours.weighted_cosine == theirs["weighted_cosine"]
        digits = theirs["bits"] // 4
        for side in "ab":
            code = getattr(ours, f"fingerprint_{side}")
            assert theirs[f"fingerprint_{side}"] == (None if code is None else f"{code:0{digits}x}")
        assert [word._asdict() for word in ours.words] == theirs["words"]
    if theirs["presets"]:
        assert json.loads(json.dumps(ours.presets), parse_float=lambda text: rounded(float(text), 9)) == theirs["presets"]
    check_alignment(ours.differences, theirs)


def check_alignment(ours, theirs):
    assert ours.coarse == theirs["coarse"]
    assert {kind: count._asdict() for kind, count in ours.changes.items()} == {
        kind: count for kind, count in theirs["changes"].items() if count["changes"]
    }
    assert len(ours.parts) == len(theirs["parts"])
    for part, expected in zip(ours.parts, theirs["parts"], strict=True):
        assert (part.kind, part.change) == (expected["kind"], expected.get("change"))
        for side in "ab":
            place = (getattr(part, f"{side}_begin"), getattr(part, f"{side}_end"))
            assert place == (expected[side]["char_begin"], expected[side]["char_end"])
            if part.kind == "changed":
                assert getattr(part, side) == expected[side]["text"]


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    st.booleans(),
)
def test_parts_are_both_texts_without_gaps(a, b, join):
    alignment = neardup.align(a, b, join_changes=join)
    assert "".join(part.a for part in alignment.parts) == a and "".join(part.b for part in alignment.parts) == b
    for part in alignment.parts:
        assert a[part.a_begin : part.a_end] == part.a and b[part.b_begin : part.b_end] == part.b
    assert "summary" not in repr(alignment) and alignment.summary() in repr(alignment)


def test_a_change_is_shown():
    alignment = neardup.align("one two 33 four <b>", "one two 44 four <b>")
    assert alignment.changes == {"digits": (1, 2)} and alignment.summary() == "1 change: digits 1"
    assert alignment.excerpt == "one two [-33-]{+44+} four <b>"
    page = re.sub(r" style='[^']*'", "", alignment._repr_html_())
    assert "one two <del>33</del><ins>44</ins> four &lt;b&gt;" in page
    marks = neardup.align("a list of [-signs-] and {+more+}", "a list of [-signs-] and {+more+} here")._repr_html_()
    assert "[-signs-] and {+more+}" in marks and "<del" not in marks  # marks that texts have themselves
    assert neardup.align("same", "same").summary() == "none"


def test_a_comparison_is_readable():
    shown = repr(neardup.compare(*PAIRS[-1]))
    assert "recipe words-5" in shown and "they match at threshold 0.8" in shown and "shared, 97 tokens" in shown and "1 change" in shown
    assert "too short" in repr(neardup.compare("a", "b"))
    page = neardup.compare("<b> one two three four five six", "<b> one two three four five seven", recipe="simhash-words-3")._repr_html_()
    assert "&lt;b&gt;" in page and "<b>" not in page and "of 64 bits" in page
    contained = neardup.compare(*PAIRS[-1], measure="containment")
    assert contained.b_in_a and not contained.a_in_b or contained.verdict().startswith("each")


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((None, "b"), {}, TypeError, "a must be a str, not NoneType"),
        (("a", b"b"), {}, TypeError, "b must be a str, not bytes"),
        (("a", "b"), {"threshold": 2}, ValueError, "threshold"),
        (("a", "b"), {"threshold": 0.1234567}, ValueError, "threshold"),
        (("a", "b"), {"threshold": None}, None, ""),
        (("a", "b"), {"threshold": "0.7"}, None, ""),
        (("a", "b"), {"threshold": []}, ValueError, "threshold"),
        (("a", "b"), {"threshold": object()}, TypeError, "threshold: expected a string, a number"),
        (("a", "b"), {"max_distance": -1}, ValueError, "max_distance"),
        (("a", "b"), {"max_distance": 10**30}, ValueError, "max_distance"),
        (("a", "b"), {"thresold": 1}, ValueError, "did you mean 'threshold'"),
        (("a", "b"), {"passages": -1}, ValueError, "passages: expected 0"),
        (("a", "b"), {"words": "3"}, TypeError, "words: expected a whole number"),
        (("a", "b"), {"presets": 1}, TypeError, "presets: expected True or False"),
        (("a", "b"), {"recipe": 3}, TypeError, "recipe: "),
        (("a", "b"), {"threshold": float("nan")}, ValueError, "threshold"),
        (("a", "b"), {"threshold": 1e-6}, None, ""),
    ],
)
def test_wrong_arguments(arguments, options, error, message):
    if error is None:
        assert neardup.compare(*arguments, **options).match is False
        return
    with pytest.raises(error, match=message):
        neardup.compare(*arguments, **options)
