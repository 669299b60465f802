"""Tests whose Python packages are missing fail and name what to do; only without servers do they skip, by the tag that is then allowed."""
import os
import pathlib
import subprocess
import sys
import unittest

CLI = pathlib.Path(__file__).resolve().parents[1] / "cli"


class MissingPackages(unittest.TestCase):
    def run_tests(self, *modules, **environment):
        """By a Python without site-packages."""
        kept = {key: value for key, value in os.environ.items() if key not in ("NEARDUP_WITHOUT_SERVERS", "PYTHONPATH")}
        return subprocess.run([sys.executable, "-S", "-B", "-m", "unittest", "-v", *modules], cwd=CLI, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
                              env=kept | {"NEARDUP_BIN": "/bin/true", "NEARDUP_DUCKDB": "/dev/null"} | environment)

    def test_each(self):
        for module, package in (("test_mongodb", "pymongo"), ("test_mongodb_resume", "pymongo"), ("test_tables_damage", "pyarrow")):
            with self.subTest(module=module):
                ran = self.run_tests(module)
                self.assertEqual(ran.returncode, 1, ran.stdout)
                self.assertIn(f"the Python package {package} is not installed: run the tests by ctest", ran.stdout)
                self.assertNotIn("skipped", ran.stdout)
                ran = self.run_tests(module, NEARDUP_WITHOUT_SERVERS="1")
                self.assertEqual(ran.returncode, 0, ran.stdout)
                self.assertNotIn("... ok", ran.stdout)
                self.assertIn(f"skipped '[servers] the Python package {package} is not installed", ran.stdout)


if __name__ == "__main__":
    unittest.main()
