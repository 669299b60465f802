"""`neardup compare` of fingerprint recipes and under all presets; `neardup plan` for fingerprints, and its words for a MinHash."""
import json
import math
import os
import pty
import re
import subprocess
import unittest

from corpora import make_texts
from fingerprints import WORDS, simhash, weights_of
from harness import BINARY, TIMEOUT_S, CliTest
from oracle import features

A = "the cat sat on the mat and the dog sat by the door"
B = "the cat sat on the mat and the fox sat by the door"


class CompareFingerprints(CliTest):
    def setUp(self):
        super().setUp()
        self.write("wide.json", json.dumps(WORDS))
        self.write("narrow.json", json.dumps(WORDS | {"sketch": {"kind": "simhash_v1", "bits": 64}}))

    def compare(self, a, b, *arguments):
        return json.loads(self.neardup("compare", "--text-a", a, "--text-b", b, "--json", *arguments).stdout)

    def test_measures_are_their_definitions(self):
        texts = [text for text in make_texts(41, originals=6) if weights_of(text)]
        for recipe, bits in (("wide.json", 128), ("narrow.json", 64)):
            for a, b in zip(texts, texts[1:] + texts[:1]):
                x, y = weights_of(a), weights_of(b)
                got = self.compare(a, b, "--recipe", recipe, "--max-distance", bits // 8, "--top", "1000")
                codes = simhash(x, bits), simhash(y, bits)
                self.assertEqual((got["bits"], got["fingerprint_a"], got["fingerprint_b"]),
                                 (bits, *(f"{code:0{bits // 4}x}" for code in codes)))
                differing = [bit for bit in range(bits) if (codes[0] ^ codes[1]) >> bit & 1]
                self.assertEqual((got["distance"], got["differing_bits"]), (len(differing), differing))
                self.assertEqual(got["match"], got["exact_copy"] or len(differing) <= bits // 8)
                norms = sum(w * w for w in x.values()) * sum(w * w for w in y.values())
                cosine = sum(w * y.get(word, 0) for word, w in x.items()) / math.sqrt(norms)
                self.assertAlmostEqual(got["weighted_cosine"], cosine, delta=1.1e-6)
                self.assertAlmostEqual(got["jaccard"], len(x.keys() & y.keys()) / len(x.keys() | y.keys()), places=8)
                shown = {word["word"]: (word["weight_a"], word["weight_b"]) for word in got["words"]}
                self.assertEqual(shown, {word: (x.get(word, 0), y.get(word, 0)) for word in x.keys() | y.keys()})
                heights = [max(word["weight_a"], word["weight_b"]) for word in got["words"]]
                self.assertEqual(heights, sorted(heights, reverse=True))

    def test_the_page(self):
        text = self.neardup("compare", "--text-a", A, "--text-b", B, "--recipe", "wide.json", "--top", "3").stdout.decode()
        codes = simhash(weights_of(A), 128), simhash(weights_of(B), 128)
        distance = (codes[0] ^ codes[1]).bit_count()
        self.assertGreater(distance, 0)
        self.assertIn(f"fingerprints of 128 bits; {distance} differ, at most 3 may", text)
        lines = text.split("\n")
        rows = [line for line in lines if re.match("  (1st|2nd)  [01]{8} ", line)]
        for which, code in (("1st", codes[0]), ("2nd", codes[1])):
            digits = "".join(row[7:].replace(" ", "") for row in rows if which in row)
            self.assertEqual(digits, f"{code:0128b}")
        marks = [line for line in lines if line and set(line) <= {" ", "^"}]
        self.assertEqual(sum(line.count("^") for line in marks), distance)
        for mark in marks:
            above = lines[lines.index(mark) - 2:lines.index(mark)]
            self.assertEqual([i for i, char in enumerate(mark) if char == "^"],
                             [i for i in range(7, len(above[0])) if above[0][i] != above[1][i]])
        self.assertIn("            4              4  the", text)
        self.assertIn(f"and {len(weights_of(A + ' ' + B)) - 3} more", text)
        self.assertIn("They do not match within distance 3", text)
        self.assertNotIn("lanes", text)
        self.assertNotIn("\033", text)

    def on_a_terminal(self, **environment):
        master, slave = pty.openpty()
        try:
            env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | environment
            subprocess.run([BINARY, "compare", "--text-a", A, "--text-b", B, "--recipe", "narrow.json"], cwd=self.dir, stdout=slave, env=env,
                           timeout=TIMEOUT_S, check=True)
            os.close(slave)
            slave = -1
            text = b""
            while True:
                try:
                    piece = os.read(master, 65536)
                except OSError:
                    break
                if not piece:
                    break
                text += piece
        finally:
            os.close(master)
            if slave >= 0:
                os.close(slave)
        return text.decode()

    def test_colors(self):
        distance = (simhash(weights_of(A), 64) ^ simhash(weights_of(B), 64)).bit_count()
        colored = self.on_a_terminal()
        self.assertEqual(len(re.findall("\033\\[1;31m[01]\033\\[0m", colored)), 2 * distance)
        self.assertNotIn("^", colored)
        plain = self.on_a_terminal(NO_COLOR="1")
        self.assertNotIn("\033", plain)
        self.assertEqual(plain.count("^"), distance)

    def test_every_preset_says_its_verdict(self):
        listed = [line.split()[0] for line in self.neardup("recipe", "--list").stdout.decode().splitlines()]
        none = {"NEARDUP_DICT": "/none/such"}
        got = json.loads(self.neardup("compare", "--text-a", A, "--text-b", B, "--json", "-t", "0.5", "--max-distance", "20", env=none).stdout)
        presets = {preset["name"]: preset for preset in got["presets"]}
        self.assertEqual(list(presets), listed)
        for name in ("words-5", "chars-5"):
            x, y = features(A, name), features(B, name)
            self.assertAlmostEqual(presets[name]["similarity"], len(x & y) / len(x | y), places=8)
            self.assertEqual(presets[name]["match"], 2 * len(x & y) >= len(x | y))
        self.assertIn("/none/such", presets["simhash-jieba-200"]["problem"])
        self.assertIn("IDF of a corpus", presets["simhash-words"]["problem"])
        alone = self.compare(A, B, "--recipe", "simhash-chars-4")
        self.assertEqual(presets["simhash-chars-4"]["distance"], alone["distance"])
        self.assertEqual(presets["simhash-chars-4"]["match"], alone["distance"] <= 20)
        text = self.neardup("compare", "--text-a", A, "--text-b", B, env=none).stdout.decode()
        self.assertEqual(re.findall(r"(?m)^  ([a-z]+-[-a-z0-9]+) +(?:match|no match|not computed)", text), listed)

    def test_short_texts(self):
        got = self.compare("...", A, "--recipe", "narrow.json")
        self.assertEqual((got["fingerprint_a"], got["distance"], got["weighted_cosine"], got["match"]), (None, None, None, False))
        self.assertTrue(self.compare("...", "... ", "--recipe", "narrow.json")["match"])
        self.assertIn("weighs by the IDF of a corpus", self.neardup("compare", "--text-a", A, "--text-b", B, "--recipe", "simhash-words", code=2).stderr)

    def test_charsets(self):
        self.write("a.txt", "我们去公园散步，天气很好".encode("gb18030"))
        self.write("b.txt", "我们去公园散步，天气很好".encode("utf-16"))
        self.assertTrue(json.loads(self.neardup("compare", "a.txt", "b.txt", "--charset", "gb18030", "--json").stdout)["exact_copy"])
        wrong = self.neardup("compare", "a.txt", "b.txt", "--json")
        self.assertFalse(json.loads(wrong.stdout)["exact_copy"])
        self.assertIn("warning: a.txt: bytes that are not of the expected charset, read as U+FFFD; try --charset auto", wrong.stderr)
        self.assertIn("charset", self.neardup("compare", "a.txt", "b.txt", "--charset", "klingon", code=2).stderr)


class PlanFingerprints(CliTest):
    def test_the_binomial_distribution(self):
        self.write("wide.json", json.dumps(WORDS))
        for recipe, bits in (("simhash-chars-4", 64), ("wide.json", 128)):
            for most in (0, 3, 10, bits):
                text = self.neardup("plan", "--recipe", recipe, "--max-distance", most).stdout.decode()
                self.assertNotIn("lanes", text)
                rows = re.findall(r"(?m)^ +(\d\.\d\d) +(\d\.\d{4}) +(\d+\.\d) +(\d+\.\d{4}) %$", text)
                self.assertEqual((rows[0][0], rows[-1][0]), ("0.50", "1.00"))
                for s, cosine, mean, match in rows:
                    share = math.acos(2 * float(s) / (1 + float(s))) / math.pi
                    exact = sum(math.comb(bits, i) * share**i * (1 - share)**(bits - i) for i in range(most + 1))
                    self.assertAlmostEqual(float(match), 100 * exact, delta=1e-4)
                    self.assertAlmostEqual(float(cosine), 2 * float(s) / (1 + float(s)), delta=1e-4)
                    self.assertAlmostEqual(float(mean), bits * share, delta=0.051)
                chance = sum(math.comb(bits, i) for i in range(most + 1)) / 2**bits
                false_candidates = dict(re.findall(r"(?m)^ *([\d,]{9,}) +([-+.,\de]+)$", text))
                self.assertEqual(len(false_candidates), 5)
                for texts, pairs in false_candidates.items():
                    count = int(texts.replace(",", ""))
                    self.assertAlmostEqual(float(pairs.replace(",", "")) / (count * (count - 1) / 2 * chance), 1, delta=0.06)

    def test_plan_of_a_minhash_says_what_its_numbers_are(self):
        text = self.neardup("plan", "--threshold", "0.8").stdout.decode()
        self.assertIn("Found and missed are averages over hash seeds. Misses of one cluster are correlated", text)


if __name__ == "__main__":
    unittest.main()
