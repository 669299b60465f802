"""What the SQL tests need of a database, whichever it is, and a corpus to store in it."""
import sqlite3

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
