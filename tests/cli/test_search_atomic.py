"""As test_index_atomic.py, for clue indexes: whatever call fails and wherever it is killed, an index is in the state before or after, and
answers as in that state. Damaged files are named. Files and answers do not depend on threads, memory and instruction set."""
import json
import random
import unittest

import test_index_atomic
from test_search import SearchTest

CLUES = 12


class ClueState(test_index_atomic.StateTest):
    KIND = ("--kind", "clue")
    QUESTION = ("search", "index", "--text", "a clue that is long enough")

    def setUp(self):
        self.answers = {}  # of each state
        super().setUp()

    def check_answers(self):
        super().check_answers()
        if not self.path("clues.jsonl").exists():
            records = self.records("a.jsonl")
            chance = random.Random(1)
            texts = [chance.choice(records)["text"] for _ in range(CLUES)]
            self.write("clues.jsonl", [{"text": text[len(text) // 4:][:60] or "nothing"} for text in texts])
        answers = self.neardup("search", "index", "clues.jsonl", "--json", "-q", "--threads", 1).stdout
        self.assertEqual(answers, self.answers.setdefault(self.state(), answers))
        self.assertIn(b'"id":', answers)

    def names(self):
        return [name for name in super().names() if name != "clues.jsonl"]


class ClueBuild(ClueState, test_index_atomic.AtomicBuild):
    def rejecting_builds(self):
        self.write("broken.jsonl", self.read("a.jsonl") + b"{broken\n")
        return [["index", "build", "index", "broken.jsonl", *self.KIND]]


class ReferringBuild(ClueBuild):
    KIND = ("--kind", "clue", "--texts", "refer")


class ClueChange(ClueState, test_index_atomic.AtomicChange):
    def test_merge(self):
        """Every clue is answered alike before and after it."""
        super().test_merge()
        self.assertEqual(len(self.answers), 2)
        self.assertEqual(len(set(self.answers.values())), 1)


class Damage(SearchTest):
    BLOCK = 1 << 14

    def test_any_block(self):
        """verify names a damaged block. A question names the file, or its answer does not depend on the block."""
        corpus = self.corpus(31, texts=400)
        index = self.build(corpus)
        clues = self.clues(corpus, 32, count=20)
        expected = self.ask(index, clues)
        scanned = self.ask(index, clues, "--scan")
        name = f"{index}/segment-000001.ndh"
        whole = self.read(name)  # ask() has left the clues in clues.jsonl
        chance = random.Random(33)
        blocks = range((len(whole) + self.BLOCK - 1) // self.BLOCK)
        self.assertGreater(len(blocks), 4)
        failed = 0
        for block in blocks:
            damaged = bytearray(whole)
            at = min(block * self.BLOCK + chance.randrange(self.BLOCK), len(whole) - 1)
            while damaged[at] == 0:  # the zeros that fill gaps are not checked
                at -= 1
            damaged[at] ^= 1 << chance.randrange(8)
            self.write(name, bytes(damaged))
            result = self.neardup("index", "verify", index, code=1)
            self.assertIn(f"'{name}'", result.stderr)
            for options, right in (((), expected), (("--scan",), scanned)):
                result = self.neardup("search", index, "clues.jsonl", "--json", "-q", *options, code=None)
                if result.returncode == 0:
                    self.assertEqual([json.loads(line) for line in result.stdout.splitlines()], right, at)
                else:
                    failed += 1
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertIn(f"'{name}'", result.stderr)
        self.assertGreater(failed, len(blocks))


class SameBytes(SearchTest):
    def test_threads_memory_and_instruction_set(self):
        corpus = self.corpus(41, texts=1500)
        self.write("in.jsonl", [{"id": name, "text": text} for name, text in corpus])
        self.write("more.jsonl", [{"id": "more" + name, "text": text} for name, text in self.corpus(42, texts=200)])
        self.write("clues.jsonl", [{"id": f"c{number}", "text": clue} for number, clue in enumerate(self.clues(corpus, 43, count=60))])
        doctor = self.neardup("doctor").stdout.decode()
        kernels = next(line for line in doctor.split("\n") if line.startswith("kernels")).split(" runs ")[1].split(", ")
        self.assertIn("baseline", kernels)
        runs = [(("--threads", 1), None), (("--threads", 2), None), (("--threads", 5, "--memory", "64M"), None)]
        runs += [(("--threads", 2), {"NEARDUP_KERNELS": kernel}) for kernel in kernels]
        for texts in ("keep", "refer"):
            seen = {}
            for number, (options, env) in enumerate(runs):
                index = f"{texts}-{number}"
                self.neardup("index", "build", index, "in.jsonl", "--kind", "clue", "--texts", texts, "-q", *options, env=env)
                self.neardup("index", "add", index, "more.jsonl", "-q", *options, env=env)
                self.neardup("index", "delete", index, "t3", "t70", "moret9", env=env)
                files = self.files(index)
                self.neardup("index", "merge", index, "-q", *options, env=env)
                answers = [self.neardup("search", index, "clues.jsonl", "--json", "-q", *options[:2], *ask, env=env).stdout
                           for ask in ((), ("--edits", "10%"), ("--resembles", "--threshold", "0.5"), ("--scan", "--count"))]
                for what, value in (("files", files), ("merged", self.files(index)), ("answers", answers)):
                    self.assertTrue(seen.setdefault(what, value) == value, (what, texts, options, env))

    def files(self, index):
        return [(path.name, path.read_bytes()) for path in sorted(self.path(index).iterdir()) if path.name != "LOCK"]


if __name__ == "__main__":
    unittest.main()
