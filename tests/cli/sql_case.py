"""What the SQL tests share: a table with a corpus, runs over it, and for databases on a server one server a class."""
from harness import CliTest
from sql_databases import corpus


class SqlCase:
    """Of a kind of database, self.db."""

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


class ServerCase(SqlCase, CliTest):
    """On a server that is started for the class: start(), label and database say which."""
    start = None

    @classmethod
    def setUpClass(cls):
        cls.server = cls.start()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        super().setUp()
        self.db = self.database(self.server)
        self.addCleanup(self.db.drop_all)
