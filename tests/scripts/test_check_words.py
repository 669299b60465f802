import contextlib
import io
import pathlib
import tempfile
import unittest

from loading import SCRIPTS, load

check_words = load("check_words")


class CheckWords(unittest.TestCase):
    def problems(self, name, text):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
            return list(check_words.check(root))

    def test_a_finding_has_its_place_and_what_to_write(self):
        text = "// Opens a file.\n// A page that stands behind the others.\n"
        self.assertEqual(self.problems("src/io/a.h", text), ["src/io/a.h:2: 'behind': write: after"])
        self.assertEqual(len(self.problems("src/io/a.h", "// beside it, and behind it\n")), 2)

    def test_each_of_these_is_a_problem(self):
        for line in ("Behind the end", "in front of the file", "beside the program", "from the begin of it", "so that it can be mended",
                     "mend it", "`steps` is told", "they are told when", "it is gone on with", "goes on with the run", "are gone through",
                     "--a does not go with --b", "it cannot go with c", "--a goes with --b", "'x' is no index", "lines that are no JSON",
                     "the file does not hold together", "what a pair has to stand", "for about so many"):
            for name in ("README.md", "docs/adr/a.md", "apps/cli/a.cc", "include/neardup/a.h", "scripts/a.sh", "tests/cli/a.py"):
                with self.subTest(line=line, name=name):
                    self.assertEqual(len(self.problems(name, f"Before.\n{line}\n")), 1)

    def test_these_are_right(self):
        for line in ("what a run leaves behind", "left nothing behind", "a slow server hides behind the computing", "sources and sinks behind one interface",
                     "while nobody looks: behind the back of the pass", "SqlTable beside(const SqlTable& table)", "write_behind.h", "besides",
                     "at the beginning", "mend_surrogates(line)", "amended", "recommended", "told apart", "they are told apart by id",
                     "we are told by the driver", "there is no index", "There are no files", "is no longer there", "are no more than two",
                     "it is no error", "is not an index", "the run goes on", "as far as the index goes", "knows"):
            with self.subTest(line=line):
                self.assertEqual(self.problems("docs/a.md", line + "\n"), [])

    def test_chinese_pages_have_phrases_of_their_own(self):
        for line in ("海明距离不超过 3", "调低阀值", "对文本进行去重", "缺省为 3", "您可以", "没有重复,删除", "这个文件夹"):
            for name in ("README.zh.md", "docs/zh/a.md"):
                self.assertEqual(len(self.problems(name, f"好。\n{line}\n")), 1, line)
            self.assertEqual(self.problems("docs/a.md", line + "\n"), [])
        self.assertEqual(self.problems("docs/zh/a.md", "汉明距离，阈值 0.8，`a,b`，进行中\n"), [])

    def test_only_the_folders_of_the_project_are_read(self):
        for name in ("build/release/a.h", "src/data.bin", "scripts/check_words.py"):
            self.assertEqual(self.problems(name, "behind\n"), [], name)
        self.assertEqual(len(self.problems("src/a.h", "\xff behind\n")), 1)

    def test_the_exit_code_and_what_is_printed(self):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for text, code, printed in (("fine\n", 0, ""), ("the begin\n", 1, "a.md:1: 'the begin': write: the beginning, the start\n")):
                (root / "a.md").write_text(text, encoding="utf-8")
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    self.assertEqual(check_words.main([directory]), code)
                self.assertEqual(out.getvalue(), printed)

    def test_the_check_reads_this_repository(self):
        found = {path.relative_to(SCRIPTS.parent).as_posix() for path in check_words.files(SCRIPTS.parent)}
        for name in ("README.md", "docs/options.md", "docs/adr/0019-run-folders.md", "include/neardup/io.h", "src/io/bytes/uri.cc", "apps/cli/main.cc",
                     "tests/CMakeLists.txt", "tests/cli/test_words.py", "scripts/build.sh", "scripts/check_docs.py"):
            self.assertIn(name, found)


if __name__ == "__main__":
    unittest.main()
