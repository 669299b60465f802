"""Bad input and bad outputs: a clear message, the right exit code, nothing lost, nothing half written under its final name."""
import gzip
import json
import os
import unittest

from harness import CliTest

GOOD = {"id": "good", "text": "one two three four five six seven eight nine ten"}
GOOD_LINE = json.dumps(GOOD).encode() + b"\n"


class BadRecords(CliTest):
    def check_rejected(self, bad, message, *arguments, row=2):
        """The record between two good ones is rejected, unchanged, and the run continues."""
        self.write("in.jsonl", GOOD_LINE + bad + b"\n" + GOOD_LINE)
        result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--rejects", "rejects.jsonl", *arguments)
        self.assertIn(f"warning: in.jsonl:{row}: rejected: ", result.stderr)
        self.assertIn(message, result.stderr)
        self.assertIn("read 3 = kept 1 + removed 1 + rejected 1", result.stderr)
        self.assertEqual(self.read("kept.jsonl"), GOOD_LINE)
        self.assertEqual(self.read("rejects.jsonl"), bad + b"\n")
        for name in ("kept.jsonl", "rejects.jsonl"):
            self.path(name).unlink()
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--strict", *arguments, code=3)
        self.assertEqual(self.read("kept.jsonl"), GOOD_LINE)
        self.neardup("pairs", "in.jsonl", "-o", "pairs.tsv", "--strict", *arguments, code=3)
        self.assertEqual(len(self.table("pairs.tsv")), 1)

    def test_broken_json(self):
        self.check_rejected(b'{"id": "x", "text": "never ends', "invalid JSON at byte")
        self.check_rejected(b'{"id": "x", "text": "a"} {"id": "y"}', "invalid JSON at byte")
        self.check_rejected(b"\x00\x01\x02", "invalid JSON at byte 1")
        self.check_rejected(b"[" * 3000, "invalid JSON")

    def test_not_an_object(self):
        self.check_rejected(b'["a"]', "not an object")
        self.check_rejected(b"17", "not an object")

    def test_missing_field(self):
        self.check_rejected(b'{"id": "x", "txt": "a"}', "no field 'text'")
        self.check_rejected(b'{"id": "x", "t": "a"}', "none of the fields 'text', 'text.body'", "--text-field", "text,text.body", "--max-rejects", "100%")

    def test_field_of_another_type(self):
        values = {b"5": "a number", b"null": "null", b'["a", 5]': "an array with a number in it", b"true": "a boolean", b'{"a": 1}': "an object"}
        for value, name in values.items():
            self.check_rejected(b'{"id": "x", "text": %s}' % value, f"field 'text' is {name}")

    def test_invalid_utf8(self):
        self.check_rejected(b'{"id": "x", "text": "caf\xe9 one two three four five"}', "not UTF-8 at byte 25")

    def test_long_record(self):
        long = b'{"id": "x", "text": "' + b"long " * 1000 + b'"}'
        self.check_rejected(long, "the record has 5023 bytes, max_record_bytes is 4096", "--max-record-bytes", "4KiB")

    def test_lone_surrogates_are_repaired_and_counted(self):
        self.write("in.jsonl", GOOD_LINE + b'{"id": "x", "text": "lone \\ud800 surrogate two three four five six"}\n')
        result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--strict")
        self.assertIn("repaired texts: 1", result.stderr)
        self.assertEqual(self.read("kept.jsonl"), self.read("in.jsonl"))

    def test_truncated_gzip(self):
        lines = b"".join(json.dumps({"id": i, "text": f"text {os.urandom(200).hex()}"}).encode() + b"\n" for i in range(100))
        whole = gzip.compress(lines)
        self.write("in.jsonl.gz", whole[:len(whole) // 2])
        result = self.neardup("dedup", "in.jsonl.gz", "-o", "kept.jsonl", "--rejects", "rejects.jsonl", "--strict", "--max-rejects", "100%", code=3)
        self.assertRegex(result.stderr, r"warning: in.jsonl.gz:\d+: rejected: gzip stream is truncated after \d+ bytes")
        kept = self.read("kept.jsonl")
        self.assertTrue(lines.startswith(kept + self.read("rejects.jsonl").rstrip(b"\n")), "what could be read is kept, in order")
        self.assertGreater(kept.count(b"\n"), 30)

    def test_only_the_first_few_are_named_but_all_are_counted(self):
        self.write("in.jsonl", b"{\n" * 1000 + GOOD_LINE)
        result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--rejects", "rejects.jsonl", "--max-rejects", "1000")
        self.assertEqual(result.stderr.count(": rejected: "), 5)
        self.assertIn("rejected 1,000", result.stderr)
        self.assertIn("\nrejected: 1,000 records: 1,000 broken JSON\n", result.stderr)
        self.assertEqual(self.read("rejects.jsonl"), b"{\n" * 1000)

    def test_duplicate_ids_are_distinguished_by_place(self):
        self.write("in.jsonl", [GOOD, GOOD | {"text": "another text of more than five words, quite different"}, GOOD])
        result = self.neardup("dedup", "in.jsonl", "--verdicts", "v.tsv")
        self.assertIn("warning: in.jsonl:2: id 'good' was already used at in.jsonl:1", result.stderr)
        self.assertIn("duplicate ids: 2", result.stderr)
        self.assertEqual([row["keeper_row"] for row in self.table("v.tsv")], ["", "", "1"])


class BadFiles(CliTest):
    def check_fails(self, message, *arguments, code=1, files=("in.jsonl",), **keywords):
        result = self.neardup(*arguments, code=code, **keywords)
        self.assertIn(message, result.stderr)
        self.assertEqual(self.names(), sorted(files))
        return result

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", [GOOD])

    def test_missing_input(self):
        self.check_fails("cannot open 'none.jsonl': No such file or directory", "dedup", "in.jsonl", "none.jsonl", "-o", "kept.jsonl")
        self.check_fails("no file matches 'none*.jsonl'", "dedup", "none*.jsonl", "-o", "kept.jsonl")
        self.check_fails("cannot open 'none'", "dedup", "in.jsonl", "--against", "none", "-o", "kept.jsonl")

    def test_the_same_input_twice(self):
        self.check_fails("'./in.jsonl' is given twice", "dedup", "in.jsonl", "./in.jsonl", "-o", "kept.jsonl", code=2)

    @unittest.skipIf(os.geteuid() == 0, "[user] root reads every file")
    def test_unreadable_input(self):
        self.path("in.jsonl").chmod(0)
        self.check_fails("cannot open 'in.jsonl': Permission denied", "dedup", "in.jsonl", "-o", "kept.jsonl")

    def test_folder_without_readable_files(self):
        self.path("empty").mkdir()
        self.check_fails("no input in 'empty'", "dedup", "empty", "-o", "kept.jsonl")

    def test_empty_corpus(self):
        self.write("empty.jsonl", "")
        result = self.neardup("dedup", "empty.jsonl", "-o", "kept.jsonl", "--verdicts", "v.tsv")
        self.assertIn("read 0 = kept 0 + removed 0 + rejected 0", result.stderr)
        self.assertEqual(self.read("kept.jsonl"), b"")
        self.assertEqual(self.read("v.tsv").count(b"\n"), 1)

    def test_unsupported_compression(self):
        self.write("in.jsonl.xz", b"\xfd7zXZ\x00" + bytes(50))
        self.check_fails("'in.jsonl.xz' is xz data", "dedup", "in.jsonl.xz", "-o", "kept.jsonl", files=["in.jsonl", "in.jsonl.xz"])

    def test_unwritable_output(self):
        self.check_fails("cannot write 'no/folder/kept.jsonl'", "dedup", "in.jsonl", "-o", "no/folder/kept.jsonl")
        self.check_fails("cannot write 'no/s.json'", "dedup", "in.jsonl", "-o", "kept.jsonl", "--summary", "no/s.json")
        self.check_fails("cannot write 'no/r.jsonl'", "dedup", "in.jsonl", "-o", "kept.jsonl", "--rejects", "no/r.jsonl")

    def test_full_disk(self):
        message = "cannot write '/dev/full': No space left on device"
        self.check_fails(message, "dedup", "in.jsonl", "-o", "kept.jsonl", "--verdicts", "/dev/full")
        self.check_fails(message, "dedup", "in.jsonl", "-o", "/dev/full", "--verdicts", "v.tsv")
        self.check_fails(message, "pairs", "in.jsonl", "-o", "/dev/full")
        with open("/dev/full", "wb") as full:
            message = "cannot write standard output: No space left on device"
            self.check_fails(message, "dedup", "in.jsonl", "-o", "-", "--removed", "r.jsonl", stdout=full)
            self.check_fails("cannot write standard output", "help", "dedup", stdout=full)

    def test_an_output_that_is_an_input(self):
        before = self.read("in.jsonl")
        self.check_fails("the output 'in.jsonl' is also an input", "dedup", "in.jsonl", "-o", "in.jsonl", code=2)
        self.check_fails("is also an input", "dedup", "in.jsonl", "-o", "./in.jsonl", code=2)
        self.check_fails("is also an input", "dedup", "in.jsonl", "-o", "kept.jsonl", "--summary", "in.jsonl", code=2)
        self.check_fails("is also an input", "pairs", "in.jsonl", "-o", "in.jsonl", code=2)
        self.write("old.jsonl", [GOOD])
        both = ["in.jsonl", "old.jsonl"]
        self.check_fails("is also an input", "dedup", "in.jsonl", "--against", "old.jsonl", "-o", "old.jsonl", files=both, code=2)
        os.symlink("in.jsonl", self.path("link.jsonl"))
        self.check_fails("is also an input", "dedup", "in.jsonl", "-o", "link.jsonl", files=["in.jsonl", "link.jsonl", "old.jsonl"], code=2)
        self.assertEqual(self.read("in.jsonl"), before)
        self.neardup("dedup", "in.jsonl", "--output-dir", ".", code=2)
        self.assertEqual(self.read("in.jsonl"), before)

    def test_two_outputs_that_are_one(self):
        self.check_fails("two outputs are the same", "dedup", "in.jsonl", "-o", "x.jsonl", "--removed", "./x.jsonl", code=2)
        self.check_fails("two outputs are the same", "dedup", "in.jsonl", "-o", "-", "--verdicts", "-", code=2)

    def test_temp_dir_that_does_not_exist(self):
        self.check_fails("/none/such", "dedup", "-", "-o", "kept.jsonl", "--temp-dir", "/none/such", stdin=GOOD_LINE, code=2)


if __name__ == "__main__":
    unittest.main()
