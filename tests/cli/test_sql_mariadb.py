"""Tables in MariaDB as inputs and outputs, on a throwaway server where its programs are installed."""
import time
import unittest

import sql_servers
from sql_case import ServerCase
from sql_databases import EMOJI, MariaDatabase
from sql_server_cases import ServerCases
from sql_source_cases import SourceCases
from sql_target_cases import TargetCases


class TestMariaDb(SourceCases, TargetCases, ServerCases, ServerCase):
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


if __name__ == "__main__":
    unittest.main()
