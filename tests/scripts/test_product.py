"""What scripts/demo.sh builds is what `cmake --install` copies, and needs none of the packages of the tests."""
import pathlib
import re
import subprocess
import tempfile
import unittest

from configuring import ROOT, configure


class Product(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.build = pathlib.Path(directory.name) / "build"

    def test_the_target_makes_every_file_that_is_installed(self):
        configure(self.build, *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("GTest", "rapidcheck", "benchmark")))
        commands = subprocess.run(["ninja", "-C", self.build, "-t", "commands", "neardup_product"], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout
        made = {str(self.build / file) for file in re.findall(r"(?<= -o )\S+|(?<= qc )\S+", commands)}  # of compiler and ar
        made.add(re.search(r"/neardup_make_dictionary /.* (\S+)$", commands, re.MULTILINE)[1])
        folder = re.search(r"-DFOLDER=(\S+) -P \S+/cmake/WriteManual\.cmake", commands)[1]
        pages = re.findall(r"^ *write_output\((\S+)", (ROOT / "cmake" / "WriteManual.cmake").read_text(), re.MULTILINE)
        made |= {f"{folder}/share/{page}" for page in pages}
        script = (self.build / "cmake_install.cmake").read_text() + (self.build / "apps" / "cli" / "cmake_install.cmake").read_text()
        self.assertIn(f'"{self.build}/apps/cli/neardup-server"', script)
        installed = [file for file in re.findall(rf'"({re.escape(str(self.build))}/[^"]+)"', script) if not file.endswith("cmake_install.cmake")]
        self.assertIn(str(self.build / "share" / "neardup" / "jieba.dict"), installed)
        self.assertIn(str(self.build / "share" / "man" / "man1"), installed)
        for program in ("neardup", "neardup-server"):  # only by cpack, as a component that it names
            installed.remove(str(self.build / "portable" / program))
        made |= {str(pathlib.Path(file).parent) for file in made}  # a folder is installed for the files that are made in it
        there = lambda file: file in made or pathlib.Path(file).exists() or "INSTALL_MANIFEST" in file  # noqa: E731
        self.assertEqual([file for file in installed if not there(file)], [])

    def test_the_demos_set_up_and_build_only_the_product(self):
        for name in ("demo.sh", "demo_chinese.sh"):
            self.assertIn("scripts/build_program.sh\n", (ROOT / "scripts" / name).read_text())
        steps = (ROOT / "scripts" / "build_program.sh").read_text()
        self.assertEqual(set(re.findall(r'^echo "(\w+): ', steps, re.MULTILINE)), {"build_program"}, "it names itself, not its callers")
        self.assertEqual(re.findall(r"^scripts/.*", steps, re.MULTILINE),
                         ["scripts/setup.sh build", "scripts/build.sh --without-tests release neardup_product"])


if __name__ == "__main__":
    unittest.main()
