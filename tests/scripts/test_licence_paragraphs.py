import contextlib
import io
import json
import pathlib
import tempfile
import unittest

from loading import load

licence_paragraphs = load("licence_paragraphs")
LONG = "a paragraph of more than ten words, of which there are enough here"


class LicenceParagraphs(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)

    def paragraphs(self, code=0):
        """{file: its paragraphs}, and what was printed."""
        output = self.root / "paragraphs"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            self.assertEqual(licence_paragraphs.main(["--root", str(self.root), str(output)]), code)
        found = {path.name: [tuple(json.loads(line).values()) for line in path.read_text(encoding="utf-8").splitlines()] for path in sorted(output.iterdir())}
        return found, printed.getvalue()

    def test_paragraphs_of_each_licence_once(self):
        self.write("usr/share/common-licenses/GPL-3", f"Title\n\n  {LONG}\n and a line\n\n\n{LONG}\n")
        (self.root / "usr/share/common-licenses/GPL").symlink_to("GPL-3")
        self.write("usr/share/doc/zip/copyright", f"License: {LONG}\n .\n {LONG} é\n")
        (self.root / "usr/share/doc/unzip").symlink_to("zip")
        self.write("usr/share/doc/broken/copyright", b"\xff " + LONG.encode())
        self.write("usr/share/doc/lib2/copyright", LONG)
        self.write("usr/share/doc/7zip/copyright", LONG)
        found, printed = self.paragraphs()
        self.assertEqual(found, {"licences.jsonl": [("GPL-3:2", f"{LONG} and a line"), ("GPL-3:3", LONG)],
                                 "packages-a-k.jsonl": [("7zip:1", LONG), ("broken:1", f"\ufffd {LONG}")],
                                 "packages-l.jsonl": [("lib2:1", LONG)],
                                 "packages-m-z.jsonl": [("zip:1", f"License: {LONG}"), ("zip:2", f"{LONG} é")]})
        self.assertEqual(printed, "7 paragraphs of 5 licences and copyright files\n")

    def test_a_machine_without_licences(self):
        found, printed = self.paragraphs(code=1)
        self.assertEqual(found, {})
        self.assertIn("no licence in", printed)


if __name__ == "__main__":
    unittest.main()
