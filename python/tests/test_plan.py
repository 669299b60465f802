"""plan(): the members of `neardup plan --json`."""

import neardup
import pytest
from program import needs_program, rounded, run_json

MEASURED = {"seconds", "sketch_seconds", "group_seconds", "features_seconds", "disk_seconds"}  # on this machine, anew each time


def equal(ours, theirs, digits=6):
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for name in theirs:
            if name in MEASURED:
                assert ours[name] > 0 and theirs[name] > 0
            else:
                equal(ours[name], theirs[name], digits if name != "bytes_per_code" else None)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            equal(mine, other, digits)
    elif isinstance(theirs, float) or isinstance(ours, float):
        assert (round(ours, 2) if digits is None else rounded(ours, digits)) == theirs
    else:
        assert ours == theirs


@needs_program
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"threshold": 0.7},
        {"threshold": 0.95, "miss_probability": 0.0001},
        {"bands": 20, "rows_per_band": 6},
        {"recipe": "chars-5", "threshold": 0.1},
        {"recipe": "simhash-words-3"},
        {"recipe": "simhash-words-3", "max_distance": 6},
        {"search": "exact"},
        {"documents": 1000000, "recipe": "words-5", "threads": 2, "memory": "1G"},
        {"documents": 10**7, "text_bytes": 2000, "memory": 10**9, "threads": 1},
        {"documents": 10**9},
        {"documents": 5e7, "bits": 128, "distance": 7, "budget": 1e9},
        {"documents": 10**6, "use": "self-join", "distance": 4},
        {"documents": 10**8, "bytes_per_code": 60},
        {"documents": 1000},
    ],
    ids=str,
)
def test_every_number_equals_that_of_the_program(options):
    words = [
        f"--{'for' if name == 'use' else name.replace('_', '-')}={value:.0f}"
        if isinstance(value, float) and value > 1
        else f"--{'for' if name == 'use' else name.replace('_', '-')}={value}"
        for name, value in options.items()
    ]
    ours = neardup.plan(**{name: value for name, value in options.items() if name != "budget"})
    equal(ours, run_json("plan", "--json", *words))


def test_this_machine_can_be_measured():
    measured, assumed = neardup.plan(documents=10**8, measure_machine=True), neardup.plan(documents=10**8, measure_machine=False)
    assert measured["tables"] == assumed["tables"] and measured["query_us"] != assumed["query_us"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"documents": 0}, ValueError, "documents: expected 1"),
        ({"documents": 1.5}, ValueError, "whole number"),
        ({"documents": float("inf")}, ValueError, "whole number"),
        ({"documents": "5"}, TypeError, "documents"),
        ({"documents": 10**13}, ValueError, "documents"),
        ({"bits": 64}, ValueError, "documents is missing"),
        ({"text_bytes": 5}, ValueError, "documents is missing"),
        ({"documents": 5, "bits": 65}, ValueError, "bits: expected 64 or 128"),
        ({"documents": 5, "distance": 65}, ValueError, "distance"),
        ({"documents": 5, "use": "joins"}, ValueError, "use"),
        ({"documents": 5, "bytes_per_code": 0}, ValueError, "bytes_per_code"),
        ({"documents": 5, "bytes_per_code": "a"}, TypeError, "bytes_per_code"),
        ({"documents": 5, "bits": 64, "threshold": 0.5}, ValueError, "cannot be combined"),
        ({"documents": 5, "recipe": "simhash-words-3"}, ValueError, "makes fingerprints"),
        ({"documents": 5, "search": "exact"}, ValueError, "only 'lsh'"),
        ({"treshold": 0.5}, ValueError, "did you mean 'threshold'"),
        ({"keep": "first"}, ValueError, "has no option 'keep'"),
        ({"threshold": "x"}, ValueError, "threshold"),
        ({"bands": 3}, ValueError, "rows"),
        ({"recipe": 5}, TypeError, "recipe"),
        ({"documents": 5, "measure_machine": 1}, TypeError, "measure_machine"),
    ],
)
def test_wrong_arguments(options, error, message):
    with pytest.raises(error, match=message):
        neardup.plan(**options)
