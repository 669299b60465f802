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
        rows = [line.split() for line in out.splitlines() if line.endswith("00") and "similarity" not in line]
        self.assertEqual([row[:2] for row in rows], [["b", "2"], ["a", "1"]])
        self.assertEqual(rows[0][2:], ["=" * 15 + "#" * 15, "0.9000", "0.9500"])
        self.assertEqual(rows[1][2:], ["#" * 15, "0.9500", "0.9500"])
        self.assertIn("similarity  0.900000", out)
        self.assertIn("+y", out)

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
