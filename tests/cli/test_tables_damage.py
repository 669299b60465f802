"""Parquet files that are damaged, change, differ in their columns or are empty."""
import os
import subprocess
import unittest

from harness import BINARY
from table_case import ARROW, LIBRARY, ParquetTest


class Damage(ParquetTest):
    def test_only_the_needed_columns_are_read(self):
        # The damage is in a column that is not read.
        rows = [{"text": f"the text of number {n} is this", "zz": os.urandom(40)} for n in range(2000)]
        self.write_parquet("p.parquet", rows, row_group_size=500, compression="zstd", use_dictionary=False)
        data = bytearray(self.read("p.parquet"))
        column = ARROW.parquet.ParquetFile(self.path("p.parquet")).metadata.row_group(1).column(1)
        start = column.data_page_offset
        data[start + 100:start + 200] = bytes(byte ^ 0x5A for byte in data[start + 100:start + 200])
        self.write("p.parquet", bytes(data))
        self.neardup("dedup", "p.parquet", "--verdicts", "v.tsv", "-q")
        self.assertEqual(len(self.table("v.tsv")), 2000)
        self.assertRegex(self.fails("dedup", "p.parquet"), r"'p.parquet', row groups? .*\(rows 1 to 2000\)")

    def test_damage_stops_the_run_and_names_the_row_group(self):
        rows = [{"text": f"the text of number {n} is " + os.urandom(400).hex()} for n in range(40_000)]
        self.write_parquet("d.parquet", rows, row_group_size=10_000, compression="zstd", use_dictionary=False)
        good = self.read("d.parquet")
        column = ARROW.parquet.ParquetFile(self.path("d.parquet")).metadata.row_group(2).column(0)
        frame = good.index(b"\x28\xb5\x2f\xfd", column.data_page_offset)  # of zstd: a flip after it may well decode
        self.write("flipped.parquet", good[:frame] + b"\xd7" + good[frame + 1:])
        self.assertRegex(self.fails("dedup", "flipped.parquet"), r"'flipped.parquet', row group 2 \(rows 20001 to 30000\): ")
        self.write("cut.parquet", good[:-1000])
        self.assertIn("'cut.parquet'", self.fails("dedup", "cut.parquet"))
        self.write("cut.parquet", good[:6])
        self.assertIn("'cut.parquet'", self.fails("dedup", "cut.parquet"))
        self.write("empty.parquet", b"")
        self.assertIn("'empty.parquet' is empty", self.fails("dedup", "empty.parquet"))
        self.write("data.bin", good)
        self.assertIn("give --format parquet", self.fails("dedup", "data.bin"))
        self.assertEqual(self.summary("dedup", "data.bin", "--format", "parquet", "-o", "o.parquet", "-q")["read"], 40_000)

    def test_files_with_other_columns_are_refused(self):
        self.write_parquet("a.parquet", [{"id": 1, "text": "first of the words"}])
        self.write_parquet("b.parquet", [{"id": "x", "text": "other words here"}])
        self.write_parquet("c.parquet", [{"text": "still other words", "id": 3}])
        self.write_parquet("d.parquet", [{"id": 3, "text": "no words", "more": 1}])
        for name, problem in (("b", "'b.parquet' has the column 'id' as VARCHAR, 'a.parquet' as BIGINT"),
                              ("c", "'c.parquet' has the column 'text' where 'a.parquet' has 'id'"),
                              ("d", "'d.parquet' has the column 'more' where 'a.parquet' has none")):
            message = self.neardup("dedup", "a.parquet", f"{name}.parquet", "-o", "o.parquet", "-q", code=1).stderr
            self.assertIn(problem, message)
            self.neardup("dedup", "a.parquet", f"{name}.parquet", "-o", "o.jsonl", "--output-dir", "out", "-q")
            self.assertEqual(len(self.records("o.jsonl")), 2)

    def test_no_rows(self):
        self.write_parquet("none.parquet", ARROW.table({"id": ARROW.array([], ARROW.int64()), "text": ARROW.array([], ARROW.string())}))
        self.assertEqual(self.summary("dedup", "none.parquet", "-o", "o.parquet", "-q")["read"], 0)
        self.assertEqual(self.read_parquet("o.parquet").schema.names, ["id", "text"])
        self.write("none.jsonl", "")
        self.neardup("dedup", "none.jsonl", "-o", "n.parquet", "-q")
        self.assertEqual(self.read_parquet("n.parquet").num_rows, 0)

    def test_a_file_that_changes_ends_the_run(self):
        # Standard output is a pipe that is not read at first: the run waits in its output pass, and the file changes meanwhile.
        rows = [{"id": n, "text": f"text of number {n} " + os.urandom(300).hex()} for n in range(60_000)]
        self.write_parquet("a.parquet", rows, row_group_size=10_000)
        with subprocess.Popen([BINARY, "dedup", "a.parquet", "-o", "-", "-q"], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=os.environ | {"NEARDUP_DUCKDB": LIBRARY}) as run:
            run.stdout.read(100)
            self.write_parquet("b.parquet", rows[:100])
            os.replace(self.path("b.parquet"), self.path("a.parquet"))
            run.stdout.read()
            message = run.stderr.read().decode()
        self.assertEqual(run.returncode, 1)
        self.assertIn("'a.parquet'", message)
        self.assertIn("changed", message)


if __name__ == "__main__":
    unittest.main()
