"""Command lines that ask for something impossible, contradictory or without effect: exit code 2 before anything is read or written."""
import gzip
import json
import os
import subprocess
import unittest

from harness import BINARY, TIMEOUT_S, CliTest

RECORDS = [{"id": i, "text": f"one two three four five six seven number {i % 3}"} for i in range(6)]
LINES = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()


class Configuration(CliTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", RECORDS)

    def refused(self, message, *arguments, **keywords):
        before = {name: self.read(name) for name in self.names()}
        result = self.neardup(*arguments, code=2, **keywords)
        self.assertIn(message, result.stderr)
        self.assertNotIn("recipe words-5 (", result.stderr, "no run is announced")
        self.assertEqual(result.stdout, b"")
        self.assertEqual({name: self.read(name) for name in self.names()}, before)

    def test_standard_input_twice(self):
        twice = "standard input can be read only once: it is given as INPUT and as --against"
        self.refused(twice, "dedup", "-", "--against", "-", "-o", "k.jsonl", stdin=LINES)
        self.refused(twice, "dedup", "/dev/stdin", "--against", "-", "-o", "k.jsonl", stdin=LINES)
        self.refused("standard input is given twice", "dedup", "-", "-", "-o", "k.jsonl", stdin=LINES)
        self.refused("standard input is given twice", "compare", "-", "-", stdin=LINES)

    def test_endings_that_nothing_writes(self):
        for option in ("-o", "--removed", "--verdicts", "--annotate"):
            for name in ("k.jsonl.xz", "k.lz4", "k.xlsx", "k.txt", "k.parquet.gz", "k.7z"):
                self.refused(f"('{name}'); the ending of the name selects the format: .jsonl, .ndjson, .json, .csv, .tsv, .parquet, or none",
                             "dedup", "in.jsonl", option, name)
        for name in ("p.csv", "p.parquet", "p.json"):
            self.refused(f"('{name}'); the ending of the name selects the format: .tsv, .jsonl, or none", "pairs", "in.jsonl", "-o", name)
        self.refused("this command does not write '.csv' files", "sketch", "in.jsonl", "-o", "s.csv")
        self.refused("cannot be compressed", "sketch", "in.jsonl", "-o", "s.npy.gz")
        self.refused("this command does not write '.tsv' files", "tokenize", "in.jsonl", "-o", "t.tsv")

    def test_endings_in_upper_case(self):
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--verdicts", "v.tsv", "-q")
        self.neardup("dedup", "in.jsonl", "-o", "KEPT.JSONL.GZ", "--verdicts", "V.TSV", "-q")
        self.assertEqual(gzip.decompress(self.read("KEPT.JSONL.GZ")), self.read("kept.jsonl"))
        self.assertEqual(self.read("V.TSV"), self.read("v.tsv"))
        for name in ("p.jsonl", "p.tsv"):
            self.neardup("pairs", "in.jsonl", "-o", name, "-q")
            self.neardup("pairs", "in.jsonl", "-o", name.upper(), "-q")
            self.assertEqual(self.read(name.upper()), self.read(name))
        self.refused("this command does not write '.xlsx' files", "dedup", "in.jsonl", "-o", "K.XLSX")

    def test_names_that_claim_no_format(self):
        for name in ("kept", "kept.gz", "part-0.1", ".kept", "a.b/kept"):
            self.write("a.b/there", "")
            self.neardup("dedup", "in.jsonl", "-o", name, "-q")
        self.assertEqual(self.read("kept"), self.read("part-0.1"))
        self.assertEqual(len(self.records("kept")), 3)
        self.assertEqual(self.neardup("dedup", "in.jsonl", "-o", "-", "-q").stdout, self.read("kept"))
        self.neardup("dedup", "in.jsonl", "-o", "/dev/null", "-q")
        self.neardup("dedup", "in.jsonl", "-o", "kept.json", "--verdicts", "v.ndjson.zst", "--summary", "s.json", "-q")

    def test_temporary_folder(self):
        self.refused("--temp-dir: ", "dedup", "in.jsonl", "-o", "k.jsonl", "--temp-dir", "none")
        self.refused("--temp-dir: 'in.jsonl' is not a folder", "pairs", "in.jsonl", "--temp-dir", "in.jsonl")

    def test_more_memory_than_there_is(self):
        result = self.neardup("dedup", "in.jsonl", "-o", "k.jsonl", "--memory", "900T")
        self.assertIn("warning: --memory: 900T is more than the ", result.stderr)
        self.assertIn("memory 900T,", result.stderr, "in the unit that it was given in")
        self.assertNotIn("warning", self.neardup("dedup", "in.jsonl", "-o", "k.jsonl", "--memory", "64M").stderr)

    def test_options_without_effect(self):
        fingerprints = ("--recipe", "simhash-chars-4")
        self.write("text.txt", "one two three four five")
        for message, *arguments in (
                ("--threshold has no effect here: recipe 'simhash-chars-4' makes fingerprints", "in.jsonl", *fingerprints, "--threshold", "0.5"),
                ("--threshold has no effect here: with --bands", "in.jsonl", "-t", "0.5", "--verify", "false", "--bands", "2", "--rows-per-band", "2"),
                ("--max-distance has no effect here: recipe 'words-5' makes no fingerprints", "in.jsonl", "--max-distance", "3"),
                ("--miss-probability has no effect here: --search exact", "in.jsonl", "--search", "exact", "--miss-probability", "0.1"),
                ("--miss-probability has no effect here: --bands and", "in.jsonl", "--miss-probability", "0.1", "--bands", "2", "--rows-per-band", "2"),
                ("--miss-probability has no effect here: recipe", "in.jsonl", *fingerprints, "--miss-probability", "0.1"),
                ("--bands has no effect here: --search exact", "in.jsonl", "--search", "exact", "--bands", "2", "--rows-per-band", "2"),
                ("--bands has no effect here: recipe", "in.jsonl", *fingerprints, "--bands", "2", "--rows-per-band", "2"),
                ("--max-candidates has no effect here: --search exact", "in.jsonl", "--search", "exact", "--max-candidates", "5"),
                ("--max-candidates has no effect here: the distance", "in.jsonl", *fingerprints, "--max-candidates", "5"),
                ("--charset has no effect here: no input is a text file", "in.jsonl", "--charset", "auto"),
                ("--text-field has no effect here: every input is a text file", "text.txt", "--text-field", "body"),
                ("--id-field has no effect here: every input is a text file", "text.txt", "--id-field", "name"),
                ("--duckdb-library has no effect here: neither", "in.jsonl", "--duckdb-library", "x.so"),
                ("--where selects rows of a database", "in.jsonl", "--where", "id > 1")):
            self.refused(message, "dedup", *arguments, "-o", "k.jsonl")
            self.refused(message, "pairs", *arguments)
        self.refused("--text-field has no effect here", "sketch", "text.txt", "--text-field", "body")
        self.refused("--charset has no effect here", "tokenize", "in.jsonl", "--charset", "auto")
        self.refused("--charset has no effect here", "compare", "--text-a", "a", "--text-b", "b", "--charset", "gb18030")
        self.refused("--max-distance has no effect here", "plan", "--max-distance", "6")
        self.refused("--threshold has no effect here", "plan", *fingerprints, "--threshold", "0.5")
        self.refused("--top has no effect here", "compare", "--text-a", "a", "--text-b", "b", "--top", "5")

    def test_options_that_count(self):
        fingerprints = ("--recipe", "simhash-chars-4")
        self.write("text.txt", "one two three four five")
        for arguments in (("in.jsonl", *fingerprints, "--verify", "jaccard", "--threshold", "0.5", "--max-candidates", "5"),
                          ("in.jsonl", *fingerprints, "--search", "exact"), ("in.jsonl", "--search", "exact", "--threshold", "0.5"),
                          ("in.jsonl", "--also", "simhash-chars-4", "--max-distance", "5", "--miss-probability", "0.1"),
                          ("in.jsonl", "text.txt", "--text-field", "text", "--charset", "auto"), ("in.jsonl", "--charset", "utf-8"), ("in.jsonl", "--charset", "UTF8"),
                          ("in.jsonl", "--max-record-bytes", "1M", "--strict", "--threads", "1", "--format", "jsonl")):
            self.neardup("pairs", *arguments, "-o", "p.tsv", "-q")
        self.neardup("compare", *fingerprints, "--text-a", "a", "--text-b", "b", "--threshold", "0.5", "--top", "5")

    def test_permutations_that_do_not_suffice(self):
        warning = "warning: the 128 permutations (lanes) of recipe 'words-5' do not suffice for threshold 0.01 and miss probability 0.002"
        for arguments in (("dedup", "in.jsonl", "-o", "k.jsonl"), ("pairs", "in.jsonl", "-o", "p.tsv")):
            self.assertIn(warning, self.neardup(*arguments, "--threshold", "0.01").stderr)
            self.assertNotIn("do not suffice", self.neardup(*arguments).stderr)
        self.assertIn(warning, self.neardup("plan", "--threshold", "0.01").stdout.decode())

    def test_wrong_usage_is_found_before_the_run_is_announced(self):
        self.write("old.jsonl", RECORDS)
        self.refused("'in.jsonl' is given twice", "dedup", "in.jsonl", "in.jsonl", "-o", "k.jsonl")
        self.refused("is also an input", "dedup", "in.jsonl", "-o", "in.jsonl")
        self.refused("two outputs are the same", "dedup", "in.jsonl", "-o", "k.jsonl", "--removed", "k.jsonl")
        self.refused("is given both as an input and by --against", "dedup", "in.jsonl", "--against", "in.jsonl", "-o", "k.jsonl")
        self.refused("is also an input", "sketch", "in.jsonl", "-o", "in.jsonl")
        self.refused("batch: keep 'longest' decides about all documents at once", "dedup", "in.jsonl", "-o", "k.jsonl", "--batch", "2", "--keep", "longest")

    def test_plan_as_json(self):
        plan = json.loads(self.neardup("plan", "--threshold", "0.5", "--json").stdout)
        self.assertEqual(plan["recipe"], "words-5")
        self.assertLessEqual(plan["predicted_miss"], 0.002)
        self.assertEqual(len(plan["search"]), 20)
        for step in plan["search"]:
            self.assertAlmostEqual(step["missed"], (1 - step["similarity"]**plan["rows_per_band"])**plan["bands"], delta=1e-5)
        self.assertEqual(json.loads(self.neardup("plan", "--search", "exact", "--json").stdout)["bands"], 0)
        self.assertEqual(len(json.loads(self.neardup("plan", "-t", "0.01", "--json").stdout)["warnings"]), 1)
        plan = json.loads(self.neardup("plan", "--recipe", "simhash-chars-4", "--json").stdout)
        self.assertEqual((plan["fingerprint_bits"], plan["max_distance"]), (64, 3))
        self.assertEqual(json.loads(self.neardup("plan", "--documents", "1e6", "--json").stdout)["documents"], 1_000_000)

    def test_plan_of_a_corpus(self):
        def corpus(*arguments):
            return json.loads(self.neardup("plan", "--documents", "1e6", "--memory", "64M", "--threads", "2", "--json", *arguments).stdout)["corpus"]
        short = corpus("--text-bytes", "200")
        long = corpus("--text-bytes", "5000")
        self.assertEqual((short["documents"], short["text_bytes"], short["threads"], short["memory_budget"]), (1_000_000, 200, 2, 64_000_000))
        self.assertEqual(short["memory_bytes"], long["memory_bytes"])
        self.assertLess(short["temporary_bytes"], long["temporary_bytes"])
        self.assertLess(short["checkpoint_bytes"], long["checkpoint_bytes"])
        self.assertLess(short["sketch_seconds"], long["sketch_seconds"])
        parts = sum(short[name] for name in ("sketch_seconds", "group_seconds", "features_seconds", "disk_seconds"))
        self.assertAlmostEqual(short["seconds"], parts, delta=parts / 1e4)
        text = self.neardup("plan", "--recipe", "chars-5", "--documents", "5e7").stdout.decode()
        for part in ("a run over 50,000,000 documents, 1,000 bytes of text each", "private memory", "temporary files", "checkpoint directory",
                     "share a band"):
            self.assertIn(part, text)
        self.refused("--documents N is missing", "plan", "--text-bytes", "100")
        self.refused("--documents: expected 1 to", "plan", "--text-bytes", "100", "--documents", "1e10")
        self.refused("--text-bytes: expected a whole number, not '1.5'", "plan", "--text-bytes", "1.5", "--documents", "9")
        self.refused("makes fingerprints; plan their index", "plan", "--recipe", "simhash-words-3", "--documents", "9")
        self.refused("the cost of --search exact depends on the texts", "plan", "--search", "exact", "--documents", "9")
        self.refused("--threads has no effect here: without --documents", "plan", "--threads", "2")
        self.refused("--threshold has no effect here: with --documents", "plan", "--documents", "9", "--bits", "64", "--threshold", "0.5")

    def test_intervals_of_estimates(self):
        plan = json.loads(self.neardup("plan", "--json").stdout)
        self.assertEqual([(row["permutations"], round(row["low"], 3), round(row["high"], 3)) for row in plan["intervals"]],
                         [(10, 0.19, 0.81), (100, 0.402, 0.598), (500, 0.456, 0.544), (1000, 0.469, 0.531)])
        half = plan["search"][9]
        self.assertEqual((round(half["estimate_low"], 3), round(half["estimate_high"], 3)), (0.413, 0.587))
        self.assertIn("     1,000   0.469 and 0.531\n", self.neardup("plan").stdout.decode())

    def test_without_inputs(self):
        usage = "arguments are missing: neardup dedup INPUT... -o KEPT [options]"
        with open(os.devnull, "rb") as nothing:
            for arguments in (["dedup"], ["dedup", "-o", "k.jsonl"]):
                result = subprocess.run([BINARY, *arguments], cwd=self.dir, stdin=nothing, capture_output=True, check=False)
                self.assertEqual(result.returncode, 2)
                self.assertIn(usage, result.stderr.decode())
        self.neardup("dedup", "in.jsonl", "-o", "k.jsonl", "-q")
        before = self.read("k.jsonl")
        self.refused(usage, "dedup", "-o", "k.jsonl", stdin=b"")  # an empty pipe is a missing INPUT, not an empty corpus
        self.assertEqual(self.read("k.jsonl"), before)

    def test_a_pipe_that_nobody_writes_to(self):
        """Wrong usage is said at once, and nothing waits for a first byte before that."""
        reading, writing = os.pipe()
        try:
            result = subprocess.run([BINARY, "dedup", "-o", "k.xlsx"], cwd=self.dir, stdin=reading, capture_output=True, check=False, timeout=TIMEOUT_S)
        finally:
            os.close(reading)
            os.close(writing)
        self.assertEqual(result.returncode, 2)
        self.assertIn("this command does not write '.xlsx' files", result.stderr.decode())

    def test_a_pipe_or_file_is_the_input(self):
        self.neardup("dedup", "-o", "named.jsonl", "in.jsonl", "-q")
        self.neardup("dedup", "-o", "piped.jsonl", "-q", stdin=LINES)
        self.assertEqual(self.read("piped.jsonl"), self.read("named.jsonl"))
        with open(self.path("in.jsonl"), "rb") as file:
            result = subprocess.run([BINARY, "sketch", "-q"], cwd=self.dir, stdin=file, capture_output=True, check=False)
        self.assertEqual(result.stdout, self.neardup("sketch", "-", "-q", stdin=LINES).stdout)
        self.neardup("dedup", "--against", "-", "-o", "k.jsonl", code=2, stdin=LINES)  # it is taken

    def test_every_command_that_reads_a_corpus_reads_a_pipe(self):
        for words in (("dedup", "-o", "-"), ("pairs",), ("quotes",), ("sketch",), ("clean",), ("tokenize", "--tokenizer", "words_v1"), ("keywords",)):
            self.assertEqual(self.neardup(*words, "-q", stdin=LINES).stdout, self.neardup(*words, "-", "-q", stdin=LINES).stdout, words)
        for words in (("idf", "fit", "-o", "out.idf"), ("lines", "fit", "-o", "out.lines")):
            self.neardup(*words, "-q", stdin=LINES)
            piped = self.read(words[-1])
            self.neardup(*words, "-", "-q", stdin=LINES)
            self.assertEqual(piped, self.read(words[-1]), words)
            self.assertIn("no input is named", self.neardup(*words, code=2).stderr)
        self.neardup("index", "build", "seen", "--recipe", "simhash-words-3", "-q", stdin=LINES)
        self.neardup("index", "add", "seen", "-q", stdin=LINES)
        self.assertIn(f"entries       {2 * LINES.count(10)}\n", self.neardup("index", "stat", "seen").stdout.decode())
        self.assertIn("an input is missing", self.neardup("index", "add", "seen", code=2).stderr)
        self.neardup("index", "merge", "seen", "-q", stdin=LINES)
        self.assertEqual(self.neardup("query", "seen", stdin=LINES).stdout, self.neardup("query", "seen", "-", stdin=LINES).stdout)
        prints = self.neardup("sketch", "--recipe", "simhash-words-3", "-q", stdin=LINES).stdout
        self.neardup("index", "build", "codes", "--from-fingerprints", "-q", stdin=prints)

    def test_flags_take_no_value(self):
        for flag in ("--quiet=nl", "--strict=2", "--dry-run=no"):
            with self.subTest(flag=flag):
                self.refused(f"{flag.partition('=')[0]} takes no value", "dedup", "in.jsonl", "-o", "k.jsonl", flag)

    def test_numbers(self):
        self.refused("--miss-probability: '0' is not above 0: expected a decimal fraction above 0 and at most 1, such as 0.002",
                     "dedup", "in.jsonl", "--dry-run", "--miss-probability", "0")
        self.refused("--threshold: '-1' is not above 0", "dedup", "in.jsonl", "--dry-run", "--threshold", "-1")
        self.assertEqual(self.neardup("plan", "--threshold", "5e-1").stdout, self.neardup("plan", "--threshold", "0.5").stdout)
        self.neardup("pairs", "in.jsonl", "--max-candidates", "1e3", "-q")
        self.refused("--max-candidates: expected a whole number", "dedup", "in.jsonl", "--dry-run", "--max-candidates", "1e-3")

    def test_names_of_other_programs(self):
        for word, meant in (("--workers", "--threads"), ("--column", "--text-field"), ("--field", "--text-field"), ("--num-proc", "--threads"),
                            ("--encoding", "--charset"), ("--threshhold", "--threshold")):
            self.refused(f"unknown option {word}; did you mean {meant}?", "dedup", "in.jsonl", word, "4")

    def test_values_missing_and_repeated(self):
        self.refused("--summary needs a value: FILE", "dedup", "in.jsonl", "-o", "k.jsonl", "--summary")
        self.refused("--output may be given only once", "dedup", "in.jsonl", "-o", "a.jsonl", "-o", "b.jsonl")
        self.refused("--threshold may be given only once", "dedup", "in.jsonl", "--dry-run", "-t", "0.5", "-t", "0.6")

    def test_an_unknown_scheme(self):
        for arguments in (("s3://bucket/x.jsonl", "-o", "k.jsonl"), ("in.jsonl", "-o", "s3://bucket/x.jsonl")):
            self.refused("s3:// is not supported; copy the data to a file first", "dedup", *arguments)

    def test_plurals(self):
        result = self.neardup("dedup", "in.jsonl", "-o", "k.jsonl", "--bands", "2", "--rows-per-band", "1")
        self.assertIn("LSH: 2 bands of 1 row,", result.stderr)
        self.write("two.jsonl", RECORDS[:1] * 2)
        self.assertIn("removed 50.0 % of 2 documents: 1 exact copy\n", self.neardup("dedup", "two.jsonl", "-o", "k.jsonl").stderr)


if __name__ == "__main__":
    unittest.main()
