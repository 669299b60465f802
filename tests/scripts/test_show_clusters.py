import contextlib
import io
import json
import pathlib
import tempfile
import unittest

from loading import load

show_clusters = load("show_clusters")


class ShowClusters(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def shown(self, rows):
        verdicts = []
        for name, keeper, similarity, text in rows:
            path = self.folder / name / "copyright"
            path.parent.mkdir()
            path.write_text(text, encoding="utf-8")
            reason = "unique" if keeper is None else "exact_copy" if similarity == 1 else "near_duplicate"
            verdict = {"id": str(path), "source": str(path), "row": 1, "verdict": "remove" if keeper else "keep", "reason": reason}
            if keeper:
                source = str(self.folder / keeper / "copyright")
                verdict |= {"keeper_id": source, "keeper_source": source, "keeper_row": 1, "similarity": similarity}
            verdicts.append(verdict)
        file = self.folder / "verdicts.jsonl"
        file.write_text("".join(json.dumps(verdict) + "\n" for verdict in verdicts), encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(show_clusters.main([str(file)]), 0)
        return out.getvalue()

    def test_clusters_by_size_and_one_decision(self):
        out = self.shown([
            ("a", None, None, "one\ntwo\n"), ("b", None, None, "x\n"), ("c", "b", 0.9, "x\ny\n"), ("d", "b", 1, "x\n"),
            ("e", "a", 0.95, "one\n3\n"),
        ])
        rows = [line.split() for line in out.partition("clusters; ")[2].splitlines()[3:]]
        self.assertEqual(rows[0], ["b", "2", "=" * 15 + "#" * 15, "0.9000", "x"])
        self.assertEqual(rows[1], ["a", "1", "#" * 15, "0.9500", "one", "two"])
        self.assertIn("similarity  0.900000", out)
        self.assertIn("+y", out)
        self.assertLess(out.index("+y"), out.index("2 clusters"), "the picture comes last")

    def run_on(self, name, content, *options):
        """Exit code, output, errors. The paths in `content` are relative to the folder."""
        (self.folder / name).write_text(content, encoding="utf-8")
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = show_clusters.main([*options, str(self.folder / name)])
        return code, out.getvalue(), errors.getvalue()

    def corpus_verdicts(self, keeper_row=1, corpus="corpus.jsonl"):
        source = str(self.folder / corpus)
        kept = {"id": "a", "source": source, "row": keeper_row, "verdict": "keep", "reason": "keeper", "keeper_id": None,
                "keeper_source": None, "keeper_row": None, "similarity": None}
        return [kept, kept | {"id": "b", "row": 3, "verdict": "remove", "reason": "near_duplicate", "keeper_id": "a",
                              "keeper_source": source, "keeper_row": keeper_row, "similarity": 0.9}]

    def write_corpus(self, name="corpus.jsonl"):
        records = [{"text": "Same start. An old middle. Same end."}, {"text": "Another record."},
                   {"text": "Same start. A new middle. Same end.", "body": {"text": "x"}}]
        (self.folder / name).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")

    def test_documents_of_a_corpus_are_its_records(self):
        self.write_corpus()
        verdicts = self.corpus_verdicts()
        code, out, errors = self.run_on("verdicts.jsonl", "".join(json.dumps(verdict) + "\n" for verdict in verdicts))
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("\n    Same start. [-An old-] {+A new+} middle. Same end.\n", out)
        self.assertIn("kept        a\n  removed     b\n", out)
        self.assertNotIn("Another", out)

    def test_records_without_ids_are_named_by_their_rows(self):
        self.write_corpus()
        verdicts = [verdict | {"id": None, "keeper_id": None} for verdict in self.corpus_verdicts()]
        out = self.run_on("verdicts.jsonl", "".join(json.dumps(verdict) + "\n" for verdict in verdicts))[1]
        self.assertRegex(out, r"kept        \S+/corpus\.jsonl\n  removed     \S+/corpus\.jsonl:3\n")

    def test_the_decision_is_one_of_the_cluster_with_most_near_duplicates(self):
        out = self.shown([
            ("a", None, None, "one two\n"), ("b", "a", 0.82, "one three\n"), ("c", None, None, "four five\n"),
            ("d", "c", 0.9, "four six\n"), ("e", "c", 0.85, "four seven\n"), ("f", "c", 0.8, "four" + " eight" * 200 + "\n"),
        ])
        self.assertIn("    four [-five-] {+seven+}\n", out)

    def test_a_table_shows_the_same(self):
        self.write_corpus()
        verdicts = self.corpus_verdicts()
        rows = ["\t".join(verdicts[0]), *("\t".join("" if cell is None else str(cell) for cell in verdict.values()) for verdict in verdicts)]
        by_lines = self.run_on("verdicts.jsonl", "".join(json.dumps(verdict) + "\n" for verdict in verdicts))
        by_table = self.run_on("verdicts.tsv", "".join(row + "\n" for row in rows))
        self.assertEqual(by_table[0], 0)
        self.assertEqual(by_table, by_lines)

    def test_what_cannot_be_compared_is_said(self):
        verdicts = self.corpus_verdicts(keeper_row=7)
        content = "".join(json.dumps(verdict) + "\n" for verdict in verdicts)
        self.assertIn("cannot be compared here: cannot read", self.run_on("verdicts.jsonl", content)[1])
        self.write_corpus()
        self.assertIn("corpus.jsonl:7: no record with the field 'text'", self.run_on("verdicts.jsonl", content)[1])
        self.assertIn("no record with the field 'body.text'", self.run_on("verdicts.jsonl", content, "--text-field", "body.text")[1])
        tables = "".join(json.dumps(verdict) + "\n" for verdict in self.corpus_verdicts(2, "corpus.parquet"))
        self.assertIn("is neither a text file nor JSON Lines", self.run_on("verdicts.jsonl", tables)[1])

    def test_other_files_are_an_error_and_no_traceback(self):
        for content in ("id\tsource\nx\ty\n", "{\n", '{"id": 1}\n', "[1]\n", "1\n2\n"):
            code, out, errors = self.run_on("verdicts.tsv", content)
            self.assertEqual((code, out), (1, ""), content)
            self.assertRegex(errors, r"verdicts\.tsv:\d: not (a verdict|the header)")
        missing = io.StringIO()
        with contextlib.redirect_stderr(missing):
            self.assertEqual(show_clusters.main([str(self.folder / "none.tsv")]), 1)
        self.assertIn("cannot read", missing.getvalue())

    def test_no_duplicates(self):
        self.assertEqual(self.shown([("a", None, None, "one\n")]), "1 documents, none of them a duplicate of another\n")

    def test_only_exact_copies(self):
        self.assertIn("no near-duplicate", self.shown([("a", None, None, "one\n"), ("b", "a", 1, "one\n")]))

    def test_short_names_still_tell_files_apart(self):
        short = show_clusters.short_names
        self.assertEqual(short(["/d/a/copyright", "/d/b/copyright"]), ["a", "b"])
        self.assertEqual(short(["/d/a/x", "/d/a/y"]), ["x", "y"])
        self.assertEqual(short(["/d/x", "/d/e/x"]), ["d", "e"])
        self.assertEqual(short(["/d/a/copyright", "build/b/copyright", "build/c/copyright"]), ["a", "b", "c"])
        self.assertEqual(short(["/d/a/x/1", "/e/a/y/1", "/f/b/x/1"]), ["a/x", "a/y", "b/x"])
        self.assertEqual(short(["/d/a"]), ["a"])


if __name__ == "__main__":
    unittest.main()
