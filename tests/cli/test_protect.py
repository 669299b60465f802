"""--min-length and --protect against the oracle: every verdict, for keep policies, searches, clusters, reference corpora, large groups."""
import json
import random
import unittest

from corpora import make_documents, make_passages
from harness import CliTest
from oracle import ContainmentOracle, Oracle, rank_order


class Verdicts(CliTest):
    def write_documents(self, documents, protected=(), name="in.jsonl"):
        return self.write(name, [{"id": document["id"], "text": document["text"], "score": document.get("score"),
                                  "kind": "gold" if index in protected else "other"} for index, document in enumerate(documents)])

    def run_verdicts(self, *arguments):
        self.neardup("dedup", *arguments, "--verdicts", "v.tsv", "--summary", "s.json", "-q")
        summary = json.loads(self.read("s.json"))
        self.assertEqual(summary["read"], summary["kept"] + summary["removed"] + summary["rejected"])
        return self.table("v.tsv"), summary

    def check(self, documents, oracle, removed, spared, rows, first=0):
        """`removed`: {index: keeper}."""
        keepers = set(removed.values())
        for index, row in enumerate(rows, first):
            if index in removed:
                keeper = removed[index]
                similarity = oracle.similarity(keeper, index)
                copy = oracle.normalized[keeper] == oracle.normalized[index]
                reason = "exact_copy" if copy else "connected" if similarity is None else row["reason"]
                self.assertIn(reason, ("exact_copy", "connected", "near_duplicate", "contained"))
                expected = ("remove", reason, documents[keeper]["id"], row["similarity"] if similarity is None else f"{float(similarity):.6f}")
            else:
                reason = "protected" if index in spared else "keeper" if index in keepers else "unique" if oracle.features[index] else "short"
                expected = ("keep", reason, "", "")
            self.assertEqual((row["verdict"], row["reason"], row["keeper_id"], row["similarity"]), expected, documents[index])


class MinLength(Verdicts):
    def test_scan(self):
        for seed, recipe, chinese, threshold, length in [(1, "words-5", False, "0.5", 120), (2, "chars-5", True, "0.4", 25), (3, "chars-5", False, "0.6", 110)]:
            documents = make_documents(seed, sources=1, chinese=chinese)
            self.write_documents(documents)
            oracle = Oracle([document["text"] for document in documents], recipe, threshold, length)
            plain = Oracle([document["text"] for document in documents], recipe, threshold)
            for policy in ("first", "last", "longest"):
                order = rank_order(documents, policy)
                removed = {document: keeper for document, (keeper, _) in oracle.scan(order).items()}
                self.assertNotEqual(removed, {document: keeper for document, (keeper, _) in plain.scan(order).items()})
                rows, summary = self.run_verdicts("in.jsonl", "--recipe", recipe, "-t", threshold, "--search", "exact", "--min-length", length,
                                                  "--keep", policy)
                self.check(documents, oracle, removed, {}, rows)
                self.assertEqual(summary["short_texts"], sum(not features for features in oracle.features))
            # Bands find the same: one row each.
            self.run_verdicts("in.jsonl", "--recipe", recipe, "-t", threshold, "--bands", 128, "--rows-per-band", 1, "--min-length", length,
                              "--keep", "longest")
            self.assertEqual(self.table("v.tsv"), rows)

    def test_the_bound_is_inclusive_and_counts_characters(self):
        texts = ["ＡＢＣ  défg 天气", "abc défg 天气!", "ABC  DÉFG 天气"]  # 11, 12 and 11 characters when normalized
        self.write("in.jsonl", [{"id": i, "text": text} for i, text in enumerate(texts)])
        for length, removed in ((11, [1, 2]), (12, [2]), (13, [2])):
            rows, _ = self.run_verdicts("in.jsonl", "--recipe", "chars-5", "-t", "0.5", "--search", "exact", "--min-length", length)
            self.assertEqual([index for index, row in enumerate(rows) if row["verdict"] == "remove"], removed, length)

    def test_pairs(self):
        documents = make_documents(11, sources=1)
        self.write_documents(documents)
        expected = sorted(Oracle([document["text"] for document in documents], "words-5", "0.4", 130).pairs())
        self.neardup("pairs", "in.jsonl", "-t", "0.4", "--search", "exact", "--min-length", 130, "-o", "p.tsv", "-q")
        self.assertEqual([(row["id_a"], row["id_b"]) for row in self.table("p.tsv")], [(documents[a]["id"], documents[b]["id"]) for a, b in expected])

    def test_contained(self):
        texts = make_passages(3)
        documents = [{"id": f"d{index}", "text": text} for index, text in enumerate(texts)]
        self.write_documents(documents)
        oracle = ContainmentOracle(texts, "words-5", "0.6", min_length=200)
        removed = {document: keeper for document, (keeper, _) in oracle.scan(oracle.largest_first()).items()}
        for search in ("exact", "lsh"):
            rows, _ = self.run_verdicts("in.jsonl", "--measure", "containment", "-t", "0.6", "--min-length", 200, "--search", search)
            self.check(documents, oracle, removed, {}, rows)

    def test_fingerprints(self):
        self.write("in.jsonl", [{"id": i, "text": "one two three four five six seven eight" + "!" * i} for i in range(3)])
        for length, count in ((40, 2), (41, 3), (42, 3), (39, 1), (0, 1)):
            rows, summary = self.run_verdicts("in.jsonl", "--recipe", "simhash-words-3", "--min-length", length)
            self.assertEqual((summary["kept"], summary["short_texts"]), (count, max(0, min(length - 39, 3)) if length else 0), length)

    def test_the_stored_run_keeps_it(self):
        documents = make_documents(4, sources=1)
        self.write_documents(documents)
        self.neardup("dedup", "in.jsonl", "-o", "a.jsonl", "-t", "0.5", "--min-length", 150, "-q")
        self.neardup("dedup", "in.jsonl", "-o", "b.jsonl", "-t", "0.5", "--min-length", 150, "--batch", 20, "--work", "run", "-q")
        self.assertEqual(self.read("a.jsonl"), self.read("b.jsonl"))
        self.neardup("dedup", "--resume", "run", "--min-length", 100, code=2)


class Protect(Verdicts):
    ARGUMENTS = ("--protect", "kind=gold")

    def chosen(self, documents, seed, share=0.3):
        chance = random.Random(seed)
        return {index for index in range(len(documents)) if chance.random() < share}

    def test_every_policy(self):
        for seed, recipe, chinese, threshold in [(1, "words-5", False, "0.5"), (2, "words-5", True, "0.6"), (3, "chars-5", False, "0.7")]:
            documents = make_documents(seed, sources=1, chinese=chinese)
            oracle = Oracle([document["text"] for document in documents], recipe, threshold)
            for share in (0.02, 0.3, 1):
                protected = self.chosen(documents, seed, share)
                self.write_documents(documents, protected)
                for policy in ("first", "last", "longest", "max:score,shortest"):
                    order = rank_order(documents, policy)
                    for cluster in ("scan", "components"):
                        spared = {}
                        if cluster == "scan":
                            removed = {document: keeper for document, (keeper, _) in oracle.scan(order, protected=protected, spared=spared).items()}
                        else:
                            removed = oracle.components(order, protected=protected, spared=spared)
                        for search in (("--search", "exact"), ("--bands", 128, "--rows-per-band", 1)):
                            with self.subTest(seed=seed, share=share, policy=policy, cluster=cluster, search=search):
                                rows, summary = self.run_verdicts("in.jsonl", "--recipe", recipe, "-t", threshold, *search, "--keep", policy,
                                                                  "--cluster", cluster, *self.ARGUMENTS)
                                self.check(documents, oracle, removed, spared, rows)
                                self.assertEqual((summary["protected_documents"], summary["spared"]), (len(protected), len(spared)))

    def test_a_value_that_no_document_has(self):
        self.write_documents(make_documents(1, sources=1)[:5], [2])
        warning = "no document is protected: none has kind=gold,kind=gld"
        self.assertNotIn("protected: none", self.neardup("dedup", "in.jsonl", *self.ARGUMENTS, "--protect", "kind=gld", "-o", "k.jsonl").stderr)
        self.write_documents(make_documents(1, sources=1)[:5])
        self.assertIn(warning, self.neardup("dedup", "in.jsonl", *self.ARGUMENTS, "--protect", "kind=gld", "-o", "k.jsonl").stderr)

    def test_against(self):
        documents = make_documents(9, sources=1)
        reference = len(documents) // 2
        oracle = Oracle([document["text"] for document in documents], "words-5", "0.5")
        protected = {index for index in self.chosen(documents, 9) if index >= reference}
        old = self.write_documents(documents[:reference], range(0, reference, 2), "old.jsonl")  # protection means nothing there
        new = self.write_documents(documents[reference:], {index - reference for index in protected}, "new.jsonl")
        spared = {}
        removed = oracle.scan(range(len(documents)), reference, protected, spared)
        self.assertTrue(any(keeper < reference for keeper in spared.values()))
        rows, _ = self.run_verdicts(new, "--against", old, "-t", "0.5", "--search", "exact", *self.ARGUMENTS)
        self.check(documents, oracle, {document: keeper for document, (keeper, _) in removed.items()}, spared, rows, reference)

    def test_contained(self):
        texts = make_passages(5)
        documents = [{"id": f"d{index}", "text": text} for index, text in enumerate(texts)]
        oracle = ContainmentOracle(texts, "words-5", "0.6")
        protected = self.chosen(documents, 5)
        self.write_documents(documents, protected)
        spared = {}
        removed = {document: keeper for document, (keeper, _) in oracle.scan(oracle.largest_first(), protected=protected, spared=spared).items()}
        self.assertGreater(len(spared), 2)
        for search in ("exact", "lsh"):
            rows, _ = self.run_verdicts("in.jsonl", "--measure", "containment", "-t", "0.6", "--search", search, *self.ARGUMENTS)
            self.check(documents, oracle, removed, spared, rows)

    def test_large_groups(self):
        """More than 256 versions of one text, so that the group is searched block by block."""
        chance = random.Random(3)
        words = [f"w{n}" for n in range(60)]
        documents = []
        for index in range(420):
            text = list(words)
            for _ in range(chance.randrange(4)):
                text[chance.randrange(60)] = f"x{chance.randrange(30)}"
            documents.append({"id": f"d{index}", "text": " ".join(text)})
        oracle = Oracle([document["text"] for document in documents], "words-5", "0.7")
        protected = self.chosen(documents, 4, 0.2)
        self.write_documents(documents, protected)
        spared = {}
        removed = {document: keeper for document, (keeper, _) in oracle.scan(range(len(documents)), protected=protected, spared=spared).items()}
        self.assertGreater(len(spared), 20)
        for search in (("--search", "exact"), ("--bands", 128, "--rows-per-band", 1, "--max-candidates", 0)):
            for threads in (1, 4):
                rows, _ = self.run_verdicts("in.jsonl", "-t", "0.7", *search, "-j", threads, *self.ARGUMENTS)
                self.check(documents, oracle, removed, spared, rows)

    def test_fingerprints_and_unverified_bands(self):
        """Whatever matches: protected documents are kept, and every keeper is."""
        documents = make_documents(12, sources=1)
        protected = self.chosen(documents, 12)
        self.write_documents(documents, protected)
        self.write_documents(documents[::3], name="seen.jsonl")
        self.neardup("index", "build", "seen", "seen.jsonl", "--recipe", "simhash-words-3", "-q")
        runs = [("--verify", "false", "-t", "0.5"), ("--verify", "false", "-t", "0.5", "--cluster", "components"), ("--recipe", "simhash-words-3"),
                ("--recipe", "simhash-words-3", "--cluster", "components"), ("--recipe", "simhash-words-3", "--against", "seen"),
                ("--recipe", "simhash-words-3", "--verify", "jaccard", "-t", "0.6"), ("--also", "simhash-words-3", "-t", "0.6")]
        for run in runs:
            with self.subTest(run=run):
                rows, summary = self.run_verdicts("in.jsonl", *run, *self.ARGUMENTS)
                self.assertGreater(summary["spared"], 0)
                self.assertGreater(summary["removed"], 0)
                kept = {row["id"] for row in rows if row["verdict"] == "keep"}
                for index, row in enumerate(rows):
                    self.assertFalse(index in protected and row["verdict"] == "remove", row)
                    self.assertFalse(index not in protected and row["reason"] == "protected", row)
                    self.assertTrue(row["verdict"] == "keep" or row["keeper_source"] != "in.jsonl" or row["keeper_id"] in kept, row)
                self.assertEqual(summary["spared"], sum(row["reason"] == "protected" for row in rows))

    def test_a_protected_document_keeps_its_place_before_an_index(self):
        """Its copies go for the entry that ranks first; documents that only it resembles go for it."""
        text = "one two three four five six seven eight nine ten eleven twelve"
        self.write("seen.jsonl", [{"id": "s", "text": text}])
        self.neardup("index", "build", "seen", "seen.jsonl", "--recipe", "simhash-words-3", "-q")
        self.write("in.jsonl", [{"id": "a", "text": text, "kind": "x"}, {"id": "b", "text": text + "!", "kind": "gold"}])
        rows, _ = self.run_verdicts("in.jsonl", "--recipe", "simhash-words-3", "--against", "seen", *self.ARGUMENTS)
        self.assertEqual([(row["reason"], row["keeper_id"]) for row in rows], [("near_duplicate", "s"), ("protected", "")])

    def test_resumed_and_extended(self):
        documents = make_documents(13, sources=1)
        protected = self.chosen(documents, 13)
        self.write_documents(documents, protected)
        self.neardup("dedup", "in.jsonl", "-o", "a.jsonl", "-t", "0.5", *self.ARGUMENTS, "-q")
        half = len(documents) // 2
        lines = self.read("in.jsonl").splitlines(keepends=True)
        self.write("1.jsonl", b"".join(lines[:half]))
        self.write("2.jsonl", b"".join(lines[half:]))
        self.neardup("dedup", "1.jsonl", "-o", "b.jsonl", "-t", "0.5", *self.ARGUMENTS, "--work", "run", "-q")
        self.neardup("dedup", "--resume", "run", "--add", "2.jsonl", "-q")
        self.assertEqual(self.read("a.jsonl"), self.read("b.jsonl"))
        self.neardup("dedup", "--resume", "run", "--protect", "kind=other", code=2)

    def test_several_rules_and_what_is_refused(self):
        self.write("in.jsonl", [{"id": i, "text": "one two three four five six", "n": i, "gold": i == 4} for i in range(6)])
        self.neardup("dedup", "in.jsonl", "-o", "k.jsonl", "--protect", "n=1,gold=true", "--protect", "n=3", "-q")
        self.assertEqual([record["id"] for record in self.records("k.jsonl")], [1, 3, 4])
        self.write("c.toml", 'inputs = "in.jsonl"\noutput = "k.jsonl"\nprotect = ["n=1", "gold=true"]\nquiet = true\n')
        self.neardup("dedup", "--config", "c.toml")
        self.assertEqual([record["id"] for record in self.records("k.jsonl")], [1, 4])
        self.write("in.txt", "text")
        for arguments, code, message in [
                (["in.jsonl", "--protect", "kidn=gold"], 1, "none of the 6 records has the field 'kidn'"),
                (["in.jsonl", "--protect", "gold"], 2, "--protect: expected FIELD=VALUE, or several separated by commas, not 'gold'"),
                (["in.jsonl", "--protect", "a[*]=b"], 2, "not an element of an array"),
                (["in.jsonl", "--protect", "n=1", "--batch", "5"], 2, "batch: protect decides about all documents at once"),
                (["in.txt", "--protect", "n=1"], 2, "--protect has no effect here: every input is a text file, which has no fields")]:
            self.assertIn(message, self.neardup("dedup", *arguments, "--dry-run", code=code).stderr)


if __name__ == "__main__":
    unittest.main()
