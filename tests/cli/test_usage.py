"""Help, usage errors and exit codes; the small commands."""
import json
import os
import pathlib
import re
import shutil
import unittest

from harness import CliTest

COMMANDS = ("dedup", "pairs", "quotes", "compare", "explain", "report", "tune", "generate", "sketch", "query", "search", "plan", "recipe", "clean", "lines", "tokenize", "keywords", "idf", "dict", "doctor", "completion", "help")


class Help(CliTest):
    def test_overview(self):
        text = self.neardup().stdout.decode()
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} ")
        self.assertEqual(self.neardup("--help").stdout.decode(), text)
        self.assertEqual(self.neardup("help").stdout.decode(), text)
        self.assertLess(len(text.split("\n")), 50, "it is to be short")

    def test_every_command_teaches(self):
        for command in self.neardup("help", "--commands").stdout.decode().split():
            text = self.neardup(command, "--help").stdout.decode()
            self.assertTrue(text.startswith(f"neardup {command}: "))
            self.assertIn(f"usage: neardup {command} ", text)
            self.assertGreaterEqual(len(re.findall(r"(?m)^  .*neardup ", text.split("Examples\n")[1].split("\n\n")[0])), 2)
            self.assertEqual(self.neardup("help", command).stdout.decode(), text)
            self.assertLessEqual(max(map(len, text.split("\n"))), 130)

    def test_help_shows_the_options_that_matter(self):
        for command in self.neardup("help", "--commands").stdout.decode().split():
            text = self.neardup(command, "--help").stdout.decode()
            self.assertTrue(text.endswith("\n--help-all shows all options\n"), command)
            whole = self.neardup(command, "--help-all").stdout.decode()
            self.assertEqual(self.neardup("help", command, "--all").stdout.decode(), whole)
            self.assertEqual(whole.split("\n\n")[:3], text.split("\n\n")[:3], "usage and examples")
            options, all_options = (re.findall(r"(?m)^  (?:-\w, |    )(--[a-z-]+)", page) for page in (text, whole))
            self.assertLessEqual(len(options), 12, command)
            self.assertLess(set(options), set(all_options), command)
            self.assertEqual(all_options[-2:], ["--help", "--help-all"])
            self.assertEqual(len(set(all_options)), len(all_options))
            inputs = re.findall(r"(?m)^JSON Lines, JSON, text, HTML, WARC, Parquet, CSV, MongoDB, PostgreSQL, MySQL, SQLite", text)
            self.assertEqual(len(inputs), 1 if "--format" in all_options else 0, command)
        self.assertLessEqual(self.neardup("dedup", "--help").stdout.count(b"\n"), 45)

    def test_help_shows_default_and_bounds(self):
        text = " ".join(self.neardup("dedup", "--help-all").stdout.decode().split())
        for part in ("-t, --threshold T", "(above 0, at most 1) [0.8]", "-j, --threads N", "(0 to 1024) [0]", "--search lsh|exact|hamming",
                     "Which texts match", "The machine"):
            self.assertIn(part, text)

    def test_version(self):
        for flag in ("--version", "-V"):
            self.assertRegex(self.neardup(flag).stdout.decode(), r"^neardup \d+\.\d+\.\d+\n$")

    def test_options_page_is_up_to_date(self):
        source = pathlib.Path(os.environ.get("NEARDUP_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
        page = (source / "docs" / "options.md").read_text(encoding="utf-8")
        # assertIn would print both pages.
        self.assertTrue(self.neardup("help", "--markdown").stdout.decode() in page, "docs/options.md: run scripts/check_docs.py --fix")


class Usage(CliTest):
    def check(self, message, *arguments, env=None):
        result = self.neardup(*arguments, code=2, env=env)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stdout, b"")
        self.assertEqual(self.names(), ["in.jsonl"])

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", [{"id": 1, "text": "one two three four five six"}])

    def test_unknown_names_are_suggested(self):
        self.check("unknown command 'dedupe'; did you mean dedup?", "dedupe", "in.jsonl")
        self.check("unknown command 'frobnicate'\n", "frobnicate")
        self.check("unknown command 'version'; did you mean --version?", "version")
        self.check("unknown option '--verison'; did you mean --version?", "--verison")
        self.check("unknown option --treshold; did you mean --threshold?", "dedup", "in.jsonl", "--treshold", "0.5")
        self.check("unknown option --max_record_byte; did you mean --max-record-bytes?", "dedup", "in.jsonl", "--max_record_byte=5")
        self.check("unknown option --qqqqqqqq\n", "dedup", "in.jsonl", "--qqqqqqqq")
        self.check("unknown option --keep", "pairs", "in.jsonl", "--keep", "last")  # of another command
        self.check("unknown command 'dedpu'; did you mean dedup?", "help", "dedpu")
        self.check("try: neardup dedup --help", "dedup", "--nope")

    def test_values_out_of_bounds(self):
        for option, value in [("--threshold", "1.5"), ("--threshold", "0"), ("--threads", "1025"), ("--threads", "-1"), ("--memory", "1M"),
                              ("--memory", "x"),
                              ("--keep", "newest"), ("--search", "fast"), ("--bands", "5000"), ("--max-record-bytes", "2G"),
                              ("--text-field", ","),
                              ("--log-format", "xml"), ("--verify", "maybe")]:
            result = self.neardup("dedup", "in.jsonl", "--dry-run", option, value, code=2)
            self.assertIn(option, result.stderr)
            self.assertIn(value, result.stderr)

    def test_missing_and_surplus(self):
        self.check("no output is named", "dedup", "in.jsonl")
        self.check("--output", "dedup", "in.jsonl", "-o")
        self.check("--threshold", "dedup", "in.jsonl", "--dry-run", "-t", "0.5", "-t", "0.6")
        self.check("'b' is one argument too many", "recipe", "a", "b")

    def test_options_that_contradict_each_other(self):
        self.check("--bands: 4 needs the number of rows per band, too", "dedup", "in.jsonl", "--dry-run", "--bands", "4")
        self.check("need 200 lanes; recipe 'words-5' has 128", "dedup", "in.jsonl", "--dry-run", "--bands", "20", "--rows-per-band", "10")
        self.check("search 'exact' always verifies", "dedup", "in.jsonl", "--dry-run", "--search", "exact", "--verify", "false")

    def test_recipes(self):
        self.check("recipe 'none' is neither a preset (chars-5, code-5, code-5-renamed, ", "dedup", "in.jsonl", "--dry-run",
                   "--recipe", "none")
        self.check("not JSON", "pairs", "in.jsonl", "--recipe", "{")

    def test_kernels(self):
        self.check('NEARDUP_KERNELS is "abacus"', "dedup", "in.jsonl", "--dry-run", env={"NEARDUP_KERNELS": "abacus"})
        self.assertIn("NEARDUP_KERNELS", self.neardup("doctor", code=1, env={"NEARDUP_KERNELS": "abacus"}).stdout.decode())

    def test_arguments_after_two_dashes(self):
        self.write("-x.jsonl", [{"id": 1, "text": "x"}])
        self.neardup("dedup", "--dry-run", "-q", "--", "-x.jsonl")
        self.path("-x.jsonl").unlink()
        self.check("unknown option", "dedup", "--dry-run", "-x.jsonl")


class SmallCommands(CliTest):
    def test_recipe(self):
        canonical, identity, *_ = self.neardup("recipe", "words-5").stdout.decode().split("\n")
        self.assertEqual(json.loads(canonical)["tokenizer"], "words_v1")
        self.assertEqual(canonical, json.dumps(json.loads(canonical), sort_keys=True, separators=(",", ":")))
        self.assertRegex(identity, "^id [0-9a-f]{16}$")
        listed = dict(line.split()[:2] for line in self.neardup("recipe", "--list").stdout.decode().splitlines())
        self.assertEqual(listed["words-5"], identity[3:])
        for line in self.neardup("recipe", "--list").stdout.decode().splitlines():
            self.assertRegex(line, r"^[a-z0-9-]+ +[0-9a-f]{16}  (MinHash of 128 lanes|fingerprints of 64 bits): .{20,}$", "what it is for")
        self.write("copy.json", json.dumps(json.loads(canonical), indent=2))
        self.assertEqual(self.neardup("recipe", "copy.json").stdout.decode().split("\n")[1], identity, "white space and name do not matter")
        self.assertEqual(self.neardup("recipe", "words-5", "--json").stdout.decode(), canonical + "\n")

    def test_plan_agrees_with_the_formula(self):
        for arguments, threshold in [((), 0.8), (("-t", "0.5"), 0.5), (("--bands", "20", "--rows-per-band", "5", "-t", "0.7"), 0.7),
                                     (("--miss-probability", "0.00001"), 0.8)]:
            text = self.neardup("plan", *arguments).stdout.decode()
            bands, rows = map(int, re.search(r"(\d+) bands of (\d+) rows", text).groups())
            self.assertLessEqual(bands * rows, 128)
            if "--bands" not in arguments:
                self.assertLessEqual((1 - threshold**rows)**bands, 0.00001 if "--miss-probability" in arguments else 0.002)
            lines = re.findall(r"(?m)^ +(\d\.\d\d) +(\d+\.\d{4}) %", text)
            self.assertEqual(len(lines), 20)
            for similarity, found in lines:
                self.assertAlmostEqual(float(found) / 100, 1 - (1 - float(similarity)**rows)**bands, delta=1e-6)
        self.assertIn("nothing is missed", self.neardup("plan", "--search", "exact").stdout.decode())

    def test_options_of_databases_count_for_nothing_elsewhere(self):
        lines = [{"id": 1, "text": "some words"}]
        self.write("in.jsonl", lines)
        self.write("kept.jsonl", lines)
        for option, message in ((("--where", "id > 1"), "--where selects rows of a database, and no input is one"),
                                (("--key", "id"), "--key names the key of a table"), (("--append",), "--append requires an output table or collection"),
                                (("--replace",), "--replace requires an output table or collection")):
            error = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", *option, code=2).stderr
            self.assertIn(message, error)
        self.assertIn("--where", self.neardup("sketch", "in.jsonl", "--where", "id > 1", code=2).stderr)
        self.assertEqual(self.records("kept.jsonl"), lines)
        self.assertEqual(self.names(), ["in.jsonl", "kept.jsonl"])
        for words in (("dedup", "in.jsonl", "-o", "x.jsonl", "--rejects"), ("pairs", "in.jsonl", "-o"), ("sketch", "in.jsonl", "-o")):
            error = self.neardup(*words, "sqlite://kept.db?table=t", code=2).stderr
            self.assertIn("'sqlite://kept.db?table=t': expected a file", error)
        self.neardup("dedup", "in.jsonl", "-o", "sqlite://kept.db?table=t", "--key", "id", "--append", "-q")
        self.neardup("dedup", "sqlite://kept.db?table=t", "--where", "id < 1", "-o", "kept.jsonl", "-q")
        self.assertEqual(self.read("kept.jsonl"), b"")

    def test_doctor_and_the_library_of_tables(self):
        named = self.neardup("doctor", env={"NEARDUP_DUCKDB": "/none/such.so"}).stdout.decode()
        self.assertIn("duckdb     NEARDUP_DUCKDB: cannot load DuckDB's library '/none/such.so'", named)
        bare = {"NEARDUP_DUCKDB": "", "HOME": str(self.dir), "XDG_CACHE_HOME": str(self.dir)}
        self.assertIn("neardup doctor --fetch-duckdb", self.neardup("doctor", env=bare).stdout.decode())
        # The program contains the script, which says what it lacks.
        for tool in ("uname", "cat"):
            self.path("bin").mkdir(exist_ok=True)
            self.path(f"bin/{tool}").symlink_to(shutil.which(tool))
        self.path("bin/bash").symlink_to(shutil.which("bash"))
        error = self.neardup("doctor", "--fetch-duckdb", code=1, env=bare | {"PATH": str(self.path("bin"))}).stderr
        self.assertIn("get_duckdb: npm is not installed", error)
        self.write("neardup/duckdb/libduckdb.so", "")
        script = (pathlib.Path(__file__).resolve().parents[2] / "scripts/get_duckdb.sh").read_text(encoding="utf-8")
        self.write("neardup/duckdb/version", re.search(r"^version=(.*)$", script, re.MULTILINE).group(1) + "\n")
        there = self.neardup("doctor", "--fetch-duckdb", env=bare).stdout.decode()
        self.assertEqual(there, f"{self.dir}/neardup/duckdb/libduckdb.so\n", "nothing is fetched again")

    def test_doctor(self):
        text = self.neardup("doctor").stdout.decode()
        for part in ("neardup ", "ICU ", "zstd ", "kernels", "baseline", "threads", "memory", "temp dir   writable"):
            self.assertIn(part, text)
        self.assertIn("/none/such", self.neardup("doctor", "--temp-dir", "/none/such", code=1).stdout.decode())


if __name__ == "__main__":
    unittest.main()
