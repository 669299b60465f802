"""`neardup dedup` and `neardup pairs` against the oracle: every verdict, for every keep policy."""
import unittest
from fractions import Fraction

from corpora import make_documents
from harness import CliTest
from oracle import Oracle, rank_order

POLICIES = ["first", "last", "longest", "shortest", "source-order", "max:score", "min:score", "source-order,longest", "max:score,shortest",
            "longest,last", "source-order,last"]


class ScanRule(CliTest):
    def write_sources(self, documents):
        """One file a source; the documents in it keep the order."""
        names = []
        for source in sorted({document["source"] for document in documents}):
            inside = [{key: value for key,
                       value in document.items() if key != "source"} for document in documents if document["source"] == source]
            names.append(self.write(f"source{source}.jsonl", inside))
        return names

    def verdicts(self, documents, *arguments):
        """{index: row of the verdict table}, after checking that every document has its line, in order."""
        self.neardup("dedup", *arguments, "--verdicts", "verdicts.tsv", "-q")
        rows = self.table("verdicts.tsv")
        self.assertEqual([row["id"] for row in rows], [document["id"] for document in documents])
        return dict(enumerate(rows))

    def check_scan(self, documents, oracle, policy, rows):
        removed = oracle.scan(rank_order(documents, policy))
        keepers = {keeper for keeper, _ in removed.values()}
        for index, row in rows.items():
            if index in removed:
                keeper, similarity = removed[index]
                copy = oracle.normalized[keeper] == oracle.normalized[index]
                expected = ("remove", "exact_copy" if copy else "near_duplicate", documents[keeper]["id"], f"{float(similarity):.6f}")
            else:
                reason = "keeper" if index in keepers else "unique" if oracle.features[index] else "short"
                expected = ("keep", reason, "", "")
            self.assertEqual((row["verdict"], row["reason"], row["keeper_id"], row["similarity"]), expected,
                             f"{policy}: {documents[index]}")

    def test_every_policy(self):
        for seed, recipe, chinese, threshold in [(1, "words-5", False, "0.5"), (2, "words-5", True, "0.6"), (3, "chars-5", False, "0.7"),
                                                 (4, "chars-5", True, "0.4"), (5, "words-5", False, "0.8")]:
            documents = make_documents(seed, sources=3, chinese=chinese)
            names = self.write_sources(documents)
            oracle = Oracle([document["text"] for document in documents], recipe, threshold)
            self.assertGreater(len(oracle.scan(range(len(documents)))), 10, "a corpus without duplicates tests nothing")
            for policy in POLICIES:
                with self.subTest(seed=seed, policy=policy):
                    rows = self.verdicts(documents, *names, "--recipe", recipe, "-t", threshold, "--search", "exact", "--keep", policy)
                    self.check_scan(documents, oracle, policy, rows)

    def test_lsh_with_one_row_a_band_misses_nothing_here(self):
        """128 bands of one row: a pair at 0.5 is missed once in 10^38."""
        documents = make_documents(6)
        names = self.write_sources(documents)
        oracle = Oracle([document["text"] for document in documents], "words-5", "0.5")
        for policy in POLICIES:
            rows = self.verdicts(documents, *names, "-t", "0.5", "--bands", 128, "--rows-per-band", 1, "--keep", policy)
            self.check_scan(documents, oracle, policy, rows)

    def test_lsh_removes_nothing_without_a_true_keeper(self):
        documents = make_documents(7, originals=60)
        names = self.write_sources(documents)
        oracle = Oracle([document["text"] for document in documents], "words-5", "0.5")
        index_of = {document["id"]: index for index, document in enumerate(documents)}
        rows = self.verdicts(documents, *names, "-t", "0.5", "--miss-probability", "0.2")
        for index, row in rows.items():
            if row["verdict"] == "remove":
                keeper = index_of[row["keeper_id"]]
                self.assertEqual(rows[keeper]["verdict"], "keep")
                self.assertEqual(row["similarity"], f"{float(oracle.similarity(keeper, index)):.6f}")

    def test_components(self):
        documents = make_documents(8)
        names = self.write_sources(documents)
        for threshold in ("0.3", "0.6"):
            oracle = Oracle([document["text"] for document in documents], "words-5", threshold)
            for policy in ("first", "last", "longest"):
                rows = self.verdicts(documents, *names, "-t", threshold, "--search", "exact", "--cluster", "components", "--keep", policy)
                groups = oracle.components(rank_order(documents, policy))
                for index, row in rows.items():
                    self.assertEqual(row["keeper_id"], documents[groups[index]]["id"] if index in groups else "")
                    if row["reason"] == "connected":
                        self.assertIsNone(oracle.similarity(groups[index], index))
                    elif row["verdict"] == "remove":
                        self.assertIsNotNone(oracle.similarity(groups[index], index))

    def test_against(self):
        documents = make_documents(9, sources=1)
        reference = len(documents) // 2
        old = self.write("old.jsonl", [{"id": document["id"], "text": document["text"]} for document in documents[:reference]])
        new = self.write("new.jsonl", [{"id": document["id"], "text": document["text"]} for document in documents[reference:]])
        oracle = Oracle([document["text"] for document in documents], "words-5", "0.5")
        removed = oracle.scan(range(len(documents)), reference=reference)
        self.assertTrue(any(keeper < reference for keeper, _ in removed.values()))
        rows = self.verdicts(documents[reference:], new, "--against", old, "-t", "0.5", "--search", "exact", "-o", "fresh.jsonl")
        for index, row in rows.items():
            keeper, similarity = removed.get(reference + index, (None, None))
            self.assertEqual(row["keeper_id"], "" if keeper is None else documents[keeper]["id"])
            self.assertEqual(row["keeper_source"], "" if keeper is None else old if keeper < reference else new)
            self.assertEqual(row["similarity"], "" if keeper is None else f"{float(similarity):.6f}")
        kept = [document["id"] for index, document in enumerate(documents) if index >= reference and index not in removed]
        self.assertEqual([record["id"] for record in self.records("fresh.jsonl")], kept)

    def test_pairs(self):
        for seed, recipe, chinese, threshold in [(11, "words-5", False, "0.4"), (12, "chars-5", True, "0.3"), (13, "words-5", True, "0.8")]:
            documents = make_documents(seed, sources=1, chinese=chinese)
            names = self.write_sources(documents)
            expected = sorted(Oracle([document["text"] for document in documents], recipe, threshold).pairs().items())
            self.assertGreater(len(expected), 10)
            self.neardup("pairs", *names, "--recipe", recipe, "-t", threshold, "--search", "exact", "-o", "pairs.tsv", "-q")
            found = [(row["id_a"], row["id_b"], row["similarity"]) for row in self.table("pairs.tsv")]
            self.assertEqual(found, [(documents[a]["id"], documents[b]["id"], f"{float(similarity):.6f}") for (a, b),
                                     similarity in expected])

    def test_the_threshold_is_inclusive(self):
        # 3 of 8 shingles in common
        self.write("in.jsonl", [{"id": "a", "text": "a b c d e f g h x y"}, {"id": "b", "text": "b c d e f g h z w"}])
        self.assertEqual(Oracle(["a b c d e f g h x y", "b c d e f g h z w"], "words-5", "0.375").pairs(), {(0, 1): Fraction(3, 8)})
        for threshold, count in [("0.375", 1), ("0.375001", 0), ("0.374999", 1)]:
            self.neardup("pairs", "in.jsonl", "-t", threshold, "--search", "exact", "-o", "pairs.tsv", "-q")
            self.assertEqual(len(self.table("pairs.tsv")), count, threshold)


if __name__ == "__main__":
    unittest.main()
