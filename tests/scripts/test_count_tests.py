import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from xml.sax.saxutils import escape

from loading import load

count_tests = load("count_tests")

PASSED = '<testcase name="A.ok" status="run"><system-out>fine</system-out></testcase>'
FAILED = '<testcase name="A.bad" status="fail"><failure message=""/></testcase>'
GONE = '<testcase name="gone" status="notrun"><skipped message="Unable to find executable"/></testcase>'
SKIPPED = ('<testcase name="A.skip" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
           "<system-out>x.cc:3: Skipped\n[shared] no ../shared\n[  SKIPPED ] A.skip</system-out></testcase>")
PYTHON = ('<testcase name="cli.test_x" status="run"><system-out>test_a (test_x.X.test_a) ... ok\n'
          "test_b (test_x.X.test_b)\nThe first line. ... skipped '[shared] no ../shared'\n\nRan %d tests in 0.1s\n\nOK</system-out></testcase>")
PYTEST = ('<testcase name="python.test_x" status="run"><system-out>..sss [100%%]\n=== short test summary info ===\n'
          "SKIPPED [2] python/tests/needs.py:16: [shared] ../shared/data is missing\n"
          "SKIPPED [1] python/tests/test_x.py:20: %s\n2 passed, 3 skipped, 1 warning in 0.52s</system-out></testcase>")


# What unittest makes of it is printed by unittest itself.
CLASS = """
class {name}(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        {set_up}
    def test_one(self):
        pass
"""
SUBTESTS = """
class Parts(unittest.TestCase):
    def test_parts(self):
        \"\"\"The first (line).\"\"\"
        for part in range(3):
            with self.subTest("a message", part=part):
                if part > 0:
                    self.skipTest("[{tag}] part")
    def test_more(self):
        with self.subTest(part=(1, 2)):
            self.skipTest("[{tag}] more")
"""


class CountTests(unittest.TestCase):
    def run_on(self, *reports, arguments=("--allow", "shared")):
        with tempfile.TemporaryDirectory() as directory:
            paths = []
            for number, cases in enumerate(reports):
                paths.append(pathlib.Path(directory) / f"preset{number}" / "tests.xml")
                paths[-1].parent.mkdir()
                paths[-1].write_text(f"<testsuite>{cases}</testsuite>", encoding="utf-8")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                code = count_tests.main([*arguments, *map(str, paths)])
        return code, out.getvalue().splitlines()

    def test_all_passed(self):
        self.assertEqual(self.run_on(PASSED, PASSED), (0, ["", "2 passed, 0 failed, 0 skipped"]))

    def test_a_test_without_its_program_has_failed(self):
        code, lines = self.run_on(PASSED + FAILED + GONE)
        self.assertEqual((code, lines[-1]), (1, "1 passed, 2 failed, 0 skipped"))
        self.assertIn("FAILED: preset0: gone", lines)

    def test_the_end_of_the_output_of_a_failed_test(self):
        output = "".join(f"line {number}\n" for number in range(100)) + f"\n\tindented\x1b[31m red\x1b[0m\r\n{'x' * 1000}\n书库 &lt;\n\n"
        case = f'<testcase name="A.bad" status="fail"><failure message="Timeout"/><system-out>{output}</system-out></testcase>'
        case = case.replace("\x1b", "")  # ctest leaves it out too: XML cannot have it
        code, lines = self.run_on(PASSED + case)
        self.assertEqual(code, 1)
        self.assertEqual(lines[:3], ["", "the end of the output of preset0: A.bad (Timeout):", "    line 73"])
        self.assertEqual(lines[28:], ["    line 99", "    \tindented[31m red[0m", "    " + "x" * 300 + "…", "    书库 <", "", "FAILED: preset0: A.bad",
                                      "1 passed, 1 failed, 0 skipped"])
        self.assertEqual(count_tests.excerpt("a \x1b[1;31mred\x1b[0m\r\nb\x08\n"), ["a red", "b"])

    def test_only_what_failed_has_an_excerpt(self):
        code, lines = self.run_on(PASSED + FAILED + SKIPPED + GONE)
        self.assertEqual(lines, ["", "the end of the output of preset0: A.bad:", "    (it printed nothing)", "",
                                 "the end of the output of preset0: gone (Unable to find executable):", "    (it printed nothing)", "",
                                 "skipped: preset0: A.skip ([shared] no ../shared)", "FAILED: preset0: A.bad", "FAILED: preset0: gone",
                                 "1 passed, 2 failed, 1 skipped"])

    def test_of_unittest_the_tracebacks(self):
        case = self.unittest_case("class X(unittest.TestCase):\n    def test_a(self):\n        pass\n"
                                  "    def test_b(self):\n        self.assertEqual([1, 2], [1, 3], 'a reason')\n")
        _, lines = self.run_on(PASSED + case)
        self.assertEqual(lines[1:4], ["the end of the output of preset0: cli.test_x:", "    " + "=" * 70, "    FAIL: test_b (test_x.X.test_b)"])
        self.assertTrue(any("a reason" in line for line in lines), lines)
        self.assertFalse(any("... ok" in line for line in lines), lines)
        self.assertEqual(lines[-2:], ["FAILED: preset0: cli.test_x", "1 passed, 1 failed, 0 skipped"])

    def test_most_excerpts(self):
        code, lines = self.run_on(PASSED + FAILED * 13)
        self.assertEqual(sum(line.startswith("the end of the output of ") for line in lines), 10)
        self.assertIn("the output of 3 more failed tests is in the reports", lines)
        self.assertEqual((code, lines[-1]), (1, "1 passed, 13 failed, 0 skipped"))

    def test_excerpts_where_the_terminal_has_only_ascii(self):
        with tempfile.TemporaryDirectory() as directory:
            report = pathlib.Path(directory) / "tests.xml"
            report.write_text('<testsuite><testcase name="A.bad" status="fail"><system-out>书库</system-out></testcase></testsuite>', encoding="utf-8")
            run = subprocess.run([sys.executable, "-B", count_tests.__file__, report], env=os.environ | {"PYTHONIOENCODING": "ascii"}, capture_output=True, text=True)
        self.assertIn("    \\u4e66\\u5e93", run.stdout.splitlines(), run.stderr)
        self.assertEqual(run.stdout.splitlines()[-1], "0 passed, 1 failed, 0 skipped")

    def test_skips_are_named(self):
        code, lines = self.run_on(PASSED + SKIPPED + PYTHON % 2)
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 2 skipped"))
        self.assertIn("skipped: preset0: A.skip ([shared] no ../shared)", lines)
        self.assertIn("skipped: preset0: cli.test_x: test_b ([shared] no ../shared)", lines)

    def test_skips_of_pytest(self):
        code, lines = self.run_on(PASSED + PYTEST % "[shared] none")
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 3 skipped"))
        self.assertEqual(lines.count("skipped: preset0: python.test_x: python/tests/needs.py:16 ([shared] ../shared/data is missing)"), 2)
        code, lines = self.run_on(PASSED + PYTEST % "no reason that counts")
        self.assertEqual((code, lines[-1]), (1, "2 passed, 1 failed, 2 skipped"))
        code, lines = self.run_on(PASSED + (PYTEST % "[shared] none").replace("2 passed, 3", "4"))
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 3 skipped"))
        self.assertIn("FAILED: preset0: python.test_x: pytest reports 4 skipped, its output names 3", lines)
        code, lines = self.run_on(PASSED + (PYTEST % "[shared] none").replace("2 passed, ", ""))
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed, 3 skipped"))

    def test_a_skip_that_is_not_allowed_has_failed(self):
        for arguments in ((), ("--allow", "servers")):
            code, lines = self.run_on(PASSED + SKIPPED + PYTHON % 2, arguments=arguments)
            self.assertEqual((code, lines[-1]), (1, "2 passed, 2 failed, 0 skipped"))
            self.assertIn("FAILED: preset0: A.skip (skipped, which is not allowed here: [shared] no ../shared)", lines)
            self.assertIn("FAILED: preset0: cli.test_x: test_b (skipped, which is not allowed here: [shared] no ../shared)", lines)

    def test_a_disabled_test_or_an_untagged_skip_has_failed(self):
        for case in ('<testcase name="off" status="disabled"/>', SKIPPED.replace("[shared] ", "")):
            self.assertEqual(self.run_on(PASSED + case)[0], 1, case)

    def test_a_file_that_skipped_everything_has_not_passed(self):
        self.assertEqual(self.run_on(PASSED + PYTHON % 1)[1][-1], "1 passed, 0 failed, 1 skipped")

    def unittest_case(self, text):
        """A test case of ctest that ran this file."""
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / "test_x.py").write_text("import unittest\n" + text, encoding="utf-8")
            run = subprocess.run([sys.executable, "-B", "-m", "unittest", "-v", "test_x"], cwd=directory, capture_output=True, text=True)
        outcome, failure = ("run", "") if run.returncode == 0 else ("fail", "<failure/>")
        return f'<testcase name="cli.test_x" status="{outcome}">{failure}<system-out>{escape(run.stderr)}</system-out></testcase>'

    def test_a_skipped_class(self):
        skipping = CLASS.format(name="Skipped", set_up="raise unittest.SkipTest('[shared] no ../shared')")
        running = CLASS.format(name="Run", set_up="pass")
        for text, passed in ((skipping + running, 2), (skipping, 1)):  # PASSED, and the file unless nothing of it ran
            case = self.unittest_case(text)
            code, lines = self.run_on(PASSED + case)
            self.assertEqual((code, lines[-1]), (0, f"{passed} passed, 0 failed, 1 skipped"))
            self.assertIn("skipped: preset0: cli.test_x: setUpClass (test_x.Skipped) ([shared] no ../shared)", lines)
            code, lines = self.run_on(PASSED + case, arguments=())
            self.assertEqual((code, lines[-1]), (1, f"{passed} passed, 1 failed, 0 skipped"))

    def test_a_skipped_module(self):
        case = self.unittest_case("def setUpModule():\n    raise unittest.SkipTest('[servers] none')\n" + CLASS.format(name="X", set_up="pass"))
        code, lines = self.run_on(PASSED + case)
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))
        self.assertIn("FAILED: preset0: cli.test_x: setUpModule (test_x) (skipped, which is not allowed here: [servers] none)", lines)

    def test_a_class_that_fails_to_set_up_has_failed(self):
        case = self.unittest_case(CLASS.format(name="Broken", set_up="raise ValueError") + CLASS.format(name="Run", set_up="pass"))
        self.assertEqual(self.run_on(PASSED + case)[1][-1], "1 passed, 1 failed, 0 skipped")

    def test_skipped_subtests(self):
        code, lines = self.run_on(PASSED + self.unittest_case(SUBTESTS.format(tag="shared")))
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 3 skipped"))
        code, lines = self.run_on(PASSED + self.unittest_case(SUBTESTS.format(tag="other")))
        self.assertEqual((code, lines[-1]), (1, "2 passed, 3 failed, 0 skipped"))

    def test_a_skip_in_a_form_that_is_not_known_has_failed(self):
        case = (PYTHON % 2).replace("OK</", "OK (skipped=2)</")
        code, lines = self.run_on(PASSED + case)
        self.assertEqual((code, lines[-1]), (1, "2 passed, 1 failed, 1 skipped"))
        self.assertIn("FAILED: preset0: cli.test_x: unittest reports 2 skipped, its output names 1", lines)

    def test_output_that_ctest_cut_off_has_failed(self):
        """By ctest itself, whose default for a test that passed is 1 KiB."""
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / "CTestTestfile.cmake").write_text('add_test(many "seq" "1000")\n', encoding="utf-8")
            for more, outcome in (([], (1, "2 passed, 1 failed, 0 skipped")),
                                  (["--test-output-size-passed", "10000"], (0, "2 passed, 0 failed, 0 skipped"))):
                report = root / "report.xml"
                subprocess.run(["ctest", "--output-junit", report, *more], cwd=root, check=True, capture_output=True)
                case = report.read_text(encoding="utf-8").split("<testcase", 1)[1].rsplit("</testsuite>", 1)[0]
                code, lines = self.run_on(PASSED + "<testcase" + case)
                self.assertEqual((code, lines[-1]), outcome)

    def test_nothing_passed_is_a_failure(self):
        self.assertEqual(self.run_on(SKIPPED)[0], 1)
        self.assertEqual(self.run_on("")[0], 1)

    def test_a_missing_or_broken_report_is_a_failure(self):
        code, lines = self.run_on(PASSED, "<", arguments=["/nonexistent.xml"])
        self.assertEqual((code, lines[-1]), (1, "1 passed, 2 failed, 0 skipped"))

    def test_other_checks_count(self):
        self.assertEqual(self.run_on(PASSED, arguments=["--check", "formatting=failed"])[0], 1)
        self.assertEqual(self.run_on(PASSED, arguments=["--check", "formatting=passed"])[1][-1], "2 passed, 0 failed, 0 skipped")


if __name__ == "__main__":
    unittest.main()
