"""The warning that more documents lie just below the threshold than were removed, against the similarities of oracle.py."""
import json
import random
import unittest
from fractions import Fraction

from harness import CliTest
from oracle import features


class JustBelow(CliTest):
    def setUp(self):
        super().setUp()
        self.chance = random.Random(9)

    def words(self, count):
        return ["".join(self.chance.choice("abcdefghijkl") for _ in range(5)) for _ in range(count)]

    def texts(self, pairs, errors, length=100):
        """Pairs of texts whose second one has this many misread words."""
        texts = []
        for _ in range(pairs):
            words = self.words(length)
            misread = list(words)
            for place in self.chance.sample(range(length), errors):
                misread[place] = self.words(1)[0]
            texts += [" ".join(words), " ".join(misread)]
        return texts

    def oracle(self, texts, threshold):
        """(removed, kept with a similarity just below the threshold to one before)"""
        sets = [features(text, "words-5") for text in texts]
        kept, removed, just_below = [], 0, 0
        for each in sets:
            similarities = [Fraction(len(each & other), len(each | other)) for other in kept]
            if any(similarity >= Fraction(threshold) for similarity in similarities):
                removed += 1
                continue
            just_below += any(similarity >= Fraction(threshold) - Fraction("0.1") for similarity in similarities)
            kept.append(each)
        return removed, just_below

    def run_warnings(self, texts, *arguments):
        self.write("in.jsonl", [{"text": text} for text in texts])
        summary = self.summary("dedup", "in.jsonl", "-o", "kept.jsonl", *arguments)
        return summary["warnings"], summary["near_duplicates"]

    def test_the_count_is_that_of_the_oracle(self):
        """As one group, each with each, and in groups of two by bands. A larger group is searched by prefixes, which find less."""
        texts = self.texts(125, 3)
        removed, just_below = self.oracle(texts, "0.8")
        self.assertGreater(just_below, removed)
        for search in (("exact",), ("lsh", "--bands", 64, "--rows-per-band", 2)):
            found, near = self.run_warnings(texts, "--search", *search)
            self.assertEqual((near, len(found)), (removed, 1), search)
            self.assertTrue(found[0].startswith(f"{just_below} kept documents have a similarity of 0.7 to 0.8 with another one, and "
                                                f"{removed} were removed"), found[0])
            self.assertIn("neardup pairs --threshold 0.7", found[0])
        printed = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--search", "lsh", "--bands", 64, "--rows-per-band", 2).stderr
        self.assertIn("warning: " + found[0], printed)
        # Follows the advice: the pairs exist, and a threshold of 0.7 removes them.
        self.assertEqual(self.run_warnings(texts, "--threshold", "0.7"), ([], removed + just_below))

    def test_not_where_most_are_above(self):
        texts = self.texts(150, 3) + self.texts(200, 1)
        removed, just_below = self.oracle(texts, "0.8")
        self.assertTrue(100 <= just_below < removed, (just_below, removed))
        self.assertEqual(self.run_warnings(texts), ([], removed))

    def test_not_for_a_few(self):
        texts = self.texts(90, 3)
        removed, just_below = self.oracle(texts, "0.8")
        self.assertTrue(removed < just_below < 100, (just_below, removed))
        self.assertEqual(self.run_warnings(texts), ([], removed))

    def test_not_where_nothing_is_compared(self):
        texts = self.texts(150, 3)
        for options in (["--cluster", "components"], ["--verify", "false"], ["--threshold", "0.1"], ["--recipe", "simhash-words-3"],
                        ["--recipe", "simhash-words-3", "--max-distance", 20, "--verify", "cosine"]):
            self.assertEqual(self.run_warnings(texts, *options)[0], [], options)

    def test_the_same_for_any_threads_and_after_resuming(self):
        texts = self.texts(400, 3)
        self.chance.shuffle(texts)
        expected = self.run_warnings(texts, "-j", 1)
        self.assertEqual(len(expected[0]), 1)
        for more in (["-j", 4], ["--batch", 150], ["--memory", "256M"], ["--work", "run"]):
            self.assertEqual(self.run_warnings(texts, *more), expected, more)
        self.neardup("dedup", "--resume", "run")
        self.assertEqual(json.loads(self.read("summary.json"))["warnings"], expected[0])


if __name__ == "__main__":
    unittest.main()
