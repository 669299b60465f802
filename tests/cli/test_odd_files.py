"""Paths that are not regular files, where one is expected: an error that names them, never a wait; and disks that fail."""
import json
import os
import shutil
import socket
import subprocess
import unittest

import faults
from harness import BINARY
from resume_case import RUN, ResumeTest
from test_index_errors import RECIPE, ErrorTest

KINDS = {"pipe": "it is a pipe, not a regular file", "socket": "it is a socket, not a regular file", "folder": "it is a folder",
         "device": "it is a device, not a regular file"}


def put(path, kind):
    """Makes the path a pipe, a socket, a folder or a device."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            before = os.getcwd()
            os.chdir(path.parent)  # the path of a socket is short
            try:
                listener.bind(path.name)
            finally:
                os.chdir(before)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")


class OddFiles(ErrorTest):
    def check(self, name, *commands, code=1):
        for kind, reason in KINDS.items():
            put(self.path(name), kind)
            for command in commands:
                result = self.neardup(*command, code=code)
                self.assertIn(f"'{name}'", result.stderr, f"{kind}: {command}")
                self.assertIn(reason, result.stderr, f"{kind}: {command}")

    def test_index(self):
        self.build()
        queries = (("query", "index", "a.jsonl", "-q"), ("index", "stat", "index"), ("index", "verify", "index"), ("index", "merge", "index"),
                   ("index", "add", "index", "a.jsonl"),
                   ("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "--dry-run"))
        whole = self.read("index/MANIFEST")
        self.check("index/segment-000001.ndh", *queries)
        self.check("index/MANIFEST", *queries)
        shutil.rmtree(self.path("index/MANIFEST"), ignore_errors=True)
        self.path("index/MANIFEST").unlink(missing_ok=True)
        self.path("index/segment-000001.ndh").unlink(missing_ok=True)
        self.write("index/MANIFEST", whole)
        for kind in ("pipe", "socket", "folder", "device"):
            put(self.path("index/LOCK"), kind)
            self.assertIn("index", self.neardup("index", "merge", "index", code=1).stderr)

    def test_files_of_a_recipe(self):
        recipe = json.loads(self.neardup("recipe", "words-5").stdout.splitlines()[0])
        self.corpus("a.jsonl", 1)
        run = ("dedup", "a.jsonl", "--dry-run", "--recipe")
        self.write("stop.json", json.dumps(recipe | {"stop_words": "stop.txt"}))
        self.check("stop.txt", (*run, "stop.json"))
        for kind, reason in KINDS.items():
            put(self.path("recipe.json"), kind)
            result = subprocess.run([BINARY, *run, "recipe.json"], cwd=self.dir, stderr=subprocess.PIPE, timeout=30, check=False)
            self.assertIn(result.returncode, (1, 2))
            self.assertIn("'recipe.json'", result.stderr.decode())
            self.assertIn(reason.removeprefix("it "), result.stderr.decode())
        self.check("words.idf", ("idf", "info", "words.idf"))
        self.check("lines.bin", ("lines", "info", "lines.bin"))

    def test_dictionaries(self):
        for kind, reason in KINDS.items():
            put(self.path("words.dict"), kind)
            result = self.neardup("dict", "info", "words.dict", code=1)
            self.assertIn("'words.dict'", result.stderr)
            self.assertIn(reason, result.stderr)

    def test_inputs_may_be_pipes(self):
        self.corpus("a.jsonl", 1)
        expected = self.neardup("sketch", "a.jsonl", "-o", "-", "-q").stdout.replace(b'"a.jsonl"', b'"x"')
        for shell in ('cat a.jsonl | "$0" sketch /dev/stdin -o - -q', '"$0" sketch <(cat a.jsonl) -o - -q',
                      'mkfifo p; cat a.jsonl >p & "$0" sketch p -o - -q'):
            result = subprocess.run(["bash", "-c", shell, BINARY], cwd=self.dir, stdout=subprocess.PIPE, timeout=30, check=True)
            self.assertEqual(len(result.stdout.splitlines()), len(expected.splitlines()), shell)

    def test_a_corpus_with_a_manifest_of_its_own(self):
        self.corpus("a.jsonl", 1)
        self.corpus("c/a.jsonl", 1)
        self.write("c/MANIFEST", "include *.txt\n")
        self.neardup("dedup", "a.jsonl", "--against", "c", "-o", "kept.jsonl", "-q")
        self.assertEqual(self.read("kept.jsonl"), b"")
        self.fails("index", "stat", "c", code=1, says=["'c/MANIFEST'", "not a file of a neardup index"])
        self.neardup("dedup", "a.jsonl", "-o", "c/kept.jsonl", "-q")


class OddCheckpointDirectory(ResumeTest):
    def test_checkpoint_directory(self):
        inputs = self.inputs(5, 40)
        expected = self.expected(inputs)
        self.neardup("dedup", *inputs, *RUN, "--work", "work")
        names = sorted(path.name for path in self.path("work").iterdir())
        shutil.move(self.path("work"), self.path("whole"))
        for name in names:
            for kind in ("pipe", "socket"):
                self.forget_outputs()
                shutil.copytree(self.path("whole"), self.path("work"))
                put(self.path("work") / name, kind)
                result = subprocess.run([BINARY, "dedup", "--resume", "work", "-q"], cwd=self.dir, stderr=subprocess.PIPE, timeout=60, check=False)
                if result.returncode == 0:
                    self.assertTrue(name.endswith(".part"), name)
                    self.assertEqual(self.digests(), expected, f"{name}: {kind}")
                else:
                    self.assertEqual(result.returncode, 1)
                    self.assertIn("work", result.stderr.decode())
                    self.assertEqual(self.digests(), {}, name)
                shutil.rmtree(self.path("work"))


@unittest.skipUnless(faults.FAULTS, faults.NO_FAULTS)
class FailingDisk(ErrorTest):
    """stat() fails with EIO: that is what is said, and it is not wrong usage."""

    def fails_at(self, path, *command):
        result = faults.run(command, self.dir, stat=path)
        error = result.stderr.decode()
        self.assertEqual(result.returncode, 1, error)
        self.assertIn("Input/output error", error)
        self.assertIn(f"'{path}'", error)

    def test_index(self):
        self.build()
        for path in ("index", "index/MANIFEST"):
            for command in (("query", "index", "a.jsonl"), ("query", "index", "--fingerprint", "0" * 16), ("index", "stat", "index"),
                            ("index", "build", "index", "a.jsonl", "--recipe", RECIPE),
                            ("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "--dry-run")):
                self.fails_at(path, *command)

    def test_checkpoint_directory(self):
        self.corpus("a.jsonl", 1)
        self.neardup("dedup", "a.jsonl", "-o", "k.jsonl", "--work", "work", "-q")
        for path in ("work/COMMAND", "work/RUN"):
            self.fails_at(path, "dedup", "--resume", "work", "-q")
        self.fails_at("work/COMMAND", "dedup", "a.jsonl", "-o", "l.jsonl", "--work", "work", "-q")

    def test_outputs_and_files_of_recipes(self):
        self.corpus("a.jsonl", 1)
        self.fails_at("k.jsonl", "dedup", "a.jsonl", "-o", "k.jsonl", "-q")
        self.fails_at("a.jsonl", "dedup", "a.jsonl", "-o", "k.jsonl", "-q")
        self.fails_at("r.json", "dedup", "a.jsonl", "-o", "k.jsonl", "--recipe", "r.json", "-q")


if __name__ == "__main__":
    unittest.main()
