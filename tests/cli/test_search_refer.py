"""neardup index build --kind clue --texts refer: texts stay in their files, and what changed there is an error, never a miss."""
import gzip
import json
import unittest

from test_search import SearchTest


class Refer(SearchTest):
    CLUE = "jumps over the lazy dog again"

    def two(self, corpus, *options):
        """The same corpus kept and referred to."""
        kept = self.build(corpus, *options, index="kept")
        self.neardup("index", "build", "referred", "in.jsonl", "--kind", "clue", "--texts", "refer", "-q", *options)
        return kept, "referred"

    def small(self):
        self.write("a.jsonl", [{"id": "fox", "text": f"a fox {self.CLUE}"}, {"id": "other", "text": "中华人民共和国宪法"}])
        self.neardup("index", "build", "index", "a.jsonl", "--kind", "clue", "--texts", "refer", "-q")

    def search(self, clue=CLUE, code=0):
        return self.neardup("search", "index", "--text", clue, "--json", code=code)

    def hits(self, clue=CLUE):
        return [hit["id"] for hit in json.loads(self.search(clue).stdout)["hits"]]


class Answers(Refer):
    def test_the_same_as_of_kept_texts(self):
        corpus = self.corpus(21)
        indexes = self.two(corpus)
        clues = self.clues(corpus, 22)
        for options in ((), ("--scan",), ("--edits", "10%"), ("--resembles", "--threshold", "0.4"), ("--count",)):
            kept, referred = [self.ask(index, clues, *options) for index in indexes]
            self.assertEqual(kept, referred, options)
        stats = [json.loads(self.neardup("index", "stat", index, "--json").stdout) for index in indexes]
        self.assertEqual(*[(stat["texts"], stat["postings"], stat["anchor_bytes"]) for stat in stats])
        self.assertEqual([stat["recipe"].get("texts") for stat in stats], [None, "refer"])
        self.assertIn("stored        places of texts in their sources", self.neardup("index", "stat", "referred").stdout.decode())

    def test_add_delete_merge_and_verify(self):
        corpus = self.corpus(23)
        self.build(corpus[:50], index="kept")
        self.write("first.jsonl", self.read("in.jsonl"))
        self.write("second.jsonl", [{"id": name, "text": text} for name, text in corpus[50:]])
        self.neardup("index", "build", "referred", "first.jsonl", "--kind", "clue", "--texts", "refer", "-q")
        clues = self.clues(corpus, 24, count=60)
        for index in ("kept", "referred"):
            self.neardup("index", "add", index, "second.jsonl", "-q")
            self.neardup("index", "delete", index, "t3", "t70")
        expected = self.ask("kept", clues)
        self.assertEqual(self.ask("referred", clues), expected)
        self.assertIn("; its texts are in their sources", self.neardup("index", "verify", "referred").stderr)
        self.neardup("index", "merge", "referred", "-q")
        self.assertEqual(self.ask("referred", clues), expected)
        self.neardup("index", "verify", "referred")

    def test_bytes_do_not_depend_on_threads_and_memory(self):
        self.write("in.jsonl", [{"id": name, "text": text} for name, text in self.corpus(25)])
        files = set()
        for number, options in enumerate((("--threads", 1), ("--threads", 4, "--memory", "64M"))):
            self.neardup("index", "build", f"i{number}", "in.jsonl", "--kind", "clue", "--texts", "refer", "-q", *options)
            files.add(self.read(f"i{number}/segment-000001.ndh"))
        self.assertEqual(len(files), 1)

    def test_text_files_and_fields(self):
        self.write("folder/a.txt", "\ufeffA fox " + self.CLUE)
        self.write("folder/b.html", "<meta charset=gb18030><p>中华人民共和国宪法是国家的根本法".encode("gb18030"))
        self.write("folder/c.jsonl", json.dumps({"title": "T", "body": "the fox jumps over the lazy \"dog\"\nagain \ud83d"}) + "\n")
        self.neardup("index", "build", "index", "folder", "--kind", "clue", "--texts", "refer", "--text-field", "title,body", "--charset", "auto", "-q")
        self.assertEqual(self.hits(), ["folder/a.txt", "folder/c.jsonl:1"])
        self.assertEqual(self.hits("共和国宪法是国家的根本"), ["folder/b.html"])
        self.neardup("index", "verify", "index")

    def test_from_another_folder(self):
        """Places are absolute."""
        self.small()
        self.path("elsewhere").mkdir()
        self.path("index").rename(self.path("elsewhere/index"))
        answer = json.loads(self.neardup("search", "elsewhere/index", "--text", self.CLUE, "--json").stdout)
        self.assertEqual([hit["id"] for hit in answer["hits"]], ["fox"])
        self.path("a.jsonl").unlink()
        result = self.neardup("search", "elsewhere/index", "--text", self.CLUE, code=1)
        self.assertIn(f"'{self.path('a.jsonl').resolve()}'", result.stderr)


class Changes(Refer):
    def check(self, says):
        """A question that needs the changed text fails, as verify does; others are answered."""
        for result in (self.search(code=1), self.neardup("search", "index", "--text", "dog", "--scan", code=1),
                       self.neardup("index", "verify", "index", code=1)):
            self.assertIn("a.jsonl'", result.stderr)
            self.assertIn(says, result.stderr)
        result = self.neardup("search", "index", "--text", "no text has it, whatever it is", "--json")
        self.assertEqual(json.loads(result.stdout)["hits"], [])

    def test_another_text(self):
        self.small()
        self.write("a.jsonl", self.read("a.jsonl").replace(b"lazy", b"LAZY"))
        self.check("changed after its texts were indexed: at byte 0: another text. Restore the file, or delete these texts")
        self.assertEqual(self.hits("中华人民共和国宪法"), ["other"])

    def test_moved_lines(self):
        self.small()
        self.write("a.jsonl", b"\n" + self.read("a.jsonl"))
        self.check("changed after its texts were indexed: at byte 0: ")

    def test_shorter(self):
        self.small()
        self.write("a.jsonl", self.read("a.jsonl")[:20])
        self.check("changed after its texts were indexed: at byte 0: it has 20 bytes, but the text ends at ")

    def test_gone(self):
        self.small()
        self.path("a.jsonl").unlink()
        self.check("No such file or directory; the index refers to the texts of this file")

    def test_longer_is_no_change(self):
        self.small()
        self.write("a.jsonl", self.read("a.jsonl") + b'{"text": "one more"}\n')
        self.assertEqual(self.hits(), ["fox"])
        self.neardup("index", "verify", "index")

    def test_deleted_texts_may_go(self):
        self.small()
        self.write("b.jsonl", [{"id": "again", "text": self.CLUE}])
        self.neardup("index", "add", "index", "b.jsonl", "-q")
        self.path("a.jsonl").unlink()
        self.neardup("index", "delete", "index", "fox", "other")
        self.assertEqual(self.hits(), ["again"])
        self.neardup("index", "verify", "index")
        self.neardup("index", "merge", "index", "-q")
        self.assertEqual(self.hits(), ["again"])
        self.neardup("index", "verify", "index")


class Refused(Refer):
    def refuses(self, *inputs, name, stdin=b""):
        """Before anything is written, also by add."""
        says = f"an index cannot refer to the texts of '{name}'; expected files of JSON Lines or text that are not compressed"
        result = self.neardup("index", "build", "new", *inputs, "--kind", "clue", "--texts", "refer", "-q", code=2, stdin=stdin)
        self.assertIn(says, result.stderr)
        self.assertFalse(self.path("new").exists())
        self.assertIn(says, self.neardup("index", "add", "index", *inputs, "-q", code=2, stdin=stdin).stderr)
        self.assertEqual(self.hits(), ["fox"])

    def test_other_inputs(self):
        self.small()
        self.write("z.jsonl.gz", gzip.compress(b'{"text": "packed"}\n'))
        self.write("z.txt.gz", gzip.compress(b"packed"))
        self.write("array.json", '[{"text": "one"},\n {"text": "two"}]\n')
        self.refuses("z.jsonl.gz", name="z.jsonl.gz")
        self.refuses("a.jsonl", "z.txt.gz", name="z.txt.gz")
        self.refuses("array.json", name="array.json")
        self.refuses("-", name="-", stdin=b'{"text": "piped"}\n')

    def test_options(self):
        self.small()
        result = self.neardup("index", "build", "new", "a.jsonl", "--kind", "clue", "--texts", "both", code=2)
        self.assertIn("--texts: expected keep or refer, not 'both'", result.stderr)
        result = self.neardup("index", "build", "new", "a.jsonl", "--texts", "refer", "--recipe", "simhash-words-3", code=2)
        self.assertIn("takes no --texts for an index of fingerprints", result.stderr)
        result = self.neardup("index", "add", "index", "a.jsonl", "--texts", "refer", code=2)
        self.assertIn("neardup index add takes no --texts", result.stderr)


if __name__ == "__main__":
    unittest.main()
