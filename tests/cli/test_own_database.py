"""Fingerprints in a database of the user: `neardup sketch --blocks` into SQLite, lookups by block, `neardup query --from-rows`."""
import csv
import json
import os
import pathlib
import random
import re
import sqlite3
import unittest

from fingerprints import WORDS, simhash, weights_of
from harness import CliTest

SCHEMA = "CREATE TABLE block_rows (block INTEGER, value INTEGER, fingerprint TEXT, id TEXT, PRIMARY KEY (block, value, fingerprint, id))"
LAYOUTS = {"4x16": [16] * 4, "22,21,21": [22, 21, 21], "11,11,11,11,10,10": [11] * 4 + [10] * 2, "8x16": [16] * 8, "2x32": [32] * 2}


def families(seed, originals, copies):
    """Long texts, and copies in which a few words are others: fingerprints at small distances."""
    chance = random.Random(seed)
    vocabulary = [f"w{n}" for n in range(3000)]
    texts = []
    for _ in range(originals):
        words = chance.choices(vocabulary, k=150)
        for copy in range(copies):
            edited = list(words)
            for _ in range(copy):
                edited[chance.randrange(len(edited))] = chance.choice(vocabulary)
            texts.append(" ".join(edited))
    return texts


def values_of(code, widths):
    for width in widths:
        yield code % 2**width
        code >>= width


class OwnDatabase(CliTest):
    def recipe(self, bits):
        return self.write(f"r{bits}.json", json.dumps(WORDS | {"sketch": {"kind": "simhash_v1", "bits": bits}}))

    def load(self, name):
        """Into a database: all rows of a table of `neardup sketch --blocks`."""
        database = sqlite3.connect(":memory:")
        self.addCleanup(database.close)
        database.execute(SCHEMA)
        with open(self.path(name), encoding="utf-8", newline="\n") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        database.executemany("INSERT INTO block_rows VALUES (:block, :value, :fingerprint, :id)", rows)
        return database

    def fetched(self, database, code, widths):
        """What the lookups of a fingerprint give, as a table; a candidate may be in it several times."""
        lines = ["block\tvalue\tfingerprint\tid"]
        for block, value in enumerate(values_of(code, widths)):
            found = database.execute("SELECT block, value, fingerprint, id FROM block_rows WHERE block = ? AND value = ?", (block, value))
            lines += ["\t".join(map(str, row)) for row in found]
        return "\n".join(lines).encode() + b"\n"

    def answer(self, rows, *arguments):
        lines = self.neardup("query", "--from-rows", "-q", *arguments, stdin=rows).stdout.decode().split("\n")
        self.assertEqual((lines[0], lines[-1]), ("query\tid\tfingerprint\tdistance", ""))
        return [tuple(line.split("\t")) for line in lines[1:-1]]

    def test_answers_are_those_of_brute_force(self):
        texts = families(3, 30, 5) + ["", "..."]
        self.write("in.jsonl", [{"id": f"d{i}", "text": text} for i, text in enumerate(texts)])
        for layout, widths in LAYOUTS.items():
            bits = sum(widths)
            codes = {f"d{i}": simhash(weights_of(text), bits) for i, text in enumerate(texts[:-2])}
            said = self.neardup("sketch", "in.jsonl", "--recipe", self.recipe(bits), "--blocks", layout, "-o", "rows.tsv").stderr
            self.assertIn("2 texts too short for a fingerprint: no rows for them", said)
            expected = [(str(block), str(value), f"{code:0{bits // 4}x}", name)
                        for name, code in codes.items() for block, value in enumerate(values_of(code, widths))]
            self.assertEqual([tuple(row.values()) for row in self.table("rows.tsv")], expected)
            database = self.load("rows.tsv")
            reached = set()
            for number in range(0, len(codes), 11):
                query = codes[f"d{number}"]
                rows = self.fetched(database, query, widths)
                for radius in range(len(widths)):
                    near = sorted(((query ^ code).bit_count(), name.encode(), code) for name, code in codes.items())
                    near = [(f"{query:0{bits // 4}x}", name.decode(), f"{code:0{bits // 4}x}", str(distance))
                            for distance, name, code in near if distance <= radius]
                    self.assertEqual(
                        self.answer(rows, "--blocks", layout, "--max-distance", radius, "--fingerprint", f"{query:0{bits // 4}x}"), near)
                    reached |= {int(row[3]) for row in near}
            self.assertEqual(reached, set(range(len(widths))), "the corpus has pairs at every distance")

    def test_the_worst_place_of_the_bits(self):
        """One differing bit in all blocks but one is found, one in every block is not, and a distance beyond the blocks is refused."""
        chance = random.Random(5)
        for layout, widths in LAYOUTS.items():
            bits, begins = sum(widths), [sum(widths[:block]) for block in range(len(widths))]
            query = chance.getrandbits(bits)
            planted = {}
            for spared in range(len(widths) + 1):  # the last one: none is spared
                flips = sum(1 << begin + chance.randrange(width)
                            for block, (begin, width) in enumerate(zip(begins, widths)) if block != spared)
                planted[f"s{spared}"] = query ^ flips
            rows = ["block\tvalue\tfingerprint\tid"]
            rows += [f"{block}\t{value}\t{code:0{bits // 4}x}\t{name}" for name, code in planted.items()
                     for block, value in enumerate(values_of(code, widths))]
            self.write("rows.tsv", "\n".join(rows) + "\n")
            fetched = self.fetched(self.load("rows.tsv"), query, widths)
            arguments = ("--blocks", layout, "--fingerprint", f"{query:0{bits // 4}x}")
            radius = len(widths) - 1
            near = self.answer(fetched, *arguments, "--max-distance", radius)
            self.assertEqual([(row[1], row[3]) for row in near], [(f"s{spared}", str(radius)) for spared in range(len(widths))])
            self.assertEqual(self.answer(fetched, *arguments, "--max-distance", radius - 1), [])
            refused = self.neardup("query", "--from-rows", *arguments, "--max-distance", radius + 1, stdin=fetched, code=2)
            self.assertIn(f"distance {radius + 1} is too large for blocks '{layout}', which cover at most {radius}", refused.stderr)
            self.assertEqual(refused.stdout, b"")

    def test_texts_and_forms(self):
        texts = families(4, 3, 3)
        self.write("in.jsonl", [{"id": i, "text": text} for i, text in enumerate(texts)] + [{"text": texts[0]}])
        self.write("page.txt", texts[4].encode("utf-16"))
        self.recipe(64)
        for form, write in (("hex", lambda code: f"{code:016x}"), ("integer", str), ("bits", lambda code: f"{code:064b}"),
                            ("signed", lambda code: str(code - 2**64 if code >> 63 else code))):
            for name in ("rows.tsv", "rows.jsonl", "rows.jsonl.zst"):
                self.neardup("sketch", "in.jsonl", "--recipe", "r64.json", "--blocks", "4x16", "--fingerprint", form, "-o", name, "-q")
                code = simhash(weights_of(texts[4]), 64)
                common = (name, "--fingerprint-format", form, "--max-distance", "0")
                expected = [(write(code), "4", write(code), "0")]
                self.assertEqual(self.answer(b"", *common, f"--fingerprint={write(code)}"), expected)
                self.assertEqual(self.answer(b"", *common, "--recipe", "r64.json", "--text", texts[4].upper()), expected)
                self.assertEqual(self.answer(b"", *common, "--recipe", "r64.json", "--file", "page.txt"), expected)
                self.assertEqual(self.answer(texts[4].encode(), *common, "--recipe", "r64.json", "--file", "-"), expected)
                first = write(simhash(weights_of(texts[0]), 64))
                several = self.answer(b"", *common, f"--fingerprint={write(code)}", f"--fingerprint={first}", f"--fingerprint={first}")
                self.assertEqual(several, expected + [(first, "0", first, "0"), (first, "in.jsonl:10", first, "0")])
        rows = self.records("rows.jsonl")
        self.assertEqual((list(rows[0]), type(rows[0]["value"]), type(rows[0]["fingerprint"])), (["block", "value", "fingerprint", "id"], int, str))

    def test_the_same_rows_for_any_number_of_threads(self):
        self.write("in.jsonl", [{"id": f"{i}", "text": f"number {i} of many words {i % 97}"} for i in range(100000)])
        self.recipe(64)
        rows = []
        for threads in (1, 4):
            self.neardup("sketch", "in.jsonl", "--recipe", "r64.json", "--blocks", "4x16", "-o", "rows.tsv", "-q", "-j", threads)
            rows.append(self.read("rows.tsv"))
        self.assertEqual(rows[0], rows[1])
        lines = rows[0].decode().split("\n")
        self.assertEqual(len(lines), 400002)
        code = simhash(weights_of("number 77777 of many words 80"), 64)
        self.assertEqual(lines[1 + 4 * 77777 + 2], f"2\t{code >> 32 & 0xffff}\t{code:016x}\t77777")

    def test_broken_rows(self):
        good = '{"fingerprint":"00000000000000ff","id":"x"}\n'
        rows = (good + '{"fingerprint":"ff","id":"x"}\n' + good + '{"block":0,"value":255.0,"fingerprint":"00000000000000ff","id":"y"}\n').encode()
        arguments = ("query", "--from-rows", "--fingerprint", "00000000000000ff", "--rejects", "bad.jsonl")
        result = self.neardup(*arguments, stdin=rows)
        self.assertIn("standard input:2: rejected: fingerprint: expected 16 hexadecimal digits, not 'ff'", result.stderr)
        self.assertIn("standard input:4: rejected: value: expected 255, which block 0", result.stderr)
        self.assertIn("rejected: 2 invalid value\n", result.stderr)
        self.assertIn("4 rows, 2 rejected, 1 neighbour within 3 of the fingerprint", result.stderr)
        self.assertEqual(self.read("bad.jsonl").decode().split("\n"), [*rows.decode().split("\n")[1::2], ""])
        self.assertEqual(self.neardup(*arguments, "--strict", stdin=rows, code=3).stdout, result.stdout)
        event = json.loads(self.neardup(*arguments, "--log-format", "json", stdin=rows).stderr.split("\n")[0])
        self.assertEqual((event["event"], event["command"]), ("warning", "query"))
        # Rows cut from the highest bits on, or of another layout, do not pass for an answer.
        self.write("rows.tsv", "block\tvalue\tfingerprint\tid\n0\t0\t00000000000000ff\tx\n3\t255\t00000000000000ff\tx\n")
        said = self.neardup("query", "--from-rows", "rows.tsv", "--fingerprint", "00000000000000ff", "-o", "n.tsv", code=1).stderr
        self.assertIn("no row could be used: 2 rows rejected: 2 invalid value", said)
        self.assertNotIn("n.tsv", self.names())

    def test_what_is_refused(self):
        self.write("in.jsonl", [{"id": 1, "text": "one two three"}])
        self.write("rows.tsv", "fingerprint\tid\n")
        self.write("headless.tsv", "0\t255\t00000000000000ff\tx\n")
        self.recipe(64), self.recipe(128)
        for arguments, message, code in [
            (("sketch", "in.jsonl", "--blocks", "4x16"), "blocks '4x16' are cut from fingerprints, but recipe 'words-5' makes MinHash", 2),
            (("sketch", "in.jsonl", "--blocks", "4x16", "--recipe", "r128.json"), "blocks '4x16' have 64 bits, but recipe 'r128.json' makes fingerprints of 128", 2),
            (("sketch", "in.jsonl", "--blocks", "4x15", "--recipe", "r64.json"), "the widths have a sum of 60", 2),
            (("sketch", "in.jsonl", "--blocks", "4x0", "--recipe", "r64.json"), "a block must have at least 1 bit", 2),
            (("sketch", "in.jsonl", "--blocks", "64x1", "--recipe", "r64.json"), "expected 1 to 32 blocks, not 64", 2),
            (("sketch", "in.jsonl", "--blocks", "1x64", "--recipe", "r64.json"), "at most 53 bits, not 64", 2),
            (("sketch", "in.jsonl", "--blocks", "8x16", "--recipe", "r128.json", "--fingerprint", "signed"), "signed is for fingerprints of 64 bits", 2),
            (("sketch", "in.jsonl", "--blocks", "4x16", "--recipe", "r64.json", "-o", "x.npy"), "'x.npy' holds numbers, not rows", 2),
            (("query", "rows.tsv"), "--from-rows", 2),
            (("query", "--from-rows", "rows.tsv"), "give exactly one query: --fingerprint, --text or --file", 2),
            (("query", "--from-rows", "rows.tsv", "--fingerprint", "0" * 16, "--text", "x"), "give exactly one query: --fingerprint, --text or --file", 2),
            (("query", "--from-rows", "rows.tsv", "--fingerprint", "0" * 32), "--fingerprint: expected 16 hexadecimal digits (of blocks 4x16)", 2),
            (("query", "--from-rows", "rows.tsv", "--text", "x"), "recipe 'words-5' makes MinHash signatures", 2),
            (("query", "--from-rows", "rows.tsv", "--text", "one two", "--recipe", "r128.json"), "recipe 'r128.json' makes fingerprints of 128", 2),
            (("query", "--from-rows", "rows.tsv", "--text", "...", "--recipe", "r64.json"), "--text is too short for a fingerprint", 1),
            (("query", "--from-rows", "--file", "-", "--recipe", "r64.json"), "standard input cannot be both", 2),
            (("query", "--from-rows", "rows.tsv", "--fingerprint", "0" * 16, "-o", "rows.tsv"), "is also an input", 2),
            (("query", "--from-rows", "headless.tsv", "--fingerprint", "0" * 16), "headless.tsv:1: the header has no column 'fingerprint'", 1),
            (("query", "--from-rows", "none.tsv", "--fingerprint", "0" * 16), "cannot open 'none.tsv'", 1),
        ]:
            result = self.neardup(*arguments, code=code)
            self.assertIn(message, result.stderr)
            self.assertEqual(result.stdout, b"")
        self.assertEqual(self.names(), ["headless.tsv", "in.jsonl", "r128.json", "r64.json", "rows.tsv"])

    def test_the_statements_of_the_page(self):
        """docs/own-database.md: its SQL runs over the rows of its corpus; its shell blocks are run by scripts/check_docs.py."""
        source = pathlib.Path(os.environ.get("NEARDUP_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
        page = (source / "docs" / "own-database.md").read_text(encoding="utf-8")
        self.write("in.jsonl", re.search(r"cat > corpus.jsonl <<'END'\n(.*?)END\n", page, re.DOTALL)[1])
        self.neardup("sketch", "in.jsonl", "--recipe", "simhash-words-3", "--blocks", "4x16", "-o", "rows.tsv", "-q")
        schema, lookup, delete, pairs, buckets = re.findall(r"```sql test\n(.*?)```", page, re.DOTALL)
        database = sqlite3.connect(":memory:")
        self.addCleanup(database.close)
        database.executescript(schema)
        rows = [tuple(row.values()) for row in self.table("rows.tsv")]
        for _ in range(2):  # a row that occurs twice is listed once
            database.executemany("INSERT OR IGNORE INTO block_rows VALUES (?, ?, ?, ?)", rows)
        self.assertEqual(database.execute("SELECT COUNT(*) FROM block_rows").fetchone(), (12,))
        plan = " ".join(str(row) for row in database.execute("EXPLAIN QUERY PLAN " + lookup))
        self.assertIn("(block=? AND value=?)", plan)
        found = database.execute(lookup).fetchall()
        self.assertEqual(sorted(row[1] for row in found), ["n1", "n2"])
        table = "fingerprint\tid\n" + "".join("\t".join(row) + "\n" for row in found)
        near = self.answer(table.encode(), "--fingerprint", "244038a99fc2145a")
        self.assertEqual([(row[1], row[3]) for row in near], [("n1", "0"), ("n2", "2")])
        self.assertEqual(database.execute(pairs).fetchall(), [("n1", "n2")])
        self.assertEqual({row[2] for row in database.execute(buckets)}, {2})
        database.execute(delete)
        self.assertEqual(database.execute("SELECT DISTINCT id FROM block_rows ORDER BY id").fetchall(), [("n1",), ("n2",)])


if __name__ == "__main__":
    unittest.main()
