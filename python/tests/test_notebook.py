"""The example notebooks run, and their stored outputs are what they print."""

import json
import pathlib

import notebook
import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).resolve().parents[2] / "examples").glob("*.ipynb"))


def test_there_is_one():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_outputs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = list(notebook.run(json.loads(path.read_text(encoding="utf-8"))))
    assert any(outputs for _, outputs in cells)
    for cell, outputs in cells:
        stored = [{name: value for name, value in output.items() if name != "execution_count"} for output in cell["outputs"]]
        assert outputs == stored, "".join(cell["source"])
