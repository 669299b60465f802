"""--max-removed and --max-cluster: a run that would remove too much fails before any output appears, says why, and can be resumed."""
import unittest

from harness import CliTest

WORDS = "the council met on tuesday evening and agreed to repair the old bridge before summer begins".split()


def text(number, version=0):
    return " ".join(f"{word}{number}" for word in WORDS) + " " * version + "!" * version


class Guards(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.jsonl", [{"id": f"a{i}", "text": text(i)} for i in range(5)])
        # Four of five match a.jsonl.
        self.write("b.jsonl", [{"id": f"b{i}", "text": text(i, 1)} for i in range(4)] + [{"id": "b9", "text": text(9)}])

    def fails(self, *arguments, parts, code=1):
        before = {name: self.read(name) for name in self.names() if not name.startswith("run/")}
        result = self.neardup("dedup", *arguments, "-q", code=code)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 2 if "Progress is saved" in result.stderr else 1, result.stderr)
        self.assertEqual(before, {name: self.read(name) for name in self.names() if not name.startswith("run/")})
        return result

    def test_max_removed(self):
        self.write("k.jsonl", "old")
        parts = ["too many documents of 'b.jsonl' would be removed: 4 of 5 (80%; --max-removed allows 79.9%)",
                 "4 of them match documents of 'a.jsonl', as 'b0' matches 'a0' (similarity 1.000)"]
        self.fails("a.jsonl", "b.jsonl", "-o", "k.jsonl", "--verdicts", "v.tsv", "--max-removed", "79.9%", parts=parts)
        self.fails("a.jsonl", "b.jsonl", "--dry-run", "--max-removed", "79.9%", parts=parts)
        self.fails("b.jsonl", "--against", "a.jsonl", "-o", "k.jsonl", "--max-removed", "79.9%", parts=parts)
        self.fails("a.jsonl", "b.jsonl", "--batch", "2", "-o", "k.jsonl", "--max-removed", "0%", parts=["4 of 5 (80%; --max-removed allows 0%)"])
        self.fails("a.jsonl", "b.jsonl", "-o", "k.jsonl", "--keep", "last", "--max-removed", "60%",
                   parts=["of 'a.jsonl' would be removed: 4 of 5", "match documents of 'b.jsonl', as 'a0' matches 'b0'"])
        self.neardup("dedup", "a.jsonl", "b.jsonl", "-o", "k.jsonl", "--max-removed", "80%", "-q")
        self.assertEqual(len(self.records("k.jsonl")), 6)

    def test_the_share_in_the_message_is_above_the_bound(self):
        self.write("c.jsonl", [{"id": f"c{i}", "text": text(i // 2)} for i in range(3)])
        self.fails("c.jsonl", "-o", "k.jsonl", "--max-removed", "33.3333%", parts=["1 of 3 (33.3334%; --max-removed allows 33.3333%)"])

    def test_inside_one_input(self):
        self.write("c.jsonl", self.read("a.jsonl") + self.read("b.jsonl"))
        self.fails("c.jsonl", "-o", "k.jsonl", "--max-removed", "39.9999%", parts=["4 of 10 (40%", "match documents of 'c.jsonl', as 'b0' matches 'a0'"])
        self.neardup("dedup", "c.jsonl", "-o", "k.jsonl", "--max-removed", "40%", "-q")

    def test_rejected_records_do_not_count(self):
        self.write("c.jsonl", self.read("b.jsonl") + b"broken\n" * 5)
        self.fails("a.jsonl", "c.jsonl", "-o", "k.jsonl", "--max-rejects", "100%", "--max-removed", "50%", parts=["4 of 5"])

    def test_text_files_count_together(self):
        for i in range(10):
            self.write(f"t/{i}.txt", text(i // 2 if i < 8 else i))
        self.fails("t", "-o", "k.jsonl", "--max-removed", "39%", parts=["of the 10 inputs of one document would be removed: 4 of 10 (40%"])
        self.neardup("dedup", "t", "-o", "k.jsonl", "--max-removed", "40%", "-q")
        self.write("one.txt", text(0))
        self.fails("one.txt", "--against", "a.jsonl", "-o", "k.jsonl", "--max-removed", "40%", parts=["of 'one.txt' would be removed: 1 of 1 (100%"])

    def test_no_documents(self):
        self.write("empty.jsonl", "")
        self.neardup("dedup", "empty.jsonl", "-o", "k.jsonl", "--max-removed", "0%", "--max-cluster", "1", "-q")

    def test_max_cluster(self):
        self.write("c.jsonl", [{"id": f"c{i}", "text": text(7, i)} for i in range(6)])
        parts = ["a cluster is too large: 6 documents (--max-cluster allows 5), with the keeper 'c0'"]
        for more in ([], ["--cluster", "components"], ["--batch", "2"], ["--dry-run"]):
            self.fails("a.jsonl", "c.jsonl", "-o", "k.jsonl", "--max-cluster", "5", *more, parts=parts)
        self.neardup("dedup", "c.jsonl", "-o", "k.jsonl", "--max-cluster", "6", "-q")
        self.write("d.jsonl", [{"text": text(7, i)} for i in range(3)])
        self.fails("d.jsonl", "-o", "k.jsonl", "--max-cluster", "2", parts=["with the keeper 'd.jsonl:1'"])

    def test_index_entries(self):
        self.neardup("index", "build", "seen", "a.jsonl", "--recipe", "simhash-words-3", "-q")
        self.fails("b.jsonl", "--recipe", "simhash-words-3", "--against", "seen", "-o", "k.jsonl", "--max-removed", "50%",
                   parts=["of 'b.jsonl' would be removed: 4 of 5", "match documents of 'seen', as 'b0' matches 'a0'"])

    def test_resumed_with_another_bound(self):
        self.neardup("dedup", "a.jsonl", "b.jsonl", "-o", "fresh.jsonl", "-q")
        for slices in ([], ["--batch", "2"]):
            run = "run/" + "-".join(slices)
            result = self.fails("a.jsonl", "b.jsonl", "-o", "k.jsonl", "--work", run, "--max-removed", "60%", "--max-cluster", "9", *slices,
                                parts=["4 of 5"])
            self.assertIn(f"continue with: neardup dedup --resume {run}", result.stderr)
            self.fails("--resume", run, parts=["4 of 5 (80%; --max-removed allows 60%)"])
            self.fails("--resume", run, "--max-removed", "90%", "--max-cluster", "1", parts=["2 documents (--max-cluster allows 1)"])
            self.neardup("dedup", "--resume", run, "--max-removed", "90%", "-q")
            self.assertEqual(self.read("k.jsonl"), self.read("fresh.jsonl"))
            self.path("k.jsonl").unlink()

    def test_extended_run(self):
        self.neardup("dedup", "a.jsonl", "-o", "k.jsonl", "--work", "run", "--max-removed", "60%", "-q")
        before = self.read("k.jsonl")
        self.neardup("dedup", "--resume", "run", "--add", "b.jsonl", "-q", code=1)
        self.assertEqual(self.read("k.jsonl"), before)

    def test_wrong_bounds(self):
        for option, value in (("--max-removed", "60"), ("--max-removed", "101%"), ("--max-cluster", "-1"), ("--max-cluster", "many")):
            result = self.neardup("dedup", "a.jsonl", "--dry-run", f"{option}={value}", code=2)
            self.assertIn(f"{option}: expected", result.stderr)


if __name__ == "__main__":
    unittest.main()
