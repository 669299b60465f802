"""Tables in PostgreSQL as inputs and outputs, on a throwaway server where its programs are installed."""
import threading
import unittest

import sql_servers
from sql_case import ServerCase
from sql_databases import EMOJI, PostgresDatabase
from sql_server_cases import ServerCases
from sql_source_cases import SourceCases
from sql_target_cases import TargetCases


class TestPostgres(SourceCases, TargetCases, ServerCases, ServerCase):
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
