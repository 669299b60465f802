"""A run whose recipe weighs by the IDF of the corpus itself resumes without counting its tokens again, and gives the same bytes."""
import os
import random
import signal
import subprocess
import time
import unittest

from harness import BINARY
from resume_case import FAULTS, RUN, ResumeTest

LOUD = RUN[:-1]
RECIPE = ("--recipe", "simhash-words", "--max-distance", "6")
TABLE = "work/fitted-1.idf"


class Resumed(ResumeTest):
    def interrupted_after_the_count(self, inputs, number):
        for _ in range(20):
            subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
            process = subprocess.Popen([BINARY, "dedup", *inputs, *LOUD, *RECIPE, "--work", "work", "--threads", "1"], cwd=self.dir,
                                       stderr=subprocess.DEVNULL)
            while not self.path(TABLE).exists() and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(number)
            process.wait()
            if process.returncode != 0:
                return
        self.fail("the run was over before the signal came, each time")

    def test_after_the_count(self):
        inputs = self.inputs(24, 1500)
        expected = self.expected(inputs, *RECIPE)
        for number in (signal.SIGINT, signal.SIGKILL):
            self.interrupted_after_the_count(inputs, number)
            table = self.read(TABLE)
            self.assertEqual(self.passes(), ["sketch", "group", "decide", "output"])
            self.assertEqual(self.digests(), expected)
            self.assertEqual(self.read(TABLE), table)
            self.assertEqual(self.passes(), ["sketch", "output"], "all is decided")
            self.assertEqual(self.digests(), expected)

    def test_killed_in_the_count(self):
        inputs = self.inputs(12, 400)
        expected = self.expected(inputs, *RECIPE)
        chance = random.Random(5)
        for _ in range(12):
            subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
            process = subprocess.Popen([BINARY, "dedup", *inputs, *LOUD, *RECIPE, "--work", "work"], cwd=self.dir,
                                       stderr=subprocess.DEVNULL)
            while not self.path("work/RUN").exists() and process.poll() is None:
                time.sleep(0.0005)
            time.sleep(chance.random() * 0.05)
            process.kill()
            process.wait()
            self.resume("-q")
            self.assertEqual(self.digests(), expected)
            self.assertEqual([name for name in self.names() if name.endswith(".partial")], [])
            self.forget_outputs()

    def test_damaged_table_is_made_again(self):
        inputs = self.inputs(6, 200)
        expected = self.expected(inputs, *RECIPE)
        self.neardup("dedup", *inputs, *LOUD, *RECIPE, "--work", "work")
        whole = self.read(TABLE)
        parts = {path.name: path.read_bytes() for path in self.path("work").glob("*.part")}
        chance = random.Random(3)
        at = chance.randrange(len(whole))
        self.write("other.jsonl", [{"text": "one two three"}])
        self.neardup("idf", "fit", "other.jsonl", "--recipe", "words-5", "-o", "other.idf", "-q")  # whole, but of other tokens
        for broken in (None, b"", whole[:chance.randrange(len(whole))], bytes(len(whole)),
                       whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1:], self.read("other.idf")):
            self.path(TABLE).unlink()
            if broken is not None:
                self.path(TABLE).write_bytes(broken)
            self.assertEqual(self.passes(), ["count", "sketch", "output"], "what was sketched with the same table is still good")
            self.assertEqual(self.digests(), expected)
            self.assertEqual(self.read(TABLE), whole)
        self.assertEqual({path.name: path.read_bytes() for path in self.path("work").glob("*.part")}, parts)

    def test_second_recipe(self):
        inputs = self.inputs(6, 200)
        both = ("--recipe", "words-5", "--also", "simhash-words", "--verify", "jaccard")
        expected = self.expected(inputs, *both)
        self.neardup("dedup", *inputs, *LOUD, *both, "--work", "work")
        self.assertEqual(self.digests(), expected)
        self.assertEqual([name for name in self.names() if name.endswith(".idf")], ["work/fitted-2.idf"])
        for decided in self.path("work").glob("decided*"):
            decided.unlink()
        self.assertEqual(self.passes(), ["sketch", "group", "features", "decide", "output"])
        self.assertEqual(self.digests(), expected)

    @unittest.skipUnless(FAULTS, "NEARDUP_IO_FAULTS does not name the library that makes calls fail")
    def test_every_call_that_changes_a_file(self):
        inputs = self.inputs(2, 30)
        expected = self.expected(inputs, *RECIPE)
        command = [BINARY, "dedup", *inputs, *RUN, *RECIPE, "--work", "work"]
        count = self.path("count")
        environment = dict(os.environ, LD_PRELOAD=FAULTS)
        subprocess.run(command, cwd=self.dir, env=dict(environment, NEARDUP_FAULT_COUNT=str(count)), check=True)
        for kind in ("KILL", "ENOSPC"):
            for number in range(1, int(count.read_text()) + 1):
                self.forget_outputs()
                subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
                subprocess.run(command, cwd=self.dir, env=dict(environment, NEARDUP_FAULT=f"{kind}:{number}"), stderr=subprocess.DEVNULL,
                               check=False)
                if not self.path("work/COMMAND").exists():
                    continue
                self.resume("-q")
                self.assertEqual(self.digests(), expected, f"{kind}:{number}")
                self.assertEqual([name for name in self.names() if name.endswith(".partial")], [], f"{kind}:{number}")


class Tasks(ResumeTest):
    def test_use_the_existing_table(self):
        inputs = self.inputs(10, 200)
        expected = self.expected(inputs, *RECIPE)
        self.neardup("dedup", *inputs, *LOUD, *RECIPE, "--work", "work", "--prepare")
        whole, made = self.read(TABLE), self.path(TABLE).stat()
        self.neardup("task", "work", "list")
        self.neardup("task", "work", "1", "0", "-q")
        self.assertEqual((self.path(TABLE).stat().st_ino, self.path(TABLE).stat().st_mtime_ns), (made.st_ino, made.st_mtime_ns),
                         "it was not made again")
        self.path(TABLE).write_bytes(whole[:-9])
        together = [subprocess.Popen([BINARY, "task", "work", "2", "-q"], cwd=self.dir) for _ in range(3)]
        self.assertEqual([process.wait() for process in together], [0, 0, 0])
        self.assertEqual(self.read(TABLE), whole)
        self.assertEqual(self.passes(), ["sketch", "group", "decide", "output"])
        self.assertEqual(self.digests(), expected)


if __name__ == "__main__":
    unittest.main()
