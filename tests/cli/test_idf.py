"""`neardup idf`: the table against counting in Python, with hashes and tokens written from docs/recipe.md and the file from docs/weights.md."""
import json
import math
import pathlib
import re
import struct
import unittest
from collections import Counter
from decimal import Decimal, getcontext
from fractions import Fraction

from corpora import make_texts
from harness import CliTest
from test_recipe_page import normalize, tokens_of, xxh3_64

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "weights.md"
WORDS = '{"normalizer":"nfkc_casefold_v1","tokenizer":"words_v1"}'


def idf(documents, frequency):
    """The steps of docs/weights.md, in Python's whole numbers."""

    def log2(x):
        whole = x.bit_length() - 1
        mantissa, result = x << (63 - whole), whole
        for _ in range(40):
            square = mantissa * mantissa
            two = square >> 127
            mantissa = square >> (64 if two else 63)
            result = 2 * result + two
        return result

    return 65536 + ((log2(documents + 1) - log2(frequency + 1)) * 2977044472 + 2**55 >> 56)


def table_of(texts, description=WORDS, normalizer="nfkc_casefold_v1", tokenizer="words_v1", least=1):
    """The whole file."""
    counts = Counter(token for text in texts for token in set(tokens_of(normalize(text, normalizer), tokenizer)))
    entries = sorted((xxh3_64(token.encode()), count) for token, count in counts.items() if count >= least)
    out = b"neardupF" + struct.pack("<IIQQII", 1, len(description), len(texts), len(entries), least, 0) + description.encode()
    out += bytes(-len(out) % 8)
    out += b"".join(struct.pack("<Q", token) for token, _ in entries) + b"".join(struct.pack("<I", count) for _, count in entries)
    out += bytes(-len(out) % 8)
    return out + struct.pack("<Q", xxh3_64(out)), counts


def split(content):
    """The table of a file, and the words of its section by hash, most frequent first; the section has to be as docs/weights.md says."""
    description, entries = struct.unpack_from("<I", content, 12)[0], struct.unpack_from("<Q", content, 24)[0]
    end = 40 + -(-description // 8) * 8 + 8 * entries + -(-4 * entries // 8) * 8 + 8
    section, words = content[end:], {}
    if section:
        assert section[:8] == b"neardupW" and struct.unpack("<Q", section[-8:])[0] == xxh3_64(section[:-8])
        version, count = struct.unpack_from("<II", section, 8)
        assert version == 1
        at = 16
        for _ in range(count):
            token, length = struct.unpack_from("<QI", section, at)
            words[token] = section[at + 12:at + 12 + length].decode()
            at += 12 + length
        assert at == len(section) - 8
    return content[:end], words


class Idf(CliTest):
    def table_part(self, name):
        """The table without its words, which have to be those of the most frequent tokens."""
        table, words = split(self.read(name))
        for token, word in words.items():
            self.assertEqual(token, xxh3_64(word.encode()))
        return table

    def corpus(self, name, texts):
        return self.write(name, [{"id": i, "text": text} for i, text in enumerate(texts)])

    def test_the_table_is_counting(self):
        texts = make_texts(41) + make_texts(42, chinese=True) + ["", "same same", "same"]
        expected, counts = table_of(texts)
        self.corpus("a.jsonl", texts[:17])
        self.corpus("b.jsonl", texts[17:])
        for threads, memory in ((1, "64M"), (2, "1G"), (7, "64M")):
            self.neardup("idf", "fit", "a.jsonl", "b.jsonl", "-o", "t.idf", "-q", "--threads", threads, "--memory", memory)
            self.assertEqual(self.table_part("t.idf"), expected)
            order = sorted(counts, key=lambda word: (-counts[word], xxh3_64(word.encode())))
            self.assertEqual(list(split(self.read("t.idf"))[1].values()), order[:1000], "a sample has all texts of a small corpus")
        whole = self.read("t.idf")
        self.neardup("idf", "fit", "a.jsonl", "b.jsonl", "-o", "t.idf", "-q", "--words", "w.tsv", "--top", 30)
        self.assertEqual(self.read("t.idf"), whole)
        rows = self.table("w.tsv")
        self.assertEqual([row["word"] for row in rows], order[:30])
        for row in rows:
            self.assertEqual(int(row["documents"]), counts[row["word"]])
            self.assertEqual(row["hash"], f"{xxh3_64(row['word'].encode()):016x}")
            self.assertEqual(row["idf"], f"{idf(len(texts), counts[row['word']]) / 65536:.6f}")

    def test_other_tokens_and_rare_ones(self):
        texts = make_texts(43, chinese=True) + ["tab\tand \\ backslash"]
        self.corpus("a.jsonl", texts)
        self.neardup("idf", "fit", "a.jsonl", "-o", "t.idf", "-q", "--recipe", "chars-5", "--min-documents", 3, "--words", "w.tsv")
        description = '{"normalizer":"nfkc_lower_v1","tokenizer":"chars_v1"}'
        expected, counts = table_of(texts, description, "nfkc_lower_v1", "chars_v1", least=3)
        self.assertEqual(self.table_part("t.idf"), expected)
        self.assertEqual(len(self.table("w.tsv")), sum(count >= 3 for count in counts.values()))
        self.assertIn("were left out of it", self.neardup("idf", "merge", "t.idf", "-o", "m.idf", code=2).stderr)
        self.assertNotIn("m.idf", self.names())

    def test_merge_is_fit_of_everything(self):
        texts = make_texts(44)
        self.corpus("a.jsonl", texts[:20])
        self.corpus("b.jsonl", texts[20:])
        self.corpus("none.jsonl", [])
        for name in ("a", "b", "none"):
            self.neardup("idf", "fit", f"{name}.jsonl", "-o", f"{name}.idf", "-q")
        for order in (("a", "b", "none"), ("none", "b", "a")):
            self.neardup("idf", "merge", *(f"{name}.idf" for name in order), "-o", "all.idf")
            self.assertEqual(self.table_part("all.idf"), table_of(texts)[0])
        self.corpus("all.jsonl", texts)
        self.neardup("idf", "fit", "all.jsonl", "-o", "once.idf", "-q")
        once, merged = (split(self.read(name))[1] for name in ("once.idf", "all.idf"))
        self.assertEqual(list(merged.items()), list(once.items()), "few enough words for all tables to have them")
        self.neardup("idf", "merge", "a.idf", "b.idf", "-o", "all.idf", "--min-documents", 2)
        self.assertEqual(self.table_part("all.idf"), table_of(texts, least=2)[0])
        self.neardup("idf", "fit", "a.jsonl", "-o", "chars.idf", "-q", "--recipe", "chars-5")
        self.assertIn("count different tokens", self.neardup("idf", "merge", "a.idf", "chars.idf", "-o", "m.idf", code=2).stderr)

    def test_info(self):
        texts = ["it is", "is it", "what"]
        self.corpus("a.jsonl", texts)
        self.neardup("idf", "fit", "a.jsonl", "-o", "t.idf", "-q")
        table = self.table_part("t.idf")
        lines = self.neardup("idf", "info", "t.idf", "--top", 2).stdout.decode().split("\n")
        self.assertEqual(lines[0].split(), ["id", f"{struct.unpack('<Q', table[-8:])[0]:016x}"])
        self.assertEqual(lines[1].split(), ["documents", "3"])
        self.assertEqual(lines[2].split(), ["tokens", "3"])
        self.assertEqual(lines[4].split(), ["idf", "of", "unlisted", f"{idf(3, 0) / 65536:.6f}"])
        self.assertEqual(lines[5].split(), ["made", "by", WORDS])
        words = sorted(("it", "is"), key=lambda word: xxh3_64(word.encode()))
        expected = [[f"{xxh3_64(word.encode()):016x}", "2", f"{idf(3, 2) / 65536:.6f}", word] for word in words]
        self.assertEqual([line.split("\t") for line in lines[8:10]], expected)
        self.write("old.idf", table)  # as earlier versions wrote it
        result = self.neardup("idf", "info", "old.idf", "--top", 2)
        self.assertEqual([line.split("\t") for line in result.stdout.decode().split("\n")[8:10]], [[*row[:3], ""] for row in expected])
        self.assertIn("the table does not have the words of 2 tokens; give --words the file that 'neardup idf fit --words' wrote", result.stderr)
        self.assertEqual(lines[0], result.stdout.decode().split("\n")[0], "the id does not cover words")

    def test_words_do_not_change_what_a_table_is_used_for(self):
        texts = make_texts(47)
        self.corpus("a.jsonl", texts)
        self.neardup("idf", "fit", "a.jsonl", "-o", "t.idf", "-q")
        self.write("old.idf", self.table_part("t.idf"))
        self.neardup("idf", "merge", "old.idf", "-o", "again.idf")
        self.assertEqual(self.read("again.idf"), self.read("old.idf"), "a table without words")
        self.neardup("idf", "merge", "t.idf", "-o", "again.idf")
        self.assertEqual(self.read("again.idf"), self.read("t.idf"))

    def test_words_with_tabs_and_without_letters(self):
        self.corpus("a.jsonl", ["a\tb \\", "\t"])
        self.neardup("idf", "fit", "a.jsonl", "-o", "t.idf", "-q", "--recipe", "chars-5")
        shown = self.neardup("idf", "info", "t.idf", "--top", 9).stdout.decode().splitlines()[8:]
        self.assertIn("\\\\", [line.split("\t")[3] for line in shown])
        self.assertTrue(all(len(line.split("\t")) == 4 for line in shown), shown)

    def test_damaged_words(self):
        self.corpus("a.jsonl", ["one two three"])
        self.neardup("idf", "fit", "a.jsonl", "-o", "t.idf", "-q")
        table, section = self.table_part("t.idf"), self.read("t.idf")[len(self.table_part("t.idf")):]

        def again(body):
            return body + struct.pack("<Q", xxh3_64(body))

        wrong_word = section[:-8].replace(b"one", b"two")
        for damaged, problem in ((section[:-1], "words: the checksum is wrong"), (section[:10], "10 bytes follow where the file should end"),
                                 (section + b" ", "words: the checksum is wrong"), (b"other" + section, "follow where the file should end"),
                                 (again(section[:8] + struct.pack("<II", 2, 0)), "words: version 2, this program knows 1"),
                                 (again(section[:8] + struct.pack("<II", 1, 1001)), "words: 1001 entries, at most 1000"),
                                 (again(section[:8] + struct.pack("<II", 1, 4) + section[16:-8]), "'bad.idf' is corrupt"),
                                 (again(wrong_word), "words: a word is not that of its hash")):
            self.write("bad.idf", table + damaged)
            self.assertIn(problem, self.neardup("idf", "info", "bad.idf", code=1).stderr)

    def test_info_shows_words(self):
        self.corpus("a.jsonl", ["it is", "is it", "what"])
        self.neardup("idf", "fit", "a.jsonl", "-o", "t.idf", "--words", "w.tsv", "--top", 2, "-q")
        result = self.neardup("idf", "info", "t.idf", "--top", 3, "--words", "w.tsv")
        rows = [line.split("\t") for line in result.stdout.decode().splitlines()[7:]]
        self.assertEqual(rows[0], ["hash", "documents", "idf", "word"])
        self.assertEqual({(row[0], row[3]) for row in rows[1:]},
                         {(f"{xxh3_64(word.encode()):016x}", word) for word in ("it", "is", "what")})
        self.assertEqual(result.stderr, "")
        self.write("old.idf", self.table_part("t.idf"))
        result = self.neardup("idf", "info", "old.idf", "--top", 3, "--words", "w.tsv")
        rows = [line.split("\t")[3] for line in result.stdout.decode().splitlines()[8:]]
        self.assertEqual((sorted(rows[:2]), rows[2], result.stderr), (["is", "it"], "", ""))
        self.write("other.tsv", "word\tdocuments\nit\t2\n")
        self.assertIn("other.tsv:2: not a line of a file that 'neardup idf fit --words' writes",
                      self.neardup("idf", "info", "t.idf", "--top", 3, "--words", "other.tsv", code=1).stderr)
        self.assertIn("--words is for --top", self.neardup("idf", "info", "t.idf", "--words", "w.tsv", code=2).stderr)

    def test_summary_rejects_and_standard_input(self):
        lines = b'{"text":"one two"}\n{"no":"text"}\nnot json\n{"text":"two"}\n'
        self.write("in.jsonl", lines)
        summary = self.summary("idf", "fit", "in.jsonl", "-o", "t.idf", "--rejects", "r.jsonl", "-q")
        self.assertEqual((summary["read"], summary["kept"], summary["rejected"]), (4, 2, 2))
        self.assertEqual(self.read("r.jsonl"), b'{"no":"text"}\nnot json\n')
        self.assertEqual([warning.split(": ")[0] for warning in summary["warnings"]], ["in.jsonl:2", "in.jsonl:3"])
        expected = self.read("t.idf")
        self.assertEqual(self.table_part("t.idf"), table_of(["one two", "two"])[0])
        self.neardup("idf", "fit", "-", "-o", "s.idf", "-q", "--words", "w.tsv", stdin=lines)
        self.assertEqual(self.read("s.idf"), expected)
        self.assertEqual([row["word"] for row in self.table("w.tsv")], ["two", "one"])
        self.neardup("idf", "fit", "in.jsonl", "-o", "t.idf", "-q", "--strict", code=3)

    def test_damaged_tables(self):
        self.corpus("a.jsonl", ["one two three"])
        self.neardup("idf", "fit", "a.jsonl", "-o", "t.idf", "-q")
        good = self.read("t.idf")
        for damaged, part in ((good[:-1], "truncated"), (good[:20], "header"), (good[:100] + b"?" + good[101:], "checksum"),
                              (b"{}", "header"), (b"", "header"), (good + b" ", "checksum")):
            self.write("bad.idf", damaged)
            for verb in (("info", "bad.idf"), ("merge", "t.idf", "bad.idf", "-o", "m.idf")):
                error = self.neardup("idf", *verb, code=1).stderr
                self.assertIn("'bad.idf'", error)
                self.assertIn(part, error)
        self.assertIn("cannot read 'gone.idf'", self.neardup("idf", "info", "gone.idf", code=1).stderr)
        self.assertNotIn("m.idf", self.names())

    def test_wrong_usage(self):
        self.corpus("a.jsonl", ["one"])
        for words, message in ((("idf",), "arguments are missing"), (("idf", "fit"), "no input is named"),
                               (("idf", "fits", "a.jsonl"), "expected fit, merge or info, not 'fits'"),
                               (("idf", "fit", "a.jsonl"), "-o IDF is missing"), (("idf", "fit", "a.jsonl", "-o", "-"), "goes to a file"),
                               (("idf", "fit", "a.jsonl", "-o", "x", "--min-documents", "0"), "expected 1 to 4294967295, not '0'"),
                               (("idf", "fit", "a.jsonl", "-o", "x", "--top", "5"), "--top is for --words"),
                               (("idf", "info", "a", "b"), "'b' is one argument too many"),
                               (("idf", "info", "a", "-o", "b"), "takes no --output"), (("idf", "merge", "a"), "-o IDF is missing"),
                               (("idf", "merge", "a", "-o", "b", "--words", "c"), "takes no --words")):
            self.assertIn(message, self.neardup(*words, code=2).stderr)
        self.assertEqual(self.names(), ["a.jsonl"])
        self.assertIn("a.jsonl", self.neardup("idf", "fit", "a.jsonl", "-o", "a.jsonl", code=2).stderr, "an output that is an input")


class WeightsPage(unittest.TestCase):
    """The vectors of docs/weights.md."""

    def test_vectors(self):
        seen = Counter()
        getcontext().prec = 60
        for block in re.findall(r"```json vectors\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
            for line in block.splitlines():
                vector = json.loads(line)
                seen[vector["step"]] += 1
                getattr(self, "check_" + vector["step"])(vector)
        self.assertEqual(set(seen), {"idf", "weigh", "keyword", "table"})

    def check_idf(self, vector):
        documents, frequency = vector["documents"], vector["frequency"]
        self.assertEqual(vector["idf"], idf(documents, frequency))
        exact = ((Decimal(documents + 1) / Decimal(frequency + 1)).ln() + 1) * 65536
        self.assertEqual(vector["idf"], math.floor(exact + Decimal("0.5")))

    def check_weigh(self, vector):
        counts = Counter(vector["tokens"])
        table = vector.get("table")
        weights = {}
        for token, count in counts.items():  # in the order of first occurrence
            factor = idf(table["documents"], table["frequencies"].get(token, 0)) if vector["kind"] == "tf_idf" else 1
            weights[token] = min(1 if vector["kind"] == "none" else count * factor, 2**31 - 1)
        kept = sorted(weights, key=lambda token: -weights[token])[:vector["top_k"] or None]
        made = sorted((f"{xxh3_64(token.encode()):016x}", weights[token]) for token in kept)
        self.assertEqual([tuple(feature) for feature in vector["features"]], made)

    def check_keyword(self, vector):
        exact = math.floor(Fraction(float(vector["weight"])) * 65536 + Fraction(1, 2))
        self.assertEqual(vector["fixed"], max(0, min(exact, 2**31 - 1)))

    def check_table(self, vector):
        self.assertEqual(bytes.fromhex(vector["bytes"]), table_of(vector["texts"])[0])


if __name__ == "__main__":
    unittest.main()
