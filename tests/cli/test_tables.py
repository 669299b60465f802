"""Parquet, CSV and TSV in and out: the same documents as JSON Lines, columns that survive, errors that name the place.

pyarrow is the other side: it writes what the program reads and reads what the program wrote.
"""
import csv
import datetime
import decimal
import gzip
import io
import json
import os
import pathlib
import re
import subprocess
import unittest

import tables
from corpora import make_texts
from harness import BINARY, CliTest

LIBRARY = tables.duckdb_library()
ARROW = tables.pyarrow() if LIBRARY else None


def documents(seed=7, originals=60):
    return [{"id": n, "text": text, "score": n % 7 + 0.5} for n, text in enumerate(make_texts(seed, originals))]


@unittest.skipUnless(LIBRARY, "DuckDB's library is not here: scripts/get_duckdb.sh could not fetch it")
class TableTest(CliTest):
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


class Csv(TableTest):
    def setUp(self):
        super().setUp()
        # An empty cell of CSV is no text at all, an empty line of JSON is one.
        self.rows = [row for row in documents() if row["text"].strip()]
        self.write("corpus.jsonl", self.rows)
        self.neardup("dedup", "corpus.jsonl", "-o", "kept.jsonl", "--verdicts", "verdicts.tsv", "-q")

    def test_the_same_documents_stay_as_from_json_lines(self):
        for name, delimiter in (("c.csv", ","), ("t.tsv", "\t")):
            self.write_csv(name, self.rows, delimiter)
            kept, verdicts = f"kept-{name}", f"verdicts-{name}l"
            self.neardup("dedup", name, "-o", kept, "--verdicts", "v.tsv", "-q")
            wanted = [{key: str(value) for key, value in row.items()} for row in self.records("kept.jsonl")]
            self.assertEqual(self.read_csv(kept, delimiter), wanted)
            strip = [{key: value for key, value in row.items() if "source" not in key} for row in self.table("v.tsv")]
            self.assertEqual(strip, [{k: v for k, v in row.items() if "source" not in k} for row in self.table("verdicts.tsv")], verdicts)

    def test_compressed_and_numbers_for_keep(self):
        self.write_csv("c.csv", self.rows)
        self.write("c.csv.gz", gzip.compress(self.read("c.csv")))
        self.neardup("dedup", "corpus.jsonl", "--keep", "max:score,last", "-o", "best.jsonl", "-q")
        self.neardup("dedup", "c.csv.gz", "--keep", "max:score,last", "-o", "best.csv.gz", "-q")
        self.write("best.csv", gzip.decompress(self.read("best.csv.gz")))
        self.assertEqual([int(row["id"]) for row in self.read_csv("best.csv")], [row["id"] for row in self.records("best.jsonl")])

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
        self.assertIn("'./short.csv' is given twice", self.fails("dedup", "short.csv", "./short.csv"))
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
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/parquet-and-sql.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```sh\n(.*?)^```", page.split("\n## SQL databases")[0], re.MULTILINE | re.DOTALL)
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
        self.assertIn("@duckdb/node-bindings-linux-x64", result.stderr)
        self.neardup("dedup", "a.csv", "-o", "o.csv", "-q", "--duckdb-library", LIBRARY, env=bare)
        self.assertIn("missing.so", self.fails("dedup", "a.csv", "--duckdb-library", "missing.so", code=2))


@unittest.skipUnless(ARROW, "pyarrow is not here, and could not be fetched")
class Parquet(TableTest):
    def write_parquet(self, name, table, **options):
        if isinstance(table, list):
            table = ARROW.Table.from_pylist(table)
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        ARROW.parquet.write_table(table, self.path(name), **options)
        return name

    def read_parquet(self, name):
        return ARROW.parquet.read_table(self.path(name))

    def every_type(self):
        date, time = datetime.datetime, datetime.time
        texts = ["the quick brown fox jumps over the lazy dog", "近似重复文本检测一二三四五六七", "the quick brown fox jumps over the lazy dog",
                 "quite another text than the ones before it"]
        number = decimal.Decimal
        return ARROW.table({
            "id": ARROW.array([1, 2, 3, None], ARROW.int64()),
            "text": texts,
            "flag": [True, None, False, True],
            "i8": ARROW.array([-128, 127, None, 0], ARROW.int8()),
            "u64": ARROW.array([2**64 - 1, 0, 1, None], ARROW.uint64()),
            "f64": [1.0, float("inf"), -1e300, None],
            "f32": ARROW.array([0.1, 1, 2, None], ARROW.float32()),
            "dec": ARROW.array([number("123.450"), number("-0.001"), None, number("0.000")], ARROW.decimal128(9, 3)),
            "dec38": ARROW.array([number("12345678901234567890123456789012345.678"), None, number("-1.500"), None],
                                 ARROW.decimal128(38, 3)),
            "us": ARROW.array([date(2024, 2, 29, 23, 59, 59, 123456), None, date(1, 1, 1), date(1969, 12, 31)], ARROW.timestamp("us")),
            "ms": ARROW.array([date(2024, 2, 29, 1, 2, 3, 4000), None, None, None], ARROW.timestamp("ms")),
            "utc": ARROW.array([date(2024, 2, 29, 12), None, None, None], ARROW.timestamp("us", tz="UTC")),
            "date": [datetime.date(2024, 2, 29), None, datetime.date(1900, 1, 1), datetime.date(9999, 12, 31)],
            "time": ARROW.array([time(1, 2, 3, 4), None, time(23, 59, 59), None], ARROW.time64("us")),
            "bytes": [b"\x00\xff", b"", None, b"a"],
            "list": [["a", "b"], [], None, ["c", None]],
            "lists": [[[1], [2, 3]], [], None, [None]],
            "struct": [{"x": 1, "y": {"z": "q"}}, None, {"x": None, "y": None}, {"x": 2, "y": {"z": None}}],
            "map": ARROW.array([[("k", 1), ("l", None)], None, [], [("m", 2)]], ARROW.map_(ARROW.string(), ARROW.int32())),
            "kind": ARROW.array(["u", "v", "u", None]).dictionary_encode(),
            "structs": [[{"a": "long enough not to stand inside"}, {"a": "y"}], None, [], [{"a": None}]],
        })

    def test_columns_survive(self):
        table = self.every_type()
        self.write_parquet("all.parquet", table, row_group_size=3)
        self.neardup("dedup", "all.parquet", "-o", "kept.parquet", "--removed", "removed.parquet", "--annotate", "annotated.parquet",
                     "--output-dir", "clean", "-q")
        kept = self.read_parquet("kept.parquet")
        self.assertEqual(kept.schema, table.schema)
        codecs = [ARROW.parquet.ParquetFile(self.path(name)).metadata.row_group(0).column(0).compression for name in
                  ("all.parquet", "kept.parquet", "annotated.parquet")]
        self.assertEqual(codecs, ["SNAPPY"] * 3)
        self.assertEqual(kept.to_pylist(), table.take([0, 1, 3]).to_pylist())
        self.assertEqual(self.read_parquet("removed.parquet").to_pylist(), table.take([2]).to_pylist())
        self.assertEqual(self.read_parquet("clean/all.parquet").to_pylist(), kept.to_pylist())
        annotated = self.read_parquet("annotated.parquet")
        self.assertEqual(annotated.schema.names, table.schema.names + [f"neardup_{name}" for name in (
            "verdict", "reason", "keeper_id", "keeper_source", "keeper_row", "similarity")])
        self.assertEqual(annotated.select(table.schema.names).to_pylist(), table.to_pylist())
        self.assertEqual(annotated["neardup_verdict"].to_pylist(), ["keep", "keep", "remove", "keep"])
        self.assertEqual(annotated["neardup_keeper_row"].to_pylist(), [None, None, 1, None])

    def test_rows_as_json_are_exact(self):
        self.write_parquet("all.parquet", self.every_type())
        self.neardup("dedup", "all.parquet", "-o", "kept.jsonl", "-q")
        first, second, last = (json.loads(line, parse_float=decimal.Decimal) for line in self.read("kept.jsonl").splitlines())
        self.assertEqual({key: value for key, value in first.items() if key not in ("id", "text")}, {
            "flag": True, "i8": -128, "u64": 2**64 - 1, "f64": 1, "f32": decimal.Decimal("0.1"), "dec": decimal.Decimal("123.450"),
            "dec38": decimal.Decimal("12345678901234567890123456789012345.678"), "us": "2024-02-29T23:59:59.123456",
            "ms": "2024-02-29T01:02:03.004", "utc": "2024-02-29T12:00:00Z", "date": "2024-02-29", "time": "01:02:03.000004",
            "bytes": "AP8=", "list": ["a", "b"], "lists": [[1], [2, 3]], "struct": {"x": 1, "y": {"z": "q"}}, "map": {"k": 1, "l": None},
            "kind": "u", "structs": [{"a": "long enough not to stand inside"}, {"a": "y"}]})
        self.assertEqual((second["f64"], second["bytes"], second["list"], second["us"]), ("Infinity", "", [], None))
        self.assertEqual((last["date"], last["lists"], last["list"], last["us"]),
                         ("9999-12-31", [None], ["c", None], "1969-12-31T00:00:00"))

    def test_the_same_documents_stay_as_from_json_lines(self):
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

    def test_json_lines_find_their_columns(self):
        self.write("a.jsonl", [
            {"id": 1, "text": "alpha beta gamma delta", "big": 123456789012345678901234567890, "day": "2024-01-01", "list": [1, 2],
             "deep": {"a": 1, "b": None}, "mixed": 1, "precise": decimal_text("0.12345678901234567890")},
            {"id": 2, "text": "epsilon zeta eta theta", "big": -5, "list": [], "deep": {"c": [{"z": 1}]}, "mixed": "s", "late": 0.5}])
        self.write("a.jsonl", self.read("a.jsonl").replace(b'"0.12345678901234567890"', b"0.12345678901234567890"))
        self.neardup("dedup", "a.jsonl", "-o", "o.parquet", "-q")
        table = self.read_parquet("o.parquet")
        self.assertEqual(table.schema.names, ["id", "text", "big", "day", "list", "deep", "mixed", "precise", "late"])
        rows = table.to_pylist()
        self.assertEqual(rows[0]["big"], decimal.Decimal(123456789012345678901234567890))
        self.assertEqual(rows[0]["precise"], decimal.Decimal("0.12345678901234567890"))
        self.assertEqual([row["day"] for row in rows], ["2024-01-01", None])
        self.assertEqual([row["deep"] for row in rows], [{"a": 1, "b": None, "c": None}, {"a": None, "b": None, "c": [{"z": 1}]}])
        self.assertEqual([row["mixed"] for row in rows], ["1", '"s"'])
        self.assertEqual([row["late"] for row in rows], [None, 0.5])

    def test_lists_nested_fields_and_projection(self):
        rows = [{"doc": {"key": n, "body": ["one line of words", f"and another {n % 2}"]}, "wide": "x" * 100} for n in range(4)]
        self.write_parquet("n.parquet", rows)
        self.neardup("dedup", "n.parquet", "--text-field", "doc.body", "--id-field", "doc.key", "--verdicts", "v.tsv", "-q")
        self.assertEqual([(row["id"], row["verdict"]) for row in self.table("v.tsv")],
                         [("0", "keep"), ("1", "keep"), ("2", "remove"), ("3", "remove")])
        self.assertIn("no column 'text' (text_field); its columns are: doc, wide", self.fails("dedup", "n.parquet"))
        self.assertIn("no column 'key' (id_field)", self.fails("dedup", "n.parquet", "--text-field", "doc.body", "--id-field", "key"))
        self.assertIn("no column 'score' (keep)", self.fails("dedup", "n.parquet", "--text-field", "doc.body", "--keep", "max:score"))

    def test_only_the_needed_columns_are_read(self):
        # The damage is in a column that nobody asks for.
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
        frame = good.index(b"\x28\xb5\x2f\xfd", column.data_page_offset)  # of zstd: a flip behind it may well decode
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
        # Standard output is a pipe that nobody reads at first: the run waits in its output pass, and the file changes meanwhile.
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

    def test_other_commands_read_tables(self):
        self.write_parquet("a.parquet", [{"id": n, "text": f"words of the text {n}"} for n in range(5)])
        lines = self.neardup("sketch", "a.parquet", "--recipe", "simhash-words", "-q").stdout.splitlines()
        self.assertEqual(len(lines), 5)


def decimal_text(digits):
    """Stands for a number that json.dumps() would round; the test puts the digits in."""
    return digits


if __name__ == "__main__":
    unittest.main()
