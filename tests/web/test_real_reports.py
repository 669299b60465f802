"""Reports that `neardup dedup --report` and `neardup report` write, in Chromium: the page shows what the program found."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import page_case

sys.path.append(str(pathlib.Path(__file__).parent.parent / "cli"))
WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
FOOTER = " all rights reserved by the publisher of this page ask before you copy any of it"


def text(number, changed=""):
    """A text of its own for each number; `changed` takes the place of a word."""
    words = [f"{word}{half}{number}" for half in "ab" for word in WORDS]
    if changed:
        words[20] = changed
    return " ".join(words)


class RealReports(page_case.PageCase):
    def run_program(self, *arguments):
        done = subprocess.run([os.environ["NEARDUP_BIN"], *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def write_corpus(self):
        """Three sources: the first is clean, the second copies it, the third changes it, twice."""
        corpus = self.folder / "corpus"
        corpus.mkdir(exist_ok=True)
        texts = {"a": [text(number) for number in range(100)], "b": [text(number) for number in range(50, 120)],
                 "c": [text(number, f"changed{version}") + (FOOTER if number % 2 else "") for number in range(40) for version in (1, 2)]}
        for name, lines in texts.items():
            records = [{"id": f"{name}{number}", "text": line} for number, line in enumerate(lines)]
            (corpus / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return "corpus"

    def read(self, name, options="?lang=en"):
        page = self.folder / name
        self.opened = page.as_uri() + options
        self.browser.open(self.opened)
        self.browser.settle()
        return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1])

    def test_texts(self):
        self.run_program("dedup", self.write_corpus(), "-o", "kept.jsonl", "--threshold", "0.5", "--summary", "summary.json", "--report", "report.html")
        data = self.read("report.html")
        summary = json.loads((self.folder / "summary.json").read_text())
        self.assertEqual(summary["removed"], 50 + 80)
        self.assertIn("Removed 130 of 250 documents", self.text("#overview h2"))
        self.assertEqual(self.text("header .subject"), "corpus")
        rows = dict(zip(self.texts("#sources-table tbody th"), self.browser.run(
            "return [...document.querySelectorAll('#sources-table tbody tr')].map(row => [...row.querySelectorAll('td')].slice(0, 4).map(each => each.textContent))")))
        self.assertEqual(rows, {"a.jsonl": ["100", "100", "0", "0"], "b.jsonl": ["70", "20", "50", "0"], "c.jsonl": ["80", "0", "0", "80"]})
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('#losses-table tbody tr')].map(row => row.textContent)"),
                         ["c.jsonla.jsonl80100.0\u202f%", "b.jsonla.jsonl5071.4\u202f%"])
        self.assertIn("c.jsonl (100\u202f%), b.jsonl (71\u202f%)", self.text("#findings"))
        for chart in ("#similarity-chart", "#search-chart", "#sizes-chart"):
            self.assertGreater(self.colours(chart), 5, chart)
        self.assertEqual(len(self.texts("details.removal")), 20)
        self.assertIn(self.text("#removal-1 del").strip(), [f"changed{version}" for version in (1, 2)] + [FOOTER.strip()])
        self.assertEqual(len(self.texts("details.group")), 10)
        self.assertEqual(len(data["least_similar"]), 20)
        self.assertEqual(self.overflow(), [0])

    def test_stored_run(self):
        self.run_program("dedup", self.write_corpus(), "-o", "kept.jsonl", "--recipe", "simhash-words-3", "--max-distance", "6", "--work", "run")
        self.run_program("report", "run", "-o", "stored.html")
        self.read("stored.html")
        self.assertIn("at most 6 of 64 bits differ", self.text("#overview .lead"))
        self.assertEqual(self.text("header .subject"), "run")
        self.assertRegex(self.text("#removal-1 .score"), r"^\d of 64 bits$")
        self.assertIn("neardup explain run c", self.text("#removal-1 code"))

    def test_other_measures(self):
        corpus = self.write_corpus()
        for number, options in enumerate((("--search", "exact"), ("--verify", "false"), ("--measure", "containment"), ("--threshold", "1"))):
            with self.subTest(options):
                self.run_program("dedup", corpus, "-o", "kept.jsonl", *options, "--report", f"{number}.html")
                self.read(f"{number}.html")
                self.assertEqual(self.texts(".failure"), [])
                self.assertEqual(len(self.texts("main > section")), 14)
                self.assertNotIn("undefined", self.text("main"))
                self.assertNotIn("NaN", self.text("main"))
                self.assertEqual(self.browser.console(), [])
                self.browser.requests()
        del self.opened


if __name__ == "__main__":
    unittest.main()
