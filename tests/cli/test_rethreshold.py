"""dedup --rethreshold T --resume RUN gives, byte for byte, what a new run with the threshold and the bands of the run gives, and leaves the
directory as it is."""
import hashlib
import json
import unittest

from resume_case import OUTPUTS, ResumeTest

NAMED = ("-o", OUTPUTS[0], "--removed", OUTPUTS[1], "--verdicts", OUTPUTS[2], "--rejects", OUTPUTS[3])
# What a summary says about the machine.
CHANGING = ("spilled_bytes", "peak_memory_bytes", "threads", "passes", "kernels")


class Rethreshold(ResumeTest):
    def state_of(self, folder):
        return {path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns) for path in self.path(folder).iterdir() if
                path.name != "LOCK"}  # which names the process that held it last

    def outcome(self, *arguments):
        """The digests of the outputs, and the summary."""
        self.neardup("dedup", *arguments, *NAMED, "--summary", "s.json", "-q")
        digests = self.digests()
        self.assertEqual(len(digests), len(OUTPUTS))
        self.forget_outputs()
        summary = json.loads(self.read("s.json"))
        self.path("s.json").unlink()
        return digests, {name: value for name, value in summary.items() if name not in CHANGING}

    def bands(self, *arguments):
        summary = self.summary("dedup", *arguments, "-o", "any.jsonl", "-q")
        return ("--bands", summary["bands"], "--rows-per-band", summary["rows_per_band"])

    def check(self, inputs, options, thresholds, machines=((),), folder="work"):
        """The run in `folder` must have ended, or not."""
        before = self.state_of(folder)
        results = set()
        for threshold in thresholds:
            expected = self.outcome(*inputs, *options, "-t", threshold)
            results.add(expected[0][OUTPUTS[0]])
            for machine in machines:
                with self.subTest(threshold=threshold, machine=machine):
                    self.assertEqual(self.outcome("--resume", folder, "--rethreshold", threshold, *machine), expected)
                    self.assertEqual(self.state_of(folder), before)
        return results

    def test_thresholds(self):
        inputs = self.inputs(5, 100)
        for run in ((), ("--keep", "longest"), ("--cluster", "components"), ("--recipe", "chars-5"), ("--min-length", "150", "--keep", "last")):
            folder = "-".join(run) or "plain"
            self.neardup("dedup", *inputs, *run, "-t", "0.4", "-o", "k.jsonl", "--work", folder, "-q")
            kept = self.read("k.jsonl")
            bands = self.bands(*inputs, *run, "-t", "0.4")
            results = self.check(inputs, (*run, *bands), ("0.4", "0.400001", "0.55", "0.7", "0.85", "1"), folder=folder)
            self.assertGreater(len(results), 3)
            self.assertEqual(self.read("k.jsonl"), kept, "the run's own outputs")

    def test_threads_memory_and_tables(self):
        inputs = self.inputs(9, 150)
        self.neardup("dedup", *inputs, "-t", "0.5", "--work", "work", "-o", "k.jsonl", "-q")
        self.check(inputs, self.bands(*inputs, "-t", "0.5"), ("0.65", "0.9"), (("-j", 1), ("-j", 5), ("--memory", "64M"), ("-j", 3, "--memory", "1G")))

    def test_slices(self):
        """Decided slices have no sketches of removed documents any more: those are made again."""
        inputs = self.inputs(9, 100)
        for batch in (100, 250):
            folder = f"work{batch}"
            self.neardup("dedup", *inputs, "-t", "0.5", "--batch", batch, "--work", folder, "-o", "k.jsonl", "-q")
            bands = self.bands(*inputs, "-t", "0.5")
            self.check(inputs, ("--batch", batch, *bands), ("0.5", "0.7", "0.95"), ((), ("-j", 1)), folder)

    def test_reference_corpus_and_more_inputs(self):
        inputs = self.inputs(4, 100)
        self.neardup("dedup", *inputs[1:3], "--against", inputs[0], "-t", "0.5", "--work", "work", "-o", "k.jsonl", "-q")
        self.neardup("dedup", "--resume", "work", "--add", inputs[3], "-q")
        bands = self.bands(*inputs, "-t", "0.5")
        self.check(inputs[1:], ("--against", inputs[0], *bands), ("0.6", "0.8"))

    def test_verified_fingerprints_and_two_recipes(self):
        inputs = self.inputs(3, 150)
        for number, run in enumerate((("--recipe", "simhash-words-3", "--verify", "jaccard"), ("--recipe", "simhash-words-3", "--verify", "cosine"))):
            self.neardup("dedup", *inputs, *run, "-t", "0.4", "--work", f"f{number}", "-o", "k.jsonl", "-q")
            self.check(inputs, run, ("0.5", "0.9"), folder=f"f{number}")
        run = ("--also", "simhash-words-3")
        self.neardup("dedup", *inputs, *run, "-t", "0.5", "--work", "also", "-o", "k.jsonl", "-q")
        self.check(inputs, (*run, *self.bands(*inputs, *run, "-t", "0.5")), ("0.6", "0.9"), folder="also")

    def test_a_recipe_fitted_to_the_corpus(self):
        inputs = self.inputs(3, 100)
        run = ("--recipe", "simhash-words", "--verify", "cosine", "--max-distance", "6")
        self.neardup("dedup", *inputs, *run, "-t", "0.4", "--work", "work", "-o", "k.jsonl", "-q")
        self.check(inputs, run, ("0.5", "0.9"))

    def test_an_unfinished_run(self):
        """Missing sketches are made, and not stored."""
        inputs = self.inputs(6, 80)
        self.neardup("dedup", *inputs, "-t", "0.5", "--work", "work", "-o", "k.jsonl", "--prepare", "-q")
        self.neardup("task", "work", "0", "-q")
        bands = self.bands(*inputs, "-t", "0.5")
        self.check(inputs, bands, ("0.7",))
        self.resume("-q")
        part = sorted(path for path in self.path("work").iterdir() if path.name.startswith("sketch-"))[0]
        part.write_bytes(b"damaged")
        self.check(inputs, bands, ("0.7",))

    def test_the_signature_filter_may_be_missing(self):
        """At thresholds near 0 it has no use, so the run has no rows of it."""
        inputs = self.inputs(2, 60)
        self.write("few.json", json.dumps({"normalizer": "nfkc_casefold_v1", "tokenizer": "words_v1", "shingle": {"size": 2, "short_text": "none"}, "min_features": 1,
                                           "feature_hash": "xxh3_64_v1", "sketch": {"kind": "minhash_v1", "lanes": 16, "seed": 1}}))
        run = ("--recipe", "few.json")
        self.neardup("dedup", *inputs, *run, "-t", "0.1", "--work", "work", "-o", "k.jsonl", "-q")
        self.check(inputs, (*run, *self.bands(*inputs, *run, "-t", "0.1")), ("0.2", "0.9"))

    def test_outputs_are_those_named_now(self):
        inputs = self.inputs(2, 60)
        self.neardup("dedup", *inputs, "-t", "0.5", "--work", "work2", "-o", "k.jsonl", "--verdicts", "v.tsv", "-q")
        before = self.read("k.jsonl"), self.read("v.tsv")
        self.neardup("dedup", "--resume", "work2", "--rethreshold", "0.9", "--annotate", "a.jsonl", "-q")
        self.assertEqual((self.read("k.jsonl"), self.read("v.tsv")), before)
        self.assertEqual(len(self.records("a.jsonl")), len(self.table("v.tsv")))
        result = self.neardup("dedup", "--resume", "work2", "--rethreshold", "0.9", "--dry-run")
        self.assertIn("threshold 0.9", result.stderr)
        self.assertIn("nothing was written", result.stderr)
        self.neardup("dedup", "--resume", "work2", "--rethreshold", "0.9", "--report", "r.html", "-q")
        self.assertIn(b'"command":["neardup","dedup","--resume","work2","--rethreshold","0.9","--report","r.html","-q"]', self.read("r.html"))
        self.neardup("dedup", "--resume", "work2", "-q")
        self.assertEqual((self.read("k.jsonl"), self.read("v.tsv")), before)

    def test_guards(self):
        inputs = self.inputs(2, 100)
        self.neardup("dedup", *inputs, "-t", "0.4", "--work", "work", "-o", "k.jsonl", "-q")
        self.neardup("dedup", "--resume", "work", "--rethreshold", "0.5", "-o", "r.jsonl", "--max-removed", "1%", code=1)
        self.assertFalse(self.path("r.jsonl").exists())

    def test_what_is_refused(self):
        inputs = self.inputs(2, 60)
        named = ("-o", "r.jsonl")
        self.neardup("dedup", *inputs, "-t", "0.6", "--work", "work", "-o", "k.jsonl", "-q")
        work = ("--resume", "work", *named, "--rethreshold")
        cases = [((*work, "0.59"), "rethreshold: the run in 'work' has the threshold 0.6, and its bands may miss pairs below it"),
                 ((*work, "0"), "--rethreshold: "), ((*work, "1.5"), "--rethreshold: "), ((*work, "high"), "--rethreshold: "),
                 (("--rethreshold", "0.7", *named, inputs[0]), "--rethreshold requires --resume"),
                 (("--resume", "work", "--rethreshold", "0.7"), "no output is named"),
                 ((*work, "0.7", "--add", inputs[0]), "already has its inputs"), ((*work, "0.7", inputs[0]), "already has its inputs"),
                 ((*work, "0.7", "--keep", "last"), "--keep: the run in 'work' began without it"),
                 (("--resume", "work", "--rethreshold", "0.7", "-o", "work/COMMAND"), "--output: 'work/COMMAND' is in the directory of the run"),
                 ((*work, "0.7", "--summary", "./work/s.json"), "--summary: './work/s.json' is in the directory of the run"),
                 (("--resume", "nothing", *named, "--rethreshold", "0.7"), "there is no run in 'nothing'")]
        runs = {"exact": ("--search", "exact"), "contained": ("--measure", "containment"), "distance": ("--recipe", "simhash-words-3"),
                "unverified": ("--verify", "false")}
        says = {"exact": "has no sketches, as it compares all pairs (--search exact); start a new run with --threshold 0.9",
                "contained": "has no sketches, as it measures containment", "distance": "judges fingerprints by their distance",
                "unverified": "verifies nothing (--verify false)"}
        for folder, run in runs.items():
            self.neardup("dedup", *inputs, *run, "--work", folder, "-o", "k.jsonl", "-q")
            cases.append((("--resume", folder, *named, "--rethreshold", "0.9"), f"the run in '{folder}' {says[folder]}"))
        for arguments, message in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.neardup("dedup", *arguments, code=2).stderr)
        self.assertFalse(self.path("r.jsonl").exists())
        self.write(inputs[0], b"{}\n")
        self.assertIn("changed", self.neardup("dedup", *work, "0.7", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
