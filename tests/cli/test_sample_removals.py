"""neardup dedup --dry-run --sample: the removals it predicts against those of the run, threads, and what it refuses."""
import json
import random
import unittest

from corpora import make_texts
from harness import CliTest


def families(count, seed):
    """Texts in two sources: every fourth one of the first has a near copy in the second, every eighth an exact one."""
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(3000)]
    first, second = [], []
    for i in range(count):
        text = " ".join(chance.choice(words) for _ in range(40))
        first.append({"id": f"a{i}", "text": text})
        second.append({"id": f"b{i}", "text": text + " once more" if i % 4 == 0 else text if i % 8 == 1
                       else " ".join(chance.choice(words) for _ in range(40))})
    return first, second


class SampleRemovals(CliTest):
    def predicted(self, *arguments):
        """The prediction, and its sources by name."""
        made = self.neardup("dedup", *arguments, "--dry-run", "--log-format", "json")
        found = next(event["summary"] for event in map(json.loads, made.stderr.splitlines()) if "summary" in event)
        self.assertEqual(json.loads(made.stdout), found)
        return found, {source["source"]: source for source in found["expected"]["sources"]}

    def removed(self, *arguments):
        """The share of the documents of each source that a run removes."""
        self.neardup("dedup", *arguments, "--verdicts", "v.tsv", "-q")
        counts = {}
        for row in self.table("v.tsv"):
            count = counts.setdefault(row["source"], [0, 0])
            count[0] += row["verdict"] == "remove"
            count[1] += 1
        return {source: part / whole for source, (part, whole) in counts.items()}

    def test_of_all_documents_it_is_the_run(self):
        for seed in range(3):
            texts = make_texts(seed, originals=40, chinese=seed == 2)
            self.write("a.jsonl", [{"id": i, "text": text} for i, text in enumerate(texts[:70])])
            self.write("b.jsonl", [{"id": i, "text": text} for i, text in enumerate(texts[70:])])
            for options in ([], ["-t", "0.4", "--search", "exact"], ["--recipe", "chars-5", "--min-length", "60"],
                            ["--cluster", "components", "-t", "0.5"], ["--recipe", "simhash-words-3"], ["--clean", "tags"]):
                found, sources = self.predicted("a.jsonl", "b.jsonl", "--sample", "100%", *options)
                self.assertTrue(found["whole_corpus"])
                for name, share in self.removed("a.jsonl", "b.jsonl", *options).items():
                    for bound in ("low", "likely", "high"):
                        self.assertAlmostEqual(sources[name][bound], share, 5, (seed, options, name))

    def test_a_sample_has_the_removals_in_its_range(self):
        first, second = families(4000, 7)
        self.write("a.jsonl", first)
        self.write("b.jsonl", second)
        truth = self.removed("a.jsonl", "b.jsonl")
        self.assertEqual(truth["b.jsonl"], 0.375)
        found, sources = self.predicted("a.jsonl", "b.jsonl", "--sample", "20%")
        self.assertFalse(found["whole_corpus"])
        self.assertEqual(found["documents"], 8000)
        self.assertAlmostEqual(found["sampled"] / 8000, 0.2, delta=0.03)
        for name, share in truth.items():
            source = sources[name]
            self.assertEqual(source["documents"], 4000)
            self.assertLessEqual(source["low"], share)
            self.assertGreaterEqual(source["high"], share)
        self.assertLess(sources["b.jsonl"]["high"] - sources["b.jsonl"]["low"], 0.2)
        _, strict = self.predicted("a.jsonl", "b.jsonl", "--sample", "20%", "-t", "1")
        self.assertLess(strict["b.jsonl"]["likely"], 0.2)
        self.assertEqual(found, self.predicted("a.jsonl", "b.jsonl", "--sample", "20%", "--threads", "3", "--memory", "64M")[0])

    def test_it_writes_nothing_and_tells_people(self):
        first, second = families(50, 1)
        self.write("a.jsonl", first)
        self.write("b.jsonl", second + [{"text": 5}])
        before = self.names()
        command = ("dedup", "a.jsonl", "b.jsonl", "--dry-run", "--sample", "40%", "-o", "kept.jsonl", "--summary", "s.json")
        made = self.neardup(*command)
        self.assertEqual(self.names(), before)
        for part in (b"sample of 40 % of the documents: ", b" of 100", b"expected removals", b"b.jsonl "):
            self.assertIn(part, made.stdout)
        self.assertIn("nothing was written", made.stderr)
        self.assertIn("b.jsonl:51: rejected", made.stderr)
        self.assertNotIn("expected removals", made.stderr)
        quiet = self.neardup(*command, "-q")
        self.assertEqual((quiet.stdout, quiet.stderr), (made.stdout, ""))
        self.assertEqual(json.loads(self.neardup(*command, "-q", "--log-format", "json").stdout)["documents"], 100)
        self.write("empty.jsonl", "")
        self.assertIn("no documents", self.neardup("dedup", "empty.jsonl", "--dry-run", "--sample", "1%").stderr)

    def test_refused(self):
        self.write("a.jsonl", families(5, 1)[0])
        for arguments, said in ((["--protect", "id=1"], "--protect: cannot be combined with --sample"),
                                (["--against", "b.jsonl"], "--against: cannot be combined with --sample"),
                                (["--measure", "containment"], "--measure: cannot be combined with --sample"),
                                (["--block-on", "id"], "--block-on: cannot be combined with --sample"),
                                (["--keep", "longest"], "--keep: cannot be combined with --sample"),
                                (["--max-removed", "50%"], "--max-removed: cannot be combined with --sample"),
                                (["--max-cluster", "5"], "--max-cluster: cannot be combined with --sample"),
                                (["--work", "run"], "--work: cannot be combined with --sample"),
                                (["--recipe", "code-5-renamed"], "--recipe: a sample cannot predict what 'code-5-renamed' removes")):
            self.assertIn(said, self.neardup("dedup", "a.jsonl", "--dry-run", "--sample", "1%", *arguments, code=2).stderr)
        for share in ("0%", "1", "101%", "x"):
            self.assertIn("--sample: expected a percentage above 0%", self.neardup("dedup", "a.jsonl", "--dry-run", "--sample", share, code=2).stderr)
        self.assertIn("--sample requires --dry-run", self.neardup("dedup", "a.jsonl", "-o", "k.jsonl", "--sample", "1%", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
