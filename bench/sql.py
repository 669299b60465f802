#!/usr/bin/env python3
"""Tables as inputs and outputs: rows per second of the source alone, of the engine alone, and of both in one run.

For SQLite, MariaDB and PostgreSQL (throwaway servers of tests/cli/sql_servers.py; what is not installed is skipped and said so). The table
has --rows rows of 20 to 59 English words drawn with a fixed seed; every tenth is a near copy of an earlier one. "Source alone" reads the key
and the text and does nothing with them; "engine alone" is the same run from JSON Lines in the page cache to kept lines; "through the line"
reads the table and writes kept lines; "table to table" writes the kept rows into a second table. Medians of --runs runs, alternating.
"""
import json
import pathlib
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import common
from report import Report

sys.path.insert(0, str(common.ROOT / "tests/cli"))
import sql_servers  # noqa: E402


def corpus(rows):
    words = sorted({word for word in (common.ROOT / "CONTRIBUTING.md").read_text("utf-8").split() if word.isalpha()})
    chance = random.Random(20240229)
    texts = []
    for i in range(rows):
        if i % 10 == 9:
            copy = texts[chance.randrange(max(0, i - 5000), i)].split(" ")
            copy[chance.randrange(len(copy))] = "changed"
            texts.append(" ".join(copy))
        else:
            texts.append(" ".join(chance.choices(words, k=chance.randrange(20, 60))))
    return texts


def insert(texts):
    for at in range(0, len(texts), 2000):
        values = ",".join(f"({at + i + 1},'{text}')" for i, text in enumerate(texts[at:at + 2000]))
        yield f"INSERT INTO docs VALUES {values};"


class Sqlite:
    name = f"SQLite {sqlite3.sqlite_version}"

    def __init__(self, texts, folder):
        self.file = folder / "corpus.db"
        connection = sqlite3.connect(self.file)
        connection.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, text TEXT)")
        connection.executemany("INSERT INTO docs VALUES (?, ?)", enumerate(texts, 1))
        connection.commit()
        connection.close()

    def uri(self, table):
        return f"sqlite://{self.file}?table={table}"

    def stop(self):
        self.file.unlink()


def start(kind, unavailable, texts):
    if unavailable():
        return None
    server = kind()
    database = "corpus"
    role = "SET ROLE tester; " if server.name == "PostgreSQL" else ""
    server.sql(f"{role}CREATE TABLE docs (id BIGINT PRIMARY KEY, text TEXT)", database)
    for statement in insert(texts):
        server.sql(role + statement, database)
    version = server.sql("SELECT VERSION()", database)[0][0]
    server.name = version if "Maria" in version else " ".join(version.split()[:2])
    return server


def neardup(options, source, target):
    return common.run([options.neardup, "dedup", source, "-o", target, "--replace", "-q", "--threads", str(options.threads)], options.work).seconds


def measure(options, report, server, file, rows):
    table = report.table(["server", "source alone, rows/s", "engine alone, rows/s", "through the line, rows/s", "of the slower", "table to table, rows/s"])
    source, out = server.uri("docs"), options.work / "sql-kept.jsonl"
    seconds = {"source": [], "engine": [], "line": [], "tables": []}
    for _ in range(options.runs):
        found = subprocess.run([common.tool(options, "source_speed"), source, str(options.threads)], capture_output=True, check=True)
        seconds["source"].append(json.loads(found.stdout)["seconds"])
        seconds["engine"].append(neardup(options, file, out))
        kept = common.sha256(out)
        seconds["line"].append(neardup(options, source, out))
        if common.sha256(out) != kept:
            raise RuntimeError("the table gave other lines than the file")
        seconds["tables"].append(neardup(options, source, server.uri("kept")))
    speed = {name: rows / statistics.median(times) for name, times in seconds.items()}
    share = speed["line"] / min(speed["source"], speed["engine"])
    table.append([server.name, *(f"{speed[name]:,.0f}" for name in ("source", "engine", "line")), f"{share:.0%}", f"{speed['tables']:,.0f}"])


def main():
    made = common.parser(__doc__)
    made.add_argument("--rows", type=int, default=500_000, help="[%(default)s]")
    made.add_argument("--runs", type=int, default=3, help="[%(default)s]")
    made.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    options = common.parse(made)
    report = Report(options, "sql")
    texts = corpus(options.rows)
    file = options.work / "sql.jsonl"
    file.write_text("".join(f'{{"id":{i},"text":"{text}"}}\n' for i, text in enumerate(texts, 1)), "utf-8")
    common.read_into_cache(file)
    report.note(f"{options.rows:,} rows, {file.stat().st_size / 1e6:.0f} MB of JSON Lines; {options.threads} threads; the server runs on the same cores, and a run reads the table twice")
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        for begin, label in ((lambda: Sqlite(texts, pathlib.Path(folder)), "SQLite"),
                             (lambda: start(sql_servers.start_mariadb, sql_servers.mariadb_unavailable, texts), "MariaDB"),
                             (lambda: start(sql_servers.start_postgres, sql_servers.postgres_unavailable, texts), "PostgreSQL")):
            server = begin()
            if server is None:
                report.note(f"{label} is not installed: skipped")
                continue
            try:
                measure(options, report, server, file, options.rows)
            finally:
                server.stop()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
