"""`--measure containment` of `neardup dedup` and `neardup pairs` against the oracle, and what it refuses."""
import json
import unittest

from corpora import make_passages
from harness import CliTest
from oracle import ContainmentOracle, rank_order

CASES = [(1, "words-5", False, "0.8"), (2, "words-5", True, "0.9"), (3, "chars-5", False, "0.6"), (4, "chars-5", True, "0.35"),
         (5, "words-5", False, "1"), (6, "words-5", True, "0.000001")]


class Containment(CliTest):
    def documents(self, texts, name="in.jsonl"):
        self.write(name, [{"id": f"d{index}", "text": text} for index, text in enumerate(texts)])
        return name

    def verdicts(self, *arguments):
        self.neardup("dedup", *arguments, "--measure", "containment", "--verdicts", "verdicts.tsv", "-q")
        return self.table("verdicts.tsv")

    def check(self, oracle, removed, rows):
        keepers = {keeper for keeper, _ in removed.values()}
        for index, row in enumerate(rows):
            if index in removed:
                keeper, containment = removed[index]
                copy = oracle.normalized[keeper] == oracle.normalized[index]
                expected = ("remove", "exact_copy" if copy else "contained", f"d{keeper}", f"{float(containment):.6f}")
            else:
                expected = ("keep", "keeper" if index in keepers else "unique" if oracle.features[index] else "short", "", "")
            self.assertEqual((row["verdict"], row["reason"], row["keeper_id"], row["similarity"]), expected, f"d{index}")

    def test_dedup(self):
        for seed, recipe, chinese, threshold in CASES:
            texts = make_passages(seed, chinese=chinese)
            self.documents(texts)
            for least, floor in [(20, "0"), (1, "0"), (1, "0.3"), (5, "0.5")]:
                with self.subTest(seed=seed, least=least, floor=floor):
                    oracle = ContainmentOracle(texts, recipe, threshold, least, floor)
                    removed = oracle.scan(oracle.largest_first())
                    self.assertGreater(len(removed), 5)
                    # The texts are so small that their samples miss nothing, or would once in a million pairs.
                    for search in ("exact", "lsh"):
                        rows = self.verdicts("in.jsonl", "--recipe", recipe, "-t", threshold, "--min-contained", least, "--min-jaccard", floor,
                                             "--search", search)
                        self.check(oracle, removed, rows)

    def test_keep_policies(self):
        """Those of the user are followed: a text is removed only for a container that was kept before it."""
        texts = make_passages(7)
        self.documents(texts)
        oracle = ContainmentOracle(texts, "words-5", "0.8")
        documents = [{"source": 0, "text": text} for text in texts]
        found = {}
        for policy in ("first", "last", "longest", "source-order,longest"):
            removed = oracle.scan(rank_order(documents, policy))
            self.check(oracle, removed, self.verdicts("in.jsonl", "-t", "0.8", "--keep", policy))
            found[policy] = len(removed)
        self.assertLess(found["first"], found["longest"])
        self.check(oracle, oracle.scan(oracle.largest_first()), self.verdicts("in.jsonl", "-t", "0.8", "--keep", "auto"))

    def test_against(self):
        for seed, share in [(8, 2), (9, 3), (10, 5)]:
            texts = make_passages(seed, originals=20)
            reference = len(texts) // share
            self.write("old.jsonl", [{"id": f"d{index}", "text": text} for index, text in enumerate(texts[:reference])])
            self.write("new.jsonl", [{"id": f"d{index}", "text": text} for index, text in enumerate(texts) if index >= reference])
            oracle = ContainmentOracle(texts, "words-5", "0.8")
            removed = oracle.scan(oracle.largest_first(reference), reference)
            self.assertTrue(any(keeper < reference for keeper, _ in removed.values()))
            rows = self.verdicts("new.jsonl", "--against", "old.jsonl", "-t", "0.8")
            for index, row in enumerate(rows, reference):
                keeper, containment = removed.get(index, (None, None))
                self.assertEqual(row["keeper_id"], "" if keeper is None else f"d{keeper}", f"d{index}")
                self.assertEqual(row["similarity"], "" if keeper is None else f"{float(containment):.6f}")

    def test_pairs(self):
        for seed, recipe, chinese, threshold in CASES:
            texts = make_passages(seed + 20, chinese=chinese, originals=8)
            self.documents(texts)
            for least, floor in [(20, "0"), (1, "0.2")]:
                expected = ContainmentOracle(texts, recipe, threshold, least, floor).pairs()
                self.assertGreater(len(expected), 10)
                self.neardup("pairs", "in.jsonl", "--measure", "containment", "--recipe", recipe, "-t", threshold, "--min-contained", least,
                             "--min-jaccard", floor, "-o", "pairs.tsv", "-q")
                found = [(row["contained"], row["container"], row["containment"]) for row in self.table("pairs.tsv")]
                self.assertEqual(found, [(f"d{a}", f"d{b}", f"{float(share):.6f}") for (a, b), share in sorted(expected.items())])

    def test_pairs_as_json(self):
        self.write("in.jsonl", [{"id": "part", "text": "b c d e f g"}, {"id": "whole", "text": "a b c d e f g h i j k"}])
        self.neardup("pairs", "in.jsonl", "--measure", "containment", "--min-contained", 2, "-o", "pairs.jsonl", "-q")
        self.assertEqual(self.records("pairs.jsonl"), [{"contained": "part", "container": "whole", "containment": 1}])

    def test_neither_threads_nor_memory_change_anything(self):
        texts = make_passages(30, originals=150)
        self.documents(texts)
        outputs = set()
        counts = set()
        for search in ("exact", "lsh"):
            for threads, memory in [(1, "64M"), (2, "64M"), (7, "1G"), (1, "1G")]:
                options = ("--measure", "containment", "--search", search, "--threads", threads, "--memory", memory, "-q")
                summary = self.summary("dedup", "in.jsonl", *options, "--verdicts", "v.tsv", "-o", "kept.jsonl")
                self.neardup("pairs", "in.jsonl", *options, "-o", "p.tsv")
                outputs.add((self.read("v.tsv"), self.read("kept.jsonl"), self.read("p.tsv")))
                counts.add((search, summary["verifications"], summary["contained"], summary["exact_copies"]))
        self.assertEqual((len(outputs), len(counts)), (1, 2))

    def test_a_resumed_run(self):
        texts = make_passages(31, originals=30)
        self.documents(texts)
        expected = self.verdicts("in.jsonl", "--work", "run")
        (self.dir / "verdicts.tsv").unlink()
        self.neardup("dedup", "--resume", "run", "-q")
        self.assertEqual(self.table("verdicts.tsv"), expected)
        more = make_passages(32, originals=5)
        self.write("more.jsonl", [{"id": f"d{index}", "text": text} for index, text in enumerate(more, len(texts))])
        self.neardup("dedup", "--resume", "run", "--add", "more.jsonl", "-q")
        oracle = ContainmentOracle(texts + more, "words-5", "0.8")
        self.check(oracle, oracle.scan(oracle.largest_first()), self.table("verdicts.tsv"))

    def test_just_below(self):
        """Many documents that lack a little more than the threshold allows, as those of one template do."""
        words = [f"w{index}" for index in range(400)]
        texts = [" ".join(words)]
        for index in range(120):
            texts.append(" ".join(words[index:index + 150] + [f"x{index}y{n}" for n in range(40)]))
        self.documents(texts)
        said = self.neardup("dedup", "in.jsonl", "--measure", "containment", "-o", "kept.jsonl").stderr
        self.assertIn("120 kept documents have a share of 0.7 to 0.8 of their features in another kept one, and 0 were removed as contained", said)
        self.assertIn("'neardup pairs --measure containment --threshold 0.7' lists them", said)
        self.assertNotIn("kept documents have a share", self.neardup("dedup", "in.jsonl", "--measure", "containment", "-t", "0.95", "-o",
                                                                     "kept.jsonl").stderr)

    def test_large_texts_in_little_memory(self):
        """The join needs room for a block of texts; the samples are small."""
        self.documents([" ".join(f"{index}x{n}" for n in range(20000)) for index in range(200)])
        options = ("in.jsonl", "--measure", "containment", "--memory", "64M", "-o", "kept.jsonl", "--threads", 1)
        said = self.neardup("dedup", *options, "--search", "exact", code=1).stderr
        self.assertIn("to index the 200 largest texts, a quarter of the memory budget is 15 MiB; raise --memory to", said)
        self.assertIn(", or use --search lsh", said)
        said = self.neardup("dedup", *options, "-t", "0.005", code=1).stderr
        self.assertRegex(said, "raise --memory to [0-9]+M, or the threshold, which makes the samples smaller")
        self.neardup("dedup", *options, "-q")

    def test_compare(self):
        part = "the bridge was closed in march after inspectors found cracks in two of its piers and buses were sent over the northern road"
        whole = "report of the council for the year. " + part + " until the repairs ended in may and the school got a new roof"
        texts = ("--text-a", part, "--text-b", whole, "--measure", "containment")
        for arguments, verdict, match in [
                ((), "Neither is contained in the other at containment 0.8", False),  # fewer than 20 features
                (("--min-contained", "10"), "The 1st is contained in the 2nd at containment 0.8", True),
                (("--min-contained", "10", "--min-jaccard", "0.9"), "Neither is contained", False),
                (("--min-contained", "10", "-t", "0.4"), "Each is contained in the other at containment 0.4", True)]:
            said = self.neardup("compare", *texts, *arguments).stdout.decode()
            self.assertIn(verdict, said)
            self.assertNotIn("what the presets say", said)
            found = json.loads(self.neardup("compare", *texts, *arguments, "--json").stdout.decode())
            self.assertEqual((found["measure"], found["match"], found["a_in_b"] or found["b_in_a"]), ("containment", match, match))
        said = self.neardup("compare", "--text-a", whole, "--text-b", part, "--measure", "containment", "--min-contained", 10).stdout.decode()
        self.assertIn("The 2nd is contained in the 1st", said)
        said = self.neardup("compare", "--text-a", part, "--text-b", part.upper(), "--measure", "containment").stdout.decode()
        self.assertIn("Each is contained in the other", said)  # exact copies, whatever their size
        self.assertNotIn("a_in_b", self.neardup("compare", "--text-a", part, "--text-b", whole, "--json").stdout.decode())

    def test_messages(self):
        texts = make_passages(33)
        self.documents(texts)
        said = self.neardup("dedup", "in.jsonl", "--measure", "containment", "-t", "0.9", "-o", "kept.jsonl").stderr
        self.assertIn("containment 0.9, by samples of 32 features, exact for texts of up to ", said)
        self.assertIn("% of pairs at exactly the threshold, keep most features", said)
        for threshold, search, words in [("0.9", "exact", "containment 0.9, exact, keep"), ("1", "lsh", "by samples of 32 features, exact, keep")]:
            arguments = ("in.jsonl", "--measure", "containment", "-t", threshold, "--search", search, "-o", "kept.jsonl")
            self.assertIn(words, self.neardup("dedup", *arguments).stderr)
        for line in ("contained in a kept document", "removed by containment in the keeper:", "least contained removed documents -> their keepers:",
                     "next: --verdicts FILE.tsv"):
            self.assertIn(line, said)
        summary = self.summary("dedup", "in.jsonl", "--measure", "containment", "-t", "0.9", "-o", "kept.jsonl", "-q")
        self.assertEqual((summary["near_duplicates"], summary["removed"]), (0, summary["exact_copies"] + summary["contained"]))
        self.assertEqual((summary["sample_features"], summary["bands"]), (32, 0))
        self.assertTrue(0 < summary["predicted_miss"] < 1e-6)
        self.assertEqual(sum(band["removed"] for band in summary["similarity_bands"]), summary["contained"])
        self.assertEqual(self.neardup("pairs", "in.jsonl", "--measure", "containment", "--search", "exact", "-q").stdout,
                         self.neardup("pairs", "in.jsonl", "--measure", "containment", "-q").stdout)

    def test_refused(self):
        self.documents(make_passages(34))
        for arguments, words in [
                (("--recipe", "simhash-words-3"), "recipe 'simhash-words-3' makes fingerprints; take a MinHash recipe"),
                (("--also", "simhash-words-3"), "cannot be combined with also"),
                (("--verify", "false"), "verify must be 'true'"),
                (("--cluster", "components"), "cluster must be 'scan'"),
                (("--keep", "shortest"), "which keep 'shortest' ranks later"),
                (("--keep", "max:score,shortest"), "ranks later"),
                (("--search", "hamming"), "search 'hamming'"),
                (("--batch", "10"), "decides about all documents at once"),
                (("--bands", "10", "--rows-per-band", "2"), "--bands has no effect here: --measure containment has no bands"),
                (("--miss-probability", "0.1"), "no effect here: under --measure containment fewer than one pair in a million is missed"),
                (("--miss-probability", "0.1", "--search", "exact"), "no effect here: --search exact misses nothing"),
                (("--max-candidates", "5"), "no effect here: --measure containment compares without a cap"),
                (("--min-contained", "0"), "--min-contained: expected a whole number from 1 to 4294967295, not '0'"),
                (("--min-jaccard", "1.5"), "--min-jaccard: '1.5' is above 1")]:
            said = self.neardup("dedup", "in.jsonl", "--measure", "containment", *arguments, "--dry-run", code=2).stderr
            self.assertIn(words, said)
        for arguments in (("--min-contained", "5"), ("--min-jaccard", "0.4")):
            said = self.neardup("pairs", "in.jsonl", *arguments, code=2).stderr
            self.assertIn(f"{arguments[0]} has no effect here: it is for --measure containment", said)
        self.assertIn("one of jaccard, containment", self.neardup("pairs", "in.jsonl", "--measure", "cosine", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
