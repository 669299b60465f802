"""A folder gives every file that can be read, by its name or content, in one order, and says what it left out."""
import gzip
import json
import os
import stat
import subprocess
import unittest

from harness import BINARY, TIMEOUT_S, CliTest
from table_case import ParquetTest, TableTest

WARC = (b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:w>\r\nContent-Type: text/plain\r\nContent-Length: 25\r\n\r\n"
        b"one two three four warc w\r\n\r\n")


def text_of(name):
    return f"one two three four of {name}"


def line(name):
    return json.dumps({"id": name, "text": text_of(name)}) + "\n"


class Folders(CliTest):
    def order(self, *arguments, **keywords):
        self.neardup("dedup", *arguments, "--annotate", "all.jsonl", "-q", "--recipe", "chars-5", **keywords)
        return [record["id"] for record in self.records("all.jsonl")]

    def test_every_kind_without_tables(self):
        self.write("all/b.jsonl", line("b"))
        self.write("all/c.json", json.dumps([{"id": "c1", "text": text_of("c1")}, {"id": "c2", "text": text_of("c2")}], indent=1))
        self.write("all/d.TXT", text_of("d"))
        self.write("all/e.html.gz", gzip.compress(text_of("e").encode()))
        self.write("all/f.wet", WARC)
        self.write("all/part-00000", line("part"))
        self.write("all/part-00001.gz", gzip.compress(line("packed").encode()))
        self.write("all/z/a.ndjson", line("a"))
        self.write("all/README", "no JSON")
        for name in ("x.rst", "y.rst", "w.pdf"):
            self.write(f"all/{name}", "x")
        expected = ["b", "c1", "c2", "all/d.TXT", "all/e.html.gz", "urn:w", "part", "packed", "a"]
        self.assertEqual(self.order("all"), expected)
        result = self.neardup("dedup", "all", "--dry-run", "--recipe", "chars-5")
        self.assertIn("warning: left out 4 files of 'all': 2 .rst, 1 .pdf, 1 without an ending; --format text takes every file as one document",
                      result.stderr)
        self.assertIn("8 inputs (5 JSON Lines, 1 text, 1 HTML, 1 WARC)", result.stderr)
        log = self.neardup("dedup", "all", "--dry-run", "--log-format", "json", "--recipe", "chars-5").stderr
        start = next(json.loads(event) for event in log.splitlines() if '"input_kinds"' in event)
        self.assertEqual((start["inputs"], start["input_kinds"]), (8, {"json_lines": 5, "text": 1, "html": 1, "warc": 1}))

    def test_few_files_are_named(self):
        self.write("some/a.jsonl", line("a"))
        self.write("some/deep/b.pdf", "x")
        self.assertIn("left out 1 file of 'some': 1 .pdf ('some/deep/b.pdf'); --format text", self.neardup("dedup", "some", "--dry-run").stderr)
        self.assertIn("1 input (JSON Lines)", self.neardup("sketch", "some", "-o", "s.jsonl").stderr)

    def test_a_format_narrows(self):
        self.write("some/a.jsonl", line("a"))
        self.write("some/b.csv", "x")
        self.write("some/c.html", "<p>")
        self.write("some/d.dat", line("d"))
        result = self.neardup("dedup", "some", "--format", "jsonl", "-o", "kept.jsonl")
        self.assertEqual([record["id"] for record in self.records("kept.jsonl")], ["a", "d"])
        self.assertIn("left out 2 files of 'some': 1 .csv, 1 .html ('some/b.csv', 'some/c.html')\n", result.stderr)

    def test_folders_without_an_input_say_what_they_have(self):
        self.path("empty").mkdir()
        self.assertIn("no input in 'empty': it has no files", self.neardup("dedup", "empty", "--dry-run", code=1).stderr)
        self.write("other/a.rst", "x")
        self.write("other/b.rst", "x")
        error = self.neardup("dedup", "other", "--dry-run", code=1).stderr
        self.assertIn("no input in 'other': it has only 2 .rst; names of inputs end in .jsonl, ", error)
        self.assertIn("--format text takes every file as one document", error)

    def test_links_and_special_files(self):
        self.write("some/a.jsonl", line("a"))
        self.write("elsewhere/b.jsonl", line("b"))
        os.symlink("../elsewhere/b.jsonl", self.path("some/b.jsonl"))
        os.symlink("../elsewhere", self.path("some/linked"))
        os.symlink(".", self.path("some/circle"))
        os.symlink("nowhere", self.path("some/gone.jsonl"))
        os.mkfifo(self.path("some/pipe.jsonl"))
        self.assertEqual(self.order("some"), ["a", "b"])
        error = self.neardup("dedup", "some", "--dry-run").stderr
        self.assertIn("left out 1 file of 'some': 1 special ('some/pipe.jsonl'); 1 link leads nowhere: 'some/gone.jsonl'; "
                      "2 links to folders are not followed: 'some/circle', 'some/linked'\n", error)

    def test_an_unreadable_folder_is_an_error(self):
        self.write("some/a.jsonl", line("a"))
        closed = self.path("some/closed")
        closed.mkdir()
        closed.chmod(0)
        self.addCleanup(closed.chmod, stat.S_IRWXU)
        self.dir.chmod(0o755)
        command = [BINARY, "dedup", "some", "--dry-run"]
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        result = subprocess.run(command, cwd=self.dir, capture_output=True, check=False, timeout=TIMEOUT_S, stdin=subprocess.DEVNULL, **user)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot read the folder 'some/closed': Permission denied", result.stderr.decode())

    def test_tables_without_the_library_are_an_error(self):
        self.write("some/a.jsonl", line("a"))
        self.write("some/b.csv", "id,text\n1,x\n")
        bare = {"NEARDUP_DUCKDB": "", "HOME": str(self.dir), "XDG_CACHE_HOME": str(self.dir)}
        error = self.neardup("dedup", "some", "-o", "kept.jsonl", code=2, env=bare).stderr
        self.assertIn("'some/b.csv' is a table: Parquet, CSV and TSV need DuckDB's library, libduckdb.so, which was not found; "
                      "fetch it once by: neardup doctor --fetch-duckdb\n", error)
        self.neardup("dedup", "some", "-o", "kept.jsonl", "--format", "jsonl", env=bare)


class FoldersWithTables(TableTest):
    def test_tables_come_after_the_other_files(self):
        self.write("some/a.csv", f"id,text\na,{text_of('a')}\n")
        self.write("some/b.jsonl", line("b"))
        self.write("some/c.tsv", f"id\ttext\nc\t{text_of('c')}\n")
        self.write("some/d.txt", text_of("d"))
        self.write("some/_hidden.csv", "no table")
        self.write("more/e.jsonl", line("e"))
        result = self.neardup("dedup", "some", "more", "--annotate", "all.jsonl", "--recipe", "chars-5")
        self.assertEqual([record["id"] for record in self.records("all.jsonl")], ["b", "some/d.txt", "a", "c", "e"])
        self.assertIn("5 inputs (2 JSON Lines, 1 text, 1 CSV, 1 TSV)", result.stderr)
        self.assertNotIn("left out", result.stderr)
        for threads in ("1", "3"):
            self.neardup("dedup", "some", "more", "--annotate", f"{threads}.jsonl", "--recipe", "chars-5", "-q", "-j", threads)
            self.assertEqual(self.read(f"{threads}.jsonl"), self.read("all.jsonl"))

    def test_given_twice(self):
        self.write("some/a.csv", f"id,text\na,{text_of('a')}\n")
        self.write("some/b.jsonl", line("b"))
        self.assertIn("'some/a.csv' is given twice", self.fails("dedup", "some", "some/a.csv", code=2))
        os.symlink("b.jsonl", self.path("some/c.jsonl"))
        self.neardup("dedup", "some", "-o", "kept.jsonl", "-q")  # links are files of their own, as without tables

    def test_a_table_without_the_column(self):
        self.write("some/a.csv", "id,body\na,x\n")
        self.write("some/b.jsonl", line("b"))
        self.assertIn("'some/a.csv' has no column 'text'", self.fails("dedup", "some"))


class FoldersWithParquet(ParquetTest):
    def test_parquet_by_name_and_by_content(self):
        self.write_parquet("some/a.parquet", [{"id": "p", "text": text_of("p")}])
        self.write_parquet("some/part-7", [{"id": "q", "text": text_of("q")}])
        self.write("some/b.jsonl", line("b"))
        self.neardup("dedup", "some", "--annotate", "all.jsonl", "--recipe", "chars-5", "-q")
        self.assertEqual([record["id"] for record in self.records("all.jsonl")], ["b", "p", "q"])
        self.neardup("dedup", "some", "--format", "parquet", "--annotate", "all.jsonl", "--recipe", "chars-5", "-q")
        self.assertEqual([record["id"] for record in self.records("all.jsonl")], ["p", "q"])


if __name__ == "__main__":
    unittest.main()
