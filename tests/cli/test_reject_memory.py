"""Memory of runs over what is rejected: it does not grow with the number of rejected records, nor with what a few bytes decompress to.

Looked at is anonymous memory, which is what a run takes for itself; pages of mapped files are the kernel's to take back.
"""
import bz2
import gzip
import json
import pathlib
import shutil
import subprocess
import time
import unittest

from harness import BINARY, TIMEOUT_S, CliTest

MB = 1_000_000
GOOD = json.dumps({"id": "good", "text": "one two three four five six seven eight nine ten"}).encode() + b"\n"
ALL = ("--max-rejects", "100%")


class MemoryOfRejects(CliTest):
    def anonymous_peak(self, *arguments, code=0):
        """The most anonymous memory in bytes that the run had, as far as looks every few milliseconds saw it."""
        process = subprocess.Popen([BINARY, *arguments], cwd=self.dir, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        status = pathlib.Path(f"/proc/{process.pid}/status")
        peak = 0
        deadline = time.monotonic() + TIMEOUT_S
        while process.poll() is None and time.monotonic() < deadline:
            for line in status.read_text().splitlines():
                if line.startswith("RssAnon:"):
                    peak = max(peak, 1024 * int(line.split()[1]))
            time.sleep(0.003)
        process.kill()
        said = process.communicate()[1].decode()
        self.assertEqual(process.returncode, code, said)
        return peak

    def repeat(self, name, piece, count, pack=bytes):
        self.write(name, pack(piece * count))
        return name

    def test_rejected_lines(self):
        """Two million of them, one in two where both kinds take turns; before, each took 350 bytes."""
        self.repeat("few.jsonl", GOOD, 100)
        self.repeat("bad.jsonl", b"{\n", 2_000_000)
        for command in (("dedup", "-o", "out", "--memory", "128M"), ("clean", "-o", "out"), ("sketch", "-o", "out", "--memory", "128M")):
            words = (command[0], "few.jsonl", *command[1:], "--threads", "2", *ALL)
            base = self.anonymous_peak(*words)
            peak = self.anonymous_peak(words[0], "bad.jsonl", *words[2:])
            self.assertLess(peak, base + 60 * MB, command)

    def test_rejected_lines_between_documents(self):
        self.write("in.jsonl", (GOOD + b"{\n" * 100) * 20_000)
        self.write("few.jsonl", GOOD * 20_000)
        options = ("-o", "out", "--memory", "128M", "--threads", "2", *ALL)
        base = self.anonymous_peak("dedup", "few.jsonl", *options)
        self.assertLess(self.anonymous_peak("dedup", "in.jsonl", *options), base + 60 * MB)

    def bombs(self):
        packers = {"gz": lambda data: gzip.compress(data, 1), "bz2": lambda data: bz2.compress(data, 1)}
        if shutil.which("zstd"):
            packers["zst"] = lambda data: subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
        for ending, pack in packers.items():
            # Concatenated members are one stream; a member a tenth of it is quick to make.
            for name, byte in (("one_byte", b"a"), ("blanks", b" ")):
                yield f"{name}.{{}}.{ending}", pack(byte * 40 * MB) * 10

    def test_bombs(self):
        """400 MB out of a few kB, as one endless line, and as one text."""
        for name, content in self.bombs():
            for kind in ("jsonl", "txt"):
                path = self.write(name.format(kind), content)
                with self.subTest(path):
                    peak = self.anonymous_peak("dedup", path, "-o", "out", "--memory", "64M", "--threads", "2", "-q", code=1)
                    self.assertLess(peak, 130 * MB)
                    self.path(path).unlink()

    def test_long_lines(self):
        """Beyond --max-record-bytes, plain and compressed, written to --rejects or not."""
        long = b'{"id":"x","text":"' + b"long " * 20 * MB + b'"}\n'
        self.write("in.jsonl", GOOD + long + GOOD)
        self.write("in.jsonl.gz", gzip.compress(GOOD + long + GOOD, 1))
        for name in ("in.jsonl", "in.jsonl.gz"):
            for rejects in ((), ("--rejects", "r.jsonl"), ("--rejects", "r.jsonl.gz")):
                with self.subTest((name, rejects)):
                    peak = self.anonymous_peak("dedup", name, "-o", "out", "--memory", "64M", "--threads", "2", "--max-record-bytes", "64MiB", *rejects)
                    self.assertLess(peak, 130 * MB)
                    self.assertEqual(self.read("out"), GOOD)
                    if rejects == ("--rejects", "r.jsonl"):
                        self.assertEqual(self.read("r.jsonl"), long)

    def test_lines_and_texts_between_the_bounds_are_read(self):
        """Longer than what a buffer grows to before the end is known, and shorter than the limit."""
        text = "long words, " * (2 * MB)
        line = json.dumps({"id": "x", "text": text}).encode() + b"\n"
        self.write("in.jsonl.gz", gzip.compress(GOOD + line + GOOD, 1))
        self.neardup("dedup", "in.jsonl.gz", "-o", "out", "--strict", "--max-rejects", "0")
        self.assertEqual(self.read("out"), GOOD + line)
        self.write("in.txt.gz", gzip.compress(text.encode(), 1))
        self.neardup("clean", "in.txt.gz", "-o", "out", "--strict")
        self.assertEqual(self.records("out")[0]["text"], text)


if __name__ == "__main__":
    unittest.main()
