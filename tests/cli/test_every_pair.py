"""Any source to any sink: one small corpus, stored in every readable form, is written to every kind of output. The kept documents, their
order, their texts and other members, and the verdicts are the same.

What is not installed (a server, DuckDB's library, pyarrow, zstd) fails its rows, or skips them: see needs.py.
"""
import json
import os
import shutil
import unittest
import uuid

import mongo_server
import needs
import sql_servers
import tables
from harness import CliTest
from pair_corpus import DOCUMENTS, REJECTED, TEXTS
from pair_sinks import PairSinks
from pair_sources import PairSources


class EveryPair(PairSources, PairSinks, CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.missing = {}
        cls.library, cls.arrow = tables.duckdb_library(), tables.pyarrow()
        cls.missing |= dict.fromkeys(("csv", "tsv"), tables.missing(cls.library))
        cls.missing["parquet"] = tables.missing(cls.library, cls.arrow)
        if not shutil.which("zstd"):
            cls.missing["jsonl.zst"] = "zstd is not installed: scripts/setup.sh test"
        cls.client, cls.mongo = None, None
        why = mongo_server.unavailable()
        if why:
            cls.missing["mongodb"] = why
        else:
            import pymongo
            given = os.environ.get("NEARDUP_MONGODB_URI")
            if not given:
                cls.mongo = mongo_server.MongoServer()
                cls.addClassCleanup(cls.mongo.stop)
            cls.base = given or cls.mongo.uri
            cls.client = pymongo.MongoClient(cls.base, serverSelectionTimeoutMS=10000)
            cls.addClassCleanup(cls.client.close)
            cls.database = f"neardup_test_{uuid.uuid4().hex[:12]}"
            cls.addClassCleanup(cls.client.drop_database, cls.database)
        cls.servers = {}
        for kind, unavailable, start in (("mariadb", sql_servers.mariadb_unavailable, sql_servers.start_mariadb),
                                         ("postgresql", sql_servers.postgres_unavailable, sql_servers.start_postgres)):
            cls.missing[kind] = unavailable()
            if not cls.missing[kind]:
                cls.servers[kind] = start()
                cls.addClassCleanup(cls.servers[kind].stop)

    def neardup(self, *arguments, **keywords):
        return super().neardup(*arguments, env={"NEARDUP_DUCKDB": self.library} if self.library else {}, **keywords)

    def collection(self, name):
        base, _, query = self.base.partition("?")
        return f"{base.rstrip('/')}/{self.database}.{name}" + (f"?{query}" if query else "")

    # What all of them have to give.

    @staticmethod
    def plain(name):
        """The id of the corpus in that of a text file or of an archive."""
        return name and name.removeprefix("folder/").removesuffix(".txt").removeprefix("urn:test:")

    @staticmethod
    def value(value):
        """Members as JSON: tables of text hold numbers and nested values as such."""
        return json.loads(value) if isinstance(value, str) else value

    def compare(self, source, sink, kept, verdicts):
        if sink in self.UNORDERED:
            kept.sort(key=lambda row: row.get("_id", row.get("id")))
            verdicts.sort(key=lambda row: (int(row["row"]), row["id"]))
        wanted = [by_id for by_id in DOCUMENTS if by_id["id"] in self.keepers]
        self.assertEqual([self.plain(row.get("id", row.get("_id"))) for row in kept], [document["id"] for document in wanted])
        self.assertEqual([row["text"] for row in kept], [document["text"] for document in wanted])
        if source not in ("folder", "warc", "wet"):
            self.assertEqual([self.value(row["n"]) for row in kept], [document["n"] for document in wanted])
            self.assertEqual([self.value(row["deep"]) for row in kept], [document["deep"] for document in wanted])
        rows = {row["id"]: at for at, row in enumerate(TEXTS if source in ("folder", "warc", "wet") else DOCUMENTS, 2 if source == "warc" else 1)}
        found = []
        for row in verdicts:
            name, keeper = self.plain(row["id"]), self.plain(row["keeper_id"]) or None
            self.assertEqual(int(row["row"]), 1 if source == "folder" else rows[name])
            if keeper:
                self.assertEqual(int(row["keeper_row"]), 1 if source == "folder" else rows[keeper])
            similarity = None if row["similarity"] in (None, "") else round(float(row["similarity"]), 6)
            found.append((name, row["verdict"], row["reason"], keeper, similarity))
        self.assertEqual(found, self.verdicts)

    def test_every_pair(self):
        self.write("first.jsonl", TEXTS)
        self.neardup("dedup", "first.jsonl", "-o", "first.kept.jsonl", "--verdicts", "first.verdicts.jsonl", "-q")
        self.keepers = {row["id"] for row in self.records("first.kept.jsonl")}
        self.assertTrue(len(TEXTS) * 0.3 < len(self.keepers) < len(TEXTS) * 0.7)
        self.verdicts = [(row["id"], row["verdict"], row["reason"], row["keeper_id"], row["similarity"] and round(row["similarity"], 6))
                         for row in self.records("first.verdicts.jsonl")]
        self.assertEqual([row[0] for row in self.verdicts], [document["id"] for document in TEXTS])
        self.assertEqual({row[2] for row in self.verdicts}, {"keeper", "unique", "exact_copy", "near_duplicate"} & {row[2] for row in self.verdicts})
        for source in self.SOURCES:
            if self.missing.get(source):
                with self.subTest(source=source):
                    needs.stop_if(self.missing[source])
                continue
            given = getattr(self, "source_" + source.replace(".", "_"))()
            for at, sink in enumerate(self.SINKS):
                with self.subTest(source=source, sink=sink):
                    needs.stop_if(self.missing.get(sink))
                    out, reads = self.place(sink, f"kept_{source.replace('.', '_')}_{at}")
                    verdicts, reads_verdicts = self.place(sink, f"verdicts_{source.replace('.', '_')}_{at}")
                    summary = self.summary("dedup", *given, "-o", out, "--verdicts", verdicts)
                    self.assertEqual(summary["rejected"], 0 if source in ("folder", "warc", "wet") else len(REJECTED))
                    self.compare(source, sink, reads(), reads_verdicts())


if __name__ == "__main__":
    unittest.main()
