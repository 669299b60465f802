"""More inputs for a run that was over, and runs that several processes share."""
import hashlib
import json
import random
import subprocess
import time
import unittest

from harness import BINARY
from resume_case import OUTPUTS, RUN, ResumeTest


class Extended(ResumeTest):
    """--add gives exactly what one run over all of it gives."""

    def check(self, first, later, *options):
        expected = self.expected([*first, *sum(later, [])], *options)
        self.neardup("dedup", *first, *RUN, *options, "--work", "work")
        before = {path.name: path.read_bytes() for path in self.path("work").glob("sketch-*.part")}
        for inputs in later:
            self.resume("--add", *inputs, "-q")
        self.assertEqual(self.digests(), expected, options)
        for name, content in before.items():
            self.assertEqual(self.read(f"work/{name}"), content, "documents of before are not sketched again")
        self.forget_outputs()
        self.resume("-q")
        self.assertEqual(self.digests(), expected)
        subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
        self.forget_outputs()

    def test_recipes_and_policies(self):
        files = self.inputs(7, 150)
        for options in ([], ["--recipe", "chars-5", "--keep", "longest"], ["--recipe", "simhash-chars-4"], ["--search", "exact"],
                        ["--also", "simhash-chars-4"], ["--cluster", "components"], ["--recipe", "simhash-chars-4", "--verify", "jaccard"]):
            with self.subTest(options=options):
                self.check(files[:3], [files[3:4], files[4:]], *options)

    def test_text_files(self):
        names = [self.write(f"texts/{i:02}.txt", f"text number {i // 2} of a few that come twice, more or less the same") for i in range(9)]
        self.check(names[:4], [names[4:5], names[5:]])

    def test_a_file_more_in_a_folder_is_not_added(self):
        for i in range(3):
            self.write(f"texts/{i}.txt", f"the text number {i} of those in the folder")
            self.write(f"later/{i}.txt", f"another text, the {i}th that is added")
        self.neardup("dedup", "texts", *RUN, "--work", "work")
        self.write("texts/9.txt", "came later into the first folder")
        for _ in range(2):
            self.assertIn("'texts/9.txt' was not an input of this run", self.resume("--add", "later", code=2).stderr)
        self.path("texts/9.txt").unlink()
        self.resume("--add", "later", "-q")
        digests = self.digests()
        self.write("later/9.txt", "came later into the folder that was added")
        self.assertIn("'later/9.txt' was not an input of this run", self.resume(code=2).stderr)
        self.path("later/9.txt").unlink()
        self.resume("-q")
        self.assertEqual(self.digests(), digests)

    def test_an_addition_that_failed_can_be_repeated(self):
        files = self.inputs(3, 60)
        expected = self.expected(files)
        outputs = self.path("out")
        outputs.mkdir()
        self.neardup("dedup", *files[:2], "-o", "out/kept.jsonl", "--work", "work", "-q")
        subprocess.run(["rm", "-rf", "out"], cwd=self.dir, check=True)
        self.assertIn("out/kept.jsonl", self.resume("--add", files[2], code=1).stderr)
        outputs.mkdir()
        self.resume("--add", files[2], "-q")
        self.assertEqual(hashlib.sha256(self.read("out/kept.jsonl")).hexdigest(), expected[OUTPUTS[0]])

    def test_with_a_reference_corpus(self):
        files = self.inputs(5, 150)
        self.check(files[1:3], [files[3:]], "--against", files[0])

    def test_killed_while_extending(self):
        files = self.inputs(12, 400)
        expected = self.expected(files)
        chance = random.Random(11)
        for _ in range(8):
            subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
            self.neardup("dedup", *files[:5], *RUN, "--work", "work")
            process = subprocess.Popen([BINARY, "dedup", "--resume", "work", "-q", "--add", *files[5:]], cwd=self.dir)
            try:
                process.wait(timeout=chance.random() * 0.1)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            added = len(self.command("work")["added"])
            self.resume("-q", *([] if added else ["--add", *files[5:]]))
            self.assertEqual(self.digests(), expected)

    def test_weights_of_the_corpus_itself_cannot_be_extended(self):
        files = self.inputs(3, 100)
        recipe = json.loads(self.neardup("recipe", "simhash-words").stdout.splitlines()[0])
        recipe["weighting"]["idf"] = "corpus"
        self.write("fitted.json", json.dumps(recipe))
        self.neardup("dedup", *files[:2], *RUN, "--recipe", "fitted.json", "--work", "work")
        self.assertIn("weighs by the IDF of the corpus itself", self.resume("--add", files[2], code=2).stderr)
        for number in range(10):
            process = subprocess.Popen([BINARY, "dedup", "--resume", "work", "-q", "--add", files[2]], cwd=self.dir, stderr=subprocess.PIPE)
            time.sleep(0.002 * number)
            process.kill()
            process.communicate()
            self.resume("-q")  # unchanged


class Tasks(ResumeTest):
    def tasks(self):
        lines = self.neardup("task", "work", "list").stdout.decode().splitlines()
        return [line.split("\t") for line in lines[1:]]

    def test_files_do_not_depend_on_who_made_them(self):
        files = self.inputs(14, 200)
        expected = self.expected(files)
        self.neardup("dedup", *files, *RUN, "--work", "alone")
        self.forget_outputs()
        prepared = self.neardup("dedup", *files, *RUN[:-1], "--work", "work", "--prepare")
        self.assertIn("the run in 'work' has 4 tasks: neardup task work list", prepared.stderr)
        self.assertEqual(self.digests(), {})
        self.assertEqual([task[3] for task in self.tasks()], ["open"] * 4)
        together = [subprocess.Popen([BINARY, "task", "work", *numbers, "-q"], cwd=self.dir) for numbers in (["3", "1"], ["0"])]
        self.assertEqual([process.wait() for process in together], [0, 0])
        self.assertEqual([task[3] for task in self.tasks()], ["done", "done", "open", "done"])
        self.neardup("task", "work", "1")  # once more does no harm
        self.resume("-q")
        self.assertEqual(self.digests(), expected)
        for path in self.path("alone").glob("sketch-*.part"):
            self.assertEqual(self.read(f"work/{path.name}"), path.read_bytes(), path.name)

    def test_wrong_tasks(self):
        files = self.inputs(2, 20)
        self.neardup("dedup", *files, *RUN, "--work", "work", "--prepare")
        for number in ("1", "7", str(1 << 62)):
            self.assertIn(f"task {number} does not exist: the run has 1 task, numbered from 0", self.neardup("task", "work", number, code=2).stderr)
        self.assertIn("not 'x'", self.neardup("task", "work", "x", code=2).stderr)
        self.assertIn("there is no run in 'none'", self.neardup("task", "none", "0", code=2).stderr)
        self.assertIn("--prepare requires --work", self.neardup("dedup", *files, *RUN, "--prepare", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
