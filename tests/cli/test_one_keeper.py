"""One rule for the keeper: the first kept document in rank order that matches. Entries of indexes rank first, by their numbers; then a
existing corpus, cleaned or not; then the inputs by --keep. The twin compares every document with every kept one.
"""
import random
import unittest

from corpora import make_texts
from harness import CliTest
from oracle import Oracle, components, rank_order, scan

DISTANCE = 8
RECIPE = "simhash-chars-3"
EXACT = ("--search", "exact")
LSH = ("--bands", 128, "--rows-per-band", 1)  # misses a pair at 0.5 once in 10^38


class OneKeeper(CliTest):
    def corpus(self, seed):
        """Writes old.jsonl, which was not cleaned, and new-0.jsonl to new-5.jsonl, which copy half of it. Returns all documents, and how
        many are the old ones."""
        chance = random.Random(seed)
        old = make_texts(seed, originals=18)
        copies = [chance.choice((text, f" {text.upper()}")) for text in chance.sample(old, len(old) // 2)]
        new = make_texts(seed + 100, originals=8) + copies + chance.sample(copies, 8)
        chance.shuffle(new)
        documents = [{"source": int(place >= len(old)), "id": f"d{place}", "text": text} for place, text in enumerate(old + new)]
        self.write_documents("old.jsonl", documents[:len(old)])
        self.inputs = [f"new-{part}.jsonl" for part in range(6)]
        for part, name in enumerate(self.inputs):
            fresh = documents[len(old):]
            self.write_documents(name, fresh[part * len(fresh) // 6:(part + 1) * len(fresh) // 6])
        return documents, len(old)

    def write_documents(self, name, documents):
        self.write(name, [{"id": document["id"], "text": document["text"]} for document in documents])

    def keepers(self, *arguments):
        """{id: (keeper id, keeper source, reason)} of the removed documents."""
        self.neardup("dedup", *arguments, "--verdicts", "v.tsv", "-q")
        return self.removed()

    def removed(self):
        rows = self.table("v.tsv")
        self.reasons = {row["id"]: row["reason"] for row in rows if row["verdict"] == "remove"}
        return {row["id"]: row["keeper_id"] for row in rows if row["verdict"] == "remove"}

    def named(self, documents, keepers):
        return {documents[document]["id"]: documents[keeper]["id"] for document, keeper in keepers.items()}

    def check_matters(self, keepers, reference, equal):
        """Some document copies a reference document, and is removed for one before it."""
        self.assertTrue(any(keeper < reference and not equal(keeper, document) and
                            any(equal(other, document) for other in range(reference)) for document, keeper in keepers.items()))

    def resumed(self, *options):
        """The first two inputs; then the others, one after another, by --add."""
        self.neardup("dedup", *self.inputs[:2], *options, "--work", f"work{self.runs}", "--verdicts", "v.tsv", "-q")
        for name in self.inputs[2:]:
            self.neardup("dedup", "--resume", f"work{self.runs}", "--add", name, "-q")
        self.runs += 1
        return self.removed()

    def setUp(self):
        super().setUp()
        self.runs = 0

    def test_features(self):
        for seed in (1, 2, 3):
            documents, reference = self.corpus(seed)
            oracle = Oracle([document["text"] for document in documents], "words-5", "0.5")
            equal = lambda a, b: oracle.normalized[a] == oracle.normalized[b]
            order = rank_order(documents, "first")
            expected = scan(order, oracle.match, reference)
            self.check_matters(expected, reference, equal)
            options = ("-t", "0.5", "--against", "old.jsonl")
            for more in (EXACT, LSH, (*LSH, "--also", RECIPE), (*LSH, "--batch", 12), (*LSH, "-j", 1), (*LSH, "--memory", "64M")):
                with self.subTest(seed=seed, more=more):
                    self.assertEqual(self.keepers(*self.inputs, *options, *more), self.named(documents, expected))
                    for document, keeper in expected.items():
                        reason = "exact_copy" if equal(document, keeper) else "near_duplicate"
                        self.assertEqual(self.reasons[documents[document]["id"]], reason)
            for more in (EXACT, LSH):
                self.assertEqual(self.resumed(*options, *more), self.named(documents, expected), more)
                grouped = components(order, oracle.match, reference)
                found = self.keepers(*self.inputs, *options, *more, "--cluster", "components")
                self.assertEqual(found, self.named(documents, grouped), more)
            for policy in ("last", "longest", "shortest"):
                expected = scan(rank_order(documents, policy), oracle.match, reference)
                found = self.keepers(*self.inputs, *options, *LSH, "--keep", policy)
                self.assertEqual(found, self.named(documents, expected), policy)

    def sketches(self):
        """(exact hash, fingerprint or None) of all documents."""
        self.neardup("sketch", "old.jsonl", *self.inputs, "--recipe", RECIPE, "-o", "sketches.jsonl", "-q")
        return [(row["exact"], row["fingerprint"] and int(row["fingerprint"], 16)) for row in self.records("sketches.jsonl")]

    def test_fingerprints(self):
        for seed in (4, 5, 6):
            documents, reference = self.corpus(seed)
            sketches = self.sketches()
            equal = lambda a, b: sketches[a][0] == sketches[b][0]

            def near(a, b):
                codes = sketches[a][1], sketches[b][1]
                return None not in codes and (codes[0] ^ codes[1]).bit_count() <= DISTANCE

            match = lambda a, b: equal(a, b) or near(a, b)
            order = rank_order(documents, "first")
            fingerprints = ("--recipe", RECIPE, "--max-distance", DISTANCE)
            expected = scan(order, match, reference)
            self.check_matters(expected, reference, equal)
            options = (*fingerprints, "--against", "old.jsonl")
            for more in ((), ("--batch", 12), ("-j", 1)):
                with self.subTest(seed=seed, more=more):
                    self.assertEqual(self.keepers(*self.inputs, *options, *more), self.named(documents, expected))
            self.assertEqual(self.resumed(*options), self.named(documents, expected))
            grouped = components(order, match, reference)
            self.assertEqual(self.keepers(*self.inputs, *options, "--cluster", "components"), self.named(documents, grouped))

            # An index has the same documents, but for what it knows of them: no text, so a short one is not in it.
            self.neardup("index", "build", f"index{seed}", "old.jsonl", *fingerprints, "-q")
            by_index = lambda a, b: near(a, b) if a < reference else match(a, b)
            expected = scan(order, by_index, reference)
            self.assertTrue(any((sketches[document][1] ^ sketches[keeper][1]).bit_count() >
                                min((sketches[document][1] ^ sketches[other][1]).bit_count() for other in range(reference) if sketches[other][1])
                                for document, keeper in expected.items() if keeper < reference), "the first is not always the nearest")
            options = (*fingerprints, "--against", f"index{seed}")
            for more in ((), ("--batch", 12), ("-j", 1)):
                with self.subTest(seed=seed, more=more, index=True):
                    self.assertEqual(self.keepers(*self.inputs, *options, *more), self.named(documents, expected))
            self.assertEqual(self.resumed(*options), self.named(documents, expected))

            # Both: the entries of the index rank before the corpus.
            half = reference // 2
            self.write_documents("first.jsonl", documents[:half])
            self.write_documents("second.jsonl", documents[half:reference])
            self.neardup("index", "build", f"half{seed}", "first.jsonl", *fingerprints, "-q")
            by_both = lambda a, b: near(a, b) if a < half else match(a, b)
            expected = self.named(documents, scan(order, by_both, reference))
            for more in ((), ("--batch", 12)):
                for against in (("second.jsonl", f"half{seed}"), (f"half{seed}", "second.jsonl")):
                    named = [option for name in against for option in ("--against", name)]
                    self.assertEqual(self.keepers(*self.inputs, *fingerprints, *named, *more), expected)

    def test_order_of_entries_survives_changes_of_the_index(self):
        documents, reference = self.corpus(7)
        fingerprints = ("--recipe", RECIPE, "--max-distance", DISTANCE)
        self.neardup("index", "build", "index", "old.jsonl", *fingerprints, "-q")
        before = self.keepers(*self.inputs, *fingerprints, "--against", "index")
        deleted = [document["id"] for document in documents[:reference:3]]
        left = [document for document in documents[:reference:] if document["id"] not in deleted]
        self.write_documents("left.jsonl", left)
        self.neardup("index", "build", "rebuilt", "left.jsonl", *fingerprints, "-q")
        expected = self.keepers(*self.inputs, *fingerprints, "--against", "rebuilt")
        self.assertNotEqual(expected, before)
        self.write_documents("one.jsonl", left[:len(left) // 2])
        self.write_documents("two.jsonl", left[len(left) // 2:])
        self.neardup("index", "build", "parts", "one.jsonl", *fingerprints, "-q")
        self.neardup("index", "add", "parts", "two.jsonl", "-q")
        self.neardup("index", "delete", "index", *deleted, "-q")
        for name in ("index", "parts"):
            self.assertEqual(self.keepers(*self.inputs, *fingerprints, "--against", name), expected)
            self.neardup("index", "merge", name, "-q")
            self.assertEqual(self.keepers(*self.inputs, *fingerprints, "--against", name), expected)


if __name__ == "__main__":
    unittest.main()
