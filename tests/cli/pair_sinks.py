"""Everything that a run writes to, and how a reader other than the program finds the rows there."""
import contextlib
import csv
import io
import json
import sqlite3
import subprocess


class PairSinks:
    """Of a case with the servers that EveryPair starts."""

    SINKS = ("jsonl", "jsonl.zst", "csv", "parquet", "sqlite", "mongodb", "mariadb", "postgresql")
    UNORDERED = ("mongodb", "mariadb", "postgresql")  # rows come as the server likes, so they are sorted here

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
