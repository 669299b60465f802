"""What `neardup dedup` says at its end: the summary for people, its numbers, and the next steps."""
import json
import re
import shutil
import subprocess
import unittest
from fractions import Fraction

from corpora import make_documents
from harness import BINARY, CliTest
from oracle import Oracle

WORDS = [f"word{number}" for number in range(60)]
TEXT = " ".join(WORDS)
NEAR = " ".join(WORDS[:50] + ["other"])
BANDS = [("0.9", "1"), ("0.8", "0.9"), ("0.7", "0.8"), ("0.6", "0.7"), ("0.5", "0.6")]


class SummaryTest(CliTest):
    def said(self, *arguments, **keywords):
        """What a run says after its first line."""
        return self.neardup("dedup", *arguments, **keywords).stderr.partition("\n")[2]


class Text(SummaryTest):
    def test_a_typical_run(self):
        self.write("in.jsonl", [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT.upper()}, {"id": "c", "text": TEXT + " end"},
                                {"id": "d", "text": NEAR}, {"id": "e", "text": "short"}, {"id": "f", "text": " ".join(reversed(WORDS))}])
        self.assertEqual(self.said("in.jsonl", "-o", "kept.jsonl"), """\
read 6 = kept 3 + removed 3 + rejected 0
removed 50.0 % of 6 documents: 1 exact copy, 2 near-duplicates
clusters: 1, of 4 documents, keeper a
removed by similarity to the keeper:
  exact copy  1  ##############################
  0.95-1.00   1  ##############################
  0.90-0.95   0
  0.85-0.90   0
  0.80-0.85   1  ##############################
least similar removed documents -> their keepers:
  0.807  d -> a
  0.982  c -> a
1 document is too short for similarity; compared for exact copies only
wrote kept.jsonl
next: --verdicts FILE.tsv writes which kept document each removed one matches
""")

    def test_nothing_removed(self):
        self.write("in.jsonl", [{"id": "a", "text": TEXT}, {"id": "b", "text": " ".join(reversed(WORDS))}])
        self.assertEqual(self.said("in.jsonl", "-o", "kept.jsonl", "--verdicts", "v.tsv"),
                         "read 2 = kept 2 + removed 0 + rejected 0\nno duplicates found\nwrote kept.jsonl, v.tsv\n")

    def test_rejects(self):
        self.write("in.jsonl", b'{"text": "one"}\n{"text": 5}\n{"text": 6}\n{broken\n')
        said = self.said("in.jsonl", "-o", "kept.jsonl", "--max-rejects", "3")
        self.assertIn("read 4 = kept 1 + removed 0 + rejected 3\n", said)
        self.assertIn("\nrejected: 3 records: 2 with the text field of the wrong type, 1 broken JSON\n", said)
        self.assertTrue(said.endswith("wrote kept.jsonl\nnext: --rejects FILE writes the rejected records\n"), said)
        self.assertNotIn("next:", self.said("in.jsonl", "-o", "kept.jsonl", "--max-rejects", "3", "--rejects", "r.jsonl"))

    def test_against_a_corpus_and_an_index(self):
        self.write("old.jsonl", [{"id": "o", "text": TEXT}])
        self.write("new.jsonl", [{"id": "n", "text": TEXT}, {"id": "m", "text": TEXT + " end"}, {"id": "x", "text": "short"}])
        said = self.said("new.jsonl", "--against", "old.jsonl", "-o", "kept.jsonl")
        self.assertIn("read 3 = kept 1 + removed 2 + rejected 0\nremoved 66.7 % of 3 documents: 1 exact copy, 1 near-duplicate\n"
                      "clusters: 1, of 3 documents, keeper o\n", said)
        self.assertIn("\n  0.982  m -> o\nreference corpus: 1 document\n", said)
        self.neardup("index", "build", "seen", "old.jsonl", "--recipe", "simhash-words-3", "--max-distance", "6", "-q")
        said = self.said("new.jsonl", "--against", "seen", "--recipe", "simhash-words-3", "--max-distance", "6", "-o", "kept.jsonl",
                         "--verdicts", "v.tsv")
        self.assertIn("clusters: 1, of 3 documents, keeper o\nremoved by distance to the keeper:\n  0-1  ", said)
        self.assertRegex(said, r"\n  distance \d  m -> o\n  distance 0  n -> o\nindex: 1 entry, matched by 2 documents\n")
        self.assertNotIn("next: neardup compare", said)  # an entry of an index has no text

    def test_fingerprints(self):
        self.write("in.jsonl", [{"id": "a", "text": TEXT}, {"text": TEXT + " end"}, {"id": "c", "text": TEXT}])
        said = self.said("in.jsonl", "--recipe", "simhash-words-3", "-o", "kept.jsonl", "--max-distance", "10")
        self.assertRegex(said, "removed by distance to the keeper:\n  exact copy  1  #{30}\n  0-1         [01]")
        self.assertRegex(said, r"least similar removed documents -> their keepers:\n  distance \d+  in.jsonl:2 -> a\n")

    def test_estimates_are_said_to_be_estimates(self):
        self.write("in.jsonl", [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT + " end"}])
        said = self.said("in.jsonl", "-o", "kept.jsonl", "--verify", "false")
        self.assertIn("removed by estimated similarity to the keeper, which is not verified:\n", said)
        self.assertTrue(self.summary("dedup", "in.jsonl", "--verify", "false")["estimated"])

    def test_connected_documents(self):
        documents = make_documents(8)
        self.write("in.jsonl", [{"id": document["id"], "text": document["text"]} for document in documents])
        summary = self.summary("dedup", "in.jsonl", "-t", "0.3", "--search", "exact", "--cluster", "components")
        self.assertGreater(summary["connected"], 0)
        self.assertEqual(summary["similarity_bands"][-1], {"from": 0, "to": 0.3, "removed": summary["connected"]})
        said = self.said("in.jsonl", "-t", "0.3", "--search", "exact", "--cluster", "components", "--dry-run")
        self.assertRegex(said, rf"\n  below 0.30 +{summary['connected']}  #")

    def test_timings_only_with_verbose(self):
        self.write("in.jsonl", [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT}])
        self.neardup("idf", "fit", "in.jsonl", "-o", "old.idf", "-q")
        commands = (("dedup", "in.jsonl", "-o", "kept.jsonl"), ("pairs", "in.jsonl", "-o", "p.tsv"), ("quotes", "in.jsonl", "-o", "q.tsv"), ("sketch", "in.jsonl", "-o", "s.jsonl"),
                    ("tokenize", "in.jsonl", "-o", "t.jsonl"), ("clean", "in.jsonl", "-o", "c.jsonl"), ("idf", "fit", "in.jsonl", "-o", "i.idf"),
                    ("lines", "fit", "in.jsonl", "-o", "l.lines"), ("index", "build", "seen", "in.jsonl", "--recipe", "simhash-words-3"))
        for command in commands:
            with self.subTest(command=command):
                shutil.rmtree(self.path("seen"), ignore_errors=True)
                said = self.neardup(*command).stderr
                self.assertNotRegex(said, "(?m)^(pass|total|peak memory|search|candidates)")
                if command[0] not in ("dedup", "index"):
                    self.assertIn("\nread 2 documents, 0 rejected\n", said)
                shutil.rmtree(self.path("seen"), ignore_errors=True)
                said = self.neardup(*command, "--verbose").stderr
                self.assertRegex(said, r"(?m)^pass \w+ +\d+\.\d\d s")
                self.assertRegex(said, "(?m)^peak memory ")
        self.assertIn("passes", self.summary("dedup", "in.jsonl"))
        self.assertIn("--quiet and --verbose cannot be combined", self.neardup("dedup", "in.jsonl", "-o", "k.jsonl", "-q", "-v", code=2).stderr)

    def test_documents_that_were_given_up_are_always_said(self):
        self.write("in.jsonl", [{"text": " ".join(WORDS[:20] + [f"x{number}" for number in range(n, n + 30)])} for n in range(400)])
        options = ("in.jsonl", "--dry-run", "-t", "0.9", "--bands", "128", "--rows-per-band", "1", "--max-candidates", "1")
        capped = self.summary("dedup", *options[:1], *options[2:])["capped_documents"]
        self.assertEqual("\ncapped: " in self.said(*options), capped > 0)

    def test_a_resumed_run_says_the_same(self):
        documents = make_documents(2)
        self.write("in.jsonl", [{"id": document["id"], "text": document["text"]} for document in documents])
        whole = self.said("in.jsonl", "-o", "kept.jsonl", "-t", "0.5")
        first = self.said("in.jsonl", "-o", "kept.jsonl", "-t", "0.5", "--work", "run")
        self.assertEqual(first, whole)
        self.assertEqual(self.said("--resume", "run"), whole)
        self.assertIn("\npass output", self.said("--resume", "run", "--verbose"))


class Numbers(SummaryTest):
    def test_bands_and_least_similar_against_the_oracle(self):
        for seed, recipe in ((21, "words-5"), (22, "chars-5")):
            documents = make_documents(seed, sources=1, originals=60)
            self.write("in.jsonl", [{"id": document["id"], "text": document["text"]} for document in documents])
            oracle = Oracle([document["text"] for document in documents], recipe, "0.5")
            removed = {index: (keeper, similarity) for index, (keeper, similarity) in oracle.scan(range(len(documents))).items() if
                       oracle.normalized[keeper] != oracle.normalized[index]}
            self.assertGreater(len(removed), 3)
            summary = self.summary("dedup", "in.jsonl", "--recipe", recipe, "--search", "exact", "-t", "0.5")
            self.assertEqual(summary["similarity_bands"],
                             [{"from": float(low), "to": float(high), "removed": sum(
                                 Fraction(low) <= similarity < Fraction(high) or similarity == Fraction(high) == 1 for _, similarity in
                                 removed.values())} for low, high in BANDS])
            first = {}  # copies of one text count once
            for index in removed:
                first.setdefault(oracle.normalized[index], index)
            least = sorted(first.values(), key=lambda index: (removed[index][1], index))[:3]
            self.assertEqual([(pair["id"], pair["keeper_id"], pair["similarity"], pair["row"], pair["source"], pair["distance"]) for pair in
                              summary["least_similar"]],
                             [(documents[index]["id"], documents[removed[index][0]]["id"], round(float(removed[index][1]), 6), index + 1, "in.jsonl", None)
                              for index in least])

    def test_distances_are_those_of_the_verdicts(self):
        documents = make_documents(23, sources=1, originals=60)
        self.write("in.jsonl", [{"id": document["id"], "text": document["text"]} for document in documents])
        summary = self.summary("dedup", "in.jsonl", "--recipe", "simhash-chars-4", "--max-distance", "10", "--verdicts", "v.jsonl")
        distances = [round(64 * (1 - row["similarity"])) for row in self.records("v.jsonl") if row["reason"] == "near_duplicate"]
        self.assertGreater(len(distances), 3)
        self.assertEqual(summary["distance_bands"], [{"from": low, "to": min(low + 1, 10), "removed": sum(low <= d <= low + 1 for d in distances)}
                                                     for low in range(0, 11, 2)])
        self.assertEqual(summary["least_similar"][0]["distance"], max(distances))
        self.assertEqual(summary["similarity_bands"], [])


class NextSteps(SummaryTest):
    def runs(self, said):
        """The last line is a command that works; returns what it prints."""
        command = re.search(r"(?m)^next: (neardup compare .*)$", said)[1]
        result = subprocess.run(["bash", "-c", command.replace("neardup", BINARY, 1)], cwd=self.dir, capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""), command)
        return result.stdout

    def test_compare_of_text_files(self):
        self.write("in/it's one.txt", TEXT)
        self.write("in/two.txt", NEAR)
        said = self.said("in", "-o", "kept.jsonl", "--verdicts", "v.tsv", "--recipe", "words-5")
        self.assertIn("next: neardup compare in/two.txt 'in/it'\\''s one.txt' --recipe words-5\n", said)
        self.assertIn("Jaccard               0.807018", self.runs(said))

    @unittest.skipUnless(shutil.which("jq"), "[machine] no jq")
    def test_compare_of_lines(self):
        self.write("in put.jsonl", [{"id": "a", "body": TEXT}, {"id": "x", "body": "other"}, {"id": "b", "body": NEAR}])
        said = self.said("in put.jsonl", "-o", "kept.jsonl", "--verdicts", "v.tsv", "--text-field", "body")
        self.assertIn("next: neardup compare <(sed '3q;d' 'in put.jsonl' | jq -r .body) <(sed '1q;d' 'in put.jsonl' | jq -r .body)\n", said)
        self.assertIn("Jaccard               0.807018", self.runs(said))

    def test_compare_matches_as_the_run_did(self):
        self.write("one.txt", TEXT)
        self.write("two.txt", NEAR)
        said = self.said("one.txt", "two.txt", "-o", "kept.jsonl", "--verdicts", "v.tsv", "--threshold", "0.75")
        self.assertIn("next: neardup compare two.txt one.txt --threshold 0.75\n", said)
        self.assertIn("They match at threshold 0.75\n", self.runs(said))
        said = self.said("one.txt", "two.txt", "-o", "kept.jsonl", "--verdicts", "v.tsv", "--recipe", "simhash-words-3", "--max-distance", "30")
        self.assertIn("next: neardup compare two.txt one.txt --recipe simhash-words-3 --max-distance 30\n", said)
        self.assertIn("They match within distance 30\n", self.runs(said))

    def test_compare_judges_as_the_run_did(self):
        self.write("site/a.html", f"<p class=a>{TEXT}</p>")
        self.write("site/b.html", f"<p class=b>{NEAR}</p>")
        said = self.said("site", "-o", "kept.jsonl", "--verdicts", "v.tsv", "-t", "0.5")
        self.assertIn("next: neardup compare site/b.html site/a.html --clean html --threshold 0.5\n", said)
        shown = self.runs(said)
        self.assertIn("Jaccard               0.807018", shown)
        self.assertIn("They match at threshold 0.5", shown)

    def test_compare_of_names_that_begin_with_a_dash(self):
        self.write("-a.txt", TEXT)
        self.write("-b.txt", NEAR)
        said = self.said("-o", "kept.jsonl", "--verdicts", "v.tsv", "--", "-a.txt", "-b.txt")
        self.assertIn("next: neardup compare ./-b.txt ./-a.txt\n", said)
        self.assertIn("Jaccard               0.807018", self.runs(said))

    def test_none_that_cannot_work(self):
        lines = b"".join(json.dumps({"text": text}).encode() + b"\n" for text in (TEXT, NEAR))
        self.assertNotIn("next:", self.said("-", "-o", "kept.jsonl", "--verdicts", "v.tsv", stdin=lines))
        self.write("in.jsonl", [{"a": "x", "text": TEXT}, {"a": "x", "text": NEAR}])
        self.assertNotIn("next:", self.said("in.jsonl", "-o", "kept.jsonl", "--annotate", "all.jsonl", "--text-field", "a,text"))
        fitted = self.said("in.jsonl", "-o", "kept.jsonl", "--verdicts", "v.tsv", "--recipe", "simhash-words", "--max-distance", "30")
        self.assertIn("removed 1 ", fitted)
        self.assertNotIn("next:", fitted)  # its weights are those of the corpus

    def test_messages_as_json_and_quiet_have_none(self):
        self.write("in.jsonl", [{"text": TEXT}, {"text": NEAR}])
        self.assertNotIn("next", self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--log-format", "json").stderr)
        self.assertEqual(self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "-q").stderr, "")


if __name__ == "__main__":
    unittest.main()
