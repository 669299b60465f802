"""Parquet in and out: the same documents as JSON Lines, whatever the row groups, files and kinds.

pyarrow is the other side: it writes what the program reads and reads what the program wrote.
"""
import json
import unittest

from corpora import make_texts
from table_case import ParquetTest, documents


class Parquet(ParquetTest):
    def test_the_same_documents_are_kept_as_from_json_lines(self):
        rows = documents()
        self.write("corpus.jsonl", rows)
        self.neardup("dedup", "corpus.jsonl", "-o", "kept.jsonl", "--verdicts", "verdicts.tsv", "-q")
        wanted = self.records("kept.jsonl")
        verdicts = self.read("verdicts.tsv").replace(b"corpus.jsonl", b"c.parquet")
        for group in (1, 7, 64, 10_000):
            self.write_parquet("c.parquet", rows, row_group_size=group)
            for threads in (1, 3):
                self.neardup("dedup", "c.parquet", "-o", "kept.parquet", "--verdicts", "v.tsv", "--threads", threads, "-q")
                self.assertEqual(self.read_parquet("kept.parquet").to_pylist(), wanted)
                self.assertEqual(self.read("v.tsv"), verdicts)

    def test_a_large_row_group_is_read_in_parts(self):
        rows = [{"id": n, "text": f"{text} {n}" + " padding" * 100, "other": "x" * 2000} for n, text in enumerate(make_texts(5, 3000))]
        self.write_parquet("one.parquet", rows, row_group_size=len(rows))
        self.write_parquet("many.parquet", rows, row_group_size=2500)
        self.write("rows.jsonl", rows)
        self.assertGreater(self.path("rows.jsonl").stat().st_size, 20 << 20)
        self.neardup("dedup", "rows.jsonl", "-o", "kept.jsonl", "-q")
        for name in ("one", "many"):
            outputs = set()
            for threads in (1, 2, 6):
                self.neardup("dedup", f"{name}.parquet", "-o", "kept.parquet", "--annotate", "a.jsonl", "--threads", threads, "-q")
                outputs.add((self.read("kept.parquet"), self.read("a.jsonl")))
            self.assertEqual(len(outputs), 1)
            self.assertEqual(self.read_parquet("kept.parquet").to_pylist(), self.records("kept.jsonl"))

    def test_several_files_folders_and_globs(self):
        rows = documents()
        for n in range(4):
            self.write_parquet(f"day={n}/part-{n}.parquet", rows[n::4], row_group_size=9)
        self.write("day=0/_SUCCESS", "")
        ordered = [row for n in range(4) for row in rows[n::4]]
        self.write("corpus.jsonl", ordered)
        self.neardup("dedup", "corpus.jsonl", "-o", "kept.jsonl", "-q")
        for inputs in (["day=*/*.parquet"], ["day=*", "--format", "parquet"], [f"day={n}/part-{n}.parquet" for n in range(4)]):
            self.neardup("dedup", *inputs, "-o", "kept.parquet", "--output-dir", "clean", "-q")
            self.assertEqual(self.read_parquet("kept.parquet").to_pylist(), self.records("kept.jsonl"))
            parts = [row for n in range(4) for row in self.read_parquet(f"clean/day={n}/part-{n}.parquet").to_pylist()]
            self.assertEqual([row["id"] for row in parts], [row["id"] for row in self.records("kept.jsonl")])

    def test_every_kind_to_every_kind(self):
        rows = [row for row in documents() if row["text"].strip()]
        self.write("c.jsonl", rows)
        self.write_csv("c.csv", rows)
        self.write_parquet("c.parquet", rows, row_group_size=50)
        self.neardup("dedup", "c.jsonl", "-o", "kept.jsonl", "-q")
        wanted = [str(row["id"]) for row in self.records("kept.jsonl")]
        for source in ("c.jsonl", "c.csv", "c.parquet"):
            self.neardup("dedup", source, "-o", "o.jsonl", "-q")
            self.assertEqual([str(row["id"]) for row in self.records("o.jsonl")], wanted, source)
            self.neardup("dedup", source, "-o", "o.tsv", "-q")
            self.assertEqual([row["id"] for row in self.read_csv("o.tsv", "\t")], wanted, source)
            self.neardup("dedup", source, "-o", "o.parquet", "-q")
            self.assertEqual([str(row["id"]) for row in self.read_parquet("o.parquet").to_pylist()], wanted, source)
        self.neardup("dedup", "c.csv", "--against", "c.parquet", "-o", "o.csv", "-q")
        self.assertEqual(self.read_csv("o.csv"), [])
        self.write("new.jsonl", [{"id": "new", "text": "a text that none of them has, not even nearly"}])
        self.neardup("dedup", "new.jsonl", "c.parquet", "-o", "o.parquet", "-q")
        self.assertEqual([row["id"] for row in self.read_parquet("o.parquet").to_pylist()], [json.dumps("new"), *wanted])

    def test_other_commands_read_tables(self):
        self.write_parquet("a.parquet", [{"id": n, "text": f"words of the text {n}"} for n in range(5)])
        lines = self.neardup("sketch", "a.parquet", "--recipe", "simhash-words", "-q").stdout.splitlines()
        self.assertEqual(len(lines), 5)


if __name__ == "__main__":
    unittest.main()
