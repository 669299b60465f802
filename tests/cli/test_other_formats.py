"""Files that are not JSON Lines: read if that is safe, else rejected by format; and the files that a folder leaves out."""
import bz2
import gzip
import json
import os
import sqlite3
import subprocess
import unittest

from harness import BINARY, TIMEOUT_S, CliTest

RECORDS = [{"id": f"r{i}", "text": f"one two three four five six seven {word}"} for i, word in enumerate(("eight", "eight", "nine ten eleven twelve"))]
LINES = [json.dumps(record) for record in RECORDS]


class Documents(CliTest):
    def check_same_as_lines(self, name, content, **keywords):
        """The document gives the same verdicts, and kept records that are the input's own bytes on one line each."""
        self.write("lines.jsonl", RECORDS)
        self.neardup("dedup", "lines.jsonl", "-o", "expected.jsonl", "--verdicts", "expected.tsv", "-q")
        self.write(name, content)
        self.neardup("dedup", name, "-o", "kept.jsonl", "--verdicts", "verdicts.tsv", "-q", "--strict", **keywords)
        self.assertEqual(self.records("kept.jsonl"), self.records("expected.jsonl"))
        self.assertEqual(self.read("verdicts.tsv").replace(name.encode(), b"lines.jsonl"), self.read("expected.tsv"))

    def test_an_array_on_one_line(self):
        self.check_same_as_lines("a.json", json.dumps(RECORDS))
        self.assertEqual(self.read("kept.jsonl"), (LINES[0] + "\n" + LINES[2] + "\n").encode(), "a record's own bytes")

    def test_an_array_over_lines(self):
        self.check_same_as_lines("a.json", json.dumps(RECORDS, indent=2) + "\n")
        self.assertEqual(self.read("kept.jsonl").split(b"\n")[0], b'{ "id": "r0", "text": "one two three four five six seven eight" }')
        self.check_same_as_lines("a.jsonl", "[\n" + ",\n".join(LINES) + "\n]\n")

    def test_objects_over_lines(self):
        self.check_same_as_lines("a.json", "\n".join(json.dumps(record, indent="\t") for record in RECORDS))

    def test_compressed_and_from_standard_input(self):
        document = json.dumps(RECORDS, indent=4).encode()
        for name, content in (("a.json.gz", gzip.compress(document)), ("a.json.bz2", bz2.compress(document))):
            self.check_same_as_lines(name, content)
        self.neardup("dedup", "-", "-o", "piped.jsonl", "-q", stdin=document)
        self.assertEqual(self.records("piped.jsonl"), self.records("expected.jsonl"))

    def test_queries_of_an_index(self):
        self.write("lines.jsonl", RECORDS)
        recipe = ("--recipe", "simhash-chars-4")
        self.neardup("index", "build", "seen", "lines.jsonl", *recipe, "-q")
        expected = self.neardup("query", "seen", "lines.jsonl", "-q").stdout
        self.assertTrue(expected)
        self.assertEqual(self.neardup("query", "seen", "-q", stdin=json.dumps(RECORDS, indent=1).encode()).stdout, expected)

    def test_a_document_that_breaks_off(self):
        self.write("cut.json", json.dumps(RECORDS)[:-20])
        result = self.neardup("pairs", "cut.json", "-o", "pairs.tsv", "--rejects", "rejects.jsonl", code=None)
        self.assertNotEqual(result.returncode, 2)
        self.assertIn("the JSON document breaks off at byte", result.stderr)

    def test_a_broken_first_line_does_not_make_a_document(self):
        self.write("in.jsonl", '{"id": "x", "text": "no brace"\n' + LINES[0] + "\n" + LINES[2] + "\n")
        result = self.neardup("pairs", "in.jsonl", "-o", "pairs.tsv")
        self.assertIn("in.jsonl:1: rejected: invalid JSON at byte 31", result.stderr)


class ForeignFiles(CliTest):
    def check_refused(self, name, content, message):
        self.write(name, content)
        self.write("kept.jsonl", "precious")
        result = self.neardup("dedup", name, "-o", "kept.jsonl", code=1)
        self.assertIn(f"'{name}' {message}", result.stderr)
        self.assertEqual(self.read("kept.jsonl"), b"precious")
        result = self.neardup("dedup", "-", "-o", "kept.jsonl", code=1, stdin=content)
        self.assertIn(f"'standard input' {message}", result.stderr)
        self.assertEqual(self.read("kept.jsonl"), b"precious")

    def test_formats(self):
        self.check_refused("a.jsonl", b"%PDF-1.4\n", "is a PDF file")
        self.check_refused("a.json.gz", gzip.compress(b"%PDF-1.4\n"), "is a PDF file")
        self.check_refused("a.xlsx", b"PK\x03\x04" + bytes(60), "is a ZIP archive, as .xlsx and .docx files are")
        self.check_refused("a.png", b"\x89PNG\r\n\x1a\n" + bytes(60), "is a PNG image")
        connection = sqlite3.connect(self.path("a.db"))
        connection.execute("CREATE TABLE t (id TEXT)")
        connection.commit()
        connection.close()
        self.check_refused("a.db", self.read("a.db"), "is a SQLite database; name one of its tables")

    def test_a_pipe_is_refused_by_its_first_bytes(self):
        """Before the rest of it, which here has no end, is written to a temporary file."""
        with subprocess.Popen(["sh", "-c", "printf '%%PDF-1.4\\n'; exec cat /dev/zero"], stdout=subprocess.PIPE) as pipe:
            result = subprocess.run([BINARY, "dedup", "-", "-o", "kept.jsonl"], cwd=self.dir, stdin=pipe.stdout, capture_output=True, check=False, timeout=TIMEOUT_S)
            pipe.stdout.close()
        self.assertEqual(result.returncode, 1)
        self.assertIn("'standard input' is a PDF file", result.stderr.decode())

    def test_charsets(self):
        text = "".join(json.dumps({"id": i, "text": f"今天天气真的很好,我们去公园散步 {i}"}, ensure_ascii=False) + "\n" for i in range(20))
        self.check_refused("a.jsonl", text.encode("gb18030"), "is not UTF-8; it looks like GB18030")
        self.check_refused("b.jsonl", text.encode("utf-16"), "is not UTF-8; it looks like UTF-16")
        self.check_refused("c.jsonl", text.encode("utf-16-be"), "is not UTF-8; it looks like UTF-16BE")

    def test_an_archive_under_another_name(self):
        body = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\none two three four five six"
        record = (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nContent-Type: application/http\r\nContent-Length: "
                  + str(len(body)).encode() + b"\r\n\r\n" + body + b"\r\n\r\n")
        self.write("pages.gz", gzip.compress(record))
        self.neardup("dedup", "pages.gz", "-o", "kept.jsonl", "-q", "--strict")
        self.assertEqual([kept["text"] for kept in self.records("kept.jsonl")], ["one two three four five six"])
        self.assertIn("give --format warc", self.neardup("dedup", "-", "--dry-run", code=1, stdin=record).stderr)


class Folders(CliTest):
    def test_what_is_left_out_is_said(self):
        self.write("mixed/a.jsonl", RECORDS)
        for name in ("b.pdf", "c.png", "d.rst", "e.rst", "README", "_SUCCESS", ".hidden"):
            self.write(f"mixed/{name}", "x")
        os.symlink("nowhere.jsonl", self.path("mixed/gone.jsonl"))
        result = self.neardup("dedup", "mixed", "-o", "kept.jsonl")
        self.assertIn("warning: left out 5 files of 'mixed': 2 .rst, 1 .pdf, 1 .png, 1 without an ending; --format text takes", result.stderr)
        self.assertIn("1 link leads nowhere: 'mixed/gone.jsonl'", result.stderr)
        self.assertIn("1 input", result.stderr)

    def test_a_folder_of_one_other_kind(self):
        self.write("pages/a.pdf", "x")
        self.write("pages/b.pdf", "x")
        self.assertIn("no input in 'pages': it has only 2 .pdf; names of inputs end in .jsonl, ", self.neardup("dedup", "pages", "--dry-run", code=1).stderr)

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "needs /proc")
    def test_files_without_a_size(self):
        result = self.neardup("dedup", "/proc/self/status", "--format", "text", "-o", "kept.jsonl", code=1)
        self.assertIn("'/proc/self/status' has content but says that it has 0 bytes", result.stderr)
        result = self.neardup("pairs", "/proc/self/status", "-o", "pairs.tsv", code=None)
        self.assertIn("broken JSON. The first: /proc/self/status:1:", result.stderr, "its lines are read")


class Chats(CliTest):
    def test_elements_of_arrays(self):
        same = [{"role": "user", "content": "one two three four five"}, {"role": "tool", "content": None}, {"role": "assistant", "content": "six seven"}]
        self.write("chats.jsonl", [{"id": 1, "messages": same}, {"id": 2, "messages": [*same, {"role": "system"}]}, {"id": 3, "messages": []},
                                   {"id": 4, "messages": "none"}])
        result = self.neardup("dedup", "chats.jsonl", "--text-field", "messages[*].content", "-o", "kept.jsonl")
        self.assertEqual([kept["id"] for kept in self.records("kept.jsonl")], [1, 3])
        self.assertIn("chats.jsonl:4: rejected: no field 'messages[*].content'", result.stderr)
        self.neardup("clean", "chats.jsonl", "--text-field", "messages[*].content", "-o", "texts.jsonl", "-q")
        self.assertEqual(self.records("texts.jsonl")[0]["text"], "one two three four five\nsix seven")


if __name__ == "__main__":
    unittest.main()
