"""`neardup clean` and `neardup lines`: what cleaning does, and lists of the lines that a corpus repeats."""
import json
import random
import struct
import unittest

from fingerprints import WORDS, xxh3_64
from harness import CliTest


def lines_of(text):
    return {line.strip("\t\n\v\f\r \u00a0\u3000") for line in text.split("\n")} - {""}


class Lines(CliTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(51)
        menu = [f"menu entry {n}" for n in range(8)]
        self.texts = []
        for index in range(300):
            lines = [line for n, line in enumerate(menu) if chance.random() < (n + 1) / 10]
            lines += [f"  {chance.choice(menu)}\u3000", f"text {index}", "版权所有\t2024\r", "", " "]
            chance.shuffle(lines)
            self.texts.append("\n".join(lines))
        self.texts += ["", "alone"]
        self.write("in.jsonl", [{"id": i, "text": text} for i, text in enumerate(self.texts)])

    def counted(self, texts):
        counts = {}
        for text in texts:
            for line in lines_of(text):
                counts[line] = counts.get(line, 0) + 1
        return counts

    def stored(self, name):
        """id, hashes, share in millionths, documents: the file, read by hand."""
        data = self.read(name)
        magic, _, share, documents, count, identity = struct.unpack("<8sIIQQQ", data[:40])
        self.assertEqual(magic, b"ndlines\n")
        return identity, list(struct.unpack(f"<{count}Q", data[40:40 + 8 * count])), share, documents

    def fit(self, *arguments):
        out = self.neardup("lines", "fit", "in.jsonl", "-o", "l.lines", "-q", *arguments).stdout.decode().split("\n")
        self.assertEqual(out[-1], "")
        return [line.split("\t") for line in out[:-1]]

    def test_fit_counts_documents(self):
        counts = self.counted(self.texts)
        for share in (0.001, 0.3, 0.5, 1):
            table = self.fit("--share", share, "--top", "1000")
            learned = {line: count for line, count in counts.items() if count > share * len(self.texts) and count >= 2}
            self.assertEqual(self.stored("l.lines")[1:], (sorted(xxh3_64(line.encode()) for line in learned), round(share * 1e6), len(self.texts)))
            order = sorted(learned.items(), key=lambda item: (-item[1], item[0].encode()))
            expected = [[str(count), f"{count / len(self.texts):.6f}", line.replace("\t", " ")] for line, count in order]
            self.assertEqual(table, [["documents", "share", "line"]] + expected if expected else [])
        self.assertEqual(len(self.fit("--share", "0.001", "--top", "3")), 4)
        self.assertEqual(self.fit("--share", "0.001", "--top", "0"), [])

    def test_threads_memory_and_rejects_do_not_matter(self):
        records = [json.dumps({"id": i, "text": f"line {i % 7}\nline {i % 1000}\nown {i}\n" * 3}) for i in range(60000)]
        records[100:100] = ["{bad"]
        self.write("in.jsonl", "\n".join(records) + "\n")
        files = []
        for arguments in (("-j", 1), ("-j", 4), ("-j", 3, "--memory", "64M")):
            self.fit("--share", "0.0005", *arguments)
            files.append(self.read("l.lines"))
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])
        self.assertEqual(len(self.stored("l.lines")[1]), 1000)
        self.neardup("lines", "fit", "in.jsonl", "-o", "l.lines", "--rejects", "r.jsonl", "--strict", "-q", code=3)
        self.assertEqual(self.read("r.jsonl"), b"{bad\n")
        summary = self.summary("lines", "fit", "in.jsonl", "-o", "l.lines", "--top", "0", "-q")
        self.assertEqual((summary["read"], summary["rejected"]), (60001, 1))
        self.assertEqual([part["name"] for part in summary["passes"]], ["lines"])

    def test_info_and_the_recipe_that_it_names(self):
        self.fit("--share", "0.5")
        text = self.neardup("lines", "info", "l.lines").stdout.decode()
        identity, hashes, _, documents = self.stored("l.lines")
        self.assertIn(f"id           {identity:016x}\n", text)
        self.assertIn(f"lines        {len(hashes)}\n", text)
        self.assertIn(f"learned from {documents} documents, of which more than 0.5 have a line\n", text)
        members = json.loads("{" + text.split("in a recipe  ")[1] + "}")
        self.write("drop.json", json.dumps(members | WORDS))
        self.neardup("clean", "in.jsonl", "--recipe", "drop.json", "-o", "out.jsonl", "-q")
        frequent = {line for line, count in self.counted(self.texts).items() if count > 0.5 * len(self.texts)}
        self.assertTrue(frequent)
        for row, text in zip(self.records("out.jsonl"), self.texts, strict=True):
            self.assertEqual(lines_of(row["text"]), lines_of(text) - frequent)

    def test_cleaners_go_first(self):
        self.write("in.jsonl", [{"text": f"<b>same</b>\n<i n={i}>line</i>\nown {i}"} for i in range(10)])
        self.write("tags.json", json.dumps({"clean": ["tags_v1"]} | WORDS))
        self.assertEqual([row[2] for row in self.fit("--share", "0.9")], ["line", "<b>same</b>"])
        self.assertEqual([row[2] for row in self.fit("--share", "0.9", "--recipe", "tags.json")], ["line", "line", "same"])

    def test_failures(self):
        for arguments, message in [
            (("fit", "in.jsonl"), "-o LINES is missing"),
            (("fit", "-o", "x"), "no input is named: neardup lines fit INPUT..."),
            (("fit", "in.jsonl", "-o", "-"), "a list goes to a file"),
            (("fit", "in.jsonl", "-o", "x", "--share", "1.5"), "--share"),
            (("fit", "in.jsonl", "-o", "x", "--min-documents", "0"), "--min-documents: expected 1 to 4294967295, not '0'"),
            (("learn", "in.jsonl"), "expected fit or info, not 'learn'"),
            (("info", "in.jsonl", "--top", "3"), "neardup lines info takes no --top"),
            (("info", "a", "b"), "'b' is one argument too many"),
        ]:
            self.assertIn(message, self.neardup("lines", *arguments, code=2).stderr)
        self.assertIn("'in.jsonl' is not a line list", self.neardup("lines", "info", "in.jsonl", code=1).stderr)
        self.assertIn("cannot open 'none'", self.neardup("lines", "info", "none", code=1).stderr)
        self.assertIn("is also an input", self.neardup("lines", "fit", "in.jsonl", "-o", "in.jsonl", code=2).stderr)
        self.assertEqual(self.names(), ["in.jsonl"])


class Clean(CliTest):
    def test_cleaned_texts(self):
        self.write("marks.json", json.dumps({"clean": ["tags_v1", {"cut_after": "收录："}, {"remove": {"pattern": "[0-9]+"}}]} | WORDS))
        self.write("in.jsonl", [{"id": "a", "text": "<p>第1页</p>正文 22 收录：别的"}, {"text": "1 < 2 and <b\n>3 > 2"}, {"id": 5, "text": ""}])
        result = self.neardup("clean", "in.jsonl", "--recipe", "marks.json")
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(rows[0], {"id": "a", "text": "第页正文  "})
        self.assertEqual([row["id"] for row in rows], ["a", None, "5"])
        self.assertEqual(rows[2]["text"], "")
        self.assertIn('cleaners ["tags_v1",{"cut_after":"收录："},', result.stderr)

    def test_without_cleaners_the_text_stays(self):
        texts = ["  A\tb\r\n<p>", "\u0000\"\\", "中文"]
        self.write("in.jsonl", [{"text": text} for text in texts])
        result = self.neardup("clean", "in.jsonl")
        self.assertEqual([json.loads(line)["text"] for line in result.stdout.splitlines()], texts)
        self.assertIn("recipe words-5 (45c72da0977da1d1) has no cleaners, texts are unchanged", result.stderr)

    def test_recipes_are_shown_by_member(self):
        self.write("tags.json", json.dumps({"clean": ["tags_v1", {"remove": "a,\"b"}]} | WORDS))
        lines = self.neardup("recipe", "tags.json").stdout.decode().splitlines()
        recipe = json.loads(lines[0])
        self.assertEqual(lines[2], "fingerprints of 128 bits")
        self.assertEqual({line.split()[0]: json.loads(line.split(None, 1)[1]) for line in lines[3:]}, recipe)
        without = {line.split()[0]: line for line in self.neardup("recipe", "--list", env={"NEARDUP_DICT": "/none/such"}).stdout.decode().splitlines()}
        self.assertIn("/none/such", without["simhash-jieba-200"])
        self.assertRegex(without["words-5"], "^words-5 +45c72da0977da1d1  MinHash of 128 lanes: ")


if __name__ == "__main__":
    unittest.main()
