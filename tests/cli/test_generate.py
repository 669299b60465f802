"""`neardup generate`: labelled near-duplicates of real texts."""
import hashlib
import itertools
import random
import unittest

from harness import CliTest

KINDS = ("insert", "delete", "replace", "reorder", "truncate", "prefix", "suffix", "ocr", "punctuation", "width", "script", "html", "template",
         "quote")
# Another version of ICU may convert scripts differently; everything else is the same on every machine.
GOLDEN = "4790d9b459d38b64f649dcebb6791dc02957c817e57e42bc153c9ff34e6d15a5"


def shingles(text):
    """The 5-grams of characters of texts without upper-case letters and CJK."""
    text = " ".join(text.split())
    return {text[i:i + 5] for i in range(len(text) - 4)}


class Generate(CliTest):
    def corpus(self, documents=30):
        chance = random.Random(5)
        words = ["".join(chance.choice("abcdefghijklmnop") for _ in range(chance.randint(2, 7))) for _ in range(2000)]
        return self.write("in.jsonl", [{"id": f"d{i}", "text": " ".join(
            chance.choice(words) + (". " if chance.random() < 0.1 else "") for _ in range(80)) + f" {i} of 1997"} for i in range(documents)])

    def test_labels_and_truth_agree(self):
        self.corpus()
        self.neardup("generate", "in.jsonl", "-o", "out.jsonl", "--truth", "pairs.tsv", "--copies", "12", "--summary", "s.json", "-q")
        records = self.records("out.jsonl")
        self.assertEqual(list(records[0]), ["id", "text", "kind", "strength", "changed", "units", "of", "similarity", "duplicate", "cluster"])
        by_id = {record["id"]: record for record in records}
        self.assertEqual(len(by_id), len(records))
        clusters = {}
        for record in records:
            clusters.setdefault(record["cluster"], []).append(record["id"])
            if record["kind"] == "original":
                continue
            original = by_id[record["of"]]
            self.assertEqual(record["duplicate"], record["kind"] not in ("template", "quote"))
            a, b = shingles(original["text"]), shingles(record["text"])
            if record["kind"] in ("insert", "delete", "truncate", "template"):
                self.assertAlmostEqual(record["similarity"], len(a & b) / len(a | b), places=5)
        expected = [pair for members in clusters.values() for pair in itertools.combinations(members, 2)]
        self.assertEqual([(row["id_a"], row["id_b"]) for row in self.table("pairs.tsv")], expected)
        summary = self.records("s.json")[0]
        self.assertEqual((summary["originals"], summary["copies"], summary["pairs"]), (30, 360, len(expected)))
        self.assertEqual({kind["kind"] for kind in summary["kinds"]}, set(KINDS))

    def test_a_run_finds_light_edits(self):
        self.corpus()
        self.neardup("generate", "in.jsonl", "-o", "out.jsonl", "--truth", "truth.tsv", "--kind", "suffix,prefix,truncate", "--strength", "1", "--copies", "3", "-q")
        self.neardup("pairs", "out.jsonl", "-o", "found.tsv", "--threshold", "0.9", "--search", "exact", "-q")
        found = {(row["id_a"], row["id_b"]) for row in self.table("found.tsv")}
        self.assertEqual(found, {(row["id_a"], row["id_b"]) for row in self.table("truth.tsv")})

    def test_same_bytes_everywhere(self):
        self.corpus()
        command = ("generate", "in.jsonl", "--kind", ",".join(kind for kind in KINDS if kind != "script"), "--copies", "0", "-q")
        one = self.neardup(*command, "--threads", "1").stdout
        self.assertEqual(self.neardup(*command, "--threads", "8").stdout, one)
        self.assertEqual(hashlib.sha256(one).hexdigest(), GOLDEN)
        self.assertNotEqual(self.neardup(*command, "--seed", "2").stdout, one)

    def test_sample(self):
        self.corpus(100)
        self.neardup("generate", "in.jsonl", "-o", "out.jsonl", "--documents", "10", "-q")
        self.assertEqual(sum(record["kind"] == "original" for record in self.records("out.jsonl")), 10)
        report = self.neardup("generate", "in.jsonl", "-o", "out.jsonl", "--min-words", "200", code=1).stderr
        self.assertIn("generate requires at least 2 different documents of at least 200 words, the input has 0", report)

    def test_wrong_options(self):
        self.corpus()
        for words, message in ((("--kind", "typo"), "not 'typo'"), (("--strength", "0%"), "not '0%'"), (("--strength", "5%,x"), "not 'x'"),
                               (("--strength", "5%,1,5%"), "strength: '5%' is given twice"),
                               (("--strength", "100000"), "or a number of words from 1 to 10000, not '100000'"),
                               (("--copies", "-1"), "--copies: expected 0 to"), (("--copies", "40"), "copies: expected 0 to 36"),
                               (("--documents", "1"), "--documents: expected 2 to 1000000, not '1'"), (("--truth", "t.csv"), "t.csv")):
            with self.subTest(words=words):
                error = self.neardup("generate", "in.jsonl", "-o", "out.jsonl", *words, code=2).stderr
                self.assertIn(message, error)
                self.assertEqual(self.names(), ["in.jsonl"])


if __name__ == "__main__":
    unittest.main()
