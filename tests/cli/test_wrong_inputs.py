"""Runs the table of wrong_inputs.py: exit code, message, and that no file changes and none is left over."""
import fcntl
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import wrong_files
from harness import BINARY, TIMEOUT_S
from wrong_inputs import SECTIONS, WARNINGS


def pattern_of(message):
    """Where the table has an ellipsis (…), any text may be."""
    return re.compile(".*".join(map(re.escape, message.split("…"))))


class WrongInputs(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        if not BINARY:
            raise AssertionError("NEARDUP_BIN does not name the program")
        cls.dir = pathlib.Path(tempfile.mkdtemp(prefix="neardup-wrong-"))
        cls.addClassCleanup(shutil.rmtree, cls.dir, ignore_errors=True)
        cls.env = {key: value for key, value in os.environ.items() if key not in ("NEARDUP_KERNELS", "NO_COLOR", "NEARDUP_DICT")}
        cls.env["TMPDIR"] = "tmp"
        wrong_files.make(cls.dir, cls.made)
        cls.files = cls.contents()

    @classmethod
    def run_words(cls, words):
        return subprocess.run([BINARY, *words], input=b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cls.dir, env=cls.env, timeout=TIMEOUT_S, check=False)

    @classmethod
    def made(cls, *words):
        result = cls.run_words(words)
        if result.returncode != 0:
            raise AssertionError(f"neardup {shlex.join(words)}: {result.stderr.decode()}")
        return result.stdout

    @classmethod
    def contents(cls):
        """Of every file of the folder, hidden ones too; None for a folder, and for a lock, which names the last process that held it."""
        return {str(path.relative_to(cls.dir)): path.read_bytes() if path.is_file() and path.name != "LOCK" else None for path in cls.dir.rglob("*")}

    def check(self, row, begins):
        result = self.run_words(shlex.split(row.command))
        errors = result.stderr.decode()
        where = f"{row.what}: neardup {row.command}\n{errors}"
        self.assertEqual(result.returncode, row.code, where)
        said = [line for line in errors.splitlines() if line.startswith(begins)]
        self.assertEqual(len(said), 1, where)
        self.assertRegex(said[0], re.compile(r"\A" + re.escape(begins) + r"[a-z ]*?: " + pattern_of(row.message).pattern + r"\Z"), where)
        if row.code != 0:
            self.assertEqual(result.stdout, b"", where)
        before, type(self).files = self.files, self.contents()  # so that only the first row that changes a file fails
        self.assertEqual(sorted(self.files), sorted(before), where)
        self.assertEqual([name for name, content in before.items() if self.files[name] != content], [], f"changed by {where}")

    def test_table(self):
        for section, rows in SECTIONS.items():
            for row in rows:
                with self.subTest(section=section, what=row.what):
                    self.check(row, "neardup")

    def test_warnings(self):
        for row in WARNINGS:
            with self.subTest(what=row.what):
                self.check(row, "warning")

    def test_checkpoint_directory_in_use(self):
        self.assertEqual((self.dir / "run" / "LOCK").exists(), True)
        with open(self.dir / "run" / "LOCK", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result = self.run_words(["dedup", "--resume", "run"])
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("'run' is being written by another process", result.stderr.decode())

    def test_the_table_is_whole(self):
        rows = [row for section in SECTIONS.values() for row in section]
        self.assertGreaterEqual(len(rows), 90)
        self.assertEqual(len({row.command for row in rows}), len(rows), "a command is there twice")
        for row in rows:
            self.assertIn(row.code, (1, 2, 3), row.what)
            self.assertNotRegex(row.message, r"required but|std::|exception|errno", "the words of a parser or library")


if __name__ == "__main__":
    unittest.main()
