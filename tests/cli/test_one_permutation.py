"""Recipes of minhash_v2 in the commands: the same bytes with every instruction set, no pair below the threshold, and few missed. The
sketches themselves: test_recipe_page.py.
"""
import json
import unittest

from corpora import make_texts
from harness import CliTest
from recipe_reference.texts import PRESETS, one_permutation


class OnePermutation(CliTest):
    def setUp(self):
        super().setUp()
        texts = [text for seed in range(8) for text in make_texts(seed, originals=60, length=60 + 40 * seed, chinese=seed % 3 == 0)]
        self.write("in.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)])
        self.write("v2.json", json.dumps(one_permutation(PRESETS["words-5"])))

    def outputs(self, *arguments, env=None):
        self.neardup("dedup", "in.jsonl", "--recipe", "v2.json", "-q", "-o", "kept.jsonl", "--verdicts", "v.tsv", *arguments, env=env)
        self.neardup("pairs", "in.jsonl", "--recipe", "v2.json", "-q", "-o", "pairs.tsv", *arguments, env=env)
        self.neardup("sketch", "in.jsonl", "--recipe", "v2.json", "-q", "-o", "sketches.jsonl", env=env)
        return [self.read(name) for name in ("kept.jsonl", "v.tsv", "pairs.tsv", "sketches.jsonl")]

    def test_same_bytes(self):
        expected = self.outputs("-j", 1)
        self.assertEqual(self.outputs("-j", 3, "--memory", "64M"), expected)
        doctor = self.neardup("doctor").stdout.decode()
        kernels = next(line for line in doctor.split("\n") if line.startswith("kernels")).split(" runs ")[1].split(", ")
        for kernel in kernels:
            self.assertEqual(self.outputs(env={"NEARDUP_KERNELS": kernel}), expected, kernel)

    def test_pairs_are_those_of_the_features(self):
        for name, recipe in (("v1.tsv", "words-5"), ("v2.tsv", "v2.json")):
            self.neardup("pairs", "in.jsonl", "--recipe", recipe, "--search", "exact", "-q", "-o", name)
        self.assertEqual(self.read("v1.tsv"), self.read("v2.tsv"))
        self.neardup("pairs", "in.jsonl", "--recipe", "v2.json", "-q", "-o", "found.tsv")
        exact, found = ({line for line in self.read(name).split(b"\n") if line} for name in ("v2.tsv", "found.tsv"))
        self.assertGreater(len(exact), 200)
        self.assertLessEqual(found, exact)
        self.assertLess(len(exact - found), 0.02 * len(exact))

    def test_an_index_of_fingerprints_refuses_it(self):
        stderr = self.neardup("index", "build", "i", "in.jsonl", "--recipe", "v2.json", code=2).stderr
        self.assertIn("makes MinHash signatures, but an index stores fingerprints", stderr)


if __name__ == "__main__":
    unittest.main()
