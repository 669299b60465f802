"""The manual pages: roff that man accepts, with every command and every option."""
import re
import shutil
import subprocess
import unittest

from harness import CliTest

# What a line may hold after its escapes are removed: no character that roff would change.
ESCAPE = re.compile(r"\\(?:f[BIR]|\(rs|\(aq|\(ga|\(dq|\(ha|\(ti|\[u[0-9A-F]{4,6}\]|-|&)")
REQUESTS = (".TH", ".SH", ".SS", ".TP", ".PP", ".EX", ".EE")


class Manual(CliTest):
    def commands(self):
        return self.neardup("help", "--commands").stdout.decode().split()

    def pages(self):
        """Name and page, of neardup and of each command."""
        yield "neardup", self.neardup("help", "--man").stdout.decode()
        for command in self.commands():
            yield f"neardup-{command}", self.neardup("help", command, "--man").stdout.decode()

    def test_structure(self):
        for name, page in self.pages():
            self.assertTrue(page.isascii(), name)
            sections = re.findall(r"(?m)^\.SH (.*)$", page)
            self.assertEqual(sections[:2], ["NAME", "SYNOPSIS"], name)
            self.assertLess({"DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES"}, set(sections), name)
            title = name.replace("-", r"\-")
            self.assertIn(f'\n.TH "{title}" 1 "" "neardup ', page)
            self.assertIn(f"\n.SH NAME\n{title} \\- ", page)
            for line in page.splitlines()[1:]:
                if line.startswith(("." , "'")):
                    self.assertIn(line.split(" ")[0], REQUESTS, line)
                if not line.startswith(".TH"):
                    self.assertNotRegex(ESCAPE.sub("", line), r"[\\'`\"^~-]", line)

    def test_every_option(self):
        for command in self.commands():
            text = self.neardup("help", command, "--all").stdout.decode()
            options = re.findall(r"(?m)^  (?:-\w, |    )(--[a-z-]+)", text)
            self.assertGreaterEqual(len(options), 2, command)
            page = self.neardup("help", command, "--man").stdout.decode()
            for option in options:
                self.assertRegex(page, r"(?m)^\.TP\n(\\fB\\-\w\\fR, )?\\fB" + re.escape(option.replace("-", r"\-")) + r"\\fR", command)

    def test_descriptions_begin_with_a_sentence(self):
        for name, page in self.pages():
            self.assertRegex(page, r"\n\.SH DESCRIPTION\n[A-Z][^\n]*\.\n", name)

    def test_exit_codes_are_those_of_the_overview(self):
        overview = " ".join(self.neardup("--help").stdout.decode().split("Exit codes: ")[1].split())
        for name, page in self.pages():
            status = page.split("\n.SH EXIT STATUS\n")[1].split("\n.SH ")[0].replace("\\-", "-")
            entries = re.findall(r"\.TP\n\\fB([0-9, ]+)\\fR\n(.*)", status)
            self.assertEqual("; ".join(map(" ".join, entries)) + ".", overview, name)

    def test_overview_names_every_command(self):
        page = self.neardup("help", "--man").stdout.decode()
        for command in self.commands():
            self.assertIn(f"\\fBneardup\\-{command}\\fR(1)", page)

    def test_formatters_accept_the_pages(self):
        formatters = []
        if shutil.which("groff"):
            formatters.append(["groff", "-man", "-ww", "-z", "-Tutf8"])
        if shutil.which("man"):
            formatters.append(["man", "--warnings", "-l"])
        if shutil.which("mandoc"):
            formatters.append(["mandoc", "-Tlint", "-Wwarning"])
        for name, page in self.pages():
            file = self.write(f"{name}.1", page)
            for formatter in formatters:
                done = subprocess.run([*formatter, file], cwd=self.dir, capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
                                      env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANPAGER": "cat"})
                if formatter[0] == "mandoc":  # equal programs make equal pages, so they have no date
                    warnings = (done.stdout + done.stderr).decode().splitlines()
                    self.assertEqual([line for line in warnings if "missing date" not in line], [], name)
                else:
                    self.assertEqual((done.returncode, done.stderr.decode()), (0, ""), f"{formatter[0]} {name}")

    @unittest.skipUnless(shutil.which("man"), "[machine] man is not installed")
    def test_what_the_reader_sees(self):
        def shown(*words):
            file = self.write("page.1", self.neardup("help", *words, "--man").stdout)
            done = subprocess.run(["man", "-l", file], cwd=self.dir, capture_output=True, check=True, timeout=60, stdin=subprocess.DEVNULL,
                                  env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "120", "MANPAGER": "cat", "MAN_KEEP_FORMATTING": ""})
            return re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout.decode())
        text = shown("dedup")
        self.assertIn("-t, --threshold T", text)
        self.assertIn("neardup dedup corpus.jsonl -o kept.jsonl --verdicts verdicts.tsv", text)
        self.assertIn("'shards/*.jsonl.zst'", text)
        self.assertIn("--text '我来到北京清华大学'", shown("tokenize"))
        self.assertIn("\"$(printf '\\t')\"", shown("pairs"))
        self.assertRegex(shown("index"), r"(?m)^ +merge +makes one segment of all")

    def test_wrong_use(self):
        for message, *words in (("give only one of --all, --man, --markdown and --commands", "dedup", "--man", "--all"),
                                ("--all requires a command", "--all"), ("--markdown is about all commands", "dedup", "--markdown"),
                                ("unknown command 'dedpu'; did you mean dedup?", "dedpu", "--man")):
            self.assertIn(message, self.neardup("help", *words, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
