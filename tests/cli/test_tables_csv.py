"""CSV and TSV in and out: the same documents as JSON Lines, values that survive, errors that name the place."""
import gzip
import os
import pathlib
import re
import subprocess
import unittest

from corpora import make_texts
from harness import BINARY
from table_case import LIBRARY, TableTest, documents


class Csv(TableTest):
    def setUp(self):
        super().setUp()
        # An empty cell of CSV is not a text at all, an empty line of JSON is one.
        self.rows = [row for row in documents() if row["text"].strip()]
        self.write("corpus.jsonl", self.rows)
        self.neardup("dedup", "corpus.jsonl", "-o", "kept.jsonl", "--verdicts", "verdicts.tsv", "-q")

    def verdicts(self, name, source):
        """With a dash for the name of the source."""
        return [{key: value.replace(source, "-") for key, value in row.items()} for row in self.table(name)]

    def test_the_same_documents_are_kept_as_from_json_lines(self):
        for name, delimiter in (("c.csv", ","), ("t.tsv", "\t")):
            self.write_csv(name, self.rows, delimiter)
            kept = f"kept-{name}"
            self.neardup("dedup", name, "-o", kept, "--verdicts", "v.tsv", "-q")
            wanted = [{key: str(value) for key, value in row.items()} for row in self.records("kept.jsonl")]
            self.assertEqual(self.read_csv(kept, delimiter), wanted)
            self.assertEqual(self.verdicts("v.tsv", name), self.verdicts("verdicts.tsv", "corpus.jsonl"))

    def test_compressed_and_numbers_for_keep(self):
        self.write_csv("c.csv", self.rows)
        self.write("c.csv.gz", gzip.compress(self.read("c.csv")))
        self.neardup("dedup", "corpus.jsonl", "--keep", "max:score,last", "-o", "best.jsonl", "-q")
        self.neardup("dedup", "c.csv.gz", "--keep", "max:score,last", "-o", "best.csv.gz", "-q")
        self.write("best.csv", gzip.decompress(self.read("best.csv.gz")))
        self.assertEqual([int(row["id"]) for row in self.read_csv("best.csv")], [row["id"] for row in self.records("best.jsonl")])

    def test_blocks_are_those_of_json_lines(self):
        self.write_csv("c.csv", self.rows)
        for keep in ("first", "max:score"):
            verdicts = []
            for name in ("corpus.jsonl", "c.csv"):
                self.neardup("dedup", name, "--block-on", "score", "--keep", keep, "--verdicts", "v.tsv", "-q")
                verdicts.append(self.verdicts("v.tsv", name))
            self.assertEqual(*verdicts)
            self.assertNotEqual(verdicts[0], self.verdicts("verdicts.tsv", "corpus.jsonl"))

    def test_values_come_out_as_they_went_in(self):
        self.write("odd.csv", b'\xef\xbb\xbfid,text,n\r\n007,"a ""quoted"" text, with\r\nlines and a\ttab",1e3\r\n1.10,"",  x \r\n'
                              b'3,plain words here,"NULL"\r\n')
        self.neardup("dedup", "odd.csv", "-o", "kept.csv", "--removed", "none.csv", "--annotate", "all.csv", "-q")
        self.assertEqual(self.read("kept.csv"), b'id,text,n\n007,"a ""quoted"" text, with\r\nlines and a\ttab",1e3\n1.10,"",  x \n'
                                                b"3,plain words here,NULL\n")
        self.assertEqual(self.read("none.csv"), b"id,text,n\n")
        self.assertEqual([row["neardup_verdict"] for row in self.read_csv("all.csv")], ["keep"] * 3)
        self.neardup("dedup", "odd.csv", "-o", "kept.jsonl", "-q")
        self.assertEqual(self.records("kept.jsonl")[1], {"id": "1.10", "text": "", "n": "  x "})

    def test_an_empty_cell_is_no_text(self):
        self.write("a.csv", "id,text\n1,\n2,some words\n")
        self.neardup("dedup", "a.csv", "-o", "kept.csv", "--rejects", "rejects.jsonl", "-q")
        self.assertEqual(self.read("kept.csv"), b"id,text\n2,some words\n")
        self.assertEqual(self.records("rejects.jsonl"), [{"id": "1", "text": None}])

    def test_rows_are_counted_over_line_breaks_in_quotes(self):
        self.write("a.csv", 'id,text\n1,"one\ntwo\nthree"\n2,"one\ntwo\nthree"\n')
        self.neardup("dedup", "a.csv", "--verdicts", "v.jsonl", "-q")
        self.assertEqual([(v["row"], v["verdict"]) for v in self.records("v.jsonl")], [(1, "keep"), (2, "remove")])

    def test_threads_and_batches_do_not_matter(self):
        rows = [{"id": n, "text": text + f" {n // 3}"} for n, text in enumerate(make_texts(3, 400, length=400))]
        self.write_csv("big.csv", [row for row in rows if row["text"].strip()])
        outputs = []
        for threads, memory in ((1, "64M"), (2, "1G"), (5, "1G")):
            self.neardup("dedup", "big.csv", "-o", "o.csv", "--verdicts", "v.tsv", "--threads", threads, "--memory", memory, "-q")
            outputs.append((self.read("o.csv"), self.read("v.tsv")))
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(outputs[0], outputs[2])

    def test_errors_name_file_line_and_columns(self):
        self.write("ragged.csv", "id,text\n1,fine words\n2,too,many\n")
        self.write("short.csv", "id,text\n1,fine words\n2\n")
        self.write("latin.csv", b"id,text\n1,caf\xe9 au lait\n")
        self.write("names.csv", "id,Text,text\n1,a,b\n")
        self.write("bare.csv", "1,no header here\n2,nor here\n")
        self.write("empty.csv", "")
        self.write("c.csv.bz2", "BZh9")
        self.assertRegex(self.fails("dedup", "ragged.csv"), r"'ragged.csv'.* Line: 3 .*Expected Number of Columns: 2 Found: 3$")
        self.assertRegex(self.fails("dedup", "short.csv"), r"'short.csv'.* Line: 3 .*Expected Number of Columns: 2 Found: 1$")
        self.assertRegex(self.fails("dedup", "latin.csv"), r"'latin.csv'.* Line: 2 .*not utf-8")
        self.assertIn("'names.csv' has two columns named 'text'", self.fails("dedup", "names.csv"))
        self.assertIn("'bare.csv' has no column 'text' (text_field); its columns are: 1, no header here (the first row",
                      self.fails("dedup", "bare.csv"))
        self.assertIn("'empty.csv' is empty", self.fails("dedup", "empty.csv"))
        self.assertIn("not by bzip2", self.fails("dedup", "c.csv.bz2"))
        self.assertIn("'./short.csv' is given twice", self.fails("dedup", "short.csv", "./short.csv", code=2))
        self.assertIn("standard input", self.fails("dedup", "-", "--format", "csv"))
        self.assertIn("charset", self.fails("dedup", "short.csv", "--charset", "big5", code=2))

    def test_a_table_without_rows_and_names_like_patterns(self):
        self.write("none.csv", "id,text\n")
        self.assertEqual(self.summary("dedup", "none.csv", "-o", "o.csv", "-q")["read"], 0)
        self.assertEqual(self.read("o.csv"), b"id,text\n")
        self.write("a[1]*?.csv", "id,text\n1,first words\n")
        self.write("a1x.csv", "id,text\n9,other words\n")
        self.neardup("dedup", "a[1]*?.csv", "-o", "o.csv", "-q")
        self.assertEqual([row["id"] for row in self.read_csv("o.csv")], ["1"])

    def test_the_commands_of_the_page(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/parquet.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        self.assertTrue(blocks)
        path = os.pathsep.join((str(pathlib.Path(BINARY).resolve().parent), os.environ["PATH"]))
        for block in blocks:
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=self.dir, stderr=subprocess.PIPE, check=False,
                                    env=os.environ | {"PATH": path, "NEARDUP_DUCKDB": LIBRARY})
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([row["id"] for row in self.records("both.jsonl")], ["2", "3"])

    def test_no_library_is_one_line(self):
        self.write("a.csv", "id,text\n1,x\n")
        bare = {"NEARDUP_DUCKDB": "", "HOME": str(self.dir), "XDG_CACHE_HOME": str(self.dir)}
        result = self.neardup("dedup", "a.csv", "-o", "o.csv", "-q", code=2, env=bare)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("fetch it once by: neardup doctor --fetch-duckdb\n", result.stderr)
        self.neardup("dedup", "a.csv", "-o", "o.csv", "-q", "--duckdb-library", LIBRARY, env=bare)
        self.assertIn("missing.so", self.fails("dedup", "a.csv", "--duckdb-library", "missing.so", code=2))


if __name__ == "__main__":
    unittest.main()
