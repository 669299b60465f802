"""Short records: --block-on and recipes whose numbers must agree, against an oracle that shares nothing with the engine: it compares the
blocks, the numbers and the shingles of records themselves. Texts are of ASCII and normalized already, but for case.
"""
import json
import random
import re
import unittest

from fractions import Fraction

from harness import CliTest
from oracle import scan

THRESHOLD = Fraction(1, 2)
WORDS = "steel kettle drill hammer red blue with lid for kitchen 12 12.5 7 18 500".split()
BRANDS = ["acme", "ACME", "bolt", "", None, "12", 12]
RECIPE = {"normalizer": "nfkc_casefold_v1", "tokenizer": "chars_v1", "shingle": {"size": 3, "short_text": "whole"}, "min_features": 1,
          "feature_hash": "xxh3_64_v1", "sketch": {"kind": "minhash_v1", "lanes": 128, "seed": 1}}


def make_records(seed, count=260):
    """Families of similar titles in several blocks, with exact copies within blocks and across them, and titles of two characters."""
    chance = random.Random(seed)
    titles = [" ".join(chance.choice(WORDS) for _ in range(chance.randrange(2, 7))) for _ in range(30)] + ["ab", "7", ""]
    records = []
    for number in range(count):
        title = chance.choice(titles)
        if chance.random() < 0.5:
            words = title.split()
            words.insert(chance.randrange(len(words) + 1), chance.choice(WORDS))
            title = " ".join(words)
        record = {"id": f"r{number}", "text": title.upper() if chance.random() < 0.2 else title, "meta": {"brand": chance.choice(BRANDS)}}
        if record["meta"]["brand"] is None and chance.random() < 0.5:
            del record["meta"]["brand"]
        records.append(record)
    return records


def block(record):
    value = record["meta"].get("brand")
    return "" if value is None else str(value).casefold()


def numbers(text):
    return sorted(re.findall(r"\d+(?:\.\d+)?", text))


def shingles(text):
    return {text} - {""} if len(text) < 3 else {text[i:i + 3] for i in range(len(text) - 2)}


class Oracle:
    def __init__(self, records, blocks, agree):
        self.texts = [record["text"].casefold() for record in records]
        self.blocks = [block(record) if blocks else "" for record in records]
        self.agree = agree

    def similarity(self, a, b):
        """None: they never match."""
        if self.blocks[a] != self.blocks[b]:
            return None
        if self.texts[a] == self.texts[b]:
            return Fraction(1)
        if self.agree and numbers(self.texts[a]) != numbers(self.texts[b]):
            return None
        one, other = shingles(self.texts[a]), shingles(self.texts[b])
        return Fraction(len(one & other), len(one | other)) if one and other else None

    def match(self, a, b):
        similarity = self.similarity(a, b)
        return similarity is not None and similarity >= THRESHOLD


class Records(CliTest):
    def setUp(self):
        super().setUp()
        self.write("plain.json", json.dumps(RECIPE))
        self.write("agree.json", json.dumps(RECIPE | {"agree": "numbers_v1"}))

    def write_records(self, seed):
        records = make_records(seed)
        self.write("in.jsonl", records)
        return records

    @staticmethod
    def ways():
        for blocks in (False, True):
            for agree in (False, True):
                yield blocks, agree, ["--recipe", "agree.json" if agree else "plain.json", *(["--block-on", "meta.brand"] if blocks else []),
                                      "--threshold", "0.5", "-q"]

    def test_pairs_are_those_of_the_oracle(self):
        for seed in (1, 2):
            records = self.write_records(seed)
            for blocks, agree, arguments in self.ways():
                oracle = Oracle(records, blocks, agree)
                expected = {(records[a]["id"], records[b]["id"]): f"{float(oracle.similarity(a, b)):.6f}"
                            for b in range(len(records)) for a in range(b) if oracle.match(a, b)}
                for search, more in {"exact": [], "lsh": ["--miss-probability", "0.000001"]}.items():
                    self.neardup("pairs", "in.jsonl", *arguments, "--search", search, *more, "-o", "pairs.tsv")
                    found = {(row["id_a"], row["id_b"]): row["similarity"] for row in self.table("pairs.tsv")}
                    with self.subTest(seed=seed, blocks=blocks, agree=agree, search=search):
                        if search == "exact":
                            self.assertEqual(found.keys(), expected.keys())
                        else:
                            self.assertLessEqual(found.keys(), expected.keys())
                            self.assertGreater(len(found), 0.99 * len(expected))
                        for pair, similarity in found.items():
                            self.assertAlmostEqual(float(similarity), float(expected[pair]), delta=2e-6)

    def test_dedup_is_the_scan_rule(self):
        records = self.write_records(3)
        for blocks, agree, arguments in self.ways():
            keepers = scan(range(len(records)), Oracle(records, blocks, agree).match)
            with self.subTest(blocks=blocks, agree=agree):
                self.neardup("dedup", "in.jsonl", *arguments, "--search", "exact", "--verdicts", "v.jsonl")
                found = {row["id"]: row["keeper_id"] for row in self.records("v.jsonl") if row["verdict"] == "remove"}
                self.assertEqual(found, {records[a]["id"]: records[b]["id"] for a, b in keepers.items()})

    def test_threads_memory_and_slices_change_nothing(self):
        self.write_records(4)
        common = ["dedup", "in.jsonl", "--recipe", "agree.json", "--block-on", "meta.brand", "-t", "0.5", "-q", "--verdicts", "v.tsv"]
        self.neardup(*common)
        expected = self.read("v.tsv")
        for arguments in (["--threads", "1"], ["--threads", "3", "--memory", "64M"], ["--batch", "50"], ["--work", "run"]):
            self.neardup(*common, *arguments)
            self.assertEqual(self.read("v.tsv"), expected, arguments)
        self.neardup("dedup", "--resume", "run", "-q")
        self.assertEqual(self.read("v.tsv"), expected)
        self.neardup(*common, "--work", "tasks", "--prepare")
        self.neardup("task", "tasks", "0", "-q")
        self.path("v.tsv").unlink()
        self.neardup("dedup", "--resume", "tasks", "-q")
        self.assertEqual(self.read("v.tsv"), expected)
        self.assertIn("block-on", self.neardup("dedup", "--resume", "tasks", "--block-on", "text", "-q", code=2).stderr)

    def test_copies_of_two_blocks_are_no_copies(self):
        brands = ["a", "b", "A ", 7, "7", 7.0, None, True, ["a"], {"a": 1}, " "]
        self.write("in.jsonl", [{"text": "steel kettle", "brand": brand} for brand in brands] + [{"text": "steel kettle"}])
        summary = self.summary("dedup", "in.jsonl", "--block-on", "brand", "--verdicts", "v.jsonl")
        keepers = [row["keeper_row"] for row in self.records("v.jsonl")]
        # 7.0 is written in another way than 7. The last ones name no block: null, no string or number, nothing but white space, no field.
        self.assertEqual(keepers, [None, None, 1, None, 4, None, None, 7, 7, 7, 7, 7])
        self.assertIn("--block-on brand: 6 of 12 documents have no usable value in this field (a string or number); they form one block", summary["warnings"])
        self.assertEqual(self.summary("dedup", "in.jsonl", "--verdicts", "v.jsonl")["warnings"], [])

    def test_against_a_corpus_with_blocks(self):
        self.write("old.jsonl", [{"text": "red steel kettle", "brand": "a"}])
        self.write("new.jsonl", [{"text": "red steel kettle", "brand": brand} for brand in ("b", "a")])
        self.neardup("dedup", "new.jsonl", "--against", "old.jsonl", "--block-on", "brand", "--verdicts", "v.jsonl", "-q")
        self.assertEqual([row["verdict"] for row in self.records("v.jsonl")], ["keep", "remove"])
        self.write("old.jsonl", [{"text": "red steel kettle", "maker": "a"}])
        message = "old.jsonl: the only record lacks the field 'brand'"
        self.assertIn(message, self.neardup("dedup", "new.jsonl", "--against", "old.jsonl", "--block-on", "brand", "-o", "out.jsonl", code=1).stderr)

    def test_contained_records_are_of_the_same_block(self):
        long = "a cordless drill of steel with a lid for the kitchen, in red or blue"
        short = "cordless drill of steel with a lid for the kitchen"
        for field, keepers in {None: [None, 1, 1], "brand": [None, None, 1]}.items():
            self.write("in.jsonl", [{"text": long, "brand": "a"}, {"text": short, "brand": "b"}, {"text": short, "brand": "A"}])
            self.neardup("dedup", "in.jsonl", "--measure", "containment", "--recipe", "record-chars-2", *(["--block-on", field] if field else []),
                         "--verdicts", "v.jsonl", "-q")
            self.assertEqual([row["keeper_row"] for row in self.records("v.jsonl")], keepers)

    def test_text_files_are_in_the_block_without_a_name(self):
        self.write("texts/a.txt", "red steel kettle")
        self.write("in.jsonl", [{"text": "red steel kettle", "brand": "a"}, {"text": "red steel kettle", "brand": None}])
        self.neardup("dedup", "texts", "in.jsonl", "--block-on", "brand", "--verdicts", "v.jsonl", "-q")
        self.assertEqual([row["keeper_id"] for row in self.records("v.jsonl")], [None, None, "texts/a.txt"])

    def test_compare_says_nothing_in_common_where_numbers_differ(self):
        self.write("a.txt", "acme drill 12 v")
        self.write("b.txt", "acme drill 18 v")
        self.write("c.txt", "drill acme 12.0 v")
        different = self.neardup("compare", "a.txt", "b.txt", "--recipe", "record-chars-2").stdout.decode()
        same = self.neardup("compare", "a.txt", "c.txt", "--recipe", "record-chars-2").stdout.decode()
        self.assertIn("\nnumbers               differ, so the texts have no features in common\nJaccard               0.000000   0 common", different)
        self.assertNotIn("numbers  ", same)
        self.assertRegex(same, r"\nJaccard +0\.[1-9]")
        for name, differ in {"b.txt": True, "c.txt": False}.items():
            page = json.loads(self.neardup("compare", "a.txt", name, "--recipe", "record-chars-2", "--json").stdout)
            self.assertEqual((page["numbers_differ"], page["jaccard"] == 0, page["estimate"] == 0), (differ,) * 3)
            preset = next(preset for preset in page["presets"] if preset["name"] == "record-chars-2")
            self.assertEqual(preset["similarity"], page["jaccard"])

    def test_errors(self):
        self.write("in.jsonl", [{"text": "steel kettle", "brand": "a"}])
        self.write("in.txt", "steel kettle")
        needs = "block-on: requires a single recipe of MinHash, which compares features; recipe "
        cases = [(["in.jsonl", "--block-on", "bramd"], 1, "in.jsonl: the only record lacks the field 'bramd'; fields of the first record: text, brand"),
                 (["in.jsonl", "--block-on", "brand", "--recipe", "simhash-words-3"], 2, needs + "'simhash-words-3' makes fingerprints"),
                 (["in.jsonl", "--block-on", "brand", "--also", "simhash-words-3"], 2, needs + "'words-5' is combined with also"),
                 (["in.jsonl", "--block-on", "brand[*]"], 2, "block-on: 'brand[*]' names elements of an array; a document is in one block"),
                 (["in.txt", "--block-on", "brand"], 2, "--block-on has no effect here: every input is a text file, which has no fields")]
        for arguments, code, message in cases:
            for command in ("dedup", "pairs"):
                self.assertIn(message, self.neardup(command, *arguments, "-o", "out.jsonl", code=code).stderr)
        self.assertEqual(self.names(), ["agree.json", "in.jsonl", "in.txt", "plain.json"])

    def test_commands_that_compare_nothing_refuse_the_option(self):
        self.write("in.jsonl", [{"text": "steel kettle", "brand": "a"}])
        for arguments in (["sketch", "in.jsonl"], ["index", "build", "new", "in.jsonl"], ["query", "new", "in.jsonl"], ["compare", "in.jsonl", "in.jsonl"],
                          ["plan"], ["tokenize", "in.jsonl"], ["clean", "in.jsonl"], ["idf", "fit", "in.jsonl"], ["lines", "in.jsonl"]):
            self.assertIn("--block-on", self.neardup(*arguments, "--block-on", "brand", code=2).stderr, arguments)

    def test_numbers_need_a_recipe_of_features(self):
        self.write("simhash.json", json.dumps(RECIPE | {"agree": "numbers_v1", "sketch": {"kind": "simhash_v1", "bits": 64}}))
        self.assertIn("field 'agree' requires the sketch minhash_v1", self.neardup("recipe", "simhash.json", code=2).stderr)
        self.write("unknown.json", json.dumps(RECIPE | {"agree": "numbers_v2"}))
        self.assertIn("numbers_v1", self.neardup("recipe", "unknown.json", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
