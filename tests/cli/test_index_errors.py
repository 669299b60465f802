"""Bad input of index folders: an error that says what is wrong, never a crash, never a wrong answer."""
import fcntl
import json
import os
import pathlib
import random
import shutil
import subprocess
import time
import unittest

from harness import CliTest
from test_index import RECIPE, WIDE, IndexTest


class ErrorTest(IndexTest):
    def build(self, name="index", radius=4, seed=1, **keywords):
        if not self.path("a.jsonl").exists():
            self.corpus("a.jsonl", seed, **keywords)
        self.neardup("index", "build", name, "a.jsonl", "--recipe", RECIPE, "--max-distance", radius, "-q")

    def fails(self, *arguments, code=2, says=(), **keywords):
        result = self.neardup(*arguments, code=code, **keywords)
        for part in says:
            self.assertIn(part, result.stderr)
        return result


class Usage(ErrorTest):
    def test_another_recipe(self):
        self.build()
        ours = self.stat("index")["recipe_id"]
        for arguments in (("query", "index", "a.jsonl"), ("query", "index", "--text", "some text"), ("index", "add", "index", "a.jsonl")):
            self.fails(*arguments, "--recipe", "simhash-chars-3", says=[ours, RECIPE, "simhash-chars-3"])
        self.fails("dedup", "a.jsonl", "--recipe", "simhash-chars-3", "--against", "index", "--dry-run", says=[ours, "simhash-chars-3"])
        self.fails("dedup", "a.jsonl", "--against", "index", "--dry-run", says=["words-5", "MinHash"])
        self.neardup("sketch", "a.jsonl", "--recipe", "simhash-chars-3", "-o", "other.jsonl", "-q")
        other = self.records("other.jsonl")[0]["recipe_id"]
        for arguments in (("query", "index"), ("index", "add", "index")):
            self.fails(*arguments, "other.jsonl", "--from-fingerprints", says=["other.jsonl:1", ours, other])
        self.assertEqual(self.stat("index")["segments"][0]["file"], "segment-000001.ndh")

    def test_recipes_that_make_no_lasting_fingerprints(self):
        self.corpus("a.jsonl", 1)
        self.fails("index", "build", "index", "a.jsonl", says=["words-5", "MinHash"])
        self.fails("index", "build", "index", "a.jsonl", "--recipe", "simhash-words", says=["simhash-words", "idf fit"])
        self.assertFalse(self.path("index").exists())

    def test_another_width(self):
        self.build()
        self.write("wide.json", json.dumps(WIDE))
        self.fails("query", "index", "--text", "some text", "--recipe", "wide.json", says=["64 bits", "makes 128"])
        self.fails("query", "index", "--fingerprint", "0" * 32, says=["16 hexadecimal digits", "'index'", "0" * 32])
        self.fails("query", "index", "--fingerprint", "xyz", says=["16 hexadecimal digits", "'xyz'"])
        self.neardup("sketch", "a.jsonl", "--recipe", "wide.json", "-o", "wide.npy", "-q")
        self.fails("index", "build", "two", "wide.npy", "--from-fingerprints", code=1, says=["wide.npy", "64 bits", "(n,)", ", 2)"])
        self.assertFalse(self.path("two").exists())
        self.write("odd.bin", bytes(20))
        self.fails("index", "build", "two", "odd.bin", "--from-fingerprints", code=1, says=["odd.bin", "4 bytes after the last whole row"])
        self.fails("index", "build", "two", "odd.bin", "--from-fingerprints", "--bits", 65, says=["64 or 128", "'65'"])

    def test_distance_beyond_the_plan(self):
        self.build(radius=4)
        for arguments in (("query", "index", "a.jsonl"), ("query", "index", "--fingerprint", "0" * 16)):
            self.fails(*arguments, "--max-distance", 5, says=["5", "exceeds 4, the maximum of the index 'index'"])
        self.fails("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "--max-distance", 5, "--dry-run", says=["5", "4", "'index'"])
        self.fails("index", "build", "far", "a.jsonl", "--recipe", RECIPE, "--max-distance", 65, says=["65", "64"])
        self.assertFalse(self.path("far").exists())

    def test_against_an_index_there_is_no_text_to_look_at(self):
        self.build()
        run = ("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "--dry-run")
        for options in (("--verify", "jaccard"), ("--verify", "cosine"), ("--also", "chars-5"), ("--cluster", "components")):
            self.fails(*run, *options, says=["the index 'index' ", "only fingerprints" if options[0] == "--cluster" else "has no texts", options[0]])

    def test_no_index(self):
        self.corpus("a.jsonl", 1)
        self.path("empty").mkdir()
        for command in (("query",), ("index", "stat"), ("index", "verify"), ("index", "merge")):
            self.fails(*command, "nowhere", code=1, says=["'nowhere' is not an index"])
            self.fails(*command, "empty", code=1, says=["'empty' is not an index"])
        self.fails("index", "add", "nowhere", "a.jsonl", code=1, says=["'nowhere' is not an index"])
        self.assertFalse(self.path("nowhere").exists())

    def test_building_over_something(self):
        self.build()
        before = self.read("index/MANIFEST")
        self.fails("index", "build", "index", "a.jsonl", "--recipe", RECIPE, code=1, says=["'index' is an index already", "index add"])
        self.assertEqual(self.read("index/MANIFEST"), before)
        self.write("full/notes.txt", "mine")
        self.fails("index", "build", "full", "a.jsonl", "--recipe", RECIPE, code=1, says=["'full'", "notes.txt"])
        self.assertEqual(self.read("full/notes.txt"), b"mine")
        self.fails("index", "build", "new", "missing.jsonl", "--recipe", RECIPE, code=1, says=["missing.jsonl"])
        self.assertFalse(self.path("new").exists())

    def test_outputs_inside_an_index(self):
        self.build()
        self.path("index/sub").mkdir()
        os.symlink("index", self.path("link"))
        def content():
            return {name: self.read(name) for name in self.names() if name != "index/LOCK"}

        before = content()
        for output in ("index/MANIFEST", "index/new.tsv", "./index/../link/MANIFEST", "index/sub/new.tsv"):
            runs = [("query", "index", "a.jsonl", "-o", output), ("query", "index", "--fingerprint", "0" * 16, "-o", output)]
            runs += [("query", "index", "a.jsonl", option, output) for option in ("--summary", "--rejects")]
            runs += [("index", "add", "index", "a.jsonl", option, output) for option in ("--summary", "--rejects")]
            runs += [("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", option, output) for option in ("-o", "--verdicts")]
            runs += [("sketch", "a.jsonl", "-o", output)]
            for run in runs:
                self.fails(*run, code=2, says=[f"'{output}' is inside the index '", "index'"])
        self.fails("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "--output-dir", "index", code=2, says=["inside the index '"])
        self.assertEqual(content(), before)
        self.write("other/MANIFEST", "include *.txt\n")
        self.neardup("query", "index", "a.jsonl", "-o", "other/near.tsv", "-q")

    def test_names_that_no_folder_has(self):
        self.build()
        long = "n" * 300
        for run in (("index", "build", long, "a.jsonl", "--recipe", RECIPE), ("index", "add", long, "a.jsonl"), ("index", "stat", long),
                    ("query", long, "a.jsonl"), ("dedup", "a.jsonl", "--recipe", RECIPE, "--against", long, "--dry-run")):
            result = self.fails(*run, code=1, says=[f"'{long}'", "File name too long"])
            self.assertNotIn("internal", result.stderr)

    def test_fingerprints_of_which_none_can_be_read(self):
        self.write("words.tsv", "id\tfingerprint\na\tnone\nb\tof these\n")
        self.fails("index", "build", "index", "words.tsv", "--from-fingerprints", "--rejects", "rejects.tsv", code=1,
                   says=["no line could be used: 2 lines rejected: 2 invalid value. The first: words.tsv:2: fingerprint: expected 16"])
        self.assertEqual(self.names(), ["words.tsv"])
        self.assertFalse(self.path("index").exists())
        self.write("words.tsv", f"id\tfingerprint\na\tnone\nb\t{'0' * 16}\n")
        self.neardup("index", "build", "index", "words.tsv", "--from-fingerprints", "-q")
        self.assertEqual(self.stat("index")["entries"], 1)

    def test_nothing_of_a_recipe_that_is_not_known(self):
        self.write("codes.bin", bytes(range(16)))
        for verb in ("build", "add"):
            for form in ("text", "json"):
                index = "index" if verb == "add" else f"index-{form}"
                if not self.path("index").exists():
                    self.neardup("index", "build", "index", "codes.bin", "--from-fingerprints", "-q")
                started = self.neardup("index", verb, index, "codes.bin", "--from-fingerprints", "--log-format", form).stderr.split("\n")[0]
                self.assertIn("bits", started)
                self.assertNotIn("recipe", started)
                self.assertNotIn("0000000000000000", started)

    def test_numbers_are_marked_not_looked_for(self):
        self.write("codes.bin", bytes(range(24)))
        self.neardup("index", "build", "index", "codes.bin", "--from-fingerprints", "-q")
        for _ in range(2):
            result = self.neardup("index", "delete", "index", "1", "7")
            self.assertIn("marked 1 of 2 ids as deleted (1 not found)", result.stderr)
            self.assertNotIn("went", result.stderr)
            self.neardup("index", "merge", "index", "-q")

    def test_verbs_take_their_own_options_only(self):
        self.build()
        self.fails("index", "stat", "index", "--recipe", RECIPE, says=["index stat takes no --recipe"])
        self.fails("index", "delete", "index", "d0", "--summary", "s", says=["index delete takes no --summary"])
        self.fails("index", "add", "index", "a.jsonl", "--max-distance", 3, says=["index add takes no --max-distance"])
        self.fails("index", "build", "x", "a.jsonl", "--from-fingerprints", "--text-field", "t", says=["--text-field is for documents"])
        self.fails("index", "build", "x", "a.jsonl", "--bits", 64, says=["--bits requires --from-fingerprints"])
        self.fails("index", "burn", "index", says=["'burn'", "build, add, delete"])
        self.fails("index", "stat", says=["no index is named"])
        self.fails("query", says=["no index is named"])
        self.fails("query", "index", "--text", "a", "--file", "b", says=["give exactly one query"])
        self.fails("query", "index", "--count", "--limit", 3, says=["--limit"])
        self.fails("query", "index", "--blocks", "4x16", "--fingerprint", "0" * 16, says=["--blocks cannot be combined with an index"])


class EmptyIndex(ErrorTest):
    def test_it_answers_that_there_is_nothing(self):
        self.write("none.jsonl", "")
        self.corpus("a.jsonl", 1)
        self.neardup("index", "build", "index", "none.jsonl", "--recipe", RECIPE, "-q")
        self.assertEqual(self.stat("index")["entries"], 0)
        self.assertEqual(self.query("index", "a.jsonl"), [])
        self.assertEqual(self.query("index", "--fingerprint", "0" * 16), [])
        self.neardup("index", "merge", "index", "-q")
        self.neardup("index", "verify", "index")
        self.assertIn("deleted 0 of 1 id (1 not found)", self.neardup("index", "delete", "index", "d0").stderr)
        self.neardup("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "-o", "kept.jsonl", "-q")
        self.neardup("dedup", "a.jsonl", "--recipe", RECIPE, "-o", "plain.jsonl", "-q")
        self.assertEqual(self.read("kept.jsonl"), self.read("plain.jsonl"))
        self.neardup("index", "add", "index", "a.jsonl", "-q")
        self.assertGreater(len(self.query("index", "a.jsonl")), 0)

    def test_no_answer_for_what_is_too_short(self):
        self.build()
        self.fails("query", "index", "--text", " ", code=1, says=["too short for a fingerprint", RECIPE])


class Damage(ErrorTest):
    def asked(self, folder):
        """What the three ways of reading come to: an error that names the index, or None and the answer."""
        result = subprocess.run([os.environ["NEARDUP_BIN"], "query", folder, "a.jsonl", "-q"], cwd=self.dir, capture_output=True, check=False)
        return result.returncode, result.stdout, result.stderr.decode()

    def test_flipped_bytes(self):
        self.corpus("a.jsonl", 1, originals=120)
        self.build()
        _, answer, _ = self.asked("index")
        chance = random.Random(1)
        for name in ("MANIFEST", "segment-000001.ndh"):
            size = self.path(f"index/{name}").stat().st_size
            for at in [0, 5, size - 1, *(chance.randrange(size) for _ in range(25))]:
                shutil.copytree(self.path("index"), self.path("bad"))
                data = bytearray(self.read(f"bad/{name}"))
                data[at] ^= 1 << chance.randrange(8)
                self.write(f"bad/{name}", bytes(data))
                result = self.fails("index", "verify", "bad", code=1, says=[f"bad/{name}"])
                self.assertRegex(result.stderr, "block|header|footer|version|byte order|is not a file", f"{name} at {at}")
                code, output, error = self.asked("bad")
                if code == 0:
                    self.assertEqual(output, answer, f"{name} at {at}: an answer, so the right one")
                else:
                    self.assertEqual(code, 1, error)
                    self.assertIn("bad/", error)
                shutil.rmtree(self.path("bad"))

    def test_truncated_files(self):
        self.build()
        for name in ("MANIFEST", "segment-000001.ndh"):
            whole = self.read(f"index/{name}")
            for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
                self.write(f"index/{name}", whole[:length])
                for command in (("query", "index", "a.jsonl", "-q"), ("index", "verify", "index"), ("index", "stat", "index")):
                    self.fails(*command, code=1, says=[f"index/{name}"])
                self.fails("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "--dry-run", code=1, says=[f"index/{name}"])
            self.write(f"index/{name}", whole)
        self.path("index/segment-000001.ndh").unlink()
        self.fails("query", "index", "a.jsonl", code=1, says=["index/segment-000001.ndh"])

    def test_another_version_and_byte_order(self):
        self.build()
        for name in ("MANIFEST", "segment-000001.ndh"):
            whole = self.read(f"index/{name}")
            self.write(f"index/{name}", whole[:12] + bytes([whole[12] + 1]) + whole[13:])
            for command in (("index", "verify", "index"), ("query", "index", "a.jsonl")):
                self.fails(*command, code=1, says=[f"index/{name}", "format version 2, this program reads version 1"])
            self.write(f"index/{name}", whole[:8] + whole[8:12][::-1] + whole[12:])
            self.fails("query", "index", "a.jsonl", code=1, says=[f"index/{name}", "the other byte order"])
            self.write(f"index/{name}", whole)

    def test_segments_of_another_index(self):
        self.build()
        self.corpus("b.jsonl", 2)
        self.neardup("index", "build", "other", "b.jsonl", "--recipe", RECIPE, "--max-distance", 4, "-q")
        self.write("index/segment-000001.ndh", self.read("other/segment-000001.ndh"))
        self.fails("query", "index", "a.jsonl", code=1, says=["index/segment-000001.ndh"])


class Writers(ErrorTest):
    def test_two_writers(self):
        self.build()
        with open(self.path("index/LOCK"), "r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for command in (("add", "index", "a.jsonl"), ("delete", "index", "d0"), ("merge", "index")):
                self.fails("index", *command, code=1, says=["'index' is being written by another process", "only one process may write at a time"])
            self.assertGreater(len(self.query("index", "a.jsonl")), 0, "readers do not mind")
        self.neardup("index", "add", "index", "a.jsonl", "-q")

    def test_a_writer_that_waits_for_its_input_holds_the_lock(self):
        self.build()
        writer = subprocess.Popen([os.environ["NEARDUP_BIN"], "index", "add", "index", "-"], cwd=self.dir, stdin=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        try:
            while b"recipe" not in writer.stderr.readline():
                self.assertIsNone(writer.poll())
            self.fails("index", "merge", "index", code=1, says=[f"({writer.pid})"])
        finally:
            writer.stdin.write(b'{"id": "late", "text": "a text that comes after all the others"}\n')
            writer.communicate()
        self.assertEqual(writer.returncode, 0)
        self.assertEqual([name for _, name, _ in self.query("index", "--text", "a text that comes after all the others")], ["late"])

    def test_a_killed_build_can_be_done_again(self):
        self.corpus("a.jsonl", 1)
        command = [os.environ["NEARDUP_BIN"], "index", "build", "index", "-", "--recipe", "simhash-chars-3"]
        writer = subprocess.Popen(command, cwd=self.dir, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            until = time.monotonic() + 60
            while not self.path("index/BUILDING").exists() and time.monotonic() < until:
                self.assertIsNone(writer.poll())
                time.sleep(0.01)
            self.fails("index", "build", "index", "a.jsonl", "--recipe", RECIPE, code=1, says=["is being written by another process"])
        finally:
            writer.kill()
            writer.communicate()
        self.fails("index", "stat", "index", code=1, says=["'index' is not an index: its build is still running, or was killed"])
        self.fails("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "--dry-run", code=1, says=["'index' is not an index"])
        self.fails("dedup", "a.jsonl", "-o", "index/new.jsonl", says=["is inside the index '"])
        # What it may have come to.
        self.write("index/segment-000001.ndh", "half")
        self.write("index/.segment-000001.ndh.abcdef.partial", "half")
        self.build()
        self.assertEqual(self.names(), ["a.jsonl", "index/LOCK", "index/MANIFEST", "index/segment-000001.ndh"])
        self.assertEqual(self.stat("index")["entries"], len(self.fingerprints("a.jsonl")))
        self.neardup("index", "verify", "index")
        self.neardup("index", "delete", "index", "--ids", "-", stdin="".join(f"{d['id']}\n" for d in self.records("a.jsonl")).encode())
        self.neardup("index", "merge", "index", "-q")
        self.assertEqual(self.stat("index")["segments"], [])
        self.fails("index", "build", "index", "a.jsonl", "--recipe", RECIPE, code=1, says=["'index' is an index already"])

    def test_two_at_once_never_mix(self):
        self.corpus("a.jsonl", 1)
        self.build()
        command = [os.environ["NEARDUP_BIN"], "index", "add", "index", "a.jsonl", "-q"]
        runs = [subprocess.Popen(command, cwd=self.dir, stderr=subprocess.PIPE) for _ in range(6)]
        codes = []
        for run in runs:
            _, error = run.communicate()
            codes.append(run.returncode)
            if run.returncode != 0:
                self.assertIn(b"is being written by another process", error)
        added = codes.count(0)
        self.assertGreaterEqual(added, 1)
        self.neardup("index", "verify", "index")
        entries = self.fingerprints("a.jsonl")
        self.assertEqual(self.stat("index")["entries"], (1 + added) * len(entries))


class DiskFull(ErrorTest):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("[user] only root can mount a small disk")
        self.disk = self.path("disk")
        self.disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", self.disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest(f"[user] mount refuses a small disk: {mounted.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=False)

    def big(self, name, count):
        chance = random.Random(count)
        self.write(name, b"".join(chance.getrandbits(64).to_bytes(8, "little") for _ in range(count)))

    def test_a_build_leaves_nothing(self):
        self.big("big.bin", 60_000)
        result = self.fails("index", "build", "disk/index", "big.bin", "--from-fingerprints", code=1, says=["disk/index", "space"])
        self.assertNotIn("internal", result.stderr)
        self.assertEqual(list(self.disk.iterdir()), [])

    def test_an_addition_leaves_the_index_as_it_was(self):
        self.big("small.bin", 500)
        self.big("big.bin", 60_000)
        self.neardup("index", "build", "disk/index", "small.bin", "--from-fingerprints", "-q")
        names = sorted(path.name for path in pathlib.Path(self.disk, "index").iterdir())
        self.fails("index", "add", "disk/index", "big.bin", "--from-fingerprints", code=1, says=["disk/index", "space"])
        self.assertEqual(sorted(path.name for path in pathlib.Path(self.disk, "index").iterdir()), names)
        self.neardup("index", "verify", "disk/index")
        self.assertEqual(self.stat("disk/index")["entries"], 500)
        self.neardup("index", "add", "disk/index", "small.bin", "--from-fingerprints", "-q")
        self.assertEqual(self.stat("disk/index")["entries"], 1000)


if __name__ == "__main__":
    unittest.main()
