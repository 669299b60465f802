"""The corpus in every form that is read; each method gives the arguments that read it."""
import contextlib
import csv
import gzip
import io
import json
import random
import sqlite3

from pair_corpus import DOCUMENTS, TEXTS


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


class PairSources:
    """Of a case with the servers that EveryPair starts."""

    SOURCES = ("jsonl", "jsonl.gz", "folder", "csv", "tsv", "parquet", "sqlite", "warc", "wet", "mongodb", "mariadb", "postgresql")

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
