"""Any source to any sink: one small corpus, stored in every way that is read, goes to everything that is written. The kept documents, their
order, their texts and other members, and the verdicts are the same; and a run between two collections goes on after any break.

What is not installed (a server, DuckDB's library, pyarrow, zstd) is skipped by its rows, which say so.
"""
import contextlib
import csv
import gzip
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
import uuid

import mongo_server
import sql_servers
import tables
from harness import BINARY, CliTest

ENGLISH = [f"{a}{b}" for a in ("bra", "co", "du", "fen", "gli", "ho", "ja", "ki") for b in ("nd", "lop", "ri", "sta", "mmer", "ck", "ven", "tu")]
CHINESE = [chr(code) for code in range(0x4E10, 0x4E90)]
ODD = ("tab\there, \"quotes\" and 'quotes', a back\\slash, a comma, `ticks`, NULL, and an end of \N{GRINNING FACE}\nline, ",
       "\\N \\. $text %s {} ; -- ")


def make_documents(seed=5, families=40):
    """{id, text, n, deep}: sorted by id; families of one text, of copies with other case and blanks, of copies with one word changed."""
    chance = random.Random(seed)
    found = []
    for family in range(families):
        words, gap = (CHINESE, "") if family % 3 == 2 else (ENGLISH, " ")
        tokens = chance.choices(words, k=chance.randint(40, 70))
        odd = ODD[family % 2] if family % 5 == 0 else ""
        found.append(odd + gap.join(tokens))
        for kind in range(chance.randrange(4)):
            edited = list(tokens)
            if kind % 2:
                edited[chance.randrange(len(edited))] = chance.choice(words)
            found.append(odd + gap.join(edited) if kind else (odd + gap.join(edited)).upper())
    chance.shuffle(found)
    found[7:7] = [None]
    found[31:31] = [None, None]
    return [{"id": f"d{at:04}", "text": text, "n": at * 37 % 11 - 4, "deep": {"a": ["1", None, "中\"'"], "b": {"c": f"x{at}"}}}
            for at, text in enumerate(found)]


DOCUMENTS = make_documents()
TEXTS = [document for document in DOCUMENTS if document["text"] is not None]
REJECTED = [document["id"] for document in DOCUMENTS if document["text"] is None]


def quoted(value):
    return "NULL" if value is None else str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def insertion(escape=lambda text: text):
    rows = ((d["id"], d["text"], d["n"], json.dumps(d["deep"], ensure_ascii=False)) for d in random.Random(3).sample(DOCUMENTS, len(DOCUMENTS)))
    return "INSERT INTO docs VALUES " + ", ".join(
        "(" + ", ".join(escape(quoted(value)) for value in row) + ")" for row in rows)


def warc_record(kind, name, content_type, block):
    head = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:test:{name}>", "WARC-Date: 2024-05-06T07:08:09Z",
            f"Content-Type: {content_type}", f"Content-Length: {len(block)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


class EveryPair(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.missing = {}
        cls.library, cls.arrow = tables.duckdb_library(), None
        if cls.library:
            cls.arrow = tables.pyarrow()
        else:
            cls.missing |= dict.fromkeys(("csv", "tsv", "csv.gz", "parquet"), "DuckDB's library is not here")
        if not cls.arrow:
            cls.missing.setdefault("parquet", "pyarrow is not here")
        if not shutil.which("zstd"):
            cls.missing["jsonl.zst"] = "zstd is not installed"
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
        for kind, start in (("mariadb", sql_servers.start_mariadb), ("postgresql", sql_servers.start_postgres)):
            server = start()
            if server is None:
                cls.missing[kind] = f"no {kind} server is installed"
            else:
                cls.servers[kind] = server
                cls.addClassCleanup(server.stop)

    def neardup(self, *arguments, **keywords):
        return super().neardup(*arguments, env={"NEARDUP_DUCKDB": self.library} if self.library else {}, **keywords)

    # Sources: the corpus in every form; each method gives the arguments that read it.

    def source_jsonl(self):
        return (self.write("in.jsonl", DOCUMENTS),)

    def source_jsonl_gz(self):
        lines = "".join(json.dumps(document) + "\n" for document in DOCUMENTS)
        return (self.write("in.jsonl.gz", gzip.compress(lines.encode())),)

    def source_folder(self):
        for document in TEXTS:
            self.write(f"folder/{document['id']}.txt", document["text"])
        return ("folder",)

    def separated(self, name, delimiter):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow(DOCUMENTS[0])
        writer.writerows([d["id"], d["text"], d["n"], json.dumps(d["deep"], ensure_ascii=False)] for d in DOCUMENTS)
        return (self.write(name, out.getvalue()),)

    def source_csv(self):
        return self.separated("in.csv", ",")

    def source_tsv(self):
        return self.separated("in.tsv", "\t")

    def source_parquet(self):
        self.arrow.parquet.write_table(self.arrow.Table.from_pylist(DOCUMENTS), self.path("in.parquet"), row_group_size=40)
        return ("in.parquet",)

    def source_sqlite(self):
        with contextlib.closing(sqlite3.connect(self.path("in.db"))) as db, db:
            db.execute("CREATE TABLE docs (id TEXT PRIMARY KEY, text TEXT, n INTEGER, deep TEXT)")
            db.execute(insertion())
        return ("sqlite://in.db?table=docs",)

    def source_warc(self):
        pages = [warc_record("response", d["id"], "application/http; msgtype=response",
                             b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + d["text"].encode()) for d in TEXTS]
        info = warc_record("warcinfo", "info", "application/warc-fields", b"software: a test\r\n")
        return (self.write("in.warc.gz", b"".join(gzip.compress(record, mtime=0) for record in (info, *pages))),)

    def source_wet(self):
        return (self.write("in.wet", b"".join(warc_record("conversion", d["id"], "text/plain", d["text"].encode()) for d in TEXTS)),)

    def source_mongodb(self):
        collection = self.client[self.database]["docs"]
        collection.insert_many([{"_id": d["id"], "text": d["text"], "n": d["n"], "deep": d["deep"]} for d in
                                random.Random(4).sample(DOCUMENTS, len(DOCUMENTS))])
        return (self.collection("docs"),)

    def source_mariadb(self):
        server = self.servers["mariadb"]
        server.sql("CREATE TABLE docs (id VARCHAR(20) PRIMARY KEY, text LONGTEXT, n BIGINT, deep JSON) CHARACTER SET utf8mb4", "corpus")
        server.sql(insertion(lambda text: text.replace("\\", "\\\\")), "corpus")
        return (server.uri("docs"),)

    def source_postgresql(self):
        server = self.servers["postgresql"]
        server.sql("SET ROLE tester; CREATE TABLE docs (id text PRIMARY KEY, text text, n bigint, deep jsonb); " + insertion())
        return (server.uri("docs"),)

    SOURCES = ("jsonl", "jsonl.gz", "folder", "csv", "tsv", "parquet", "sqlite", "warc", "wet", "mongodb", "mariadb", "postgresql")

    # Sinks: where a run writes, and how a reader other than the program finds the rows.

    def collection(self, name):
        base, _, query = self.base.partition("?")
        return f"{base.rstrip('/')}/{self.database}.{name}" + (f"?{query}" if query else "")

    def read_zstd(self, name):
        data = subprocess.run(["zstd", "-dc", self.path(name)], stdout=subprocess.PIPE, check=True).stdout
        return [json.loads(line) for line in data.split(b"\n")[:-1]]

    def read_csv(self, name):
        return list(csv.DictReader(io.StringIO(self.read(name).decode("utf-8"), newline="")))

    def read_sqlite(self, name):
        with contextlib.closing(sqlite3.connect(self.path("out.db"))) as db:
            db.row_factory = sqlite3.Row
            return [dict(row) for row in db.execute(f'SELECT * FROM "{name}" ORDER BY rowid')]

    def read_mariadb(self, name):
        sql = self.servers["mariadb"].sql
        columns = [row[0] for row in sql(f"SELECT column_name FROM information_schema.columns WHERE table_name = '{name}'", "corpus")]
        cells = ", ".join(f"HEX(CONVERT(`{column}`, CHAR))" for column in columns)
        values = [[None if cell == "NULL" else bytes.fromhex(cell).decode("utf-8") for cell in line]
                  for line in sql(f"SELECT {cells} FROM `{name}`", "corpus")]
        return [dict(zip(columns, row, strict=True)) for row in values]

    def read_postgresql(self, name):
        lines = self.servers["postgresql"].sql(f"SELECT row_to_json(t) FROM \"{name}\" t")
        return [json.loads(line[0]) for line in lines]

    def read_parquet(self, name):
        return self.arrow.parquet.read_table(self.path(name)).to_pylist()

    def place(self, kind, name):
        """The address of a new thing of this kind, and what reads its rows."""
        if kind in ("mariadb", "postgresql"):
            reads = self.read_mariadb if kind == "mariadb" else self.read_postgresql
            return self.servers[kind].uri(name), lambda: reads(name)
        if kind == "mongodb":
            return self.collection(name), lambda: list(self.client[self.database][name].find())
        if kind == "sqlite":
            return f"sqlite://out.db?table={name}", lambda: self.read_sqlite(name)
        reads = {"jsonl": self.records, "jsonl.zst": self.read_zstd, "csv": self.read_csv, "parquet": self.read_parquet}[kind]
        return f"{name}.{kind}", lambda: reads(f"{name}.{kind}")

    SINKS = ("jsonl", "jsonl.zst", "csv", "parquet", "sqlite", "mongodb", "mariadb", "postgresql")
    UNORDERED = ("mongodb", "mariadb", "postgresql")  # rows come as the server likes, so they are sorted here

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
            if source in self.missing:
                with self.subTest(source=source):
                    self.skipTest(self.missing[source])
                continue
            given = getattr(self, "source_" + source.replace(".", "_"))()
            for at, sink in enumerate(self.SINKS):
                with self.subTest(source=source, sink=sink):
                    if sink in self.missing:
                        self.skipTest(self.missing[sink])
                    out, reads = self.place(sink, f"kept_{source.replace('.', '_')}_{at}")
                    verdicts, reads_verdicts = self.place(sink, f"verdicts_{source.replace('.', '_')}_{at}")
                    summary = self.summary("dedup", *given, "-o", out, "--verdicts", verdicts)
                    self.assertEqual(summary["rejected"], 0 if source in ("folder", "warc", "wet") else len(REJECTED))
                    self.compare(source, sink, reads(), reads_verdicts())


@unittest.skipIf(mongo_server.unavailable(), f"no MongoDB to test with: {mongo_server.unavailable()}")
class ResumedFromMongo(CliTest):
    """A run with a work folder between two collections of a server of our own, which is killed: it ends, and goes on when the server is back."""

    FAMILIES = 1000

    def setUp(self):
        super().setUp()
        import pymongo
        self.server = mongo_server.MongoServer(self.path("server"))
        self.addCleanup(self.server.stop)
        self.client = pymongo.MongoClient(self.server.uri, serverSelectionTimeoutMS=20000)
        self.addCleanup(self.client.close)
        documents = [{"_id": d["id"], "text": d["text"], "n": d["n"]} for d in make_documents(6, self.FAMILIES)]
        self.client.corpus.docs.insert_many(documents)
        self.write("docs.jsonl", documents)
        self.neardup("dedup", "docs.jsonl", "--id-field", "_id", "-o", "kept.jsonl", "-q")
        self.expected = self.records("kept.jsonl")
        self.count = len(documents)
        self.rejected = sum(document["text"] is None for document in documents)
        self.restart()  # what is stored is on the disk
        self.run_words = ["dedup", self.uri("docs"), "-o", self.uri("kept"), "--rejects", "rejects.jsonl", "--work", "work"]
        self.partial = self.client.corpus["kept.neardup-partial"]

    def uri(self, name):
        return f"{self.server.uri}/corpus.{name}?serverSelectionTimeoutMS=1000"

    def restart(self):
        self.server.stop()
        self.server.start()

    def start(self, *words):
        return subprocess.Popen([BINARY, *words], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def until(self, process, happened):
        deadline = time.monotonic() + 60
        while not happened():
            self.assertIsNone(process.poll(), "it ended too early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)

    def test_run_killed_then_server_killed(self):
        process = self.start(*self.run_words)
        self.until(process, lambda: any(self.path("work").glob("sketch-*.part")))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.server.kill()
        self.server.start()
        process = self.start("dedup", "--resume", "work")
        self.until(process, lambda: self.partial.estimated_document_count() >= 200)
        self.server.kill()
        said = process.communicate(timeout=100)[1].decode("utf-8")
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("neardup dedup --resume work", said)
        self.assertFalse(self.path("rejects.jsonl").exists())
        self.server.start()
        self.assertNotIn("kept", self.client.corpus.list_collection_names(), "nothing appears before it is complete")
        self.neardup("dedup", "--resume", "work", "-q")
        self.assertEqual(list(self.client.corpus.kept.find().sort("_id", 1)), self.expected)
        self.assertEqual(self.client.corpus.docs.count_documents({}), self.count)
        self.assertEqual(sorted(self.client.corpus.list_collection_names()), ["docs", "kept"])
        self.assertEqual(len(self.records("rejects.jsonl")), self.rejected)


if __name__ == "__main__":
    unittest.main()
