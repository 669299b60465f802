"""The warning about one document for which too many others are removed, in runs that do not verify."""
import json
import random
import unittest

from harness import CliTest

SHINGLES_ONCE = ["--recipe", "simhash-words-3"]
ADVICE_FOR_TABLES = "--recipe simhash-words-3 counts repeated parts once"


def words(chance, count):
    return " ".join("".join(chance.choice("abcdefghijklmnop") for _ in range(6)) for _ in range(count))


class KeeperWarning(CliTest):
    def setUp(self):
        super().setUp()
        self.chance = random.Random(5)

    def variants(self, name, count):
        """A text and others of the same words, no two of which are exact copies."""
        text = words(self.chance, 30)
        return [{"id": f"{name}-{i}", "text": text + "!" * i} for i in range(count + 1)]

    def run_warnings(self, records, *arguments):
        """(warnings, near-duplicates) of a run over these records."""
        self.write("in.jsonl", records)
        summary = self.summary("dedup", "in.jsonl", "-o", "kept.jsonl", *arguments)
        return summary["warnings"], summary["near_duplicates"]

    def test_unrelated_texts_with_a_table(self):
        records = [{"id": f"page {i}", "text": f"{words(self.chance, 40)}\n{'=' * 1600}\n"} for i in range(150)]
        found, removed = self.run_warnings(records, "--recipe", "simhash-chars-4", "--max-distance", 3)
        self.assertEqual(removed, 149)
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("in.jsonl:1 (id 'page 0') is the keeper of 149 of the 149 different texts removed as"), found[0])
        for part in ("--verify jaccard", "neardup compare", ADVICE_FOR_TABLES):
            self.assertIn(part, found[0])
        printed = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", "simhash-chars-4").stderr
        self.assertIn("warning: " + found[0], printed)
        for remedy in (["--recipe", "simhash-chars-4", "--verify", "jaccard"], SHINGLES_ONCE):
            self.assertEqual(self.run_warnings(records, *remedy), ([], 0))

    def test_from_a_hundred_texts_on(self):
        self.assertEqual(self.run_warnings(self.variants("a", 99), *SHINGLES_ONCE), ([], 99))
        found, removed = self.run_warnings(self.variants("a", 100), *SHINGLES_ONCE)
        self.assertEqual((len(found), removed), (1, 100))
        self.assertIn("is the keeper of 100 of the 100 different texts", found[0])
        self.assertNotIn(ADVICE_FOR_TABLES, found[0])  # the recipe of this run does that

    def test_from_a_tenth_of_all_on(self):
        others = [record for i in range(901) for record in self.variants(f"b{i}", 1)]
        records = others[:-2] + self.variants("a", 100)
        found, removed = self.run_warnings(records, *SHINGLES_ONCE)
        self.assertEqual(removed, 1000)
        self.assertIn("in.jsonl:1801 (id 'a-0') is the keeper of 100 of the 1,000 different texts", found[0])
        self.assertEqual(self.run_warnings(others + self.variants("a", 100), *SHINGLES_ONCE), ([], 1001))

    def test_of_equals_the_first(self):
        records = self.variants("a", 120) + self.variants("b", 120)
        self.chance.shuffle(records)
        found, _ = self.run_warnings(records, *SHINGLES_ONCE)
        self.assertEqual(len(found), 1)
        first = next(i for i, record in enumerate(records, 1))
        self.assertTrue(found[0].startswith(f"in.jsonl:{first} (id '{records[0]['id']}')"), found[0])

    def test_exact_copies_do_not_count(self):
        records = [{"text": record["text"]} for record in self.variants("a", 99)]
        self.assertEqual(self.run_warnings(records * 3, *SHINGLES_ONCE), ([], 297))

    def test_copies_of_reference_documents_do_not_count(self):
        """They are copies of a text in the corpus, although the first reference document that matches is their keeper."""
        seen = self.variants("a", 1)
        self.write("seen.jsonl", seen)
        against = (*SHINGLES_ONCE, "--against", "seen.jsonl")
        first, second = ([{"text": record["text"]}] * 150 for record in seen)
        for copies in (first, second):
            self.assertEqual(self.run_warnings(copies, *against)[0], [])
        found, removed = self.run_warnings(second + [{"text": seen[0]["text"] + "?" * (i + 1)} for i in range(100)], *against)
        self.assertEqual(removed, 250)
        self.assertTrue(found[0].startswith("seen.jsonl:1 (id 'a-0') is the keeper of 100 of the 100 different texts"), found[0])

    def test_without_ids(self):
        records = [{"text": record["text"]} for record in self.variants("a", 110)]
        self.assertTrue(self.run_warnings(records, *SHINGLES_ONCE)[0][0].startswith("in.jsonl:1 is the keeper of 110 of "))

    def test_an_entry_of_an_index(self):
        first, *rest = self.variants("a", 130)
        self.write("seen.jsonl", [first])
        self.neardup("index", "build", "seen", "seen.jsonl", *SHINGLES_ONCE, "--max-distance", 3, "-q")
        found, removed = self.run_warnings(rest + self.variants("b", 5), *SHINGLES_ONCE, "--against", "seen")
        self.assertEqual(removed, 135)
        self.assertTrue(found[0].startswith("seen:0 (id 'a-0') is the keeper of 130 of the 135 different texts"), found[0])
        self.assertNotIn("--verify", found[0])  # an index has no texts to verify with

    def test_bands_without_verification(self):
        text = words(self.chance, 60).split()
        records = [{"id": i, "text": " ".join(text[:i % 60] + ["other"] + text[i % 60:]) + "." * (i // 60)} for i in range(150)]
        found, removed = self.run_warnings(records, "--verify", "false", "--threshold", "0.5")
        self.assertGreaterEqual(removed, 100)
        self.assertIn("without --verify false", found[0])
        self.assertEqual(self.run_warnings(records, "--threshold", "0.5")[0], [])

    def test_the_same_for_any_threads_and_slices(self):
        records = self.variants("a", 300) + self.variants("b", 250) + [{"id": f"c{i}", "text": words(self.chance, 30)} for i in range(500)]
        self.chance.shuffle(records)
        expected = self.run_warnings(records, *SHINGLES_ONCE, "-j", 1)
        self.assertEqual(len(expected[0]), 1)
        for more in (["-j", 4], ["--batch", 100], ["--cluster", "components"], ["--work", "run"]):
            self.assertEqual(self.run_warnings(records, *SHINGLES_ONCE, *more), expected, more)
        self.neardup("dedup", "--resume", "run")
        self.assertEqual(json.loads(self.read("summary.json"))["warnings"], expected[0])


if __name__ == "__main__":
    unittest.main()
