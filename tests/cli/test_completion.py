"""Completion in shells: the scripts are run, and must know every command, option and listed value."""
import json
import re
import shutil
import subprocess
import unittest

from harness import CliTest


class Completion(CliTest):
    def script(self, shell):
        return self.neardup("completion", shell).stdout.decode()

    def commands(self):
        return self.neardup("help", "--commands").stdout.decode().split()

    def options(self, command):
        """All of --help-all, with their letters."""
        text = self.neardup(command, "--help-all").stdout.decode()
        return [name for names in re.findall(r"(?m)^  (-\w, |    )(--[a-z-]+)", text) for name in (names[0].strip(", "), names[1]) if name]

    def presets(self):
        return [line.split()[0] for line in self.neardup("recipe", "--list").stdout.decode().splitlines()]


@unittest.skipUnless(shutil.which("bash"), "[machine] bash is not installed")
class Bash(Completion):
    def complete(self, *words):
        """What bash offers for the last word, in the folder of the test."""
        self.write("neardup.bash", self.script("bash"))
        program = 'source ./neardup.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _neardup; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "--norc", "-c", program, "bash", "neardup", *words], cwd=self.dir, capture_output=True, text=True, check=True, timeout=60)
        self.assertEqual(done.stderr, "")
        self.path("neardup.bash").unlink()
        return done.stdout.split()

    def test_commands(self):
        self.assertEqual(self.complete(""), [*self.commands(), "--help", "--version"])
        self.assertEqual(self.complete("de"), ["dedup"])

    def test_every_option_of_every_command(self):
        for command in self.commands():
            self.assertEqual(sorted(self.complete(command, "-")), sorted(self.options(command)), command)
        self.assertEqual(self.complete("dedup", "in.jsonl", "--thre"), ["--threshold", "--threads"])

    def test_values(self):
        self.assertEqual(self.complete("dedup", "--search", ""), ["lsh", "exact", "hamming"])
        self.assertEqual(self.complete("dedup", "--search", "=", "e"), ["exact"])
        self.assertEqual(self.complete("dedup", "--search", "="), ["lsh", "exact", "hamming"])
        self.assertEqual(self.complete("pairs", "--format", "pa"), ["parquet"])
        self.assertEqual(self.complete("dedup", "--keep", "ma"), ["max:"])
        self.write("in.jsonl", "")
        for words in (("max", ":"), ("max", ":", "in"), ("=", "max", ":", "in")):
            self.assertEqual(self.complete("dedup", "--keep", *words), [], "a field, not a file")
        self.assertEqual(self.complete("dedup", "mongodb", ":", "//in"), [])
        self.assertEqual(self.complete("query", "x", "--log-format", ""), ["text", "json"])
        self.assertEqual(self.complete("sketch", "--fingerprint", ""), ["hex", "integer", "signed", "bits"])
        self.assertEqual(self.complete("query", "--fingerprint", ""), [])
        self.assertEqual(self.complete("tokenize", "--tokenizer", "w"), ["words_v1"])
        self.assertEqual(self.complete("dedup", "--charset", "gb"), ["gb18030"])
        self.assertEqual(self.complete("dedup", "-t", ""), [])
        self.assertEqual(self.complete("dedup", "--strict", "--thres"), ["--threshold"], "a flag has no value")

    def test_recipes_are_presets_or_files(self):
        self.write("chars-mine.json", "{}")
        self.assertEqual(self.complete("dedup", "--recipe", "chars-"), ["chars-5", "chars-mine.json"])
        self.assertLess(set(self.presets()), set(self.complete("sketch", "--recipe", "")))
        self.assertEqual(self.complete("recipe", "words-"), ["words-5"])

    def test_arguments(self):
        self.write("in.jsonl", "")
        for words in (("dedup", "in"), ("dedup", "x", "in"), ("dedup", "-o", "in"), ("dedup", "--against", "in"), ("index", "build", "in"), ("compare", "a", "in")):
            self.assertEqual(self.complete(*words), ["in.jsonl"], words)
        self.assertEqual(self.complete("index", ""), ["build", "add", "delete", "merge", "stat", "verify"])
        self.assertEqual(self.complete("idf", ""), ["fit", "merge", "info"])
        self.assertEqual(self.complete("lines", ""), ["fit", "info"])
        self.assertEqual(self.complete("dict", ""), ["build", "info", "suggest"])
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.complete("help", "to"), ["tokenize"])
        for words in (("plan", "in"), ("doctor", "in"), ("help", "dedup", "in"), ("recipe", "x", "in"), ("unknown", "in")):
            self.assertEqual(self.complete(*words), [], words)


class Zsh(Completion):
    def test_structure(self):
        script = self.script("zsh")
        self.assertTrue(script.startswith("#compdef neardup\n"))
        self.assertEqual(script.replace("'\\''", "").count("'") % 2, 0)
        listed = script.split("_neardup_commands=(\n")[1].split("\n)\n")[0]
        self.assertEqual(re.findall(r"(?m)^  '([a-z]+):", listed), self.commands())
        for command in self.commands():
            function = re.search(rf"(?ms)^_neardup_{command}\(\) \{{\n(.*?)^\}}$", script)[1]
            for option in self.options(command):
                self.assertRegex(function, rf"[{{,'*]{option}[=,\[}}]", command)
        self.assertRegex(script, r":POLICY[^:]*: _neardup_words auto first .*max\\: min\\:'")
        self.assertIn("--search=[", script)
        self.assertIn(":lsh|exact|hamming:(lsh exact hamming)'", script)

    @unittest.skipUnless(shutil.which("zsh"), "[machine] zsh is not installed")
    def test_syntax(self):
        self.write("_neardup", self.script("zsh"))
        done = subprocess.run(["zsh", "-n", "_neardup"], cwd=self.dir, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Fish(Completion):
    def test_structure(self):
        script = self.script("fish")
        self.assertEqual(script.replace("\\\\", "").replace("\\'", "").count("'") % 2, 0)
        for command in self.commands():
            self.assertIn(f"complete -c neardup -n __neardup_needs_command -a {command} -d '", script)
            for option in self.options(command):
                flag = f"-l {option[2:]} " if option.startswith("--") else f"-s {option[1:]} "
                self.assertRegex(script, rf"(?m)^complete -c neardup -n '__neardup_uses {command}' .*{flag}", command)
        self.assertIn("-l search -x -a 'lsh exact hamming' -d ", script)

    @unittest.skipUnless(shutil.which("fish"), "[machine] fish is not installed")
    def test_offers(self):
        self.write("neardup.fish", self.script("fish"))
        for line, offered in (("neardup de", ["dedup"]), ("neardup dedup --search ", ["lsh", "exact", "hamming"]), ("neardup idf ", ["fit", "merge", "info"])):
            done = subprocess.run(["fish", "-c", f"source neardup.fish; complete -C {json.dumps(line)}"], cwd=self.dir, capture_output=True, text=True,
                                  check=True, timeout=60)
            self.assertEqual(sorted(row.split("\t")[0] for row in done.stdout.splitlines()), sorted(offered))


class WrongUse(Completion):
    def test_unknown_shell(self):
        self.assertIn("fish, not 'tcsh'", self.neardup("completion", "tcsh", code=2).stderr)
        self.neardup("completion", code=2)


if __name__ == "__main__":
    unittest.main()
