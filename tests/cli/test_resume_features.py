"""A run that ends while it reads the features of candidates, and decides groups between two batches, resumes and gives the same bytes."""
import json
import random
import signal
import subprocess
import time
import unittest

import faults
from harness import BINARY
from resume_case import FAULTS, OUTPUTS, RUN, ResumeTest

WEIGHTED = (("--recipe", "words-5", "--verify", "cosine"), ("--recipe", "simhash-chars-4", "--verify", "weighted-jaccard"))


class FeaturesTest(ResumeTest):
    def parts(self):
        return sorted(path.name for path in self.path("work").glob("features-*.part"))

    def is_decided(self):
        return any(self.path("work").glob("decided-*.part"))


class Stopped(FeaturesTest):
    def stop_in_features(self, inputs, recipe, number):
        """The parts that the run leaves, some of all, and their states."""
        for _ in range(20):
            subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
            self.forget_outputs()
            process = subprocess.Popen([BINARY, "dedup", *inputs, *RUN, *recipe, "--work", "work", "--threads", "2"], cwd=self.dir,
                                       stderr=subprocess.DEVNULL)
            while not self.parts() and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(number)
            process.wait()
            if 0 < len(self.parts()) < len(inputs) / 4 and not self.is_decided():
                self.assertNotEqual(process.returncode, 0)
                self.assertEqual(self.digests(), {})
                return {name: self.path(f"work/{name}").stat() for name in self.parts()}
        return self.fail("the pass was over before the signal came, each time")

    def test_parts_are_taken_and_the_rest_is_computed(self):
        inputs = self.inputs(24, 1500)
        for recipe in WEIGHTED:
            expected = self.expected(inputs, *recipe)
            for number in (signal.SIGKILL, signal.SIGINT):
                left = self.stop_in_features(inputs, recipe, number)
                self.assertEqual(self.passes()[-3:], ["features", "decide", "output"])
                self.assertEqual(self.digests(), expected, f"{recipe} {number}")
                for name, state in left.items():
                    now = self.path(f"work/{name}").stat()
                    self.assertEqual((now.st_ino, now.st_mtime_ns), (state.st_ino, state.st_mtime_ns), f"{name} was made again")
            self.forget_outputs()


@unittest.skipUnless(FAULTS, faults.NO_FAULTS)
class Faults(FeaturesTest):
    def test_killed_at_every_call(self):
        inside = []  # runs that ended with the features of the first four of six batches stored
        failures, calls = self.every_call("KILL", recipe=WEIGHTED[1],
                                          after=lambda error: inside.append(len(self.parts()) == 1 and not self.is_decided()))
        self.assertEqual(failures, calls)
        self.assertGreater(inside.count(True), 2)

    def scattered_pairs(self, files, documents, words=450):
        """Long texts, each with a changed copy up to most of the corpus away: many wait for theirs, while groups are decided all the time."""
        chance = random.Random(9)
        vocabulary = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(5000)]
        placed = []
        for number in range(files * documents // 2):
            text = chance.choices(vocabulary, k=words)
            at = chance.random()
            placed.append((at, f"a{number}", " ".join(text)))
            text[chance.randrange(words)] = "changed"
            placed.append((at + chance.random() * 0.8, f"b{number}", " ".join(text)))
        lines = [json.dumps({"id": name, "text": text}) + "\n" for _, name, text in sorted(placed)]
        return [self.write(f"in{i:02}.jsonl", "".join(lines[i * documents:(i + 1) * documents])) for i in range(files)]

    SPILLING = ("--recipe", "chars-5", "--memory", "64M", "--temp-dir", ".")

    def test_full_disk_while_features_are_spilled(self):
        inputs = self.scattered_pairs(12, 300)
        self.expected(inputs, *self.SPILLING, "--summary", "summary.json")
        self.assertGreater(json.loads(self.read("summary.json"))["spilled_bytes"], 1 << 20)
        before = self.names()
        first = 2 + len(OUTPUTS) + 1  # calls before: the folder is tried, the outputs are created
        for threads in (1, 2, 4):
            command = ["dedup", *inputs, *RUN, *self.SPILLING, "--threads", threads]
            for number in range(first, first + 4):
                result = faults.run(command, self.dir, fault=f"ENOSPC:{number}")
                self.assertEqual(result.returncode, 1)
                failed = r"create a temporary file" if number == first else "write temporary data"
                self.assertRegex(result.stderr.decode(), rf"\Aneardup dedup: cannot {failed} in '\.': No space left on device"
                                 r"( \(\d+ bytes written\))?\n\Z")
                self.assertEqual(self.names(), before)

    def test_full_disk_once_the_first_features_are_stored(self):
        inputs = self.scattered_pairs(12, 300)
        expected = self.expected(inputs, *self.SPILLING)
        command = ["dedup", *inputs, *RUN, *self.SPILLING, "--threads", 2, "--work", "work"]
        result = faults.run(command, self.dir, fault="ENOSPC:0", **{"while": self.path("work/features-0000000000.part")})
        self.assertEqual(result.returncode, 1)
        # Spilled features or the next part, whichever is written first.
        self.assertRegex(result.stderr.decode(), r"\Aneardup dedup: cannot [^\n]+: No space left on device[^\n]*\n"
                         r"Progress is saved; continue with: neardup dedup --resume work\n\Z")
        self.assertEqual(self.digests(), {})
        self.assertEqual((self.parts(), self.is_decided()), (["features-0000000000.part"], False))
        self.assertEqual(self.passes()[-3:], ["features", "decide", "output"])
        self.assertEqual(self.digests(), expected)


if __name__ == "__main__":
    unittest.main()
