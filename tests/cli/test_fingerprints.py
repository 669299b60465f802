"""`neardup sketch` of fingerprint recipes: JSON Lines, tables, arrays for NumPy."""
import array
import ast
import gzip
import json
import unittest

from corpora import make_texts
from fingerprints import WORDS, python_simhash, simhash, weights_of
from harness import CliTest

try:
    import numpy
except ImportError:
    numpy = None


class Fingerprints(CliTest):
    def setUp(self):
        super().setUp()
        self.write("wide.json", json.dumps(WORDS))
        self.write("narrow.json", json.dumps(WORDS | {"sketch": {"kind": "simhash_v1", "bits": 64}}))
        self.texts = make_texts(31) + ["...", "日本 abc"]  # one without a word
        lines = [json.dumps({"id": f"d\t{i}", "text": text}) for i, text in enumerate(self.texts)]
        lines[3:3] = ["{bad"]
        self.write("in.jsonl", "\n".join(lines[:7] + [""] + lines[7:]) + "\n")
        self.short = [not weights_of(text.replace("日", " x ").replace("本", " y ")) for text in self.texts]
        self.assertIn(True, self.short)

    def expected(self, bits):
        """The definition; 日 and 本 are words of their own."""
        codes = []
        for text in self.texts:
            weights = weights_of(text)
            for character in "日本":
                if character in text:
                    weights[character] = text.count(character)
            codes.append(simhash(weights, bits))
        return codes

    def test_json_lines_follow_the_definition(self):
        for recipe, bits in (("wide.json", 128), ("narrow.json", 64)):
            codes = self.expected(bits)
            for form, write in (("hex", lambda code: f"{code:0{bits // 4}x}"), ("integer", str), ("bits", lambda code: f"{code:0{bits}b}")):
                self.neardup("sketch", "in.jsonl", "--recipe", recipe, "--fingerprint", form, "-o", "s.jsonl", "-q")
                rows = self.records("s.jsonl")
                self.assertEqual([row["fingerprint"] for row in rows], [None if code is None else write(code) for code in codes])
            self.assertEqual([row["id"] for row in rows], [f"d\t{i}" for i in range(len(rows))])
            self.assertEqual([row["too_short"] for row in rows], self.short)
            self.assertEqual(list(rows[0]), ["recipe_id", "source", "row", "id", "exact", "features", "too_short", "fingerprint"])
            for row, text in zip(rows[:-1], self.texts):
                self.assertEqual(row["features"], len(weights_of(text)))
            self.assertEqual([row["row"] for row in rows[:8]], [1, 2, 3, 5, 6, 7, 9, 10])

    def test_a_table(self):
        self.neardup("sketch", "in.jsonl", "--recipe", "narrow.json", "-o", "s.tsv.gz", "-q")
        self.write("s.tsv", gzip.decompress(self.read("s.tsv.gz")))
        rows = self.table("s.tsv")
        self.assertEqual(list(rows[0]), ["id", "source", "row", "fingerprint"])
        codes = ["" if code is None else f"{code:016x}" for code in self.expected(64)]
        self.assertEqual([row["fingerprint"] for row in rows], codes)
        self.assertEqual([row["id"] for row in rows], [f"d {i}" for i in range(len(rows))])
        self.assertEqual({row["source"] for row in rows}, {"in.jsonl"})
        self.neardup("sketch", "in.jsonl", "-o", "m.tsv", "-q")
        self.assertEqual(len(self.table("m.tsv")[0]["signature"].split(",")), 128)

    def load(self, name):
        """Numbers and shape of an array, by hand; and NumPy must agree."""
        data = self.read(name)
        self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
        size = 10 + int.from_bytes(data[8:10], "little")
        self.assertEqual(size % 64, 0)
        self.assertEqual(data[size - 1:size], b"\n")
        header = ast.literal_eval(data[10:size].decode("latin-1"))
        self.assertEqual(set(header), {"descr", "fortran_order", "shape"})
        self.assertIs(header["fortran_order"], False)
        numbers = array.array({"<u8": "Q", "<u4": "I"}[header["descr"]], data[size:]).tolist()
        if numpy is not None:
            loaded = numpy.load(self.path(name), allow_pickle=False)
            self.assertEqual((loaded.shape, loaded.ravel().tolist()), (header["shape"], numbers))
        return header["shape"], numbers, data[size:]

    def test_arrays(self):
        for recipe, bits in (("wide.json", 128), ("narrow.json", 64)):
            codes = [code or 0 for code in self.expected(bits)]
            result = self.neardup("sketch", "in.jsonl", "--recipe", recipe, "-o", "s.npy")
            self.assertIn(f"{sum(self.short)} texts too short for a sketch: a row of zeros stands for each", result.stderr)
            shape, numbers, raw = self.load("s.npy")
            if bits == 64:
                self.assertEqual((shape, numbers), ((len(codes),), codes))
            else:
                self.assertEqual(shape, (len(codes), 2))
                self.assertEqual(numbers, [half for code in codes for half in (code & 2**64 - 1, code >> 64)])
            self.assertEqual(raw, b"".join(code.to_bytes(bits // 8, "little") for code in codes))
            self.neardup("sketch", "in.jsonl", "--recipe", recipe, "-o", "s.bin.gz", "-q")
            self.assertEqual(gzip.decompress(self.read("s.bin.gz")), raw)

    def test_signatures_as_an_array(self):
        self.neardup("sketch", "in.jsonl", "-o", "s.jsonl", "-q")
        self.neardup("sketch", "in.jsonl", "-o", "s.npy", "-q", "-j", "3")
        shape, numbers, _ = self.load("s.npy")
        rows = [row["signature"] or [0] * 128 for row in self.records("s.jsonl")]
        self.assertEqual(shape, (len(rows), 128))
        self.assertEqual(numbers, [lane for row in rows for lane in row])

    def test_an_empty_corpus_and_many_rows(self):
        self.write("none.jsonl", "")
        self.neardup("sketch", "none.jsonl", "--recipe", "narrow.json", "-o", "s.npy", "-q")
        self.assertEqual(self.load("s.npy")[:2], ((0,), []))
        self.write("many.jsonl", [{"text": f"number {i} of many words {i % 97}"} for i in range(200000)])
        arrays = []
        for threads in (1, 4):
            self.neardup("sketch", "many.jsonl", "--recipe", "narrow.json", "-o", "s.npy", "-q", "-j", threads)
            arrays.append(self.load("s.npy"))
        self.assertEqual(arrays[0], arrays[1])
        self.assertEqual(arrays[0][0], (200000,))
        self.assertEqual(arrays[0][1][123456], simhash(weights_of(f"number 123456 of many words {123456 % 97}"), 64))

    def test_the_python_package(self):
        texts = self.texts + ["Hello, World! 你好，世界", "Ä b_c", "x"]
        self.write("in.jsonl", [{"text": text} for text in texts])
        out = self.neardup("sketch", "in.jsonl", "--recipe", "python-simhash-text", "-q").stdout.splitlines()
        for line, text in zip(out, texts, strict=True):
            row = json.loads(line)
            if not row["too_short"]:
                self.assertEqual(row["fingerprint"], f"{python_simhash(text):016x}", text)
        self.assertGreater(sum(not json.loads(line)["too_short"] for line in out), 50)

    def test_idf_of_the_corpus_itself(self):
        lines = self.neardup("sketch", "in.jsonl", "--recipe", "simhash-words", "-q").stdout.splitlines()
        recipe = json.loads(self.neardup("recipe", "simhash-words", "--json").stdout)
        self.neardup("idf", "fit", "in.jsonl", "--recipe", "simhash-words", "-o", "in.idf", "-q")
        recipe["weighting"]["idf"] = "in.idf"
        recipe["stop_words"] = "english_v1"
        self.write("fitted.json", json.dumps(recipe))
        self.assertEqual(self.neardup("sketch", "in.jsonl", "--recipe", "fitted.json", "-q").stdout.splitlines(), lines)
        self.assertGreater(len(lines), 30)

    def test_what_is_said_and_refused(self):
        self.assertIn(", 128 bits, ", self.neardup("sketch", "in.jsonl", "--recipe", "wide.json", "-o", "s.npy").stderr.split("\n")[0])
        start = json.loads(self.neardup("sketch", "in.jsonl", "--recipe", "wide.json", "-o", "s.npy", "--log-format", "json").stderr.split("\n")[0])
        self.assertEqual((start["bits"], "lanes" in start), (128, False))
        said = self.neardup("dedup", "in.jsonl", "--recipe", "wide.json", "--dry-run").stderr.split("\n")[0]
        self.assertIn("fingerprints of 128 bits, distance at most 3", said)
        self.assertNotIn("threshold", said)
        for arguments, message in [
            (("-o", "x.npy.gz", "--recipe", "wide.json"), "cannot be compressed, because the header is written last"),
            (("--fingerprint", "octal", "--recipe", "wide.json"), "expected one of hex, integer, signed, bits, not 'octal'"),
            (("--fingerprint", "hex"), "recipe 'words-5' makes MinHash signatures"),
            (("-o", "x.npy", "--fingerprint", "hex", "--recipe", "wide.json"), "'x.npy' holds numbers, not text"),
        ]:
            self.assertIn(message, self.neardup("sketch", "in.jsonl", *arguments, code=2).stderr)
        self.assertFalse(any(name.startswith("x") or ".partial" in name for name in self.names()))


if __name__ == "__main__":
    unittest.main()
