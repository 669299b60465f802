"""Tables as inputs and outputs: SQLite always; MariaDB and PostgreSQL on throwaway servers where their programs are installed."""
import json
import sqlite3
import subprocess
import threading
import time
import unittest
import uuid

import harness
import sql_servers

EMOJI = "a \U0001F600 face, 中文文本去重，and 'quotes' \"double\" \\ back `tick` \t tab \n line"
SUBJECTS = ("The council", "A committee", "The orchestra", "My neighbour", "The museum", "An engineer", "The village", "Our teacher")
ACTIONS = ("repaired the old bridge", "opened a new wing", "painted the long fence", "measured the quiet river", "planted forty trees",
           "printed the annual report", "closed the northern road", "cooked for the whole street")
ENDS = ("before the summer holidays began.", "although it rained for a week.", "and nobody noticed until Friday.", "with money from the lottery.",
        "because the mayor had promised it.", "under the light of two lamps.")


def corpus():
    """(id, text): every sixth text is a copy or near copy of an earlier one."""
    texts = [f"{a} {b} {c} Chapter {i} of {len(a) * i}, page {i * 7}, 第{i}章 内容各不相同。" for i, (a, b, c) in
             enumerate((a, b, c) for a in SUBJECTS for b in ACTIONS for c in ENDS)]
    return [(10 + 3 * i, texts[i - 5].upper() if i % 6 == 5 else text) for i, text in enumerate(texts)]


class Database:
    """What the cases need of a server, whichever it is."""
    name = "SQLite"
    integer, text, key_text, blob = "INTEGER", "TEXT", "TEXT", "BLOB"
    server = None

    def __init__(self, directory):
        self.file = directory / "corpus.db"

    def uri(self, table=None, **parameters):
        return sql_servers.uri("x", "u", "p", 0, "d", table, parameters).replace("x://u:p@127.0.0.1:0/d", f"sqlite://{self.file}")

    def run(self, statement, rows=()):
        connection = sqlite3.connect(self.file)
        with connection:
            result = connection.executemany(statement, rows) if rows else connection.execute(statement)
            found = result.fetchall()
        connection.close()
        return found

    def literal(self, value):
        if value is None:
            return "NULL"
        if isinstance(value, bytes):
            return self.bytes_literal(value)
        return str(value) if isinstance(value, (int, float)) else "'" + value.replace("'", "''") + "'"

    def bytes_literal(self, value):
        return f"x'{value.hex()}'"

    def quote(self, name):
        return '"' + name.replace('"', '""') + '"'

    def create(self, table, columns, rows):
        """columns: name -> type; rows: tuples."""
        made = ", ".join(f"{self.quote(name)} {kind}" for name, kind in columns.items())
        self.run(f"CREATE TABLE {self.quote(table)} ({made})")
        for at in range(0, len(rows), 200):
            values = ", ".join("(" + ", ".join(map(self.literal, row)) + ")" for row in rows[at:at + 200])
            self.run(f"INSERT INTO {self.quote(table)} VALUES {values}")

    def tables(self):
        return {row[0] for row in self.run("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def count(self, table):
        return int(self.run(f"SELECT COUNT(*) FROM {self.quote(table)}")[0][0])

    def drop_all(self):
        for table in self.tables():
            self.run(f"DROP TABLE {self.quote(table)}")


class MariaDatabase(Database):
    name = "MariaDB"
    integer, text, key_text, blob = "BIGINT", "LONGTEXT", "VARCHAR(100)", "LONGBLOB"

    def __init__(self, server):
        self.server = server

    def uri(self, table=None, **parameters):
        return self.server.uri(table, **parameters)

    def run(self, statement, rows=()):
        return [tuple(row) for row in self.server.sql(statement, "corpus")]

    def literal(self, value):
        return super().literal(value.replace("\\", "\\\\") if isinstance(value, str) else value)

    def quote(self, name):
        return "`" + name.replace("`", "``") + "`"

    def tables(self):
        return {row[0] for row in self.run("SHOW TABLES")}


class PostgresDatabase(Database):
    name = "PostgreSQL"
    integer, text, key_text, blob = "bigint", "text", "text", "bytea"

    def __init__(self, server):
        self.server = server

    def uri(self, table=None, **parameters):
        return self.server.uri(table, **parameters)

    def run(self, statement, rows=()):
        return [tuple(row) for row in self.server.sql("SET ROLE tester; " + statement)]

    def bytes_literal(self, value):
        return f"'\\x{value.hex()}'"

    def tables(self):
        return {row[0] for row in self.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}


class SqlCases:
    """Run for each kind of database."""

    def fill(self, table="docs", rows=None):
        rows = corpus() if rows is None else rows
        self.db.create(table, {"id": self.db.integer + " PRIMARY KEY", "text": self.db.text}, rows)
        return rows

    def kept_of(self, rows):
        """The ids that the same run over files keeps."""
        self.write("same.jsonl", [{"id": key, "text": text} for key, text in rows])
        self.neardup("dedup", "same.jsonl", "-o", "same.kept.jsonl")
        return [record["id"] for record in self.records("same.kept.jsonl")]

    def dedup(self, *arguments, **keywords):
        return self.neardup("dedup", *arguments, **keywords)

    def ids(self, table):
        return [int(row[0]) for row in self.db.run(f"SELECT id FROM {self.db.quote(table)} ORDER BY id")]

    def test_keeps_what_the_same_run_over_files_keeps(self):
        rows = self.fill()
        kept = self.kept_of(rows)
        self.assertLess(len(kept), len(rows))
        self.dedup(self.db.uri("docs"), "-o", "kept.jsonl", "--removed", self.db.uri("gone"))
        self.assertEqual([record["id"] for record in self.records("kept.jsonl")], kept)
        self.assertEqual([record["text"] for record in self.records("kept.jsonl")], [text for key, text in rows if key in set(kept)])
        self.assertEqual(self.ids("gone"), [key for key, _ in rows if key not in set(kept)])
        self.dedup("kept.jsonl", "-o", self.db.uri("kept"))
        self.assertEqual(self.ids("kept"), kept)

    def test_whole_table_and_small_batches_are_the_same(self):
        rows = [(i, f"text {i} " + "x" * 9000) for i in range(-700, 700)]  # several batches of 4 MiB
        self.fill(rows=rows)
        for threads in ("1", "4"):
            self.dedup(self.db.uri("docs"), "-o", f"kept{threads}.jsonl", "--recipe", "words-5", "--threads", threads)
        self.assertEqual(self.read("kept1.jsonl"), self.read("kept4.jsonl"))
        self.assertEqual([record["id"] for record in self.records("kept1.jsonl")], self.kept_of(rows))

    def test_other_batches_than_when_the_run_began(self):
        """Rows that grow are cut elsewhere: what was done does not fit any more, and the refusal says so."""
        self.fill(rows=[(i, f"text {i} " + "x" * 9000) for i in range(1000)])
        self.dedup(self.db.uri("docs"), "-o", "kept.jsonl", "--work", "work", "--prepare")
        self.neardup("task", "work", "0")
        self.db.run(f"UPDATE docs SET text = '{'y' * 20000}' WHERE id < 300")
        self.assertRegex(self.dedup("--resume", "work", code=2).stderr, r"changed: it had 1000 rows.* [0-9]+ to a batch, and has 1000 rows")
        self.assertFalse(self.path("kept.jsonl").exists())

    def test_repeating_refusing_appending_replacing(self):
        rows = self.fill()
        kept = self.kept_of(rows)
        out = self.db.uri("kept")
        self.dedup(self.db.uri("docs"), "-o", out)
        self.assertEqual(self.ids("kept"), kept)
        refused = self.dedup(self.db.uri("docs"), "-o", out, code=1)
        self.assertIn("has rows already", refused.stderr)
        self.dedup(self.db.uri("docs"), "-o", out, "--append")
        self.assertEqual(self.ids("kept"), kept)
        self.dedup(self.db.uri("docs"), "-o", out, "--replace", "--where", "id < 100")
        self.assertEqual(self.ids("kept"), [key for key in kept if key < 100])
        self.dedup(self.db.uri("docs"), "-o", out, "--append")
        self.assertEqual(self.ids("kept"), kept)
        self.db.run(f"UPDATE kept SET text = 'another' WHERE id = {kept[3]}")
        refused = self.dedup(self.db.uri("docs"), "-o", out, "--append", code=1)
        self.assertIn(f"id = {kept[3]}", refused.stderr)
        self.assertEqual(self.db.tables(), {"docs", "kept"}, "nothing is left behind")

    def test_verdicts_and_annotations(self):
        rows = self.fill()
        kept = set(self.kept_of(rows))
        self.dedup(self.db.uri("docs"), "--verdicts", self.db.uri("verdicts"), "--annotate", self.db.uri("annotated"))
        found = self.db.run("SELECT id, row, verdict, keeper_id, similarity FROM verdicts ORDER BY row".replace("row", self.db.quote("row")))
        self.assertEqual([(int(row[0]), int(row[1]), row[2]) for row in found],
                         [(key, i, "keep" if key in kept else "remove") for i, (key, _) in enumerate(rows, 1)])
        self.assertTrue(all(int(row[3]) in kept and float(row[4]) >= 0.8 for row in found if row[2] == "remove"))
        for _ in range(2):  # the second time the columns are there
            self.dedup(self.db.uri("docs"), "--annotate", self.db.uri("docs"))
            for table in ("docs", "annotated"):
                found = self.db.run(f"SELECT id, neardup_verdict, text FROM {table} ORDER BY id")
                self.assertEqual([(int(row[0]), row[1]) for row in found], [(key, "keep" if key in kept else "remove") for key, _ in rows])
            self.db.run("UPDATE docs SET neardup_verdict = 'old'")
        self.assertEqual(self.db.tables(), {"docs", "verdicts", "annotated"})

    def test_chosen_and_computed_fields(self):
        rows = self.fill()
        kept = self.kept_of(rows)
        texts = dict(rows)
        places = {key: place for place, (key, _) in enumerate(rows, 1)}
        columns = "ques, old_id, place"
        self.dedup(self.db.uri("docs"), "--fields", "ques=$text,old_id=id,place=$row", "-o", self.db.uri("chosen"))
        found = self.db.run(f"SELECT {columns} FROM chosen ORDER BY old_id")
        self.assertEqual([(row[0], int(row[1]), int(row[2])) for row in found], [(texts[key], key, places[key]) for key in kept])
        self.dedup(self.db.uri("chosen"), "--text-field", "ques", "-o", "chosen.jsonl")
        self.assertEqual({name for record in self.records("chosen.jsonl") for name in record}, {"ques", "old_id", "place"})
        self.dedup(self.db.uri("docs"), "--fields", "id=$row,text=text,again=text", "-o", self.db.uri("numbered"))
        self.assertEqual([(int(row[0]), row[1]) for row in self.db.run("SELECT id, again FROM numbered ORDER BY id")],
                         [(places[key], texts[key]) for key in kept])
        self.dedup(self.db.uri("docs"), "--fields", "ques=$text", "-o", self.db.uri("bare"))
        self.assertEqual(self.db.count("bare"), len(kept))

    def test_the_input_is_not_an_output(self):
        rows = self.fill()
        for option in ("--append", "--replace"):
            refused = self.dedup(self.db.uri("docs"), "-o", self.db.uri("docs"), option, code=1)
            self.assertIn("the output is also an input", refused.stderr)
        self.assertEqual(self.db.count("docs"), len(rows))
        same = self.dedup(self.db.uri("docs"), "-o", self.db.uri("result"), "--removed", self.db.uri("result"), code=1)
        self.assertIn("two outputs are the same", same.stderr)

    def test_where_and_query(self):
        rows = self.fill()
        self.dedup(self.db.uri("docs"), "--where", "id >= 100 AND id < 400 OR id = 10", "-o", "kept.jsonl")
        self.assertEqual([record["id"] for record in self.records("kept.jsonl")],
                         self.kept_of([row for row in rows if 100 <= row[0] < 400 or row[0] == 10]))
        query = "SELECT id AS k, text AS body FROM docs WHERE id < 300 -- a comment; \n;"
        self.dedup(self.db.uri(query=query), "--key", "k", "--text-field", "body", "-o", "kept.jsonl", "--where", "k > 50")
        self.assertEqual([record["k"] for record in self.records("kept.jsonl")], self.kept_of([row for row in rows if 50 < row[0] < 300]))
        self.assertIn("--key", self.dedup(self.db.uri(query=query), "-o", "x.jsonl", code=1).stderr)
        self.assertIn("'nope'", self.dedup(self.db.uri(query=query), "--key", "nope", "-o", "x.jsonl", code=1).stderr)

    def test_keys_of_text_and_uuid(self):
        names = ["a", "A", "ä", "Z", "z", "", " ", "a ", "10", "9", "中", "文", "\U0001F600", "'", "\\", "%", "_"]
        rows = [(str(uuid.UUID(int=i * 7919 << 64 | i)), f"document number {i} of {i * i} is not like any other at all {i * 31}") for i in range(300)]
        self.db.create("by_uuid", {"id": self.uuid_type + " PRIMARY KEY", "text": self.db.text}, rows)
        self.dedup(self.db.uri("by_uuid"), "-o", self.db.uri("result"), "--verdicts", "v.jsonl")
        self.assertEqual(self.db.run("SELECT id, text FROM result ORDER BY id"), self.db.run("SELECT id, text FROM by_uuid ORDER BY id"))
        kind = self.db.key_text + (" COLLATE utf8mb4_nopad_bin" if self.db.name == "MariaDB" else "")
        texts = [(name, f"document {i} tells of {i * 17} things that no other one tells of, and of {i} more") for i, name in enumerate(names)]
        self.db.create("by_name", {"id": kind + " PRIMARY KEY", "text": self.db.text}, texts)
        self.dedup(self.db.uri("by_name"), "-o", "names.jsonl")
        self.assertEqual({(record["id"], record["text"]) for record in self.records("names.jsonl")}, set(texts))

    def test_keys_that_are_none(self):
        self.db.create("loose", {"id": self.db.integer, "name": self.db.key_text, "text": self.db.text},
                       [(1, "a", "one text"), (2, "b", "two texts"), (None, "b", "three texts")])
        self.assertIn("no primary key; name a column with unique values by --key", self.dedup(self.db.uri("loose"), "-o", "x", code=1).stderr)
        self.assertIn("'id' is NULL in some rows", self.dedup(self.db.uri("loose"), "--key", "id", "-o", "x", code=1).stderr)
        self.assertIn("several rows have the key 'name' = \"b\"", self.dedup(self.db.uri("loose"), "--key", "name", "-o", "x", code=1).stderr)
        self.dedup(self.db.uri("loose"), "--key", "text", "-o", "kept.jsonl")
        self.assertEqual([record["text"] for record in self.records("kept.jsonl")], ["one text", "three texts", "two texts"])

    def test_names_that_are_hostile(self):
        evil = "x'; DROP TABLE docs; -- \"` é.1"
        columns = {"k\"`']": self.db.integer + " PRIMARY KEY", "te;xt\" OR 1=1": self.db.text}
        rows = self.fill(rows=corpus()[:60])
        self.db.create(evil, columns, rows)
        table = '"' + evil.replace('"', '""') + '"'
        out = '"' + evil.replace('"', '""') + ' out"'
        self.dedup(self.db.uri(table), "--text-field", "te;xt\" OR 1=1", "-o", self.db.uri(out), "--annotate", self.db.uri(table))
        self.assertEqual(self.db.count("docs"), 60)
        self.assertEqual(self.db.count(evil), 60)
        self.assertEqual(self.db.count(evil + " out"), len(self.kept_of(rows)))
        for bad in ("docs; DROP TABLE docs", "docs WHERE 1=1", "docs\" --"):
            self.dedup(self.db.uri(bad), "-o", "x.jsonl", code=1)
        self.dedup(self.db.uri(query="SELECT 1; DROP TABLE docs"), "--key", "id", "-o", "x.jsonl", code=1)
        self.dedup(self.db.uri("docs"), "--where", "1=1); DROP TABLE docs; --", "-o", "x.jsonl", code=1)
        self.assertEqual(self.db.count("docs"), 60)

    def test_long_names_do_not_meet(self):
        name = "n" * 63
        self.db.create(name, {"id": self.db.integer + " PRIMARY KEY", "text": self.db.text}, [(1, "stays here")])
        rows = self.fill(rows=corpus()[:20])
        self.assertIn("has rows already", self.dedup(self.db.uri("docs"), "-o", self.db.uri(name), code=1).stderr)
        self.assertEqual(self.db.count(name), 1)
        self.dedup(self.db.uri("docs"), "-o", self.db.uri(name), "--replace")
        self.assertEqual(self.ids(name), self.kept_of(rows))
        self.assertEqual(self.db.tables(), {"docs", name})

    def test_missing_things_are_named(self):
        self.fill(rows=corpus()[:5])
        self.assertIn("no table", self.dedup(self.db.uri("nothing"), "-o", "x", code=1).stderr)
        missing = self.dedup(self.db.uri("docs"), "--text-field", "body", "-o", "x", code=1).stderr
        self.assertIn("'body'", missing)
        self.assertIn("id, text", missing)
        self.assertIn("'who'", self.dedup(self.db.uri("docs"), "--id-field", "who", "-o", "x", code=1).stderr)
        self.assertIn("no column 'nokey'", self.dedup(self.db.uri("docs"), "--key", "nokey", "-o", "x", code=1).stderr)
        self.assertIn("table=", self.dedup(self.db.uri(), "-o", "x", code=1).stderr)
        self.assertFalse(self.path("x").exists())

    def test_lines_of_any_shape_become_rows(self):
        records = [{"id": 1, "text": "first text " + EMOJI, "n": 1, "flag": True, "late": None, "mix": 5, "deep": {"a": [1, None, "中"]}},
                   {"id": 2, "text": "second words, quite other ones", "n": 2.5, "flag": False, "late": None, "mix": "five", "deep": [1]},
                   {"id": 9007199254740993, "text": "third text of many things", "n": None, "more": "added", "late": 3, "big": 12345678901234567890123}]
        self.write("in.jsonl", records)
        self.dedup("in.jsonl", "-o", self.db.uri("result"))
        self.dedup(self.db.uri("result"), "-o", "back.jsonl")
        back = {record["id"]: record for record in self.records("back.jsonl")}
        self.assertEqual(set(back), {1, 2, 9007199254740993})
        for record in records:
            for name in ("text", "n", "late", "more"):
                self.assertEqual(back[record["id"]][name], record.get(name), name)
        self.assertIn(back[1]["mix"], (5, "5"))
        self.assertEqual(back[2]["mix"], "five")
        self.assertEqual(str(back[9007199254740993]["big"]), "12345678901234567890123")
        self.assertEqual([bool(back[1]["flag"]), bool(back[2]["flag"])], [True, False])
        deep = back[1]["deep"]
        self.assertEqual(json.loads(deep) if isinstance(deep, str) else deep, {"a": [1, None, "中"]})
        self.write("twice.jsonl", [{"id": 5, "text": "one text"}, {"id": 6, "text": "two others"}, {"id": 5, "text": "something else here"}])
        self.assertIn("two rows have the key id = 5", self.dedup("twice.jsonl", "-o", self.db.uri("twice"), code=1).stderr)
        self.write("none.jsonl", [{"id": 5, "text": "one text"}, {"text": "two others"}])
        self.assertIn("a row has no 'id'", self.dedup("none.jsonl", "-o", self.db.uri("twice"), code=1).stderr)
        self.assertEqual(self.db.tables(), {"result"})

    def test_empty_tables(self):
        self.fill(rows=[])
        self.dedup(self.db.uri("docs"), "-o", self.db.uri("result"), "--verdicts", self.db.uri("v"))
        self.assertEqual((self.db.count("result"), self.db.count("v")), (0, 0))
        self.fill("full", corpus()[:12])
        self.dedup(self.db.uri("full"), "-o", self.db.uri("result"))  # a table without rows is filled
        self.assertEqual(self.ids("result"), self.kept_of(corpus()[:12]))

    def test_a_table_of_ones_own_keeps_its_types_and_defaults(self):
        number = {"SQLite": "INTEGER PRIMARY KEY", "MariaDB": "BIGINT AUTO_INCREMENT PRIMARY KEY", "PostgreSQL": "serial PRIMARY KEY"}[self.db.name]
        word = self.db.key_text
        self.db.create("own", {"nr": number, "id": word, "state": word + " NOT NULL DEFAULT 'new'", "text": self.db.text}, [])
        self.write("in.jsonl", [{"text": "first of the texts", "id": 5}, {"text": "second, which is other"}, {"id": "x", "text": "a third without rival"}])
        self.dedup("in.jsonl", "-o", self.db.uri("own"))
        null = None if self.db.name == "SQLite" else {"MariaDB": "NULL", "PostgreSQL": ""}[self.db.name]
        self.assertEqual(self.db.run("SELECT state, text, id FROM own ORDER BY nr"),
                         [("new", "first of the texts", "5"), ("new", "second, which is other", null), ("new", "a third without rival", "x")])
        self.assertIn("'nr'", self.dedup("in.jsonl", "-o", self.db.uri("own"), "--append", code=1).stderr)
        self.write("more.jsonl", [{"id": 7, "text": "one more", "color": "red"}])
        self.db.run("DELETE FROM own")
        self.assertIn("no column 'color'", self.dedup("more.jsonl", "-o", self.db.uri("own"), code=1).stderr)

    def test_text_with_zero_bytes(self):
        self.write("in.jsonl", [{"id": 1, "text": "zero \0 byte"}, {"id": 2, "text": "nothing of the kind at all"}])
        if self.db.name == "PostgreSQL":
            self.assertIn("zero byte", self.dedup("in.jsonl", "-o", self.db.uri("result"), code=1).stderr)
            return
        self.dedup("in.jsonl", "-o", self.db.uri("result"))
        self.dedup(self.db.uri("result"), "-o", "back.jsonl")
        self.assertEqual(self.records("back.jsonl")[0], {"id": 1, "text": "zero \0 byte"})


class TestSqlite(SqlCases, harness.CliTest):
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
        self.assertIn("unable to open", self.dedup("sqlite://none.db?table=docs", "-o", "x", code=1).stderr)
        self.write("text.db", "this is no database, and long enough to be looked at " * 20)
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


class ServerCases(SqlCases):
    """What only a server has: users, and an end."""
    start = None

    @classmethod
    def setUpClass(cls):
        cls.server = cls.start()
        if cls.server is None:
            raise unittest.SkipTest(f"no {cls.label} server is installed: its cases are not run")
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        super().setUp()
        self.db = self.database(self.server)
        self.addCleanup(self.db.drop_all)

    def assert_secret(self, result):
        for secret in (self.server.password, "wr0ng-password"):
            self.assertNotIn(secret, result.stderr)
        self.assertNotIn(self.server.user, result.stderr)

    def test_wrong_password_wrong_user_no_server_no_database(self):
        self.fill(rows=corpus()[:5])
        for wrong in ({"password": "wr0ng-password"}, {"user": "nobody-of-that-name"}, {"database": "nodatabase"}):
            started = time.monotonic()
            failed = self.dedup(self.server.uri("docs", **wrong), "-o", "x", code=1)
            self.assert_secret(failed)
            self.assertIn("127.0.0.1", failed.stderr)
            self.assertLess(time.monotonic() - started, 5, "what stays wrong is not tried again")
        failed = self.dedup(self.server.uri("docs", port=sql_servers.free_port()), "-o", "x", code=1)
        self.assert_secret(failed)
        self.assertIn("cannot connect", failed.stderr)
        self.assert_secret(self.dedup(self.db.uri("docs"), "-o", "kept.jsonl", "--verdicts", "verdicts.jsonl", "--summary", "summary.json"))
        for name in ("verdicts.jsonl", "summary.json"):
            self.assertNotIn(self.server.password.encode(), self.read(name))
            self.assertNotIn(self.server.user.encode(), self.read(name))

    def fill_many(self):
        rows = [(i, f"text number {i} is {i * 7919} and nothing else " + "z" * (i % 97) * 40) for i in range(12000)]
        self.fill(rows=rows)
        return len(rows)

    def run_that_writes(self):
        """A run that has begun to write its result."""
        process = subprocess.Popen([harness.BINARY, "dedup", self.db.uri("docs"), "-o", self.db.uri("result"), "--threads", "2"], cwd=self.dir,
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while time.monotonic() < end and process.poll() is None and "result_neardup_partial" not in self.db.tables():
            time.sleep(0.005)
        return process

    def test_killed_in_the_middle(self):
        count = self.fill_many()
        process = self.run_that_writes()
        self.server.kill()
        self.server.start()  # in time: the run goes on
        stderr = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 0, stderr)
        self.assertEqual(self.db.count("result"), count)
        self.assertEqual(int(self.db.run("SELECT COUNT(DISTINCT id) FROM result")[0][0]), count)
        self.db.run("DROP TABLE result")
        process = self.run_that_writes()
        self.server.kill()  # and does not come back
        stderr = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 1, stderr)
        self.assertIn("127.0.0.1", stderr)
        self.assertNotIn(self.server.password, stderr)
        self.server.start()
        self.assertNotIn("result", self.db.tables())
        self.dedup(self.db.uri("docs"), "-o", self.db.uri("result"))
        self.assertEqual(self.db.count("result"), count)
        self.assertEqual(self.db.tables(), {"docs", "result"})


class TestMariaDb(ServerCases, harness.CliTest):
    label = "MariaDB"
    start = staticmethod(sql_servers.start_mariadb)
    database = MariaDatabase
    uuid_type = "UUID"

    def test_a_server_that_forgets_what_it_acknowledged(self):
        """With this setting a server that is killed may lose the last second: then there is no result, rather than a part of one."""
        count = self.fill_many()
        self.server.sql("SET GLOBAL innodb_flush_log_at_trx_commit = 0")
        for wait in (0, 0.02, 0.05, 0.1, 0.2):
            process = self.run_that_writes()
            time.sleep(wait)
            self.server.kill()
            self.server.start()
            self.server.sql("SET GLOBAL innodb_flush_log_at_trx_commit = 0")
            stderr = process.communicate()[1].decode()
            if process.returncode == 0:
                self.assertEqual(self.db.count("result"), count)
                self.db.run("DROP TABLE result")
            else:
                self.assertIn("the server lost some", stderr)
                self.assertEqual(self.db.tables(), {"docs"})
        self.server.sql("SET GLOBAL innodb_flush_log_at_trx_commit = 2")

    def test_verdicts_alone_ask_for_no_rows(self):
        rows = [(i, f"text {i} " + "x" * 5000) for i in range(2000)]
        self.fill(rows=rows)

        def sent_by(*arguments):
            def sent():
                return int(self.db.run("SHOW GLOBAL STATUS LIKE 'Bytes_sent'")[0][1])
            before = sent()
            self.dedup(self.db.uri("docs"), *arguments)
            return sent() - before
        judged = sent_by("--dry-run")
        self.assertGreater(judged, 2000 * 5000)
        self.assertLess(sent_by("--verdicts", "v.jsonl"), judged * 1.2)
        self.assertEqual([verdict["row"] for verdict in self.records("v.jsonl")], list(range(1, 2001)))
        self.assertGreater(sent_by("-o", "kept.jsonl"), judged * 1.8)

    def test_every_type(self):
        types = {"id": "INT PRIMARY KEY", "text": "MEDIUMTEXT", "d": "DECIMAL(20,6)", "f": "FLOAT", "g": "DOUBLE", "u": "BIGINT UNSIGNED",
                 "z": "INT(8) ZEROFILL", "t": "TINYINT(1)", "dt": "DATETIME(6)", "ts": "TIMESTAMP NULL", "ti": "TIME", "y": "YEAR", "j": "JSON",
                 "b": "VARBINARY(20)", "l": "LATIN", "e": "ENUM('small','large')", "bits": "BIT(10)"}
        types["l"] = "VARCHAR(20) CHARACTER SET latin1"
        rows = [(1, "first " + EMOJI, 12345678901234.5, 0.1, 0.1, 2**64 - 1, 42, 1, "2024-02-29 12:34:56.789012", "2024-01-01 00:00:00", "-10:00:01", 1999,
                 '{"a": [1, 2.50, null, "中"]}', b"\0\1\xff", "éa", "large", 5), (2, "second words of another kind", *[None] * 15)]
        self.db.create("t", types, rows)
        self.dedup(self.db.uri("t"), "-o", self.db.uri("result"))
        self.dedup(self.db.uri("t"), "-o", "out.jsonl")
        self.assertEqual(self.db.run("SELECT * FROM result ORDER BY id"), self.db.run("SELECT * FROM t ORDER BY id"))
        kinds = "SELECT COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME FROM information_schema.columns WHERE TABLE_NAME = '{}' ORDER BY 1"
        self.assertEqual(self.db.run(kinds.format("result")), self.db.run(kinds.format("t")))
        first = self.records("out.jsonl")[0]
        self.assertEqual({name: first[name] for name in ("u", "z", "t", "dt", "ti", "y", "j", "b", "l", "e", "bits", "g")},
                         {"u": 2**64 - 1, "z": 42, "t": 1, "dt": "2024-02-29 12:34:56.789012", "ti": "-10:00:01", "y": 1999,
                          "j": {"a": [1, 2.5, None, "中"]}, "b": "AAH/", "l": "éa", "e": "large", "bits": 5, "g": 0.1})
        self.assertIn(b'"d":12345678901234.500000', self.read("out.jsonl"))
        self.assertIn("ENUM", self.dedup(self.db.uri("t"), "--key", "e", "-o", "x", code=1).stderr)

    def test_keys_without_case_lose_no_row(self):
        """By a collation without case 'a' < 'B' < 'c': order and ranges are the server's alike."""
        rows = [(f"{'aAbBcC'[i % 6]}{i:05}", f"text {i} " + "w" * 9000) for i in range(1400)]
        self.db.create("t", {"id": "VARCHAR(20) COLLATE utf8mb4_general_ci PRIMARY KEY", "text": "LONGTEXT"}, rows)
        self.dedup(self.db.uri("t"), "-o", "kept.jsonl", "--verdicts", "v.jsonl")
        self.assertEqual(sorted(record["id"] for record in self.records("v.jsonl")), sorted(key for key, _ in rows))


class TestPostgres(ServerCases, harness.CliTest):
    label = "PostgreSQL"
    start = staticmethod(sql_servers.start_postgres)
    database = PostgresDatabase
    uuid_type = "uuid"

    def test_every_type(self):
        types = {"id": "integer PRIMARY KEY", "text": "text", "d": "numeric(20,6)", "r": "real", "g": "double precision", "b": "bytea", "f": "boolean",
                 "j": "json", "jb": "jsonb", "ta": "text[]", "ia": "integer[]", "ts": "timestamptz", "da": "date", "iv": "interval", "u": "uuid",
                 "v": "varchar(10)", "c": "char(4)", "ip": "inet", "ra": "int4range", "n": "numeric"}
        rows = [(1, "first " + EMOJI, 12345678901234.5, 0.1, 0.1, b"\0\1\xff", "t", '{"a":\n [1, 2.50]}', '["中", null]', '{"a b",NULL,"c\\"d","\\\\"}',
                 "{{1,2},{3,4}}", "2024-02-29 12:34:56.789012+02", "2024-02-29", "1 day 02:03:04", "00000000-0000-0000-0000-00000000000a", "vv", "cc",
                 "10.0.0.1/8", "[1,5)", "NaN"), (2, "second words of another kind", *[None] * 18)]
        self.db.create("t", types, rows)
        self.dedup(self.db.uri("t"), "-o", self.db.uri("result"))
        self.dedup(self.db.uri("t"), "-o", "out.jsonl")
        columns = ", ".join("j::jsonb::text" if name == "j" else f"{name}::text" for name in types)
        self.assertEqual(self.db.run(f"SELECT {columns} FROM result ORDER BY id"), self.db.run(f"SELECT {columns} FROM t ORDER BY id"))
        kinds = ("SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '{}'::regclass AND attnum > 0 ORDER BY attnum")
        self.assertEqual(self.db.run(kinds.format("result")), self.db.run(kinds.format("t")))
        first = self.records("out.jsonl")[0]
        self.assertEqual({name: first[name] for name in ("f", "j", "jb", "ta", "ia", "ts", "b", "g", "r", "n", "da")},
                         {"f": True, "j": {"a": [1, 2.5]}, "jb": ["中", None], "ta": ["a b", None, 'c"d', "\\"], "ia": [[1, 2], [3, 4]],
                          "ts": "2024-02-29 10:34:56.789012+00", "b": "AAH/", "g": 0.1, "r": 0.1, "n": "NaN", "da": "2024-02-29"})
        self.dedup(self.db.uri("t"), "--text-field", "ta", "--text-field", "text", "-o", "joined.jsonl")

    def test_schemas_and_sockets_and_one_state(self):
        self.db.run('CREATE SCHEMA "a.b"; CREATE TABLE "a.b".docs (id integer PRIMARY KEY, text text); '
                    "INSERT INTO \"a.b\".docs VALUES (1, 'one text'), (2, 'two others')")
        self.addCleanup(self.db.run, 'DROP SCHEMA "a.b" CASCADE')
        self.dedup(self.server.uri('"a.b".docs', host=str(self.server.dir)), "-o", self.server.uri('"a.b".out'))
        self.assertEqual(self.db.run('SELECT id FROM "a.b".out ORDER BY id'), [("1",), ("2",)])

    def test_writers_do_not_disturb(self):
        """All readings see the state in which the run began."""
        self.fill(rows=[(i, f"text {i} " + "y" * 2000) for i in range(3000)])
        stop = threading.Event()
        changes = []

        def change():
            while not stop.is_set():
                self.db.run("DELETE FROM docs WHERE id = (SELECT MIN(id) FROM docs)")
                changes.append(1)
        changer = threading.Thread(target=change)
        changer.start()
        try:
            summary = self.summary("dedup", self.db.uri("docs"), "-o", "kept.jsonl")
        finally:
            stop.set()
            changer.join()
        self.assertGreater(summary["read"], 2000)
        self.assertGreater(len(changes), 0)


if __name__ == "__main__":
    unittest.main()
