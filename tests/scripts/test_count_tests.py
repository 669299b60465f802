import contextlib
import io
import pathlib
import tempfile
import unittest

from loading import load

count_tests = load("count_tests")

PASSED = '<testcase name="A.ok" status="run"><system-out>fine</system-out></testcase>'
FAILED = '<testcase name="A.bad" status="fail"><failure message=""/></testcase>'
GONE = '<testcase name="gone" status="notrun"><skipped message="Unable to find executable"/></testcase>'
SKIPPED = ('<testcase name="A.skip" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
           "<system-out>x.cc:3: Skipped\n[shared] no ../shared\n[  SKIPPED ] A.skip</system-out></testcase>")
PYTHON = ('<testcase name="cli.test_x" status="run"><system-out>test_a (test_x.X.test_a) ... ok\n'
          "test_b (test_x.X.test_b)\nThe first line. ... skipped '[shared] no ../shared'\n\nRan %d tests in 0.1s\n\nOK</system-out></testcase>")


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

    def test_skips_are_named(self):
        code, lines = self.run_on(PASSED + SKIPPED + PYTHON % 2)
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 2 skipped"))
        self.assertIn("skipped: preset0: A.skip ([shared] no ../shared)", lines)
        self.assertIn("skipped: preset0: cli.test_x: test_b ([shared] no ../shared)", lines)

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
