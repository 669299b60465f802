"""The Python blocks of docs/spark.md do what the page says. They run in order, as in one program, in the session of all tests."""

import contextlib
import importlib.util
import io
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
SPEC = importlib.util.spec_from_file_location("check_docs", ROOT / "scripts" / "check_docs.py")
check_docs = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_docs)


def test_the_blocks_of_the_page(spark):
    names, printed, previous, samples = {"__name__": "__main__"}, "", None, 0
    for number, info, text in check_docs.split((ROOT / "docs" / "spark.md").read_text(encoding="utf-8")):
        if info is None:
            previous = None if text.strip() else previous
            continue
        if info == "python spark":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, f"docs/spark.md:{number}", "exec"), names)
            printed = out.getvalue()
        elif info == "text" and previous == "python spark":
            problem = check_docs.sample_problem(text, printed)
            assert problem is None, f"docs/spark.md:{number}: {problem}"
            samples += 1
        previous = info
    assert samples >= 4
