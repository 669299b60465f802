"""A store loses nothing that was acknowledged: whatever call fails, and wherever it is killed. Every call is tried."""
import os
import shutil
import signal
import subprocess
import unittest

import faults
from harness import CliTest

HISTORY = os.environ.get("NEARDUP_STORE_HISTORY", "")
OPERATIONS = 60


@unittest.skipUnless(faults.FAULTS and HISTORY, faults.NO_FAULTS)
class FailingCalls(CliTest):
    def setUp(self):
        super().setUp()
        subprocess.run([HISTORY, "create", self.path("store"), "words-5"], check=True)
        shutil.copytree(self.path("store"), self.path("empty"))
        _, self.states = self.history()
        self.calls = int(self.path("count").read_text())
        self.assertGreater(self.calls, 50)

    def history(self, fault=None):
        """The process, and the states that its store was in. The last one may not be acknowledged."""
        for name in ("states", "marks", "count"):
            self.path(name).unlink(missing_ok=True)
        environment = dict(os.environ, LD_PRELOAD=faults.FAULTS, NEARDUP_FAULT_COUNT=str(self.path("count")))
        if fault:
            environment["NEARDUP_FAULT"] = fault
        result = subprocess.run([HISTORY, "run", "store", str(OPERATIONS), "3", "states", "marks"], cwd=self.dir, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        states = self.read("states").decode().split("\n")[:-1] if self.path("states").exists() else []
        return result, states

    def acknowledged(self):
        marks = self.path("marks").read_text().splitlines() if self.path("marks").exists() else []
        return int(marks[-1]) if marks else 0

    def reset(self):
        shutil.rmtree(self.path("store"))
        shutil.copytree(self.path("empty"), self.path("store"))

    def check(self, what):
        """The store opens at a state of the whole history, at or after the last acknowledged one."""
        found = subprocess.run([HISTORY, "check"], input=f"{self.path('store')}\n", stdout=subprocess.PIPE, text=True, check=True).stdout[:-1]
        self.assertIn(found, self.states, what)
        last = max(number for number, state in enumerate(self.states) if state == found)
        self.assertGreaterEqual(last, self.acknowledged(), what)

    def test_killed_at_any_call(self):
        for number in range(1, self.calls + 1):
            self.reset()
            result, _ = self.history(f"KILL:{number}")
            self.assertEqual(result.returncode, -signal.SIGKILL, result.stderr)
            self.check(f"killed at call {number}")

    def test_any_call_fails(self):
        for kind in ("ENOSPC", "EIO", "SHORT"):
            for number in range(1, self.calls + 1):
                with self.subTest(kind=kind, call=number):
                    self.reset()
                    result, _ = self.history(f"{kind}:{number}")
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    self.check(f"{kind} at call {number}: {result.stderr}")


class DamagedFiles(CliTest):
    """A flipped bit is an error that names the folder or the file, or changes nothing that is answered: never another answer."""
    FLIPS = 40

    def setUp(self):
        super().setUp()
        words = [f"w{number}" for number in range(500)]
        records = [{"id": f"d{number}", "text": " ".join(words[(number * 7 + i * (number % 5 + 1)) % 500] for i in range(40))} for number in range(300)]
        self.write("a.jsonl", records[:200])
        self.write("b.jsonl", records[100:])
        self.neardup("store", "build", "store", "a.jsonl", "-q")
        self.neardup("store", "compact", "store")
        self.neardup("store", "check", "store", "b.jsonl", "-q")
        self.whole = self.neardup("store", "export", "store", "-o", "-", "-q").stdout
        self.answers = self.ask().stdout

    def ask(self, code=0):
        return self.neardup("store", "check", "store", "b.jsonl", "--no-insert", "-o", "-", "-q", code=code)

    def test_every_file(self):
        files = sorted(path for path in self.path("store").rglob("*") if path.is_file() and path.stat().st_size > 0)
        kinds = {path.name.split("-")[0].split(".")[-1] for path in files}
        self.assertTrue({"log", "MANIFEST", "segment"} <= kinds, kinds)
        for path in files:
            if path.name == "LOCK":
                continue
            content = path.read_bytes()
            for flip in range(self.FLIPS):
                at = flip * (len(content) - 1) // (self.FLIPS - 1)
                damaged = bytearray(content)
                damaged[at] ^= 1 << flip % 8
                path.write_bytes(damaged)
                result = self.ask(code=None)
                where = f"{path.relative_to(self.dir)}, byte {at} of {len(content)}: {result.stderr}"
                if result.returncode == 0:
                    self.assertEqual(result.stdout, self.answers, where)
                else:
                    self.assertEqual(result.returncode, 1, where)
                    self.assertIn("store", result.stderr, where)
            path.write_bytes(content)
        self.assertEqual(self.neardup("store", "export", "store", "-o", "-", "-q").stdout, self.whole)


if __name__ == "__main__":
    unittest.main()
