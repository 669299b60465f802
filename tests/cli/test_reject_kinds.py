"""Rejected records are counted by kind: by every command, from every kind of input, and by a resumed run as by one that never stopped."""
import gzip
import json
import signal
import sqlite3
import subprocess
import time
import unittest

import needs
import tables
from harness import BINARY, CliTest

LIBRARY = tables.duckdb_library()

BAD = [("broken_json", b'{"text": "never ends'), ("broken_json", b"[1]"), ("not_utf8", b'{"text": "caf\xe9"}'),
       ("missing_field", b'{"title": "x"}'), ("missing_field", b'{"text": null}'), ("missing_field", b"{}"), ("missing_field", b'{"a": 1}'),
       ("field_type", b'{"text": 5}'), ("field_type", b'{"text": ["a", 1]}'),
       ("too_long", b'{"text": "' + b"long " * 1000 + b'"}')]
EXPECTED = {"broken_json": 2, "not_utf8": 1, "missing_field": 4, "field_type": 2, "too_long": 1}
WHY = "4 missing the text field, 2 broken JSON, 2 with the text field of the wrong type, 1 not UTF-8, 1 too long"
LINE = f"rejected: 10 records: {WHY}"
LIMIT = ("--max-record-bytes", "4KiB")


def good(number):
    return json.dumps({"id": f"d{number}", "text": f"text {number} of the good ones, which has words enough: {number * 7919}"}).encode()


def mixed(bad=BAD, around=3):
    lines = []
    for number, (_, line) in enumerate(bad):
        lines += [good(number * around + i) for i in range(around)] + [line]
    return b"".join(line + b"\n" for line in lines)


class Kinds(CliTest):
    def kinds(self, counts):
        self.assertEqual(len(counts), 11, "all kinds are there")
        return {kind: count for kind, count in counts.items() if count}

    def test_every_command_that_reads_documents(self):
        self.write("in.jsonl", mixed())
        for words in (("dedup", "in.jsonl", "-o", "kept.jsonl"), ("pairs", "in.jsonl", "-o", "pairs.tsv"), ("quotes", "in.jsonl", "-o", "quotes.tsv"),
                      ("sketch", "in.jsonl", "-o", "sketches.jsonl"), ("clean", "in.jsonl", "-o", "clean.jsonl"),
                      ("tokenize", "in.jsonl", "-o", "tokens.jsonl"), ("lines", "fit", "in.jsonl", "-o", "lines.bin"),
                      ("idf", "fit", "in.jsonl", "-o", "in.idf")):
            with self.subTest(words):
                self.assertIn(f"\n{LINE}\n", self.neardup(*words, *LIMIT).stderr)
                summary = self.summary(*words, *LIMIT, "--metrics", "m.prom")
                self.assertEqual(self.kinds(summary["rejected_by_kind"]), EXPECTED)
                metrics = self.read("m.prom").decode()
                for kind, count in summary["rejected_by_kind"].items():
                    self.assertIn(f'\nneardup_documents_rejected_total{{kind="{kind}"}} {count}\n', metrics)

    def test_index_and_query(self):
        self.write("in.jsonl", mixed())
        for words in (("index", "build", "index", "in.jsonl", "--recipe", "simhash-chars-4", "--max-distance", "3"), ("query", "index", "in.jsonl"),
                      ("index", "build", "texts", "in.jsonl", "--kind", "clue"), ("search", "texts", "in.jsonl")):
            self.assertIn(f"\n{LINE}\n", self.neardup(*words, *LIMIT, "--summary", "s.json").stderr)
            self.assertEqual(self.kinds(json.loads(self.read("s.json"))["rejected_by_kind"]), EXPECTED)

    def test_without_rejects_nothing_is_said(self):
        self.write("in.jsonl", good(1) + b"\n")
        self.assertNotIn("\nrejected:", self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl").stderr)

    def test_reference_corpus_is_counted_apart(self):
        self.write("seen.jsonl", mixed())
        self.write("in.jsonl", b"{\n" + good(1) + b"\n")
        words = ("dedup", "in.jsonl", "--against", "seen.jsonl", "-o", "kept.jsonl", *LIMIT)
        summary = self.summary(*words)
        self.assertEqual(self.kinds(summary["rejected_by_kind"]), {"broken_json": 1})
        self.assertEqual(self.kinds(summary["reference_rejected_by_kind"]), EXPECTED)
        self.assertIn(f"\nreference corpus: 40 documents, 10 of them rejected: {WHY}\n", self.neardup(*words).stderr)

    def test_damaged_and_unreadable_files(self):
        self.write("texts/a.txt", "a text file")
        self.write("texts/b.txt", "x" * 5000)
        self.write("c.jsonl.gz", gzip.compress(good(1) + b"\n" + good(2) + b"\n")[:-10])
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: br\r\n\r\nxyz"
        self.write("d.warc", b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(block), block) + b"WARC/1.0\r\nWARC-")
        summary = self.summary("dedup", "texts", "c.jsonl.gz", "d.warc", "-o", "kept.jsonl", *LIMIT, "--max-rejects", "100%")
        self.assertEqual(self.kinds(summary["rejected_by_kind"]), {"too_long": 1, "damaged": 2, "unreadable": 1})

    def test_tables(self):
        with sqlite3.connect(self.path("base.db")) as base:
            base.execute("create table t (id integer primary key, text)")
            base.executemany("insert into t (text) values (?)", [("a text of a row",), (None,), (5,), ("another text",), (None,)])
        base.close()
        self.assertEqual(self.kinds(self.summary("dedup", "sqlite://base.db?table=t", "-o", "kept.jsonl")["rejected_by_kind"]),
                         {"missing_field": 2, "field_type": 1})

    def test_table_files(self):
        needs.stop_if(tables.missing(LIBRARY))
        self.write("in.csv", 'id,text\n1,"a text of a row"\n2,\n3,"another text"\n')
        self.assertEqual(self.kinds(self.summary("dedup", "in.csv", "-o", "kept.jsonl", "--duckdb-library", LIBRARY)["rejected_by_kind"]), {"missing_field": 1})


class Resumed(CliTest):
    def test_counts_are_those_of_a_run_that_never_stopped(self):
        """Wherever it was ended: in the first pass, when all is decided, when all is done."""
        files = [self.write(f"in{i:02}.jsonl", mixed(around=200)) for i in range(24)]
        run = ["dedup", *files, "-o", "kept.jsonl", "--rejects", "rejects.jsonl", *LIMIT, "--max-rejects", "100%"]
        expected = {kind: 24 * count for kind, count in EXPECTED.items()}
        said = "rejected: 240 records: 96 missing the text field, 48 broken JSON, 48 with the text field of the wrong type, 24 not UTF-8, 24 too long\n"
        self.assertIn(said, self.neardup(*run).stderr)
        whole = self.read("rejects.jsonl")
        for number in (signal.SIGINT, signal.SIGKILL):
            subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
            process = subprocess.Popen([BINARY, *run, "--work", "work", "--threads", "1"], cwd=self.dir, stderr=subprocess.DEVNULL)
            while not list(self.path("work").glob("sketch-*.part")) and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(number)
            process.wait()
            for turn in range(2):
                self.path("rejects.jsonl").unlink(missing_ok=True)
                events = self.neardup("dedup", "--resume", "work", "--log-format", "json", "--metrics", "m.prom").stderr.splitlines()
                summary = json.loads(events[-1])["summary"]
                self.assertEqual({kind: count for kind, count in summary["rejected_by_kind"].items() if count}, expected, turn)
                self.assertEqual(self.read("rejects.jsonl"), whole)
                self.assertIn('\nneardup_documents_rejected_total{kind="missing_field"} 96\n', self.read("m.prom").decode())
        for decided in self.path("work").glob("decided*"):
            decided.unlink()
        self.assertIn(said, self.neardup("dedup", "--resume", "work").stderr)
        more = self.write("more.jsonl", mixed())
        self.assertIn("rejected: 250 records: 100 missing the text field, 50 broken JSON, 50 with the text field of the wrong type, 25 not UTF-8, 25 too long\n",
                      self.neardup("dedup", "--resume", "work", "--add", more).stderr)


if __name__ == "__main__":
    unittest.main()
