"""`cluster_id` and `cluster_size` in verdicts and annotations, and the clusters of the summary, against a slow twin of the verdicts."""
import json
import unittest

from corpora import make_documents
from harness import CliTest
from oracle import clusters, keeper_place


class Clusters(CliTest):
    def write_files(self, seed, files):
        """The documents of a corpus with duplicates, cut into files."""
        documents = make_documents(seed, sources=1)
        size = -(-len(documents) // files)
        return [self.write(f"in{number}.jsonl", [{"id": document["id"], "text": document["text"]} for document in
                                                 documents[number * size:(number + 1) * size]]) for number in range(files)]

    def check(self, *arguments):
        """Runs dedup; compares the columns and the summary with the twin, and returns the verdicts and the summary."""
        self.neardup("dedup", *arguments, "--verdicts", "v.jsonl", "--annotate", "all.jsonl", "--summary", "s.json", "-q")
        rows = self.records("v.jsonl")
        expected = clusters(rows)
        self.assertEqual([(row["cluster_id"], row["cluster_size"]) for row in rows], expected)
        self.assertEqual([(row["neardup_cluster_id"], row["neardup_cluster_size"]) for row in self.records("all.jsonl")], expected)
        summary = json.loads(self.read("s.json"))
        removed = [row for row in rows if row["verdict"] == "remove"]
        self.assertGreater(len(removed), 5, "a corpus without duplicates tests nothing")
        keepers = {keeper_place(row) for row in removed}
        self.assertEqual(summary["clusters"], len(keepers))
        largest = summary["largest_cluster"]
        self.assertEqual(largest["size"], max(size for _, size in expected))
        name = f"{largest['keeper_source']}:{largest['keeper_row']}"
        self.assertIn((name, largest["size"]), expected)
        banded = sum(band["removed"] for band in summary["similarity_bands"] + summary["distance_bands"])
        self.assertEqual(banded, sum(row["reason"] != "exact_copy" for row in removed))
        return rows, summary

    def test_keep_policies_and_searches(self):
        files = self.write_files(1, 3)
        for options in ([], ["--keep", "last"], ["--keep", "longest,last"], ["--search", "exact", "-t", "0.5"], ["--cluster", "components", "-t", "0.4"],
                        ["--verify", "false", "-t", "0.5"], ["--batch", "20"], ["--recipe", "simhash-chars-4", "--max-distance", "8"],
                        ["--recipe", "simhash-chars-4", "--verify", "cosine", "-t", "0.7", "--max-distance", "12"], ["--also", "simhash-chars-4"],
                        ["--recipe", "simhash-chars-4", "--max-distance", "10", "--cluster", "components"]):
            with self.subTest(options=options):
                self.check(*files, *options)

    def test_against(self):
        """The keeper of a reference corpus or an index counts as a member, and has no line of its own."""
        files = self.write_files(2, 3)
        rows, _ = self.check(*files[1:], "--against", files[0], "-t", "0.5")
        outside = [row for row in rows if row["keeper_source"] == files[0]]
        self.assertGreater(len(outside), 3)
        for row in outside:
            self.assertEqual(row["cluster_size"], 1 + sum(other["cluster_id"] == row["cluster_id"] for other in rows))
        recipe = ["--recipe", "simhash-chars-4", "--max-distance", "8"]
        self.neardup("index", "build", "seen", files[0], *recipe, "-q")
        rows, summary = self.check(*files[1:], *recipe, "--against", "seen")
        self.assertGreater(len([row for row in rows if row["keeper_source"] == "seen"]), 3)
        self.assertEqual(summary["reference_matches"], sum(row["keeper_source"] == "seen" for row in rows))
        self.check(*files[2:], *recipe, "--against", "seen", "--against", files[1])

    def test_many_copies_of_an_entry_and_of_a_reference(self):
        """Copies of one removed document, of a reference document, and of what an index has are all members of its cluster."""
        text = " ".join(f"word{number}" for number in range(40))
        near = text + " end"
        self.write("old.jsonl", [{"id": "o", "text": text}])
        self.write("new.jsonl", [{"id": number, "text": near if number % 2 else text} for number in range(7)] + [{"id": "x", "text": "other"}])
        self.neardup("index", "build", "seen", "old.jsonl", "--recipe", "simhash-words-3", "-q")
        for options in (["--against", "old.jsonl"], ["--against", "seen", "--recipe", "simhash-words-3", "--max-distance", "3"]):
            rows, summary = self.check("new.jsonl", *options)
            self.assertEqual([row["cluster_size"] for row in rows], [8] * 7 + [1])
            self.assertEqual(summary["largest_cluster"]["keeper_id"], "o")

    def test_threads_memory_and_order_of_work_change_nothing(self):
        files = self.write_files(3, 4)
        self.check(*files, "-t", "0.5")
        whole = self.read("v.jsonl"), self.read("all.jsonl")
        summary = json.loads(self.read("s.json"))
        for options in (["-j", "1"], ["-j", "4"], ["--memory", "64M"], ["--batch", "30"]):
            self.check(*files, "-t", "0.5", *options)
            self.assertEqual((self.read("v.jsonl"), self.read("all.jsonl")), whole, options)
            for name in ("clusters", "largest_cluster", "similarity_bands", "least_similar"):
                self.assertEqual(json.loads(self.read("s.json"))[name], summary[name], name)
        self.check(*files[:2], "-t", "0.5", "--work", "run")
        self.neardup("dedup", "--resume", "run", "--add", *files[2:], "-q")
        self.assertEqual((self.read("v.jsonl"), self.read("all.jsonl")), whole)
        again = json.loads(self.read("s.json"))
        for name in ("clusters", "largest_cluster", "similarity_bands", "least_similar"):
            self.assertEqual(again[name], summary[name], name)

    def test_tables_have_the_same_columns(self):
        files = self.write_files(4, 2)
        rows, _ = self.check(*files, "-t", "0.5")
        self.neardup("dedup", *files, "-t", "0.5", "--verdicts", "v.tsv", "-q")
        self.assertEqual([(row["cluster_id"], int(row["cluster_size"])) for row in self.table("v.tsv")], clusters(rows))

    def test_groups_by_cluster_id_are_whole(self):
        rows, _ = self.check(*self.write_files(5, 2), "-t", "0.5")
        groups = {}
        for row in rows:
            groups.setdefault(row["cluster_id"], []).append(row)
        for members in groups.values():
            self.assertEqual({row["cluster_size"] for row in members}, {len(members)})
            self.assertEqual([row["verdict"] for row in members].count("keep"), 1)


if __name__ == "__main__":
    unittest.main()
