"""scripts/check_wheel.py says what is wrong with a wheel; scripts/test_wheel.sh checks real ones with it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_wheel  # noqa: E402

MODULE = "int {name}(void) {{ return 0; }} __attribute__((used)) static const char where[] = \"{text}\";"


class CheckWheel(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.files = {name: b"" for name in check_wheel.FILES}
        self.files |= {f"neardup-0.1.0.dist-info/licenses/{name}": b"" for name in check_wheel.LICENCES}
        self.module("PyInit__core")

    def module(self, name, *options, text=""):
        (self.dir / "core.c").write_text(MODULE.format(name=name, text=text))
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.dir / "core.so", self.dir / "core.c", *options], check=True)
        self.files["neardup/_core.abi3.so"] = (self.dir / "core.so").read_bytes()

    def problems(self):
        wheel = self.dir / "neardup-0.1.0-cp312-abi3-linux_x86_64.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, data in self.files.items():
                archive.writestr(name, data)
        return list(check_wheel.problems(wheel))

    def test_good(self):
        self.assertEqual(self.problems(), [])

    def test_lacks(self):
        del self.files["neardup/jieba.dict"], self.files["neardup-0.1.0.dist-info/licenses/icu/copyright"]
        self.assertEqual(self.problems(), ["lacks neardup/jieba.dict", "lacks the licence icu/copyright"])
        del self.files["neardup/_core.abi3.so"]
        self.assertIn("has 0 modules", self.problems())

    def test_has_what_does_not_belong_there(self):
        self.files["tests/x.py"] = self.files["neardup/__pycache__/x.pyc"] = b""
        self.assertEqual(self.problems(), ["has tests/x.py", "has neardup/__pycache__/x.pyc"])

    def test_module(self):
        self.module("PyInit__core", "-Wl,--no-as-needed", "-l:libz.so.1")
        self.assertEqual(self.problems(), ["needs libz.so.1"])
        self.module("other")
        self.assertEqual(self.problems(), ["exports other (1 symbols)"])
        self.module("PyInit__core", "-Wl,-z,now", text=f"{ROOT}/src/x.cc")
        self.assertEqual(self.problems(), [f"names the folder {ROOT}"])

    def test_size(self):
        self.files["neardup/jieba.dict"] = bytes(check_wheel.MAX_BYTES)
        self.assertEqual(len(self.problems()), 1)


if __name__ == "__main__":
    unittest.main()
