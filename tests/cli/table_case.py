"""What the tests of tables share: the program with DuckDB's library, and CSV and Parquet written and read by another side."""
import csv
import io

import needs
import tables
from corpora import make_texts
from harness import CliTest

LIBRARY = tables.duckdb_library()
ARROW = tables.pyarrow() if LIBRARY else None


def documents(seed=7, originals=60):
    return [{"id": n, "text": text, "score": n % 7 + 0.5} for n, text in enumerate(make_texts(seed, originals))]


class TableTest(CliTest):
    def setUp(self):
        super().setUp()
        needs.stop_if(tables.missing(LIBRARY))

    def neardup(self, *arguments, **keywords):
        keywords["env"] = {"NEARDUP_DUCKDB": LIBRARY} | keywords.get("env", {})
        return super().neardup(*arguments, **keywords)

    def fails(self, *arguments, code=1):
        """The last line of the message; nothing was written."""
        before = self.names()
        message = self.neardup(*arguments, "-o", "never.jsonl", "-q", code=code).stderr.strip().split("\n")[-1]
        self.assertEqual(self.names(), before)
        return message

    def write_csv(self, name, rows, delimiter=","):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows(row.values() for row in rows)
        return self.write(name, out.getvalue())

    def read_csv(self, name, delimiter=","):
        return list(csv.DictReader(io.StringIO(self.read(name).decode("utf-8"), newline=""), delimiter=delimiter))


class ParquetTest(TableTest):
    def setUp(self):
        super().setUp()
        needs.stop_if(tables.missing(LIBRARY, ARROW))

    def write_parquet(self, name, table, **options):
        if isinstance(table, list):
            table = ARROW.Table.from_pylist(table)
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        ARROW.parquet.write_table(table, self.path(name), **options)
        return name

    def read_parquet(self, name):
        return ARROW.parquet.read_table(self.path(name))
