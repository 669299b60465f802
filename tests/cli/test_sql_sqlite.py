"""Tables in SQLite as inputs and outputs."""
import sqlite3
import threading
import time
import unittest

from harness import CliTest
from sql_case import SqlCase
from sql_databases import EMOJI, Database, corpus
from sql_source_cases import SourceCases
from sql_target_cases import TargetCases


class TestSqlite(SourceCases, TargetCases, SqlCase, CliTest):
    uuid_type = "TEXT"

    def setUp(self):
        super().setUp()
        self.db = Database(self.dir)

    def test_every_type(self):
        self.db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT COLLATE NOCASE, n NUMERIC, r REAL, b BLOB, any)")
        rows = [(1, "first text " + EMOJI, 12, 0.1, b"\0\1\xff", "a"), (2, "second words \0 with zero", 1.5, 5.0, b"", 7),
                (3, "third and last", None, None, None, None), (-2**63, "least of all keys", 2**63 - 1, 1e300, b"x", 2.0)]
        self.db.run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)
        self.dedup(self.db.uri("t"), "-o", self.db.uri("result"))
        self.dedup(self.db.uri("t"), "-o", "out.jsonl")
        self.assertEqual(sorted(self.db.run("SELECT * FROM result")), sorted(rows))
        self.assertEqual(self.db.run("SELECT name, type FROM pragma_table_info('result')"), self.db.run("SELECT name, type FROM pragma_table_info('t')"))
        first = next(record for record in self.records("out.jsonl") if record["id"] == 1)
        self.assertEqual(first, {"id": 1, "text": rows[0][1], "n": 12, "r": 0.1, "b": "AAH/", "any": "a"})

    def test_bytes_that_are_no_utf8_are_repaired_and_counted(self):
        self.db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
        self.db.run("INSERT INTO t VALUES (1, CAST(x'616263ff20646566' AS TEXT)), (2, 'quite other words')")
        summary = self.summary("dedup", self.db.uri("t"), "-o", "kept.jsonl")
        self.assertEqual(summary["repaired"], 1)
        self.assertEqual(self.records("kept.jsonl")[0]["text"].encode("utf-8", "surrogateescape"), b"abc\xff def")

    def test_rowid_and_case_insensitive_keys(self):
        self.db.run("CREATE TABLE t (text TEXT)")
        self.db.run("INSERT INTO t VALUES (?)", [(text,) for _, text in corpus()[:30]])
        self.assertIn("--key rowid", self.dedup(self.db.uri("t"), "-o", "x", code=1).stderr)
        self.dedup(self.db.uri("t"), "--key", "rowid", "-o", "kept.jsonl")
        self.assertEqual([record["rowid"] for record in self.records("kept.jsonl")], self.kept_of([(i, text) for i, (_, text) in enumerate(corpus()[:30], 1)]))
        self.db.run("CREATE TABLE c (id TEXT COLLATE NOCASE, text TEXT)")
        self.db.run("INSERT INTO c VALUES ('a', 'one text'), ('A', 'two texts')")
        self.assertIn("several rows have the key", self.dedup(self.db.uri("c"), "--key", "id", "-o", "x", code=1).stderr)

    def test_files_that_are_no_database(self):
        self.assertIn("No such file or directory", self.dedup("sqlite://none.db?table=docs", "-o", "x", code=1).stderr)
        self.write("text.db", "this is not a database, and long enough to be looked at " * 20)
        self.assertIn("not a database", self.dedup("sqlite://text.db?table=docs", "-o", "x", code=1).stderr)
        self.assertFalse(self.path("none.db").exists(), "a source is not made")

    def test_a_row_that_changes_while_it_is_read(self):
        """The second reading tells what the first one saw."""
        self.fill(rows=[(i, f"text {i} " + "y" * 2000) for i in range(4000)])
        stop = threading.Event()

        def change():
            connection = sqlite3.connect(self.db.file, timeout=30)
            while not stop.is_set():
                with connection:
                    connection.execute("DELETE FROM docs WHERE id = (SELECT MIN(id) FROM docs)")
                time.sleep(0.02)
            connection.close()
        changer = threading.Thread(target=change)
        changer.start()
        try:
            failed = self.dedup(self.db.uri("docs"), "-o", "kept.jsonl", code=1)
        finally:
            stop.set()
            changer.join()
        self.assertIn("rows changed while they were read", failed.stderr)
        self.assertFalse(self.path("kept.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
