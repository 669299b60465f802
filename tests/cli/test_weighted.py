"""MinHash recipes verified by weighted features, against the oracle; and all that a run with them can be asked for."""
import unittest

from corpora import make_texts
from oracle import WeightedOracle
from resume_case import RUN, ResumeTest
from test_idf import idf

MEASURES = ("weighted-jaccard", "cosine")


class Weighted(ResumeTest):
    def corpus(self, seed, chinese=False):
        """Texts with a passage that all of them have, which weighs little."""
        footer = "".join(chr(0x5000 + n) for n in range(20)) if chinese else " ".join(f"f{n}" for n in range(14))
        texts = [f"{text} {footer}" if len(text) > 30 or chinese and len(text) > 6 else text for text in make_texts(seed, chinese=chinese)]
        self.write("in.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)])
        return texts

    def test_pairs_and_scan_are_the_definition(self):
        found = 0
        for seed, (recipe, chinese) in enumerate((("words-5", False), ("words-5", True), ("chars-5", False))):
            texts = self.corpus(seed, chinese)
            for measure in MEASURES:
                options = ("in.jsonl", "--recipe", recipe, "--verify", measure, "--search", "exact", "-t", "0.5", "-q")
                oracle = WeightedOracle(texts, recipe, "0.5", measure, idf)
                with self.subTest(recipe=recipe, measure=measure, chinese=chinese):
                    self.neardup("pairs", *options, "-o", "pairs.jsonl")
                    expected = [(str(a), str(b), float(similarity)) for (a, b), similarity in sorted(oracle.pairs().items())]
                    self.assertEqual([(row["id_a"], row["id_b"], row["similarity"]) for row in self.records("pairs.jsonl")], expected)
                    self.neardup("dedup", *options, "--verdicts", "v.jsonl")
                    removed = {int(row["id"]): (int(row["keeper_id"]), row["similarity"]) for row in self.records("v.jsonl") if
                               row["verdict"] == "remove"}
                    expected = {document: (keeper, float(similarity)) for document, (keeper, similarity) in oracle.scan(range(len(texts))).items()}
                    self.assertEqual(removed, expected)
                    found += len(removed)
        self.assertGreater(found, 100)

    def test_lsh_finds_what_bands_find(self):
        self.corpus(5)
        for measure in MEASURES:
            bands = ("--bands", "64", "--rows-per-band", "2")  # a pair that exact search finds is as good as certain to share one
            self.neardup("pairs", "in.jsonl", "--verify", measure, "-t", "0.5", *bands, "-o", "lsh.jsonl", "-q")
            self.neardup("pairs", "in.jsonl", "--verify", measure, "-t", "0.5", "--search", "exact", "-o", "exact.jsonl", "-q")
            self.assertEqual(self.read("lsh.jsonl"), self.read("exact.jsonl"))
        said = self.neardup("dedup", "in.jsonl", "--verify", "cosine", "--dry-run").stderr
        self.assertIn("of pairs whose Jaccard similarity without weights is the threshold", said)

    def test_killed_runs_resume(self):
        self.kill_loop(self.inputs(24, 500), 6, "--verify", "weighted-jaccard")

    def test_machines_slices_and_thresholds(self):
        inputs = self.inputs(11, 120)
        for measure in MEASURES:
            options = ("--verify", measure, "-t", "0.5")
            expected = self.expected(inputs, *options)
            for machine in (("-j", 1), ("-j", 5), ("--memory", "64M"), ("--batch", "40")):
                self.neardup("dedup", *inputs, *RUN, *options, *machine, "-q")
                self.assertEqual(self.digests(), expected, machine)
                self.forget_outputs()
            summary = self.summary("dedup", *inputs, *options, "-o", "k.jsonl", "--work", "work")
            self.assertEqual([each["name"] for each in summary["passes"]][0], "count")
            self.neardup("dedup", "--resume", "work", "--rethreshold", "0.8", "-o", "again.jsonl", "-q")
            self.neardup("dedup", *inputs, "--verify", measure, "-t", "0.8", "--bands", summary["bands"], "--rows-per-band", summary["rows_per_band"],
                         "-o", "new.jsonl", "-q")
            self.assertEqual(self.read("again.jsonl"), self.read("new.jsonl"))
            self.write("more.jsonl", [{"text": "more"}])
            self.assertIn("weighs features by the IDF of the corpus itself", self.neardup("dedup", "--resume", "work", "--add", "more.jsonl", code=2).stderr)
            self.neardup("report", "work", "-o", "report.html", "-q")
            name = '"measure":"%s"' % measure
            self.forget_outputs()
            self.remove("work")

    def remove(self, folder):
        for path in self.path(folder).iterdir():
            path.unlink()
        self.path(folder).rmdir()

    def test_blocks_are_part_of_a_feature(self):
        text = " ".join(f"w{n}" for n in range(30))
        self.write("in.jsonl", [{"id": str(n), "text": f"{text} x{n}", "brand": "one" if n % 2 else "two"} for n in range(6)])
        for measure in MEASURES:
            self.neardup("pairs", "in.jsonl", "--block-on", "brand", "--verify", measure, "-o", "pairs.jsonl", "-q")
            self.assertEqual([(row["id_a"], row["id_b"]) for row in self.records("pairs.jsonl")],
                             [("0", "2"), ("0", "4"), ("1", "3"), ("1", "5"), ("2", "4"), ("3", "5")])

    def test_refused(self):
        self.corpus(1)
        for measure in MEASURES:
            said = self.neardup("dedup", "in.jsonl", "--verify", measure, "--also", "simhash-words-3", "--dry-run", code=2).stderr
            self.assertIn(f"verify '{measure}' requires a single recipe; recipe 'words-5' is combined with another one", said)


if __name__ == "__main__":
    unittest.main()
