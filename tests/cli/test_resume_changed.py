"""A run resumes only with unchanged inputs and options: a change is rejected by name."""
import fcntl
import json
import signal
import sqlite3
import subprocess
import time
import unittest

from checked_file import checked_file
from harness import BINARY
from resume_case import OUTPUTS, RUN, ResumeTest


class Changed(ResumeTest):
    def setUp(self):
        super().setUp()
        self.files = self.inputs(3, 60)
        self.write("recipe.json", self.recipe(3))
        self.neardup("dedup", *self.files, *RUN, "--recipe", "recipe.json", "--work", "work")

    def recipe(self, size):
        recipe = json.loads(self.neardup("recipe", "words-5").stdout.splitlines()[0])
        recipe["shingle"]["size"] = size
        return json.dumps(recipe)

    def refused(self, *arguments):
        result = self.resume(*arguments, code=2)
        self.assertNotIn("Progress is saved", result.stderr)
        return result.stderr

    def test_input(self):
        with open(self.path(self.files[1]), "a", encoding="utf-8") as file:
            file.write('{"id": "more", "text": "one more"}\n')
        self.assertIn(f"'{self.files[1]}' changed: it had ", self.refused())

    def test_index(self):
        texts = [{"id": f"t{i}", "text": f"text number {i} of those that the index or the input has"} for i in range(9)]
        self.write("seen.jsonl", texts[:3])
        self.write("new.jsonl", texts[1:])
        self.write("all.jsonl", texts[3:6])
        self.neardup("index", "build", "seen", "seen.jsonl", "--recipe", "simhash-chars-4", "--max-distance", "2", "-q")
        self.neardup("dedup", "new.jsonl", "--recipe", "simhash-chars-4", "--max-distance", "2", "--against", "seen", "-o", "fresh.jsonl",
                     "--work", "indexed", "-q")
        before = self.read("fresh.jsonl")
        self.neardup("dedup", "--resume", "indexed", "-q")
        self.assertEqual(self.read("fresh.jsonl"), before)
        self.neardup("index", "add", "seen", "all.jsonl", "-q")
        self.assertIn("'seen' changed: it had 3 entries", self.neardup("dedup", "--resume", "indexed", code=2).stderr)

    def test_table_that_was_written(self):
        table = "sqlite://out.db?table=kept"
        self.neardup("dedup", self.files[0], "-o", table, "--work", "tabled", "-q")
        self.assertIn("--replace replaces them", self.neardup("dedup", "--resume", "tabled", "--add", self.files[1], code=1).stderr)
        self.neardup("dedup", "--resume", "tabled", "--add", self.files[1], "--replace", "-q")
        self.neardup("dedup", *self.files[:2], "-o", "kept2.jsonl", "-q")
        with sqlite3.connect(self.path("out.db")) as base:
            rows = base.execute("select count(*) from kept").fetchone()[0]
        self.assertEqual(rows, len(self.records("kept2.jsonl")))

    def test_missing_input(self):
        self.path(self.files[1]).unlink()
        self.assertIn(f"cannot open '{self.files[1]}'", self.resume(code=1).stderr)

    def test_option(self):
        self.assertIn("--threshold: the run in 'work' began without it, and cannot continue with '0.5'", self.refused("--threshold", "0.5"))
        self.assertIn("--recipe: the run in 'work' began with 'recipe.json'", self.refused("--recipe", "chars-5"))
        self.assertIn("--verdicts: the run in 'work' began with 'verdicts.tsv'", self.refused("--verdicts", "other.tsv"))
        self.resume("--recipe", "recipe.json", "--threads", "1", "--memory", "64M")

    def test_recipe_file(self):
        self.write("recipe.json", self.recipe(4))
        self.assertRegex(self.refused(), r"the recipe was '.*' when it began and is '.*' now")

    def test_folders(self):
        self.assertIn("there is a run in 'work'; resume it: neardup dedup --resume work",
                      self.neardup("dedup", *self.files, *RUN, "--work", "work", code=2).stderr)
        self.write("full/file", "x")
        self.assertIn("'full' is not an empty folder", self.neardup("dedup", *self.files, *RUN, "--work", "full", code=2).stderr)
        self.assertIn("there is no run in 'nowhere'", self.neardup("dedup", "--resume", "nowhere", code=2).stderr)
        self.assertIn("the run in 'work' already has its inputs", self.refused(self.files[0]))
        self.assertIn("no input is given", self.refused("--add"))
        self.assertIn("is given twice", self.resume("--add", self.files[0], code=2).stderr)
        self.assertIn("can be read only once", self.neardup("dedup", "-", *RUN, "--work", "new", code=2).stderr)
        elsewhere = self.path("elsewhere")
        elsewhere.mkdir()
        result = subprocess.run([BINARY, "dedup", "--resume", "../work"], cwd=elsewhere, capture_output=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("began in the folder", result.stderr.decode())

    def test_two_at_once(self):
        with open(self.path("work/LOCK"), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("the run in 'work' is being written by another process", self.resume(code=1).stderr)

    def test_another_process_does_not_disturb(self):
        """A second process changes nothing in the checkpoint directory of a running one, nor in its outputs."""
        inputs = self.inputs(24, 1500)
        expected = self.expected(inputs)
        more = self.write("more.jsonl", '{"id": "more", "text": "one more"}\n')
        process = subprocess.Popen([BINARY, "dedup", *inputs, *RUN, "--work", "busy", "--threads", "1"], cwd=self.dir)
        while not list(self.path("busy").glob("sketch-*.part")):
            time.sleep(0.002)
        process.send_signal(signal.SIGSTOP)
        try:
            hidden = [name for name in self.names() if name.endswith(".partial") and "/" not in name]
            self.assertEqual(len(hidden), len(OUTPUTS))
            for arguments in ([], ["--add", more]):
                error = self.neardup("dedup", "--resume", "busy", *arguments, code=1).stderr
                self.assertIn("the run in 'busy' is being written by another process", error)
                self.assertNotIn("Progress is saved", error)
            self.assertLessEqual(set(hidden), set(self.names()))
        finally:
            process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(), 0)
        self.assertEqual(self.digests(), expected)
        self.neardup("dedup", "--resume", "busy", "--add", more, "-q")  # it was not added before

    def test_a_run_that_did_not_begin_can_start_again(self):
        before = {name: self.read(name) for name in self.files}
        for options in ([], ["--prepare"]):
            result = self.neardup("dedup", *self.files, "-o", self.files[0], "--work", "new", *options, code=2)
            self.assertIn("is also an input", result.stderr)
            self.assertNotIn("Progress is saved", result.stderr)
        self.neardup("dedup", *self.files, "-o", "new.jsonl", "--work", "new", "-q")
        self.assertEqual({name: self.read(name) for name in self.files}, before)

    def test_outputs_in_the_checkpoint_directory(self):
        self.neardup("dedup", *self.files, "-o", "alone.jsonl", "-q")
        self.neardup("dedup", *self.files, "-o", "with/kept.jsonl", "--work", "with", "-q")
        self.assertEqual(self.read("with/kept.jsonl"), self.read("alone.jsonl"))
        self.neardup("dedup", "--resume", "with", "-q")
        self.assertEqual(self.read("with/kept.jsonl"), self.read("alone.jsonl"))

    def test_passwords_are_not_shown(self):
        command = self.command("work")
        command["words"][command["words"].index(OUTPUTS[0])] = "mongodb://user:secret@host/base.rows"
        self.write("work/COMMAND", checked_file("command", json.dumps(command).encode()))
        error = self.refused("--output", "mongodb://user:other@host/base.rows")
        self.assertNotIn("secret", error)
        self.assertNotIn("other", error)

    def test_metrics_are_written_again(self):
        self.neardup("dedup", *self.files, *RUN[:-1], "--metrics", "m.prom", "--work", "metered", "-q")
        self.path("m.prom").unlink()
        self.neardup("dedup", "--resume", "metered", "-q")
        self.assertIn(b"neardup_running 0", self.read("m.prom"))

    def test_command_is_for_the_owner_only(self):
        self.assertEqual(self.path("work/COMMAND").stat().st_mode & 0o077, 0)


if __name__ == "__main__":
    unittest.main()
