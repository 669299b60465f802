"""Columns of Parquet: their types survive, and as JSON their values are exact."""
import datetime
import decimal
import json
import unittest

from table_case import ARROW, ParquetTest


class Values(ParquetTest):
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

    def test_blocks(self):
        brands = ["a", "b", "A", None, "a", None]
        rows = [{"id": i, "text": "steel kettle", "of": {"brand": brand}, "n": i % 2} for i, brand in enumerate(brands)]
        self.write_parquet("o.parquet", rows, row_group_size=2)
        for field, keepers in {"of.brand": [None, None, "0", None, "0", "3"], "n": [None, None, "0", "1", "0", "1"]}.items():
            self.neardup("dedup", "o.parquet", "--block-on", field, "--verdicts", "v.jsonl", "-q")
            self.assertEqual([row["keeper_id"] for row in self.records("v.jsonl")], keepers)
        self.assertIn("'o.parquet' has no column 'bramd' (block_on); its columns are: ", self.fails("dedup", "o.parquet", "--block-on", "bramd"))

    def test_protected_rows(self):
        rows = [{"id": i, "text": "one two three four five six seven", "of": {"kind": "gold" if i == 3 else None}, "n": i, "b": i == 4, "f": i / 2} for i in range(6)]
        self.write_parquet("o.parquet", rows, row_group_size=2)
        for rule, kept in {"of.kind=gold": [3], "n=2": [2], "b=true": [4], "b=false,n=5": [0, 1, 2, 3, 5], "f=0.5": [1], "n=9": [0]}.items():
            self.neardup("dedup", "o.parquet", "--protect", rule, "-o", "k.jsonl", "-q")
            self.assertEqual([row["id"] for row in self.records("k.jsonl")], kept, rule)
        self.assertIn("'o.parquet' has no column 'kind' (protect); its columns are: ", self.fails("dedup", "o.parquet", "--protect", "kind=gold"))

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
            "verdict", "reason", "keeper_id", "keeper_source", "keeper_row", "similarity", "cluster_id", "cluster_size")])
        self.assertEqual(annotated.select(table.schema.names).to_pylist(), table.to_pylist())
        self.assertEqual(annotated["neardup_verdict"].to_pylist(), ["keep", "keep", "remove", "keep"])
        self.assertEqual(annotated["neardup_keeper_row"].to_pylist(), [None, None, 1, None])
        self.assertEqual(annotated["neardup_cluster_id"].to_pylist(), [f"all.parquet:{row}" for row in (1, 2, 1, 4)])
        self.assertEqual(annotated["neardup_cluster_size"].to_pylist(), [2, 1, 2, 1])

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


def decimal_text(digits):
    """Stands for a number that json.dumps() would round; the test puts the digits in."""
    return digits


if __name__ == "__main__":
    unittest.main()
