"""--config: options and inputs in a TOML file give what the same command line gives, and mistakes in it are named with file and line."""
import unittest

from harness import CliTest

TEXT = "one two three four five six seven eight nine ten"
RECORDS = [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT + "!"}, {"id": "c", "text": TEXT + " eleven"}]


class ConfigFile(CliTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", RECORDS)
        self.write("more.jsonl", [{"id": "d", "text": TEXT + "?"}])

    def refused(self, message, content, *arguments, command="dedup"):
        self.write("c.toml", content)
        before = self.names()
        result = self.neardup(command, "--config", "c.toml", *arguments, code=2)
        self.assertIn(f"neardup {command}: {message}", result.stderr)
        self.assertEqual(self.names(), before)

    def test_the_same_as_the_command_line(self):
        self.write("c.toml", """\
# every type of value
inputs = ["in.jsonl", "more.jsonl"]
output = "kept.jsonl"
verdicts = "v.tsv"
threshold = 0.7
keep = ["shortest", "last"]
text_field = "text"
miss_probability = 0.01
max_candidates = 1e3
verify = true
memory = 64_000_000
max_rejects = "5%"
strict = false
quiet = true
threads = 2
""")
        self.neardup("dedup", "--config", "c.toml")
        config = self.read("kept.jsonl"), self.read("v.tsv")
        self.neardup("dedup", "in.jsonl", "more.jsonl", "-o", "kept.jsonl", "--verdicts", "v.tsv", "-t", "0.7", "--keep", "shortest,last",
                     "--miss-probability", "0.01", "-q")
        self.assertEqual(config, (self.read("kept.jsonl"), self.read("v.tsv")))

    def test_the_command_line_wins(self):
        self.write("c.toml", 'inputs = "in.jsonl"\noutput = "file.jsonl"\nthreshold = 0.99\nkeep = "last"\nagainst = ["in.jsonl"]\nquiet = true\n')
        self.neardup("dedup", "more.jsonl", "--config=c.toml", "-o", "word.jsonl", "-t", "0.5")
        self.assertEqual(self.records("word.jsonl"), [], "the reference corpus of the file")
        self.assertNotIn("file.jsonl", self.names())
        self.neardup("dedup", "more.jsonl", "--config", "c.toml", "--against", "more.jsonl", code=2)
        self.neardup("dedup", "-o", "word.jsonl", "--config", "c.toml", "--keep", "first", "--against", "more.jsonl", "-t", "1")
        self.assertEqual([record["id"] for record in self.records("word.jsonl")], ["c"])

    def test_inputs_that_look_like_options(self):
        self.write("-odd.jsonl", RECORDS)
        self.write("c.toml", 'inputs = ["-odd.jsonl"]\noutput = "-k.jsonl"\nquiet = true\n')
        self.neardup("dedup", "--config", "c.toml")
        self.assertEqual(len(self.records("-k.jsonl")), 1)
        self.write("c.toml", 'inputs = "-"\noutput = "-"\nquiet = true\n')
        self.assertEqual(self.neardup("dedup", "--config", "c.toml", stdin=b'{"text": "x"}\n').stdout, b'{"text": "x"}\n')

    def test_no_inputs_in_the_file(self):
        self.write("c.toml", "threshold = 0.5\n")
        self.assertEqual(self.neardup("pairs", "--config", "c.toml", "-q", stdin=self.read("in.jsonl")).stdout.count(b"\n"), 4)
        self.write("c.toml", "inputs = []\n")
        self.assertIn("arguments are missing", self.neardup("dedup", "--config", "c.toml", "--dry-run", code=2).stderr)

    def test_pairs(self):
        self.write("c.toml", 'inputs = "in.jsonl"\nthreshold = 1\noutput = "p.jsonl"\n')
        self.neardup("pairs", "--config", "c.toml", "-q")
        self.assertEqual([(pair["id_a"], pair["id_b"]) for pair in self.records("p.jsonl")], [("a", "b")])
        self.refused("c.toml:1: unknown key 'keep'; it is an option of neardup dedup", 'keep = "last"\n', command="pairs")

    def test_resume_needs_no_file(self):
        self.write("c.toml", 'inputs = "in.jsonl"\noutput = "k.jsonl"\nthreshold = 0.5\nwork = "run"\nquiet = true\n')
        self.neardup("dedup", "--config", "c.toml")
        kept = self.read("k.jsonl")
        for name in ("c.toml", "k.jsonl"):
            self.path(name).unlink()
        self.neardup("dedup", "--resume", "run")
        self.assertEqual(self.read("k.jsonl"), kept)
        self.neardup("dedup", "--resume", "run", "-t", "0.5", "-o", "k.jsonl")
        self.write("c.toml", "threshold = 0.5\n")
        self.assertIn("--config: the run in 'run' has stored its options",
                      self.neardup("dedup", "--resume", "run", "--config", "c.toml", code=2).stderr)

    def test_unknown_keys(self):
        self.refused("c.toml:2: unknown key 'treshold'; did you mean threshold?", "\ntreshold = 0.8\n")
        self.refused("c.toml:1: unknown key 'text-field'; did you mean text_field?", 'text-field = "x"\n')
        self.refused("c.toml:1: unknown key 'workers'; did you mean threads?", "workers = 3\n")
        self.refused("c.toml:1: unknown key 'qqqqqq'\n", "qqqqqq = 3\n")
        self.refused("c.toml:2: 'dedup' is a table; options are keys outside of tables", "# run\n[dedup]\nthreshold = 1\n")
        self.refused("c.toml:1: 'resume' is only for the command line", 'resume = "run"\n')
        self.refused("c.toml:1: 'config' is only for the command line", 'config = "c.toml"\n')

    def test_wrong_types(self):
        for line, expected in [("threshold = '0.8'", "threshold: expected a number, not a string"),
                               ("threads = true", "threads: expected a number, not true or false"),
                               ("strict = 1", "strict: expected true or false, not a number"),
                               ("dry_run = 'true'", "dry_run: expected true or false, not a string"),
                               ("verify = 1", "verify: expected true, false or a string, not a number"),
                               ("recipe = 5", "recipe: expected a string, not a number"),
                               ("recipe = ['words-5']", "recipe: expected a string, not an array"),
                               ("keep = ['first', 1]", "keep: expected a string, not a number"),
                               ("keep = 1979-05-27", "keep: expected a string or an array of strings, not a date or time"),
                               ("output = {a = 1}", "output: expected a string, not a table"),
                               ("inputs = 1", "inputs: expected a string or an array of strings, not a number"),
                               ("memory = 1.5", "memory: expected a number of bytes"),
                               ("threads = -1", "threads: expected a whole number from 0 to 1024, not '-1'"),
                               ("threshold = 1.5", "threshold: '1.5' is above 1"),
                               ("threshold = nan", "threshold: 'nan' is not"),
                               ("search = 'quick'", "search: expected one of lsh, exact, hamming, not 'quick'")]:
            with self.subTest(line):
                self.refused(f"c.toml:2: {expected}", f"\n{line}\n", "in.jsonl", "--dry-run")

    def test_checked_even_if_the_command_line_wins(self):
        self.refused("c.toml:1: threshold: expected a number", "threshold = 'x'\n", "in.jsonl", "--dry-run", "-t", "0.8")

    def test_broken_files(self):
        for content in ("threshold = \n", "threshold = 0.5\nthreshold = 0.6\n", "a = [1, 2", "= 1\n", b"\xff\xfe\x00", b"x = \"\x00\"", "[" * 2000):
            self.refused("c.toml:", content, "in.jsonl", "--dry-run")
        self.neardup("dedup", "in.jsonl", "--dry-run", "--config", "none.toml", code=2)
        self.assertIn("may be given only once",
                      self.neardup("dedup", "in.jsonl", "--dry-run", "--config", "c.toml", "--config", "c.toml", code=2).stderr)
        self.path("folder").mkdir()
        self.assertIn("--config: cannot read 'folder'", self.neardup("dedup", "in.jsonl", "--dry-run", "--config", "folder", code=2).stderr)

    def test_passwords_are_not_printed(self):
        self.write("c.toml", 'inputs = "mongodb://me:secret-word@127.0.0.1:1/d.c"\noutput = "k.jsonl"\n')
        result = self.neardup("dedup", "--config", "c.toml", code=None)
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("secret-word", result.stderr)


if __name__ == "__main__":
    unittest.main()
