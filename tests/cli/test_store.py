"""neardup store: the verdicts are those of a batch run, and every verb does what its help says."""
import json
import unittest

from corpora import make_texts
from harness import CliTest


class StoreTest(CliTest):
    def corpus(self, name, seed, **shape):
        records = [{"id": f"{name}-{n}", "text": text} for n, text in enumerate(make_texts(seed, **shape))]
        return self.write(f"{name}.jsonl", records)

    def batch(self, *inputs, options=()):
        """What a batch run says of each id."""
        self.neardup("dedup", *inputs, *options, "--verdicts", "batch.jsonl", "-q")
        return [self.verdict(line) for line in self.records("batch.jsonl")]

    def answers(self, name):
        return [self.verdict(line) for line in self.records(name)]

    def verdict(self, line):
        """Which kept documents are keepers is known only afterwards."""
        reason = line["reason"] if line["verdict"] == "remove" or line["reason"] == "short" else "unique"
        return line["id"], line["verdict"], reason, line["keeper_id"], line["similarity"]

    def build(self, *inputs, options=()):
        self.neardup("store", "build", "seen", *inputs, *options, "-o", "answers.jsonl", "-q")
        return self.answers("answers.jsonl")


class Verdicts(StoreTest):
    def test_those_of_a_batch_run(self):
        for number, (options, shape) in enumerate([(("--recipe", "words-5"), {}), (("--recipe", "chars-5"), {"chinese": True}),
                                                   (("--recipe", "chars-5", "--threshold", "0.6", "--min-length", "40"), {})]):
            with self.subTest(options=options):
                name = self.corpus(f"c{number}", number, **shape)
                self.neardup("store", "build", f"seen{number}", name, *options, "-o", "answers.jsonl", "-q")
                expected = self.batch(name, options=(*options, "--max-candidates", 0))
                self.assertEqual([line[:2] + line[3:] for line in self.answers("answers.jsonl")], [line[:2] + line[3:] for line in expected])
                removed = [line for line in expected if line[1] == "remove"]
                self.assertGreater(len(removed), 5)

    def test_those_of_fingerprints(self):
        options = ("--recipe", "simhash-words-3", "--max-distance", 6)
        name = self.corpus("c", 9)
        self.assertEqual([line[:2] + line[3:] for line in self.build(name, options=options)],
                         [line[:2] + line[3:] for line in self.batch(name, options=options)])

    def test_in_parts_as_at_once(self):
        names = [self.corpus(f"c{part}", part) for part in range(3)]
        expected = [line[:2] + line[3:] for line in self.batch(*names, options=("--max-candidates", 0))]
        found = self.build(names[0])
        for name in names[1:]:
            self.neardup("store", "check", "seen", name, "-o", "answers.jsonl", "-q")
            found += self.answers("answers.jsonl")
        self.assertEqual([line[:2] + line[3:] for line in found], expected)
        # The stored documents are the kept ones, and a batch run removes none of them.
        self.neardup("store", "export", "seen", "-o", "kept.jsonl", "-q")
        kept = self.records("kept.jsonl")
        self.assertEqual([line["id"] for line in kept], [line[0] for line in expected if line[1] == "keep"])
        self.assertEqual({line[1] for line in self.batch("kept.jsonl", options=("--max-candidates", 0))}, {"keep"})


class Verbs(StoreTest):
    TEXT = "the quick brown fox jumps over the lazy dog and runs away from the farm"

    def check(self, records, *options, code=0):
        self.write("in.jsonl", records)
        result = self.neardup("store", "check", "seen", "in.jsonl", "-o", "out.jsonl", *options, code=code)
        return self.records("out.jsonl"), result.stderr

    def stat(self):
        return json.loads(self.neardup("store", "stat", "seen", "--json").stdout)

    def test_repeated_and_refused(self):
        self.neardup("store", "build", "seen")
        lines, report = self.check([{"id": "a", "text": self.TEXT}, {"id": "a", "text": self.TEXT + " "}, {"id": "a", "text": "another text"}])
        self.assertEqual([line["verdict"] for line in lines], ["keep", "keep", None])
        self.assertEqual([line["reason"] for line in lines[:2]], ["unique", "repeated"])
        self.assertIn("the id 'a' has another text", lines[2]["problem"])
        self.assertIn("read 3 = kept 1 + removed 0 + repeated 1 + refused 1 + rejected 0", report)
        lines, _ = self.check([{"id": "a", "text": "another text of some more words"}], "--strict", code=3)
        lines, _ = self.check([{"id": "a", "text": "another text of some more words"}], "--replace-stored")
        self.assertEqual(lines[0]["verdict"], "keep")
        lines, _ = self.check([{"id": "b", "text": self.TEXT}])
        self.assertEqual(lines[0]["verdict"], "keep")  # what it repeats was replaced

    def test_asking_changes_nothing(self):
        self.neardup("store", "build", "seen")
        self.check([{"id": "a", "text": self.TEXT}])
        before = self.stat()
        lines, _ = self.check([{"id": "x", "text": self.TEXT}, {"id": "y", "text": "words that nobody has written before this one"}], "--no-insert")
        self.assertEqual([(line["verdict"], line["keeper_id"]) for line in lines], [("remove", "a"), ("keep", None)])
        self.assertNotIn("sequence", lines[0])
        self.assertEqual(self.stat(), before)

    def test_deleting(self):
        self.neardup("store", "build", "seen")
        self.check([{"id": "a", "text": self.TEXT}])
        result = self.neardup("store", "delete", "seen", "a", "unknown")
        self.assertIn("deleted 1 of 2 ids (1 not found)", result.stderr)
        self.neardup("store", "delete", "seen", "unknown", "--strict", code=3)
        self.assertEqual(self.stat()["documents"], 0)
        lines, _ = self.check([{"id": "b", "text": self.TEXT}])
        self.assertEqual(lines[0]["verdict"], "keep")
        self.neardup("store", "compact", "seen")
        self.assertEqual(self.stat()["deleted"], 0)
        lines, _ = self.check([{"id": "c", "text": self.TEXT}])
        self.assertEqual(lines[0]["keeper_id"], "b")

    def test_forgetting_after_a_time(self):
        self.neardup("store", "build", "seen", "--ttl", "1ms")
        self.check([{"id": "a", "text": self.TEXT}])
        lines, _ = self.check([{"id": "b", "text": self.TEXT}])
        self.assertEqual(lines[0]["verdict"], "keep")
        result = self.neardup("store", "build", "other", "--ttl", "soon", code=2)
        self.assertIn("--ttl: expected a number from 1 to 4294967295 and a unit", result.stderr)

    def test_copies_and_repairs(self):
        name = self.corpus("c", 4)
        self.build(name)
        self.neardup("store", "copy", "seen", "backup")
        self.assertEqual(self.neardup("store", "export", "seen", "-o", "-").stdout, self.neardup("store", "export", "backup", "-o", "-").stdout)
        self.neardup("store", "copy", "seen", "backup", code=1)
        self.neardup("store", "compact", "seen")
        segment = next(self.path("seen/tables").glob("segment-*"))
        content = bytearray(segment.read_bytes())
        content[len(content) // 2] ^= 1
        segment.write_bytes(content)
        result = self.neardup("store", "verify", "seen", code=1)
        self.assertIn(segment.name, result.stderr)
        self.assertRegex(result.stderr, r"block \d+ \(bytes \d+ to \d+\) is damaged")
        self.neardup("store", "repair", "seen")
        self.neardup("store", "verify", "seen")
        self.assertEqual(self.neardup("store", "export", "seen", "-o", "-").stdout, self.neardup("store", "export", "backup", "-o", "-").stdout)
        self.neardup("store", "check", "seen", name, "-o", "again.jsonl", "-q")
        self.assertEqual({line["reason"] for line in self.records("again.jsonl") if line["verdict"] == "keep"}, {"repeated"})

    def test_without_texts(self):
        name = self.corpus("c", 5)
        self.build(name, options=("--no-texts",))
        self.neardup("store", "check", "seen", name, "-o", "again.jsonl", "-q")
        self.assertEqual({line["reason"] for line in self.records("again.jsonl") if line["verdict"] == "keep"}, {"repeated"})
        self.neardup("store", "export", "seen", "-o", "kept.jsonl")
        self.assertEqual({line["text"] for line in self.records("kept.jsonl")}, {None})

    def test_documents_without_ids_are_named_by_their_place(self):
        self.write("in.jsonl", [{"text": self.TEXT}])
        self.neardup("store", "build", "seen", "in.jsonl", "-o", "out.jsonl")
        self.assertEqual(self.records("out.jsonl")[0]["id"], "in.jsonl:1")


class WrongUse(StoreTest):
    def test_what_is_no_store(self):
        self.write("file", "x")
        for place, why in (("missing", "it does not exist"), ("file", "it is a file"), (".", "it has no records")):
            result = self.neardup("store", "stat", place, code=1)
            self.assertIn(f"'{place}' is not a store: {why}", result.stderr)

    def test_folders_of_others_are_left_alone(self):
        self.write("mine/notes.txt", "x")
        result = self.neardup("store", "build", "mine", code=1)
        self.assertIn("it holds other files ('notes.txt')", result.stderr)
        self.assertEqual(self.names(), ["mine/notes.txt"])
        self.neardup("store", "build", "seen")
        before = self.names()
        self.neardup("store", "build", "seen", code=1)
        self.assertEqual([name for name in self.names() if "LOG" not in name], [name for name in before if "LOG" not in name])

    def test_options_of_other_verbs(self):
        self.assertIn("neardup store stat takes no --ttl", self.neardup("store", "stat", "seen", "--ttl", "1d", code=2).stderr)
        self.assertIn("--touch cannot be combined with --no-insert",
                      self.neardup("store", "check", "seen", "in.jsonl", "--no-insert", "--touch", code=2).stderr)
        self.assertIn("an argument is missing after the store", self.neardup("store", "copy", "seen", code=2).stderr)

    def test_recipes(self):
        self.assertIn("weighs by the IDF of a corpus", self.neardup("store", "build", "seen", "--recipe", "simhash-words", code=2).stderr)
        self.neardup("store", "build", "seen", "--recipe", "words-5")
        result = self.neardup("store", "stat", "seen", "--recipe", "chars-5", code=2)
        self.assertIn("the store is of recipe 45c72da0977da1d1", result.stderr)


if __name__ == "__main__":
    unittest.main()
