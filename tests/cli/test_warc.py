"""Crawl archives: WARC and WET, plain, gzip (a record a member) and zstd, whole and damaged. All texts are generated here."""
import gzip
import json
import random
import subprocess
import unittest
import zlib

from harness import CliTest

WORDS = [f"{a}{b}" for a in ("lo", "ra", "mi", "tes", "quo", "ben", "sal") for b in ("na", "dor", "vi", "kel", "pu", "rest")]


def sentence(seed, count=30):
    return " ".join(random.Random(seed).choices(WORDS, k=count))


def record(kind, number, content_type, block, extra=(), version="1.0", length=None):
    fields = [f"WARC/{version}", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:uuid:{number}>",
              f"WARC-Target-URI: http://example.org/{number}", "WARC-Date: 2024-05-06T07:08:09Z", f"Content-Type: {content_type}",
              *extra, f"Content-Length: {len(block) if length is None else length}"]
    return "\r\n".join(fields).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def http(body, content_type="text/html; charset=utf-8", status="200 OK", headers=()):
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {content_type}"] if content_type else []), *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def response(number, body, **keywords):
    return record("response", number, "application/http;msgtype=response", http(body, **keywords))


def page(text):
    return f"<!DOCTYPE html><html><head><title>t</title></head><body><p>{text}</p></body></html>".encode()


def archive():
    """Eleven records, five of them documents."""
    return [record("warcinfo", 1, "application/warc-fields", b"software: a test\r\n"),
            record("request", 2, "application/http;msgtype=request", b"GET / HTTP/1.1\r\n\r\n"),
            response(3, page(sentence(3))),
            response(4, page(sentence(4)), status="404 Not Found"),
            response(5, b"\x89PNG", content_type="image/png"),
            response(6, sentence(6).encode(), content_type="text/plain"),
            record("metadata", 7, "application/warc-fields", b"fetchTimeMs: 3\r\n"),
            record("resource", 8, "text/html", page(sentence(8)), version="1.1"),
            record("conversion", 9, "text/plain", sentence(9).encode()),
            record("revisit", 10, "application/http;msgtype=response", http(b"")),
            response(11, page(sentence(3)))]


DOCUMENT_ROWS = [3, 6, 8, 9, 11]


class Warc(CliTest):
    def test_blocks(self):
        text = sentence(1)
        self.write("a.warc", b"".join(response(number, page(text)) for number in (1, 2)) + response(1, page(text)))
        self.neardup("dedup", "a.warc", "--block-on", "url", "--verdicts", "v.jsonl", "-q")
        self.assertEqual([row["keeper_row"] for row in self.records("v.jsonl")], [None, None, 1])

    def members(self, records):
        return b"".join(gzip.compress(each, mtime=0) for each in records)

    def zstd(self, data):
        return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout

    def run_on(self, name, *more):
        summary = self.summary("dedup", name, "--verdicts", "v.tsv", "-o", "kept.jsonl", "--rejects", "rejects.jsonl", "--max-rejects", "100%", "-q", *more)
        rejects = self.records("rejects.jsonl")
        self.assertEqual(len(rejects), summary["rejected"])
        return summary, self.table("v.tsv"), rejects

    def test_what_is_a_document(self):
        records = archive()
        for name, data in (("a.warc", b"".join(records)), ("b.warc.gz", self.members(records)), ("c.warc.gz", gzip.compress(b"".join(records))),
                           ("d.warc.zst", b"".join(map(self.zstd, records)))):
            with self.subTest(name):
                self.write(name, data)
                summary, verdicts, rejects = self.run_on(name)
                self.assertEqual([int(row["row"]) for row in verdicts], DOCUMENT_ROWS)
                self.assertEqual([row["id"] for row in verdicts], [f"urn:uuid:{row}" for row in DOCUMENT_ROWS])
                self.assertEqual(summary["exact_copies"], 1)
                self.assertEqual(verdicts[-1]["keeper_row"], "3")
                self.assertEqual(rejects, [])
                kept = {each["id"]: each for each in self.records("kept.jsonl")}
                self.assertEqual(kept["urn:uuid:3"], {"id": "urn:uuid:3", "url": "http://example.org/3", "date": "2024-05-06T07:08:09Z",
                                                      "type": "text/html", "text": page(sentence(3)).decode()})
                self.assertEqual(kept["urn:uuid:6"]["type"], "text/plain")
                self.assertEqual(kept["urn:uuid:9"]["text"], sentence(9))

    def test_given_by_folder_glob_format_and_standard_input(self):
        data = self.members(archive())
        self.write("crawl/one.warc.gz", data)
        self.write("crawl/sub/two.wet.gz", self.members([record("conversion", 20, "text/plain", sentence(20).encode())]))
        self.write("crawl/notes.txt", sentence(21))
        self.write("crawl/other", data)
        self.assertEqual(self.run_on("crawl")[0]["read"], 12, "what no ending names is recognized by its content")
        self.assertEqual(self.run_on("crawl/*.warc.gz")[0]["read"], 5)
        self.assertEqual(self.run_on("crawl/other", "--format", "warc")[0]["read"], 5)
        by_pipe = self.neardup("dedup", "-", "--format", "warc", "-o", "-", "-q", stdin=data).stdout
        self.run_on("crawl/one.warc.gz")
        self.assertEqual(by_pipe, self.read("kept.jsonl"))

    def test_fields_can_be_asked_for(self):
        self.write("a.warc", b"".join(archive()))
        self.run_on("a.warc", "--id-field", "url")
        self.assertEqual(self.table("v.tsv")[0]["id"], "http://example.org/3")

    def test_encodings_of_the_body(self):
        text = page(sentence(1, 200))
        raw = zlib.compressobj(wbits=-15)
        chunks = b"".join(b"%x;ext=1\r\n%s\r\n" % (len(text[i:i + 100]), text[i:i + 100]) for i in range(0, len(text), 100)) + b"0\r\n\r\n"
        bodies = [response(1, gzip.compress(text), headers=["Content-Encoding: gzip"]),
                  response(2, zlib.compress(text), headers=["content-encoding: deflate"]),
                  response(3, raw.compress(text) + raw.flush(), headers=["Content-Encoding: deflate"]),
                  response(4, chunks, headers=["Transfer-Encoding: chunked"]),
                  response(5, text, headers=["Transfer-Encoding: chunked", "Content-Encoding: gzip"]),  # undone by the crawler
                  response(6, self.zstd(text), headers=["Content-Encoding: zstd"])]
        self.write("a.warc.gz", self.members(bodies))
        summary, _, _ = self.run_on("a.warc.gz", "--removed", "removed.jsonl")
        self.assertEqual((summary["read"], summary["exact_copies"]), (6, 5))
        self.assertEqual({each["text"] for each in self.records("kept.jsonl") + self.records("removed.jsonl")}, {text.decode()})
        self.write("b.warc", b"".join([response(1, gzip.compress(text)[:-20], headers=["Content-Encoding: gzip"]),
                                       response(2, chunks[:150], headers=["Transfer-Encoding: chunked"]),
                                       response(3, text, headers=["Content-Encoding: br"])]))
        _, _, rejects = self.run_on("b.warc")
        for reject, problem in zip(rejects, ("gzip stream is truncated", "expected a chunk of 100 bytes", "the content encoding is 'br'"), strict=True):
            self.assertIn(problem, reject["problem"])
        self.assertEqual([each["id"] for each in rejects], ["urn:uuid:1", "urn:uuid:2", "urn:uuid:3"])

    def test_a_bomb_is_rejected(self):
        self.write("a.warc", response(1, gzip.compress(b"a" * 5_000_000), headers=["Content-Encoding: gzip"]))
        _, _, rejects = self.run_on("a.warc", "--max-record-bytes", "1MiB")
        self.assertIn("max_record_bytes is 1048576", rejects[0]["problem"])

    def test_charsets(self):
        words = "第一条 为了规范文书的编码，保证各部门之间交换的材料能够正确显示，制定本办法。"
        meta = '<html><head><meta charset="gb2312"></head><body>' + words
        bodies = [response(1, words.encode("gb18030"), content_type="text/html; charset=GBK"),
                  response(2, meta.encode("gb18030"), content_type="text/html"),
                  response(3, meta.encode("utf-8"), content_type="text/html; charset=utf-8"),
                  response(4, words.encode("gb18030"), content_type="text/plain"),
                  response(5, b"\xff\xfe" + words.encode("utf-16-le"), content_type="text/html; charset=iso-8859-1")]
        self.write("a.warc.gz", self.members(bodies))
        self.run_on("a.warc.gz", "--recipe", "chars-5", "--removed", "removed.jsonl")
        everything = self.records("kept.jsonl") + self.records("removed.jsonl")
        self.assertEqual(len(everything), 5)
        for each in everything:
            self.assertIn(words, each["text"], each["id"])

    def test_cut_off_at_every_byte(self):
        records = [record("request", 1, "text/plain", b"x"), response(2, page("one two")), response(3, page("three four"))]
        for name, stored in (("a.warc", records), ("a.warc.gz", [gzip.compress(each, mtime=0) for each in records])):
            data = b"".join(stored)
            # A record is intact when its block is complete; of a member, all of it.
            ends = [sum(map(len, stored[:i + 1])) for i in range(len(stored))]
            for size in [*range(0, len(data), 97), *range(len(data) - 6, len(data) + 1)]:  # every byte: tests/io/warc/warc_records_test.cc
                self.write(name, data[:size])
                summary, verdicts, rejects = self.run_on(name)
                trailer = 0 if name.endswith(".gz") else 4
                whole = sum(1 for end in ends if size >= end - trailer)
                begins = [0, *ends]
                partial = any(begin < size < end - trailer for begin, end in zip(begins, ends))
                self.assertEqual(summary["kept"], max(0, whole - 1), size)
                self.assertEqual([int(row["row"]) for row in verdicts], [2, 3][:max(0, whole - 1)])
                self.assertEqual(len(rejects), int(partial), (size, rejects))
                if partial:
                    self.assertEqual(rejects[0]["offset"], begins[whole])

    def test_damaged_members_are_passed(self):
        members = [gzip.compress(each, mtime=0) for each in archive()]
        for broken in (3, 9, 11):
            for place in (12, len(members[broken - 1]) // 2, len(members[broken - 1]) - 6):
                data = bytearray(members[broken - 1])
                data[place] ^= 0xFF
                self.write("a.warc.gz", b"".join([*members[:broken - 1], bytes(data), *members[broken:]]))
                summary, verdicts, rejects = self.run_on("a.warc.gz")
                self.assertEqual([int(row["row"]) for row in verdicts], [row for row in DOCUMENT_ROWS if row != broken], (broken, place))
                self.assertEqual([each["offset"] for each in rejects], [sum(map(len, members[:broken - 1]))])
                self.assertIn("gzip member is corrupt", rejects[0]["problem"])
                self.assertIn(f"a.warc.gz:{broken}: rejected: at offset {rejects[0]['offset']}: ", summary["warnings"][0])

    def test_wrong_lengths(self):
        good = response(9, page(sentence(9)))
        block = http(page(sentence(1)))
        for length in (5, len(block) + 30, 10**15, "x"):
            bad = record("response", 1, "application/http;msgtype=response", block, length=length)
            for name, data in (("a.warc", bad + good), ("b.warc.gz", gzip.compress(bad + good)), ("c.warc.gz", self.members([bad, good]))):
                with self.subTest(length=length, name=name):
                    self.write(name, data)
                    summary, verdicts, rejects = self.run_on(name, "--max-record-bytes", "4MiB")
                    self.assertEqual(len(rejects), 1)
                    self.assertIn(sentence(1) if not (length == 10**15 and name != "a.warc") else "", rejects[0]["record"])
                    if length == 10**15 and name == "b.warc.gz":
                        continue  # what is longer than a record may be is passed by, and here that is all there is
                    self.assertEqual([(row["id"], row["row"]) for row in verdicts], [("urn:uuid:9", "2")])

    def test_long_records(self):
        records = [response(1, page(sentence(1))), response(2, page("x" * 3000)), record("metadata", 3, "text/plain", b"y" * 3000),
                   response(4, page(sentence(4)))]
        for name, data in (("a.warc", b"".join(records)), ("b.warc.gz", self.members(records))):
            self.write(name, data)
            _, verdicts, rejects = self.run_on(name, "--max-record-bytes", "2000")
            self.assertEqual([row["row"] for row in verdicts], ["1", "4"])
            self.assertEqual([each["id"] for each in rejects], ["urn:uuid:2"], "what holds no document is passed whatever its length")
            self.assertIn("max_record_bytes is 2000", rejects[0]["problem"])

    def test_what_is_no_archive(self):
        self.write("a.warc", "just some text\nand more")
        _, _, rejects = self.run_on("a.warc")
        self.assertEqual([each["problem"] for each in rejects], ["no WARC record begins here"])
        self.write("empty.warc", "")
        self.assertEqual(self.run_on("empty.warc")[0]["read"], 0)
        self.write("b.warc", b"PK\x03\x04 and so on")
        self.assertIn("is a ZIP archive", self.neardup("dedup", "b.warc", "-o", "k", code=1).stderr)

    def test_threads_and_second_readings(self):
        records = [response(i, page(sentence(i % 40))) for i in range(400)]
        self.write("a.warc.gz", self.members(records))
        outputs = set()
        for threads in ("1", "4"):
            self.run_on("a.warc.gz", "--threads", threads)
            outputs.add(self.read("kept.jsonl") + self.read("v.tsv"))
        self.assertEqual(len(outputs), 1)
        self.assertEqual(len(self.records("kept.jsonl")), 40)

    def test_one_file_of_an_output_folder_an_archive(self):
        self.write("in/a.warc.gz", self.members(archive()))
        self.write("in/b.warc", b"".join(archive()))
        self.neardup("dedup", "in", "--output-dir", "out", "-q")
        self.assertEqual([name for name in self.names() if name.startswith("out/")], ["out/a.warc.jsonl.gz", "out/b.warc.jsonl"])
        lines = gzip.decompress(self.read("out/a.warc.jsonl.gz")).splitlines()
        self.assertEqual([json.loads(line)["id"] for line in lines], ["urn:uuid:3", "urn:uuid:6", "urn:uuid:8", "urn:uuid:9"])
        self.assertEqual(self.read("out/b.warc.jsonl"), b"", "everything is a copy of the first archive")


if __name__ == "__main__":
    unittest.main()
