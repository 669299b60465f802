"""What the end-to-end tests share: a scratch folder, the program, and how to read what it wrote.

NEARDUP_BIN names the program.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BINARY = os.environ.get("NEARDUP_BIN") or shutil.which("neardup")
TIMEOUT_S = 120


class CliTest(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        if not BINARY:
            self.fail("NEARDUP_BIN does not name the program")
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="neardup-test-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, name):
        return self.dir / name

    def write(self, name, content):
        """Writes bytes, text, or a list of records as JSON Lines. Returns the name, relative to the folder of the test."""
        if isinstance(content, list):
            content = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in content)
        if isinstance(content, str):
            content = content.encode("utf-8")
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    def read(self, name):
        return self.path(name).read_bytes()

    def records(self, name):
        """JSON Lines."""
        return [json.loads(line) for line in self.read(name).split(b"\n")[:-1]]

    def table(self, name):
        """A tab-separated file with a header, as dictionaries."""
        lines = self.read(name).decode("utf-8").split("\n")
        self.assertEqual(lines[-1], "", "a file ends with a newline")
        header = lines[0].split("\t")
        return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:-1]]

    def names(self):
        """All files in the folder of the test, hidden ones too."""
        return sorted(str(path.relative_to(self.dir)) for path in self.dir.rglob("*") if path.is_file())

    def neardup(self, *arguments, code=0, stdin=b"", env=None, stdout=subprocess.PIPE):
        """Runs the program in the folder of the test; the result has stdout as bytes and stderr as text. `code` None: any."""
        environment = {key: value for key, value in os.environ.items() if key not in ("NEARDUP_KERNELS", "NO_COLOR")}
        result = subprocess.run([BINARY, *map(str, arguments)], input=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=self.dir,
                                env=environment | (env or {}), timeout=TIMEOUT_S, check=False)
        result.stderr = result.stderr.decode("utf-8")
        if code is not None:
            self.assertEqual(result.returncode, code, f"neardup {' '.join(map(str, arguments))}\n{result.stderr}")
        return result

    def summary(self, *arguments, **keywords):
        """Runs with --summary and returns it."""
        self.neardup(*arguments, "--summary", "summary.json", **keywords)
        summary = json.loads(self.read("summary.json"))
        self.path("summary.json").unlink()
        self.assertEqual(summary["read"], summary["kept"] + summary["removed"] + summary["rejected"])
        self.assertEqual(summary["rejected"], sum(summary["rejected_by_kind"].values()))
        self.assertEqual(summary["reference_rejected"], sum(summary["reference_rejected_by_kind"].values()))
        return summary
