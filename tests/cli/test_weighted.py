"""MinHash recipes verified by weighted features, against the oracle; and all that a run with them can be asked for."""
import json
import re
import shutil
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
            shutil.rmtree(self.path("work"))
            self.forget_outputs()

    def test_blocks_are_part_of_a_feature(self):
        text = " ".join(f"w{n}" for n in range(30))
        self.write("in.jsonl", [{"id": str(n), "text": f"{text} x{n}", "brand": "one" if n % 2 else "two"} for n in range(6)])
        for measure in MEASURES:
            self.neardup("pairs", "in.jsonl", "--block-on", "brand", "--verify", measure, "-o", "pairs.jsonl", "-q")
            self.assertEqual([(row["id_a"], row["id_b"]) for row in self.records("pairs.jsonl")],
                             [("0", "2"), ("0", "4"), ("1", "3"), ("1", "5"), ("2", "4"), ("3", "5")])

    def explained(self, *arguments):
        """Without a warning, as that would be about another similarity than that of the run."""
        said = self.neardup("explain", *arguments, "--json")
        self.assertEqual(said.stderr, "")
        return json.loads(said.stdout)

    def test_explain_and_compare_show_both_measures(self):
        texts = self.corpus(3)
        oracles = {measure: WeightedOracle(texts, "words-5", "0.000001", measure, idf) for measure in MEASURES}
        for measure in MEASURES:
            self.neardup("dedup", "in.jsonl", "--verify", measure, "-t", "0.5", "--verdicts", "v.jsonl", "--work", "work", "-q")
            removed = [row for row in self.records("v.jsonl") if row["reason"] == "near_duplicate"]
            self.assertGreater(len(removed), 10)
            for row in removed:
                a, b = int(row["id"]), int(row["keeper_id"])
                expected = {name: float(oracle.similarity(a, b) or 0) for name, oracle in oracles.items()}
                self.assertEqual(expected[measure], row["similarity"])
                found = self.explained("work", row["id"])
                compared = json.loads(self.neardup("compare", f"in.jsonl#{a}", f"in.jsonl#{b}", "--weights", "work", "-t", "0.5", "--json").stdout)
                for shown in (found["comparison"], compared):
                    self.assertEqual({"weighted-jaccard": shown["weighted_jaccard"], "cosine": shown["weighted_cosine"]}, expected)
                    self.assertEqual((shown["measure"], shown["match"]), (measure, True))
            above = {"weighted-jaccard": "weighted Jaccard similarity", "cosine": "cosine"}[measure]
            page = self.neardup("explain", "work", removed[0]["id"]).stdout.decode()
            similarity = f"{removed[0]['similarity']:.6f}"
            for part in (f"rule       {above} of the features at least 0.5", f"They match at {above} 0.5",
                         f"{'cosine' if measure == 'cosine' else 'Jaccard'} with weights".ljust(22) + similarity):
                self.assertIn(part, page)
            # Unrelated texts, and a threshold that the pair does not meet.
            page = self.neardup("compare", f"in.jsonl#{removed[0]['id']}", f"in.jsonl#{removed[0]['keeper_id']}", "--weights", "work",
                                "-t", "1").stdout.decode()
            self.assertIn(f"They do not match at {above} 1", page)
            shutil.rmtree(self.path("work"))

    def test_runs_name_their_measure(self):
        self.corpus(4)
        for measure, label in zip(MEASURES, ("weighted Jaccard similarity", "cosine")):
            for command in ("pairs", "dedup"):
                said = self.neardup(command, "in.jsonl", "--verify", measure, "-t", "0.6", "-o", "o.jsonl", "--verbose").stderr
                self.assertIn(f"{label} 0.6, LSH: ", said)
                self.assertIn(f"measure: {label}", said)
                self.assertEqual(said.count("of pairs whose Jaccard similarity without weights is the threshold"), 2, "of the plan and the summary")
                self.assertNotIn("at exactly the threshold", said)
                self.assertEqual(self.summary(command, "in.jsonl", "--verify", measure, "-o", "o.jsonl")["measure"], measure)
            self.neardup("dedup", "in.jsonl", "--verify", measure, "-o", "o.jsonl", "--report", "report.html", "--work", "work", "-q")
            data = self.report("report.html")
            self.assertEqual((data["run"]["measure"], data["search"]["missed"]), (measure, None), "bands of sets say nothing about missed pairs")
            self.neardup("report", "work", "-o", "again.html", "-q")
            self.assertEqual(self.report("again.html")["run"]["measure"], measure)
            shutil.rmtree(self.path("work"))
        warning = self.neardup("dedup", "in.jsonl", "--verify", "cosine", "-t", "0.1", "--miss-probability", "0.000001", "--dry-run").stderr
        self.assertIn("of pairs whose Jaccard similarity without weights is the threshold; a recipe with more permutations", warning)
        self.assertEqual(self.summary("dedup", "in.jsonl", "-o", "o.jsonl")["measure"], "jaccard")

    def report(self, name):
        return json.loads(re.search(rb'id="data">(.*?)</script>', self.read(name), re.DOTALL)[1])

    def test_blocks_in_explain_and_report(self):
        """The block is part of the features whose weights were counted. A pair of texts shares what only the two have; it differs in a
        footer that a quarter of the texts has. So it matches by weights, also without the passage that all texts have."""
        passage = " ".join(f"p{n}" for n in range(60))
        footers = [" ".join(f"f{kind}x{n}" for n in range(12)) for kind in range(4)]
        self.write("in.jsonl", [{"id": f"{pair}-{half}", "brand": str(pair % 2),
                                 "text": " ".join(f"w{pair}x{n}" for n in range(60)) + f" {passage} {footers[pair // 2 % 2 * 2 + half]}"}
                                for pair in range(50) for half in range(2)])
        self.neardup("dedup", "in.jsonl", "--block-on", "brand", "--verify", "weighted-jaccard", "--search", "exact", "-t", "0.72", "--verdicts", "v.jsonl",
                     "--work", "work", "--report", "report.html", "-q")
        removed = [row for row in self.records("v.jsonl") if row["reason"] == "near_duplicate"]
        self.assertEqual(len(removed), 50)
        for row in removed[:3]:
            compared = self.explained("work", row["id"])["comparison"]
            self.assertEqual(compared["weighted_jaccard"], row["similarity"])
            self.assertGreater(abs(compared["jaccard"] - row["similarity"]), 0.001)
        passages = self.report("report.html")["passages"]
        self.assertTrue(any(each["removals"] == 50 for each in passages), passages)
        self.assertEqual([each["without"] for each in passages], [0] * len(passages))
        said = self.neardup("compare", "in.jsonl#1-0", "in.jsonl#1-1", "--weights", "work", code=2).stderr
        self.assertIn("--weights: the run in 'work' weighed features by block (--block-on); neardup explain compares its documents", said)

    def test_refused(self):
        self.corpus(1)
        for measure in MEASURES:
            said = self.neardup("dedup", "in.jsonl", "--verify", measure, "--also", "simhash-words-3", "--dry-run", code=2).stderr
            self.assertIn(f"verify '{measure}' requires a single recipe; recipe 'words-5' is combined with another one", said)
            said = self.neardup("dedup", "in.jsonl", "--verify", measure, "--dry-run", "--sample", "50%", code=2).stderr
            self.assertIn("verify: cannot be combined with --sample: its weights are fitted on the whole corpus", said)
            said = self.neardup("evaluate", "in.jsonl", "--verify", measure, "--sample", "10", code=2).stderr
            self.assertIn("the exact truth of a sample is by the Jaccard similarity of a MinHash recipe, not by ", said)

    def test_weights_that_are_not_there(self):
        self.corpus(2)
        options = ("--verify", "weighted-jaccard", "-t", "0.5")
        self.neardup("dedup", "in.jsonl", *options, "--verdicts", "v.jsonl", "--work", "work", "-q")
        row = next(row for row in self.records("v.jsonl") if row["reason"] == "near_duplicate")
        said = self.neardup("explain", "v.jsonl", row["id"], *options, "--json")
        self.assertIn("weighted similarities are missing: only the checkpoint directory of the run has the weights", said.stderr)
        self.assertNotIn("weighted_jaccard", json.loads(said.stdout)["comparison"])
        self.neardup("dedup", "in.jsonl", "--work", "plain", "--dry-run", "-q")
        pair = ("compare", f"in.jsonl#{row['id']}", f"in.jsonl#{row['keeper_id']}")
        for arguments, message in ((("--weights", "plain"), "--weights: the run in 'plain' counted no features; runs with --verify weighted-jaccard"),
                                   (("--weights", "work", "--recipe", "chars-5"), "--weights: the run in 'work' has weights for recipe words-5 ("),
                                   (("--weights", "work", "--recipe", "simhash-words-3"), "--weights has no effect here: recipe 'simhash-words-3' has"),
                                   (("--weights", "work", "--measure", "containment"), "--weights: cannot be combined with --measure containment")):
            self.assertIn(message, self.neardup(*pair, *arguments, code=2).stderr)
        self.assertIn("there is no folder 'nowhere'", self.neardup(*pair, "--weights", "nowhere", code=1).stderr)
        self.path("work/fitted-features.idf").write_bytes(b"damaged")
        for arguments in ((*pair, "--weights", "work"), ("explain", "work", row["id"])):
            self.assertRegex(self.neardup(*arguments, code=1).stderr, "work/fitted-features.idf', the weights of .*, is missing or damaged")


if __name__ == "__main__":
    unittest.main()
