"""The Python blocks of docs/python.md do what the page says, and so do those of the other pages."""

import importlib.util
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("check_docs", ROOT / "scripts" / "check_docs.py")
check_docs = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_docs)

PAGES = {page.relative_to(ROOT).as_posix(): page for page in check_docs.pages(ROOT) if "```python test" in page.read_text(encoding="utf-8")}


@pytest.mark.parametrize("name", PAGES)
def test_the_blocks_of_a_page(name, tmp_path):
    session = check_docs.PythonSession(sys.executable, tmp_path)
    problems, previous, samples = [], None, 0
    for number, info, text in check_docs.split(PAGES[name].read_text(encoding="utf-8")):
        if info is None:
            previous = None if text.strip() else previous
            continue
        problem = None
        if info == "python test":
            problem = session.run(text)
        elif info == "text" and previous == "python test":
            problem = check_docs.sample_problem(text, session.printed)
            samples += 1
        if problem:
            problems.append(f"{name}:{number}: {problem}")
        previous = info
    session.close()
    assert not problems, "\n".join(problems)
    assert samples > 0 or name != "docs/python.md"


def test_every_python_block_of_the_page_is_run():
    blocks = [
        info
        for _, info, _ in check_docs.split((ROOT / "docs" / "python.md").read_text(encoding="utf-8"))
        if info and info.startswith("python")
    ]
    assert blocks and set(blocks) == {"python test", "python service"}, "the latter in test_service.py"


def test_a_wrong_block_is_noticed(tmp_path):
    session = check_docs.PythonSession(sys.executable, tmp_path)
    assert session.run("number = 5\nprint(number)") is None and check_docs.sample_problem("5\n", session.printed) is None
    assert check_docs.sample_problem("6\n", session.printed) is not None
    assert "NameError" in session.run("print(unknown)") and session.run("print(number)") is None
    assert "the interpreter ended" in session.run("import os; os._exit(1)")
    session.close()
