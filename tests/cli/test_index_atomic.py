"""An index build is whole or nothing: whatever call fails, and wherever it is killed. NEARDUP_EVERY_CALL=1 tries every call."""
import hashlib
import shutil
import signal
import unittest

import faults
from test_index_errors import RECIPE, ErrorTest

OURS = ["index/LOCK", "index/MANIFEST", "index/segment-000001.ndh"]


class StateTest(ErrorTest):
    KIND = ("--recipe", RECIPE, "--max-distance", 4)
    QUESTION = ("query", "index", "--fingerprint", "0" * 16)

    def build(self, name="index"):
        self.neardup("index", "build", name, "a.jsonl", *self.KIND, "-q")

    def check_answers(self):
        """Of a whole index."""
        self.neardup("index", "verify", "index")

    def state(self, index="index"):
        """Of all that the index says it is."""
        return hashlib.sha256(self.read(f"{index}/MANIFEST")).hexdigest()


@unittest.skipUnless(faults.FAULTS, faults.NO_FAULTS)
class AtomicBuild(StateTest):
    def setUp(self):
        super().setUp()
        self.corpus("a.jsonl", 1)
        self.command = ["index", "build", "index", "a.jsonl", *self.KIND, "--threads", 1, "-q"]
        self.calls = faults.count_calls(self.command, self.dir, self.path("count"))
        self.path("count").unlink()
        self.whole = self.state()
        self.check_answers()
        shutil.rmtree(self.path("index"))
        self.assertGreater(self.calls, 10)

    def rejecting_builds(self):
        """Of documents and of fingerprints, of which one is broken."""
        self.write("broken.jsonl", self.read("a.jsonl") + b"{broken\n")
        self.neardup("sketch", "a.jsonl", "--recipe", RECIPE, "-o", "codes.jsonl", "-q")
        self.write("codes.jsonl", self.read("codes.jsonl") + b"{broken\n")
        return ["index", "build", "index", "broken.jsonl", *self.KIND], ["index", "build", "index", "codes.jsonl", "--from-fingerprints"]

    def check_whole(self, what):
        self.assertEqual([name for name in self.names() if name.startswith("index")], OURS, what)
        self.assertEqual(self.state(), self.whole, what)
        self.check_answers()

    def test_killed_at_any_call(self):
        unfinished = 0
        for number in faults.numbers(self.calls):
            result = faults.run(self.command, self.dir, fault=f"KILL:{number}")
            self.assertEqual(result.returncode, -signal.SIGKILL, result.stderr)
            if self.path("index/MANIFEST").exists():  # only the end was missing
                self.check_answers()
                self.assertEqual(self.state(), self.whole)
            else:
                unfinished += 1
                for command in (("index", "stat", "index"), ("index", "verify", "index"), ("index", "add", "index", "a.jsonl"), self.QUESTION):
                    self.fails(*command, code=1, says=["'index' is not an index"])
                self.neardup(*self.command)
                self.check_whole(f"KILL:{number}")
            shutil.rmtree(self.path("index"), ignore_errors=True)
        self.assertGreater(unfinished, len(faults.numbers(self.calls)) // 2)

    def test_a_failed_build_leaves_nothing(self):
        for kind in ("ENOSPC", "EIO"):
            failed = 0
            for number in faults.numbers(self.calls):
                existing = number % 2 == 0
                if existing:
                    self.path("index").mkdir()
                result = faults.run(self.command, self.dir, fault=f"{kind}:{number}")
                if result.returncode == 0:
                    self.check_answers()
                    shutil.rmtree(self.path("index"))
                    continue
                failed += 1
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn(b"'index", result.stderr)
                self.assertEqual(self.names(), ["a.jsonl"], f"{kind}:{number} {result.stderr}")
                self.assertEqual(self.path("index").exists(), existing, f"{kind}:{number}")
                if existing:
                    self.path("index").rmdir()
            self.assertGreater(failed, len(faults.numbers(self.calls)) // 3, kind)

    def test_rejects_are_there_only_with_the_index(self):
        """Over rejects of an earlier run or none."""
        for command in self.rejecting_builds():
            command = [*command, "--rejects", "rejects", "--max-rejects", "1", "--threads", 1, "-q"]
            calls = faults.count_calls(command, self.dir, self.path("count"))
            self.path("count").unlink()
            self.assertEqual(self.read("rejects"), b"{broken\n")
            inputs = [name for name in self.names() if name.endswith(".jsonl")]
            failed = 0
            for number in faults.numbers(calls):
                shutil.rmtree(self.path("index"), ignore_errors=True)
                self.path("rejects").unlink(missing_ok=True)
                if number % 2 == 0:
                    self.write("rejects", "earlier")
                result = faults.run(command, self.dir, fault=f"ENOSPC:{number}")
                if result.returncode == 0:
                    self.assertEqual(self.read("rejects"), b"{broken\n")
                    continue
                failed += 1
                self.assertEqual(self.names(), inputs if number % 2 else [*inputs, "rejects"], f"{number}: {result.stderr}")
                if number % 2 == 0:
                    self.assertEqual(self.read("rejects"), b"earlier", f"{number}: {result.stderr}")
            self.assertGreater(failed, len(faults.numbers(calls)) // 3)
            shutil.rmtree(self.path("index"), ignore_errors=True)

    def test_a_lock_that_cannot_be_looked_at(self):
        """It ends with an error, not in a loop."""
        self.neardup(*self.command)
        change = ["index", "merge", "index", "-q"]
        for fault, reason in (("stat", "Input/output error"), ("gone", "the file was removed in each of 100 attempts")):
            result = faults.run(change, self.dir, **{fault: "index/LOCK"})
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(f"cannot lock 'index/LOCK': {reason}".encode(), result.stderr)
        self.neardup(*change)

    def test_folders_above_go_too(self):
        command = [*self.command[:2], "x/y/index", *self.command[3:]]
        faults.run(command, self.dir, fault="ENOSPC:8")
        self.assertFalse(self.path("x").exists())

    def test_interrupted_at_any_call(self):
        stopped = 0
        for number in faults.numbers(self.calls):
            result = faults.run(self.command, self.dir, fault=f"TERM:{number}")
            if result.returncode == 0:
                self.check_whole(f"TERM:{number}")
                shutil.rmtree(self.path("index"))
            else:
                stopped += 1
                self.assertEqual(self.names(), ["a.jsonl"], f"TERM:{number} {result.stderr}")
                self.assertFalse(self.path("index").exists())
        self.assertGreater(stopped, 0)

    def test_an_unused_index_stays_until_it_is_replaced(self):
        self.write("none.jsonl", "")
        self.neardup("index", "build", "index", "none.jsonl", *self.KIND, "-q")
        before = self.state()
        calls = faults.count_calls(self.command, self.dir, self.path("count"))
        shutil.rmtree(self.path("index"))
        for number in faults.numbers(calls):
            self.neardup("index", "build", "index", "none.jsonl", *self.KIND, "-q")
            faults.run(self.command, self.dir, fault=f"KILL:{number}")
            self.assertIn(self.state(), (before, self.whole))
            if self.state() == before:
                self.neardup("index", "verify", "index")
                self.neardup(*self.command)
                self.check_whole(f"KILL:{number}")
            else:
                self.check_answers()
            shutil.rmtree(self.path("index"))


@unittest.skipUnless(faults.FAULTS, faults.NO_FAULTS)
class AtomicChange(StateTest):
    """add, delete and merge: the state before or after, and both are whole."""

    def check(self, *change):
        self.corpus("a.jsonl", 1)
        self.corpus("b.jsonl", 2, "b")
        self.build("first")
        self.neardup("index", "add", "first", "b.jsonl", "-q")
        command = ["index", *change, "--threads", 1]
        shutil.copytree(self.path("first"), self.path("index"))
        self.check_answers()
        calls = faults.count_calls(command, self.dir, self.path("count"))
        self.check_answers()
        states = [self.state("first"), self.state()]
        self.assertNotEqual(*states)
        for kind in ("KILL", "ENOSPC"):
            for number in faults.numbers(calls):
                shutil.rmtree(self.path("index"))
                shutil.copytree(self.path("first"), self.path("index"))
                result = faults.run(command, self.dir, fault=f"{kind}:{number}")
                self.assertIn(self.state(), states, f"{kind}:{number}")
                if kind == "ENOSPC":
                    self.assertEqual(self.state(), states[result.returncode == 0], f"{kind}:{number} {result.stderr}")
                self.check_answers()
                if self.state() == states[0]:
                    self.neardup(*command)
                    self.assertEqual(self.state(), states[1], f"{kind}:{number}")
                    self.check_answers()

    def test_add(self):
        self.check("add", "index", "b.jsonl", "-q")

    def test_delete(self):
        self.check("delete", "index", "d0", "bd1")

    def test_merge(self):
        self.check("merge", "index", "-q")


if __name__ == "__main__":
    unittest.main()
