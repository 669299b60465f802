"""Runs that fail because of what they could not read: exit code 1, a message that says why, and existing outputs untouched."""
import bz2
import gzip
import json
import random
import shutil
import signal
import subprocess
import time
import unittest

import needs
import tables
from harness import BINARY, CliTest

LIBRARY = tables.duckdb_library()
ALL = ("--max-rejects", "100%")
PRECIOUS = b"what an earlier run wrote\n"


def good(number):
    return json.dumps({"id": f"d{number}", "text": f"text {number} of the good ones, which has words enough: {number * 7919}", "score": number}).encode()


def lines(*parts):
    return b"".join(part + b"\n" for part in parts)


def mixed(good_ones, bad_ones, bad=b"{"):
    """Bad lines spread between good ones."""
    all_lines = [good(i) for i in range(good_ones)] + [bad] * bad_ones
    random.Random(5).shuffle(all_lines)
    return lines(*all_lines)


class FailingTest(CliTest):
    def fails(self, message, *arguments, code=1, **keywords):
        """The run says `message`, and changes no file of the folder but the lock of an index, which names its last holder."""
        def files():
            return {name: self.read(name) for name in self.names() if not name.endswith("/LOCK")}
        before = files()
        result = self.neardup(*arguments, code=code, **keywords)
        self.assertIn(message, result.stderr)
        self.assertEqual(files(), before)
        return result


class NothingUsable(FailingTest):
    def test_every_command_that_reads_documents(self):
        self.write("good.jsonl", lines(*map(good, range(20))))
        self.neardup("index", "build", "index", "good.jsonl", "--recipe", "simhash-chars-4", "-q")
        self.neardup("index", "build", "texts", "good.jsonl", "--kind", "clue", "-q")
        self.write("in.jsonl", b"{\n[1]\n" * 20)
        for name in ("out", "rejects", "summary"):
            self.write(name, PRECIOUS)
        others = ("--rejects", "rejects", "--summary", "summary")
        for words in (("dedup", "in.jsonl", "-o", "out"), ("pairs", "in.jsonl", "-o", "out"), ("quotes", "in.jsonl", "-o", "out"), ("sketch", "in.jsonl", "-o", "out"),
                      ("clean", "in.jsonl", "-o", "out"), ("tokenize", "in.jsonl", "-o", "out", "--tokenizer", "words_v1"),
                      ("lines", "fit", "in.jsonl", "-o", "out"), ("idf", "fit", "in.jsonl", "-o", "out"),
                      ("index", "add", "index", "in.jsonl"), ("index", "build", "new", "in.jsonl", "--recipe", "simhash-chars-4"),
                      ("index", "add", "texts", "in.jsonl"), ("index", "build", "new", "in.jsonl", "--kind", "clue"),
                      ("query", "index", "in.jsonl", "-o", "out"), ("search", "texts", "in.jsonl", "-o", "out")):
            with self.subTest(words):
                result = self.fails("no record could be used: 40 records rejected: 40 broken JSON. The first: in.jsonl:1: invalid JSON at byte 2", *words, *others)
                self.assertIn("--max-rejects 100%", result.stderr)
                self.fails("no record could be used", *words, *others, "-q", "--strict")
        self.assertFalse(self.path("new").exists())

    def test_everything_is_accepted_when_asked_for(self):
        self.write("in.jsonl", b"{\n" * 2000)
        summary = self.summary("dedup", "in.jsonl", "-o", "out", "--rejects", "rejects", *ALL)
        self.assertEqual((summary["read"], summary["rejected"]), (2000, 2000))
        self.assertEqual((self.read("out"), self.read("rejects")), (b"", b"{\n" * 2000))
        self.neardup("dedup", "in.jsonl", "-o", "out", "--strict", *ALL, code=3)

    def test_inputs_without_records_are_no_error(self):
        self.write("empty.jsonl", b"")
        self.write("blank.jsonl", b"\n \n\n")
        for name in ("empty.jsonl", "blank.jsonl"):
            self.assertEqual(self.summary("dedup", name, "-o", "out")["read"], 0)

    def test_a_reference_corpus_that_cannot_be_used(self):
        self.write("seen.jsonl", b"{\n" * 5)
        self.write("in.jsonl", lines(good(1)))
        self.fails("no record of the reference corpus could be used: 5 records rejected: 5 broken JSON", "dedup", "in.jsonl", "--against", "seen.jsonl", "-o", "out")

    def test_fingerprints_and_rows(self):
        self.write("in.jsonl", b'{"fingerprint":"xyz","id":"a"}\n' * 3)
        first = "The first: in.jsonl:1: fingerprint: expected 16 hexadecimal digits, not 'xyz'. --max-rejects"
        self.fails(f"no line could be used: 3 lines rejected: 3 invalid value. {first}", "index", "build", "new", "in.jsonl", "--from-fingerprints", "--rejects", "r")
        self.write("f.jsonl", b'{"fingerprint":"00000000000000ff","id":"a"}\n')
        self.neardup("index", "build", "index", "f.jsonl", "--from-fingerprints", "-q")
        self.fails(f"no line could be used: 3 lines rejected: 3 invalid value. {first}", "query", "index", "in.jsonl", "--from-fingerprints", "-o", "out")
        self.fails(f"no row could be used: 3 rows rejected: 3 invalid value. {first}", "query", "in.jsonl", "--from-rows", "--fingerprint", "00000000000000ff",
                   "-o", "out", "--rejects", "r")


class TooManyRejected(FailingTest):
    def test_default_is_one_percent_of_a_thousand(self):
        self.write("out", PRECIOUS)
        for good_ones, bad_ones, code in ((989, 10, 0), (989, 11, 1), (990, 10, 0), (500, 499, 0), (500, 500, 1), (1980, 20, 0), (1979, 21, 1)):
            with self.subTest((good_ones, bad_ones)):
                self.write("in.jsonl", mixed(good_ones, bad_ones))
                if code == 0:
                    self.neardup("dedup", "in.jsonl", "-o", "other")
                    self.path("other").unlink()
                else:
                    self.fails(f"too many records rejected: {bad_ones} of {good_ones + bad_ones:,} (more than 1%): {bad_ones} broken JSON",
                               "dedup", "in.jsonl", "-o", "out")

    def test_counts_and_percentages(self):
        self.write("in.jsonl", mixed(190, 10))
        for limit, code in (("10", 0), ("9", 1), ("0", 1), ("5%", 0), ("4.9999%", 1), ("0%", 1), ("100%", 0), ("auto", 0)):
            for words in (("dedup", "in.jsonl", "-o", "out"), ("clean", "in.jsonl", "-o", "out"), ("sketch", "in.jsonl", "-o", "out")):
                self.neardup(*words, "--max-rejects", limit, code=code)
                self.assertEqual(self.path("out").exists(), code == 0)
                self.path("out").unlink(missing_ok=True)
        self.fails("more records rejected than --max-rejects 9 accepts: 10 broken JSON", "dedup", "in.jsonl", "-o", "out", "--max-rejects", "9")
        self.write("good.jsonl", lines(good(1)))
        self.neardup("dedup", "good.jsonl", "-o", "out", "--max-rejects", "0")
        self.assertIn("max-rejects: expected auto", self.neardup("dedup", "in.jsonl", "-o", "out", "--max-rejects", "101%", code=2).stderr)

    def test_strict_still_says_3_of_few(self):
        self.write("in.jsonl", mixed(190, 2))
        self.neardup("dedup", "in.jsonl", "-o", "out", "--strict", code=3)
        self.assertEqual(self.read("out").count(b"\n"), 190)

    def test_neither_threads_nor_slices_nor_cuts_decide(self):
        """Bad lines at the beginning, which are more than the share there, but not of the whole; and the other way round."""
        for order in (1, -1):
            parts = ([b"{"] * 300 + [good(i) for i in range(30000)])[::order]
            self.write("in.jsonl", lines(*parts))
            self.write("in.jsonl.gz", gzip.compress(lines(*parts), 1))
            for name in ("in.jsonl", "in.jsonl.gz"):
                for options in (("--threads", "1"), ("--threads", "3"), ("--threads", "2", "--batch", "5000")):
                    self.neardup("dedup", name, "--dry-run", *options)
                    message = self.fails("too many records rejected: 300 of 30,300 (0.9% accepted by --max-rejects): 300 broken JSON. The first: " + name,
                                         "dedup", name, "-o", "out", "--max-rejects", "0.9%", *options).stderr.splitlines()[-1]
                    self.assertIn(f"{name}:{1 if order == 1 else 30001}: invalid JSON", message)


class DamagedInputs(FailingTest):
    def damaged(self):
        """Files that are cut in half, or have flipped bits in the middle."""
        content = mixed(2000, 0)
        packed = {"gz": gzip.compress(content), "bz2": bz2.compress(content)}
        if shutil.which("zstd"):
            packed["zst"] = subprocess.run(["zstd", "-q", "-c"], input=content, stdout=subprocess.PIPE, check=True).stdout
        for ending, whole in packed.items():
            half = len(whole) // 2
            yield ending, whole[:half]
            yield ending, whole[:half] + bytes(byte ^ 0xFF for byte in whole[half:half + 40]) + whole[half + 40:]

    def test_lines(self):
        self.write("out", PRECIOUS)
        for number, (ending, content) in enumerate(self.damaged()):
            name = self.write(f"in{number}.jsonl.{ending}", content)
            with self.subTest(name):
                self.fails(": damaged input: ", "dedup", name, "-o", "out", "-q")
                self.fails(f"{name}:", "sketch", name, "-o", "out", "--max-rejects", "99%")
                self.neardup("dedup", name, "-o", "other", "--strict", *ALL, code=3)
                self.path("other").unlink()

    def test_piped_input(self):
        whole = gzip.compress(mixed(2000, 0))
        self.fails("-:", "dedup", "-", "-o", "out", stdin=whole[:len(whole) // 2])

    def test_text_files_and_archives(self):
        self.write("texts/a.txt", b"a good text of some words")
        self.write("texts/b.txt.gz", gzip.compress(b"another text of some words, which is longer than the first one")[:-12])
        self.fails("texts/b.txt.gz:1: damaged input: gzip stream is truncated", "dedup", "texts", "-o", "out")
        page = b"<p>words of a page that is long enough to be one of the documents"
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
        record = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(block), block)
        members = [gzip.compress(record) for _ in range(3)]
        members[1] = members[1][:-20] + b"\x00" * 20
        self.write("a.warc.gz", b"".join(members))
        self.fails("damaged input: at offset", "dedup", "a.warc.gz", "-o", "out")
        self.assertEqual(self.summary("dedup", "a.warc.gz", "-o", "out", *ALL)["read"], 3)
        self.path("out").unlink()
        # A page that a server sent broken is a matter of that page.
        broken = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
        self.write("b.warc", record + b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(broken), broken))
        self.assertEqual(self.summary("dedup", "b.warc", "-o", "out")["rejected_by_kind"]["broken_body"], 1)


class WrongFields(FailingTest):
    SAID = "in.jsonl: none of the 300 records has the field '{}'; fields of the first record: id, text, score. {}Use {}."
    NEAR = {"txt": "Did you mean 'text'? ", "scroe": "Did you mean 'score'? "}

    def said(self, name, option):
        return self.SAID.format(name, self.NEAR.get(name, ""), option)

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", lines(*map(good, range(300))))
        self.write("out", PRECIOUS)

    def test_a_wrong_name_of_each(self):
        for option, name, value in (("--text-field", "txt", "txt"), ("--id-field", "key", "key"), ("--keep", "scroe", "max:scroe"), ("--keep", "scroe", "min:scroe")):
            self.fails(self.said(name, option), "dedup", "in.jsonl", "-o", "out", option, value, "-q")
        self.fails(self.said("title", "--fields"), "dedup", "in.jsonl", "-o", "out", "--fields", "id=$id,t=title")

    def test_every_command(self):
        for words in (("pairs", "in.jsonl"), ("quotes", "in.jsonl"), ("sketch", "in.jsonl"), ("clean", "in.jsonl"), ("tokenize", "in.jsonl"), ("lines", "fit", "in.jsonl"), ("idf", "fit", "in.jsonl")):
            self.fails(self.said("txt", "--text-field"), *words, "-o", "out", "--text-field", "txt")
        self.neardup("index", "build", "index", "in.jsonl", "--recipe", "simhash-chars-4", "-q")
        self.neardup("index", "build", "texts", "in.jsonl", "--kind", "clue", "-q")
        for words in (("index", "build", "new", "in.jsonl", "--recipe", "simhash-chars-4"), ("index", "add", "index", "in.jsonl"), ("query", "index", "in.jsonl"),
                      ("index", "build", "new", "in.jsonl", "--kind", "clue"), ("index", "add", "texts", "in.jsonl"), ("search", "texts", "in.jsonl")):
            self.fails(self.said("txt", "--text-field"), *words, "--text-field", "txt")
        self.assertFalse(self.path("new").exists())

    def test_standard_input(self):
        self.fails("standard input: none of the 300 records has the field 'txt'; fields of the first record: id, text, score. Did you mean 'text'? Use --text-field.",
                   "dedup", "-", "-o", "out", "--text-field", "txt", stdin=self.read("in.jsonl"))
        self.neardup("dedup", "-", "-o", "other", "--text-field", "text", stdin=self.read("in.jsonl"))
        self.assertEqual(self.read("other"), self.read("in.jsonl"))

    def test_a_field_of_later_records(self):
        """What is not seen before the run is only warned of."""
        self.write("in.jsonl", [{"id": i, "text": f"{i} " + "x" * 1000} for i in range(12000)] + [{"id": "last", "text": "the best of all", "score": 9}])
        result = self.neardup("dedup", "in.jsonl", "-o", "other", "--keep", "max:score")
        self.assertRegex(result.stderr, r"warning: in.jsonl: none of the first 4,\d+ records has the field 'score'; fields of the first record: id, text \(--keep\)")
        self.assertRegex(self.neardup("dedup", "-", "-o", "other", "--keep", "max:score", stdin=self.read("in.jsonl")).stderr, r"warning: standard input: none of the first \d,\d+ records has")
        self.assertEqual(len(self.records("other")), 12001)

    def test_a_reference_corpus_needs_a_text_only(self):
        self.write("seen.jsonl", [{"text": "one two three four five six"}])
        self.neardup("dedup", "in.jsonl", "--against", "seen.jsonl", "-o", "other", "--keep", "max:score", "--id-field", "id")
        self.write("seen.jsonl", [{"body": "one two three four five six"}])
        self.fails("seen.jsonl: the only record lacks the field 'text'; fields of the first record: body.", "dedup", "in.jsonl", "--against", "seen.jsonl", "-o", "out")

    def test_tables_know_their_columns(self):
        needs.stop_if(tables.missing(LIBRARY))
        self.write("in.csv", "id,text\n1,a text\n")
        self.fails("'in.csv' has no column 'title' (fields); its columns are: id, text", "dedup", "in.csv", "-o", "out.csv", "--fields", "t=title",
                   "--duckdb-library", LIBRARY)

    def test_numbers_that_are_none_are_warned_of(self):
        self.write("in.jsonl", [{"text": "one two three four five six", "score": "high"}, {"text": "seven eight nine ten eleven", "score": None}])
        self.assertIn("warning: --keep max:score: no record has a number in field 'score'; fell back to input order",
                      self.neardup("dedup", "in.jsonl", "-o", "other", "--keep", "max:score").stderr)
        self.write("in.jsonl", [{"text": "one two three four five six", "score": 5}, {"text": "seven eight nine ten eleven"}])
        self.assertIn("warning: --keep min:score: 1 of 2 documents have no number in field 'score'; they rank after the others",
                      self.neardup("dedup", "in.jsonl", "-o", "other", "--keep", "min:score").stderr)


class OddIds(CliTest):
    def test_a_document_without_a_good_id_is_kept(self):
        records = [{"id": odd, "text": f"text number {number} of those that have odd ids: {number * 7919}"}
                   for number, odd in enumerate([["x"], {"$oid": "5"}, True, None, "good", 7])]
        self.write("in.jsonl", records)
        result = self.neardup("dedup", "in.jsonl", "-o", "out", "--verdicts", "v.jsonl", "--summary", "s.json", "--max-rejects", "0", "--strict")
        self.assertIn("\nids that are not a string or number: 3\n", result.stderr)
        self.assertIn("warning: ids that are not a string or number: 3; these documents are kept without an id", result.stderr)
        self.assertEqual(self.read("out"), self.read("in.jsonl"))
        summary = json.loads(self.read("s.json"))
        self.assertEqual((summary["read"], summary["kept"], summary["rejected"], summary["invalid_ids"]), (6, 6, 0, 3))
        self.assertEqual([verdict["id"] for verdict in self.records("v.jsonl")], [None, None, None, None, "good", "7"])
        self.neardup("clean", "in.jsonl", "-o", "clean.jsonl", "--max-rejects", "0")
        self.assertEqual([record["id"] for record in self.records("clean.jsonl")], [None, None, None, None, "good", "7"])

    def test_an_index_names_it_by_its_place(self):
        self.write("in.jsonl", [{"id": ["x"], "text": "one text of an index, of several words"}])
        result = self.neardup("index", "build", "index", "in.jsonl", "--recipe", "simhash-chars-4", "--summary", "s.json")
        self.assertIn("\nids that are not a string or number: 1\n", result.stderr)
        self.assertEqual(json.loads(self.read("s.json"))["invalid_ids"], 1)
        self.assertIn(b"in.jsonl:1", self.neardup("query", "index", "--text", "one text of an index, of several words").stdout)

    def test_tables(self):
        needs.stop_if(tables.missing(LIBRARY))
        self.write("in.jsonl", [{"id": [1, 2], "text": "one two three four five six seven"}])
        self.neardup("dedup", "in.jsonl", "-o", "in.parquet", "--duckdb-library", LIBRARY)
        self.assertEqual(self.summary("dedup", "in.parquet", "-o", "out.jsonl", "--duckdb-library", LIBRARY)["invalid_ids"], 1)


class Charsets(CliTest):
    TEXT = "中文网页的正文,有一些字,足够成为一篇文档。" * 5

    def test_text_files_in_another_charset_are_warned_of(self):
        self.write("t/a.txt", self.TEXT.encode("gbk"))
        self.write("t/b.txt", (self.TEXT + "不同").encode("gbk"))
        self.write("t/c.txt", self.TEXT.encode("utf-8"))
        for words in (("dedup", "t", "-o", "out"), ("sketch", "t", "-o", "out"), ("index", "build", "index", "t", "--recipe", "simhash-chars-4")):
            result = self.neardup(*words, "--summary", "s.json")
            self.assertIn("warning: 2 text files have bytes that are not of the expected charset, read as U+FFFD; try --charset auto", result.stderr)
            self.assertEqual(json.loads(self.read("s.json"))["malformed_texts"], 2)
        self.assertNotIn("charset", self.neardup("dedup", "t", "-o", "out", "--charset", "auto").stderr)

    def test_lines_in_another_charset(self):
        self.write("in.jsonl", lines(good(1), good(2), json.dumps({"text": self.TEXT}, ensure_ascii=False).encode("gbk")))
        result = self.neardup("dedup", "in.jsonl", "-o", "out")
        self.assertIn("in.jsonl:3: rejected: not UTF-8 at byte 11: JSON Lines must be UTF-8", result.stderr)
        self.assertIn("--charset auto", result.stderr)
        self.assertIn("\nrejected: 1 record: 1 not UTF-8\n", result.stderr)


class Resumed(FailingTest):
    def test_the_same_decision_after_a_resume(self):
        """A run that fails fails again, wherever it was interrupted, and resumes when more is accepted."""
        names = [self.write(f"in{i}.jsonl", mixed(3000, 40)) for i in range(4)]
        run = ["dedup", *names, "-o", "out"]
        self.write("out", PRECIOUS)
        said = "too many records rejected: 160 of 12,160 (more than 1%): 160 broken JSON. The first: in0.jsonl:"
        self.assertIn(said, self.neardup(*run, code=1).stderr)
        self.assertIn(said, self.neardup(*run, "--work", "work", code=1).stderr)
        for _ in range(2):
            self.assertIn(said, self.neardup("dedup", "--resume", "work", "--threads", "1", code=1).stderr)
        self.assertEqual(self.read("out"), PRECIOUS)
        self.neardup("dedup", "--resume", "work", "--max-rejects", "2%")
        whole = self.read("out")
        self.neardup(*run, "--max-rejects", "200")
        self.assertEqual(self.read("out"), whole)
        # The earlier limit does not apply any more.
        self.assertIn(said, self.neardup("dedup", "--resume", "work", code=1).stderr)
        self.assertEqual(self.read("out"), whole)

    def test_tasks(self):
        self.write("in.jsonl", mixed(990, 20))
        self.neardup("dedup", "in.jsonl", "-o", "out", "--work", "work", "--prepare")
        self.neardup("task", "work", "0")
        self.assertIn("too many records rejected: 20 of 1,010", self.neardup("dedup", "--resume", "work", code=1).stderr)
        self.assertFalse(self.path("out").exists())
        self.neardup("dedup", "--resume", "work", "--max-rejects", "20")
        self.assertEqual(self.read("out").count(b"\n"), 990)

    def test_damage_and_wrong_fields(self):
        whole = gzip.compress(mixed(2000, 0))
        self.write("in.jsonl.gz", whole[:len(whole) // 2])
        self.assertIn("damaged input", self.neardup("dedup", "in.jsonl.gz", "-o", "out", "--work", "work", code=1).stderr)
        self.assertIn("damaged input", self.neardup("dedup", "--resume", "work", code=1).stderr)
        self.neardup("dedup", "--resume", "work", *ALL)
        self.write("in.jsonl", lines(good(1)))
        self.assertIn("the only record lacks the field 'txt'", self.neardup("dedup", "in.jsonl", "-o", "out", "--work", "other", "--text-field", "txt", code=1).stderr)

    def test_rejected_records_do_not_move_places(self):
        """Verdicts name the rows of the input, and all outputs are those of a run without a checkpoint directory."""
        bad = [b"{", b"", b"[]", b'{"text": 5}']
        parts = []
        for number in range(4000):
            parts += random.Random(number).sample(bad, number % 3)
            parts.append(good(number // 2))
        self.write("in.jsonl", lines(*parts))
        run = ("dedup", "in.jsonl", "-o", "out", "--verdicts", "v.tsv", "--rejects", "r", *ALL)
        self.neardup(*run)
        rows = {int(row["row"]): row for row in self.table("v.tsv")}
        expected = [number + 1 for number, part in enumerate(parts) if part.startswith(b'{"id"')]
        self.assertEqual(sorted(rows), expected)
        self.assertEqual(self.read("r"), lines(*[part for part in parts if part in bad and part]))
        outputs = [self.read(name) for name in ("out", "v.tsv", "r")]
        for options in (("--threads", "1"), ("--batch", "700"), ("--work", "work")):
            self.neardup(*run, *options)
            self.assertEqual([self.read(name) for name in ("out", "v.tsv", "r")], outputs, options)
        self.neardup("dedup", "--resume", "work")
        self.assertEqual([self.read(name) for name in ("out", "v.tsv", "r")], outputs)

    def test_killed_while_it_reads(self):
        names = [self.write(f"in{i}.jsonl", mixed(3000, 40)) for i in range(8)]
        process = subprocess.Popen([BINARY, "dedup", *names, "-o", "out", "--work", "work", "--threads", "1"], cwd=self.dir, stderr=subprocess.DEVNULL)
        while not list(self.path("work").glob("sketch-*.part")) and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertIn("too many records rejected: 320 of 24,320", self.neardup("dedup", "--resume", "work", code=1).stderr)


if __name__ == "__main__":
    unittest.main()
