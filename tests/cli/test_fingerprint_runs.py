"""Runs over fingerprints end to end: `dedup` and `pairs` with presets and recipe files, against SimHash written in Python from docs/simhash.md."""
import json
import os
import random
import subprocess
import unittest
from collections import Counter

from harness import BINARY, CliTest
from test_recipe_page import xxh3_64

WORDS = "river stone bridge market window letter garden winter silver engine harbour candle forest mirror travel paper".split()
TIES = 0xAAAAAAAAAAAAAAAA


def simhash(weights):
    """64 bits: bit i is 1 if the votes of the features that have it outweigh those of the others; a tie goes to the odd bits."""
    made = 0
    for bit in range(64):
        vote = sum(weight if feature >> bit & 1 else -weight for feature, weight in weights.items())
        made |= (1 if vote > 0 else 0 if vote < 0 else TIES >> bit & 1) << bit
    return made


def simhash_chars_4(text):
    """Of ASCII text."""
    compact = "".join(text.lower().split())
    shingles = [compact[i:i + 4] for i in range(len(compact) - 3)] or ([compact] if compact else [])
    return simhash(Counter(xxh3_64(shingle.encode()) for shingle in shingles))


def documents(seed, count=40):
    chance = random.Random(seed)
    records = []
    for i in range(count):
        if records and chance.random() < 0.5:
            words = chance.choice(records)["text"].split()
            words[chance.randrange(len(words))] = chance.choice(WORDS).upper()
        else:
            words = [chance.choice(WORDS) for _ in range(chance.randrange(20, 60))]
        records.append({"id": str(i), "text": " ".join(words)})
    return records


class Fingerprints(CliTest):
    def setUp(self):
        super().setUp()
        self.documents = documents(1)
        self.write("in.jsonl", self.documents)

    def distances(self):
        codes = [simhash_chars_4(record["text"]) for record in self.documents]
        return {(a, b): bin(codes[a] ^ codes[b]).count("1") for b in range(len(codes)) for a in range(b)}

    def test_pairs(self):
        for most in (0, 3, 10, 24):
            self.neardup("pairs", "in.jsonl", "-o", "pairs.jsonl", "--recipe", "simhash-chars-4", "--max-distance", most)
            expected = [(str(a), str(b), round(1 - distance / 64, 6))
                        for (a, b), distance in sorted(self.distances().items()) if distance <= most]
            got = [(row["id_a"], row["id_b"], row["similarity"]) for row in self.records("pairs.jsonl")]
            self.assertEqual([pair[:2] for pair in got], [pair[:2] for pair in expected], most)
            for (_, _, told), (_, _, true) in zip(got, expected):
                self.assertAlmostEqual(told, true, places=5)
        self.assertGreater(len(got), 50)

    def test_dedup_is_the_scan_rule(self):
        distances = self.distances()
        for most in (3, 10):
            summary = self.summary("dedup", "in.jsonl", "--verdicts", "v.jsonl", "-o", "kept.jsonl", "--recipe", "simhash-chars-4",
                                   "--max-distance", most)
            kept, keepers = [], {}
            for b in range(len(self.documents)):
                keepers[b] = next((a for a in kept if distances[a, b] <= most), None)
                if keepers[b] is None:
                    kept.append(b)
            rows = self.records("v.jsonl")
            self.assertEqual([row["keeper_id"] for row in rows], [None if a is None else str(a) for a in keepers.values()])
            self.assertEqual([row["id"] for row in self.records("kept.jsonl")], [str(a) for a in kept])
            self.assertEqual((summary["fingerprint_bits"], summary["max_distance"]), (64, most))
            self.assertGreater(summary["removed"], 3)

    def test_verified_by_features(self):
        loose = self.summary("dedup", "in.jsonl", "--recipe", "simhash-chars-4", "--max-distance", 24)
        for verify in ("jaccard", "cosine", "weighted-jaccard"):
            strict = self.summary("dedup", "in.jsonl", "--recipe", "simhash-chars-4", "--max-distance", 24, "--verify", verify, "-t", "0.95")
            self.assertLess(strict["removed"], loose["removed"])
            self.assertGreater(strict["verifications"], 0)

    def test_another_recipe_finds_more(self):
        alone = self.summary("pairs", "in.jsonl", "--recipe", "simhash-chars-4", "--max-distance", 3, "--verify", "jaccard", "-t", "0.5")
        both = self.summary("pairs", "in.jsonl", "--recipe", "simhash-chars-4", "--max-distance", 3, "--also", "minhash-chars-3", "-t", "0.5")
        self.assertGreater(both["pairs"], alone["pairs"])

    def test_refusals(self):
        for words, message in ((("--recipe", "simhash-chars-4", "--max-distance", 65), "--max-distance: 65 is above the 64 bits of recipe"),
                               (("--recipe", "words-5", "--also", "chars-5"), "also: recipe 'chars-5' must be of the other kind"),
                               (("--verify", "cosine", "--also", "simhash-chars-4"), "verify 'cosine' requires a single recipe"),
                               (("--recipe", "simhash-chars-4", "--also", "words-5", "--verify", "false"), "also: cannot be combined with verify off"),
                               (("--also", "no-such-recipe"), "recipe 'no-such-recipe' is neither a preset")):
            self.assertIn(message, self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", *words, code=2).stderr)
        self.assertEqual(self.names(), ["in.jsonl"])


RECIPE = {"normalizer": "nfkc_casefold_v1", "tokenizer": "words_v1", "shingle": {"size": 1, "short_text": "none"}, "min_features": 1,
          "feature_hash": "xxh3_64_v1", "sketch": {"kind": "simhash_v1", "bits": 128}}


class RecipeFiles(CliTest):
    """Recipes that use files, which are named next to the recipe."""

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", [
            {"id": "a", "text": "<p>The rivers were <b>running</b> over stones</p>"},
            {"id": "b", "text": "<div>river runs over a STONE, foo</div>"},
            {"id": "c", "text": "<p>Call me Ishmael, some years ago</p>"}, {"id": "d", "text": "a table of contents, river"}])
        self.write("rules/stop.txt", "the\nwere\nover\na\nfoo\n")

    def recipe(self, **members):
        return self.write("rules/mine.json", json.dumps(RECIPE | members))

    def test_everything_together(self):
        parts = {"clean": ["tags_v1"], "stop_words": "stop.txt", "stemmer": "english"}
        tokens = self.recipe(**parts, weighting={"kind": "tf_idf_v1", "idf": "corpus"})
        self.neardup("idf", "fit", "in.jsonl", "-o", "rules/corpus.idf", "--recipe", tokens)
        fitted = self.summary("pairs", "in.jsonl", "-o", "one.jsonl", "--recipe", tokens, "--max-distance", 0)
        with_file = self.recipe(**parts, weighting={"kind": "tf_idf_v1", "idf": "corpus.idf"})
        by_file = self.summary("pairs", "in.jsonl", "-o", "two.jsonl", "--recipe", with_file, "--max-distance", 0)
        self.assertEqual([(row["id_a"], row["id_b"]) for row in self.records("one.jsonl")], [("a", "b")])  # river, run, stone
        self.assertEqual(self.read("one.jsonl"), self.read("two.jsonl"))
        self.assertEqual(fitted["recipe_id"], by_file["recipe_id"])
        for without in parts:
            self.recipe(**{name: value for name, value in parts.items() if name != without}, weighting={"kind": "tf_v1"})
            self.assertEqual(self.summary("pairs", "in.jsonl", "--recipe", with_file, "--max-distance", 0)["pairs"], 0, without)

    def test_sketch_fits_the_table_on_its_inputs(self):
        self.neardup("idf", "fit", "in.jsonl", "-o", "rules/corpus.idf", "--recipe", "simhash-words")
        members = {"normalizer": "nfkc_casefold_v1", "stop_words": "english_v1", "stemmer": "english",
                   "shingle": {"size": 1, "short_text": "none"}, "sketch": {"kind": "simhash_v1", "bits": 64}}
        by_file = self.recipe(**members, weighting={"kind": "tf_idf_v1", "idf": "corpus.idf"})
        self.neardup("sketch", "in.jsonl", "-o", "one.jsonl", "--recipe", "simhash-words")
        self.neardup("sketch", "in.jsonl", "-o", "two.jsonl", "--recipe", by_file)
        self.assertEqual(self.read("one.jsonl"), self.read("two.jsonl"))

    def test_wrong_files(self):
        self.write("rules/bad.idf", "no table")
        self.write("rules/bad.txt", b"fine\nnot \xff fine\n")
        for members, code, message in (({"weighting": {"kind": "tf_idf_v1", "idf": "bad.idf"}}, 1, "bad.idf"),
                                       ({"weighting": {"kind": "tf_idf_v1", "idf": "gone.idf"}}, 1, "gone.idf"),
                                       ({"stop_words": "bad.txt"}, 1, "bad.txt:2: the stop word is not valid UTF-8"),
                                       ({"stop_words": "gone.txt"}, 2, "gone.txt"), ({"stemmer": "klingon"}, 2, "klingon"),
                                       ({"clean": [{"remove": {"pattern": "("}}]}, 2, "clean[0]"),
                                       ({"tokenizer": "jieba_v1", "dictionary": "stop.txt"}, 1, "stop.txt"),
                                       ({"tokenizer": "jieba_v1", "dictionary": "gone.dict"}, 1, "gone.dict")):
            error = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", self.recipe(**members), code=code).stderr
            self.assertIn(message, error)
            self.assertEqual(error.count("\n"), 1, error)
        self.assertNotIn("kept.jsonl", self.names())


class Dictionaries(CliTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", [{"id": "a", "text": "今天天气很好"}, {"id": "b", "text": "今天 天气很好！"}])

    def needs_dictionary(self):
        found = subprocess.run([BINARY, "dict", "info"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if found.returncode != 0:
            self.fail("this build has no dictionary of Chinese words: scripts/setup.sh build, then configure and build again")

    def test_missing(self):
        for preset in ("simhash-jieba-200", "minhash-jieba-3", "python-simhash-keywords"):
            result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", preset, env={"NEARDUP_DICT": "nowhere.dict"}, code=1)
            self.assertIn("NEARDUP_DICT: there is no file 'nowhere.dict'", result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", "simhash-chars-4", env={"NEARDUP_DICT": "nowhere.dict"})

    def test_of_another_id(self):
        self.needs_dictionary()
        wanted = json.loads(self.neardup("recipe", "simhash-jieba-30", "--json").stdout)
        self.write("mine.json", json.dumps(wanted))
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", "mine.json")
        os.unlink(self.path("kept.jsonl"))
        self.write("mine.json", json.dumps(wanted | {"dictionary": "0123456789abcdef"}))
        error = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", "mine.json", code=2).stderr
        self.assertIn(f"was made for the dictionary 0123456789abcdef; here it is {wanted['dictionary']}", error)
        self.assertNotIn("kept.jsonl", self.names())

    def test_one_of_ones_own(self):
        self.needs_dictionary()
        self.write("words.txt", "今天天气 100 n\n很好 50 a\n")
        self.neardup("dict", "build", "--words", "words.txt", "-o", "own.dict")
        recipe = RECIPE | {"tokenizer": "jieba_full_v1", "dictionary": "own.dict"}
        self.write("mine.json", json.dumps(recipe))
        own = json.loads(self.neardup("recipe", "mine.json", "--json").stdout)
        self.assertRegex(own["dictionary"], "^[0-9a-f]{16}$")
        error = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", "simhash-jieba-30", env={"NEARDUP_DICT": "own.dict"},
                             code=2).stderr
        self.assertIn("the dictionary has no HMM tables", error)

    def test_presets_run(self):
        self.needs_dictionary()
        for preset in ("simhash-jieba-200", "simhash-jieba-30"):
            self.assertEqual(self.summary("dedup", "in.jsonl", "--recipe", preset)["kept"], 1, preset)


if __name__ == "__main__":
    unittest.main()
