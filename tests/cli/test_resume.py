"""A run that was ended by anything goes on where it was, and gives the same bytes."""
import hashlib
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import time
import unittest

from harness import BINARY, CliTest

FAULTS = os.environ.get("NEARDUP_IO_FAULTS")
OUTPUTS = ("kept.jsonl", "removed.jsonl.gz", "verdicts.tsv", "rejects.jsonl")
RUN = ("-o", OUTPUTS[0], "--removed", OUTPUTS[1], "--verdicts", OUTPUTS[2], "--rejects", OUTPUTS[3], "-q")
KILLS = 100


def corpus(seed, documents):
    """Texts of random words, a third of them changed copies; every hundredth line is broken."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(3000)]
    texts, lines = [], []
    for number in range(documents):
        if texts and chance.random() < 0.35:
            text = list(chance.choice(texts))
            for _ in range(chance.randint(0, 3)):
                text[chance.randrange(len(text))] = chance.choice(words)
        else:
            text = chance.choices(words, k=chance.randint(20, 60))
        texts.append(text)
        lines.append('{"broken": \n' if number % 100 == 99 else json.dumps({"id": f"d{number}", "text": " ".join(text)}) + "\n")
    return lines


class ResumeTest(CliTest):
    def inputs(self, files, documents, seed=1):
        """So many files: each ends a batch, and four batches are a part."""
        lines = corpus(seed, files * documents)
        return [self.write(f"in{i:02}.jsonl", "".join(lines[i * documents:(i + 1) * documents])) for i in range(files)]

    def digests(self):
        return {name: hashlib.sha256(self.read(name)).hexdigest() for name in OUTPUTS if self.path(name).exists()}

    def forget_outputs(self):
        for name in OUTPUTS:
            self.path(name).unlink(missing_ok=True)

    def expected(self, inputs, *options):
        self.neardup("dedup", *inputs, *RUN, *options)
        digests = self.digests()
        self.assertEqual(len(digests), len(OUTPUTS))
        self.forget_outputs()
        return digests

    def resume(self, *arguments, **keywords):
        return self.neardup("dedup", "--resume", "work", *arguments, **keywords)


class Killed(ResumeTest):
    def kill_loop(self, inputs, kills, *options):
        expected = self.expected(inputs, *options)
        chance = random.Random(7)
        started = time.monotonic()
        self.neardup("dedup", *inputs, *RUN, *options, "--work", "whole")
        whole_s = time.monotonic() - started
        self.assertEqual(self.digests(), expected)
        self.forget_outputs()
        killed = rounds = 0
        while killed < kills:
            rounds += 1
            folder = f"work{rounds}"
            command = ["dedup", *inputs, *RUN, *options, "--work", folder]
            while True:
                process = subprocess.Popen([BINARY, *command], cwd=self.dir, stderr=subprocess.PIPE)
                try:
                    # Short waits more often than long ones: later resumes have less to do.
                    process.wait(timeout=whole_s * chance.random() ** 2)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                error = process.communicate()[1].decode()
                if process.returncode != -signal.SIGKILL:
                    self.assertEqual(process.returncode, 0, error)
                    break
                killed += 1
                if self.path(folder).joinpath("COMMAND").exists():
                    command = ["dedup", "--resume", folder, "-q"]
                else:
                    subprocess.run(["rm", "-rf", folder], cwd=self.dir, check=True)
            self.assertEqual(self.digests(), expected, f"after {killed} kills")
            self.forget_outputs()
            # What killed processes left beside the outputs and in the folder is gone.
            self.assertEqual([name for name in self.names() if name.endswith(".partial") and "/" not in name], [])
            subprocess.run(["rm", "-rf", folder], cwd=self.dir, check=True)

    def test_signatures(self):
        self.kill_loop(self.inputs(24, 1500), KILLS)

    def test_fingerprints(self):
        self.kill_loop(self.inputs(24, 800), KILLS // 4, "--recipe", "simhash-chars-4", "--verify", "cosine")

    def test_folder_of_outputs(self):
        inputs = self.inputs(24, 300)
        self.neardup("dedup", *inputs, "--output-dir", "expected", "-q")
        process = subprocess.Popen([BINARY, "dedup", *inputs, "--output-dir", "out", "--work", "work", "-q"], cwd=self.dir)
        while not list(self.path("out").glob(".*.partial")):
            self.assertIsNone(process.poll(), "the run was over before it was killed")
        process.kill()
        process.wait()
        self.neardup("dedup", "--resume", "work", "-q")
        names = [name.removeprefix("out/") for name in self.names() if name.startswith("out/")]
        self.assertEqual(names, inputs)
        for name in inputs:
            self.assertEqual(self.read(f"out/{name}"), self.read(f"expected/{name}"))

    def test_nothing_stays_in_shared_memory(self):
        inputs = self.inputs(8, 1500)
        process = subprocess.Popen([BINARY, "dedup", *inputs, *RUN, "--work", "work"], cwd=self.dir)
        while not list(self.path("work").glob("sketch-*.part")) and process.poll() is None:
            time.sleep(0.002)
        process.kill()
        process.wait()
        self.assertEqual([name for name in os.listdir("/dev/shm") if name.endswith(f"-{process.pid}")], [])

    def test_interrupt_says_how_to_go_on(self):
        inputs = self.inputs(24, 1500)
        expected = self.expected(inputs)
        process = subprocess.Popen([BINARY, "dedup", *inputs, *RUN[:-1], "--work", "my work", "--threads", "1"], cwd=self.dir,
                                   stderr=subprocess.PIPE)
        while not list(self.path("my work").glob("sketch-*.part")):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1].decode()
        if process.returncode == 0:
            self.skipTest("the run was over before the signal came")
        self.assertEqual(process.returncode, 1, error)
        self.assertTrue(error.endswith("neardup dedup: stopped, nothing was written\n"
                                       "what was done is kept; to go on: neardup dedup --resume 'my work'\n"), error)
        self.assertEqual(self.digests(), {})
        self.neardup("dedup", "--resume", "my work", "-q")
        self.assertEqual(self.digests(), expected)


@unittest.skipUnless(FAULTS, "NEARDUP_IO_FAULTS does not name the library that makes calls fail")
class Faults(ResumeTest):
    def run_with(self, command, fault=None, count=None):
        environment = dict(os.environ, LD_PRELOAD=FAULTS)
        if fault:
            environment["NEARDUP_FAULT"] = fault
        if count:
            environment["NEARDUP_FAULT_COUNT"] = str(count)
        return subprocess.run([BINARY, *command], cwd=self.dir, env=environment, stderr=subprocess.PIPE, timeout=60, check=False)

    def every_call(self, kind):
        """Fails the n-th call for every n; gives how many of the runs failed."""
        inputs = self.inputs(6, 60)
        expected = self.expected(inputs)
        command = ["dedup", *inputs, *RUN, "--work", "work"]
        count = self.path("count")
        self.assertEqual(self.run_with(command, count=count).returncode, 0)
        calls = int(count.read_text())
        self.assertGreater(calls, 20)
        failures = 0
        for number in range(1, calls + 1):
            self.forget_outputs()
            subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
            result = self.run_with(command, fault=f"{kind}:{number}")
            error = result.stderr.decode()
            if result.returncode == 0:
                self.assertEqual(self.digests(), expected, f"{kind}:{number}")
                continue
            failures += 1
            self.assertEqual(result.returncode, -signal.SIGKILL if kind == "KILL" else 1, f"{kind}:{number} {error}")
            if kind != "KILL":
                self.assertIn("cannot ", error)
                self.assertEqual(self.digests(), {}, f"{kind}:{number}: outputs under their final names after a failure")
            if self.path("work/COMMAND").exists():
                self.resume("-q")
            else:
                subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
                self.neardup(*command)
            self.assertEqual(self.digests(), expected, f"{kind}:{number}")
            self.assertEqual([name for name in self.names() if name.endswith(".partial")], [], f"{kind}:{number}")
        return failures, calls

    def test_full_disk(self):
        failures, calls = self.every_call("ENOSPC")
        self.assertGreater(failures, calls // 3)

    def test_broken_disk(self):
        failures, calls = self.every_call("EIO")
        self.assertGreater(failures, calls // 3)

    def test_short_writes(self):
        failures, _ = self.every_call("SHORT")
        self.assertEqual(failures, 0, "a short write is no error")

    def test_killed_at_every_call(self):
        failures, calls = self.every_call("KILL")
        self.assertEqual(failures, calls)


class PowerOff(ResumeTest):
    """Files that were not on the disk when the power went: cut, empty, full of zeros."""

    def test_damaged_files_are_made_again(self):
        inputs = self.inputs(10, 200)
        expected = self.expected(inputs)
        self.neardup("dedup", *inputs, *RUN, "--work", "work")
        chance = random.Random(3)
        names = [path.name for path in self.path("work").iterdir() if path.name.endswith(".part") or path.name == "decided"]
        self.assertGreater(len(names), 4)
        for name in names:
            path = self.path("work") / name
            whole = path.read_bytes()
            for damage in ("empty", "cut", "zeros", "flip", "gone"):
                broken = {"empty": b"", "cut": whole[:chance.randrange(len(whole))], "zeros": bytes(len(whole)), "gone": None}.get(damage, b"")
                if damage == "flip":
                    at = chance.randrange(len(whole))
                    broken = whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1:]
                if broken is None:
                    path.unlink()
                else:
                    path.write_bytes(broken)
                self.forget_outputs()
                self.resume("-q")
                self.assertEqual(self.digests(), expected, f"{damage} {name}")
                if name.startswith("sketch"):
                    self.assertEqual(path.read_bytes(), whole, "a part that is made again is the same")

    def test_damaged_description_is_an_error(self):
        inputs = self.inputs(2, 50)
        self.neardup("dedup", *inputs, *RUN, "--work", "work")
        whole = self.read("work/RUN")
        for broken in (b"", whole[:100], bytes(len(whole))):
            self.path("work/RUN").write_bytes(broken)
            self.assertIn("work/RUN'", self.resume(code=1).stderr)
        self.path("work/RUN").write_bytes(whole)
        self.path("work/COMMAND").write_bytes(b"{")
        self.assertIn("does not hold a command", self.resume(code=1).stderr)


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
        self.assertNotIn("to go on", result.stderr)
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
        self.assertIn("--replace to have them go", self.neardup("dedup", "--resume", "tabled", "--add", self.files[1], code=1).stderr)
        self.neardup("dedup", "--resume", "tabled", "--add", self.files[1], "--replace", "-q")
        self.neardup("dedup", *self.files[:2], "-o", "kept2.jsonl", "-q")
        with sqlite3.connect(self.path("out.db")) as base:
            rows = base.execute("select count(*) from kept").fetchone()[0]
        self.assertEqual(rows, len(self.records("kept2.jsonl")))

    def test_missing_input(self):
        self.path(self.files[1]).unlink()
        self.assertIn(f"cannot open '{self.files[1]}'", self.resume(code=1).stderr)

    def test_option(self):
        self.assertIn("--threshold: the run in 'work' began without it, and cannot go on with '0.5'", self.refused("--threshold", "0.5"))
        self.assertIn("--recipe: the run in 'work' began with 'recipe.json'", self.refused("--recipe", "chars-5"))
        self.assertIn("--verdicts: the run in 'work' began with 'verdicts.tsv'", self.refused("--verdicts", "other.tsv"))
        self.resume("--recipe", "recipe.json", "--threads", "1", "--memory", "64M")

    def test_recipe_file(self):
        self.write("recipe.json", self.recipe(4))
        self.assertRegex(self.refused(), r"the recipe was '.*' when it began, and is '.*' now")

    def test_folders(self):
        self.assertIn("there is a run in 'work'; go on with it: neardup dedup --resume work",
                      self.neardup("dedup", *self.files, *RUN, "--work", "work", code=2).stderr)
        self.write("full/file", "x")
        self.assertIn("'full' is not an empty folder", self.neardup("dedup", *self.files, *RUN, "--work", "full", code=2).stderr)
        self.assertIn("there is no run in 'nowhere'", self.neardup("dedup", "--resume", "nowhere", code=2).stderr)
        self.assertIn("the inputs of the run in 'work' are known", self.refused(self.files[0]))
        self.assertIn("no input is given", self.refused("--add"))
        self.assertIn("is given twice", self.resume("--add", self.files[0], code=1).stderr)
        self.assertIn("can be read only once", self.neardup("dedup", "-", *RUN, "--work", "new", code=2).stderr)
        elsewhere = self.path("elsewhere")
        elsewhere.mkdir()
        result = subprocess.run([BINARY, "dedup", "--resume", "../work"], cwd=elsewhere, capture_output=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("began in the folder", result.stderr.decode())

    def test_two_at_once(self):
        import fcntl
        with open(self.path("work/LOCK"), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("the run in 'work' is being written by another process", self.resume(code=1).stderr)

    def test_another_process_does_not_disturb(self):
        """What a second process does to a folder where one is at work: nothing, not to its outputs either."""
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
                self.assertNotIn("to go on", error)
            self.assertLessEqual(set(hidden), set(self.names()))
        finally:
            process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(), 0)
        self.assertEqual(self.digests(), expected)
        self.neardup("dedup", "--resume", "busy", "--add", more, "-q")  # it was not added before

    def test_what_did_not_begin_can_be_begun_again(self):
        before = {name: self.read(name) for name in self.files}
        for options in ([], ["--prepare"]):
            result = self.neardup("dedup", *self.files, "-o", self.files[0], "--work", "new", *options, code=1)
            self.assertIn("is also an input", result.stderr)
            self.assertNotIn("to go on", result.stderr)
        self.neardup("dedup", *self.files, "-o", "new.jsonl", "--work", "new", "-q")
        self.assertEqual({name: self.read(name) for name in self.files}, before)

    def test_outputs_in_the_work_folder(self):
        self.neardup("dedup", *self.files, "-o", "alone.jsonl", "-q")
        self.neardup("dedup", *self.files, "-o", "with/kept.jsonl", "--work", "with", "-q")
        self.assertEqual(self.read("with/kept.jsonl"), self.read("alone.jsonl"))
        self.neardup("dedup", "--resume", "with", "-q")
        self.assertEqual(self.read("with/kept.jsonl"), self.read("alone.jsonl"))

    def test_passwords_are_not_shown(self):
        command = json.loads(self.read("work/COMMAND"))
        command["words"][command["words"].index(OUTPUTS[0])] = "mongodb://user:secret@host/base.rows"
        self.write("work/COMMAND", json.dumps(command))
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
            self.assertIn("'texts/9.txt' was not among its inputs", self.resume("--add", "later", code=2).stderr)
        self.path("texts/9.txt").unlink()
        self.resume("--add", "later", "-q")
        digests = self.digests()
        self.write("later/9.txt", "came later into the folder that was added")
        self.assertIn("'later/9.txt' was not among its inputs", self.resume(code=2).stderr)
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
            added = len(json.loads(self.read("work/COMMAND"))["added"])
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
            self.resume("-q")  # as it was


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
            self.assertIn(f"task {number}: the run has 1, which are numbered from 0", self.neardup("task", "work", number, code=2).stderr)
        self.assertIn("not 'x'", self.neardup("task", "work", "x", code=2).stderr)
        self.assertIn("there is no run in 'none'", self.neardup("task", "none", "0", code=2).stderr)
        self.assertIn("--prepare goes with --work", self.neardup("dedup", *files, *RUN, "--prepare", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
