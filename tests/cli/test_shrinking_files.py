"""Files that another program shortens while they are mapped: an error that names them, never a signal, never a partial output."""
import hashlib
import json
import os
import shutil
import subprocess
import unittest

import faults
from harness import BINARY
from test_index_errors import RECIPE, ErrorTest

SHRANK = "it shrank while it was read, or its disk failed"


class Query(ErrorTest):
    def test_segment_under_a_running_query(self):
        self.corpus("a.jsonl", 1, originals=2000)
        self.build()
        texts = [record["text"] for record in self.records("a.jsonl")]
        segment = self.path("index/segment-000001.ndh")
        size = segment.stat().st_size
        whole = segment.read_bytes()
        for left in (0, 1, 5000, size // 2, size - 5000, size - 1):
            segment.write_bytes(whole)
            process = subprocess.Popen([BINARY, "query", "index", "--jsonl", "-q"], cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=dict(os.environ, LC_ALL="C"))
            process.stdin.write((json.dumps({"id": "q0", "text": texts[0]}) + "\n").encode())
            process.stdin.flush()
            self.assertIn(b'"q0"', process.stdout.readline())
            os.truncate(segment, left)
            lines = "".join(json.dumps({"id": f"later{i}", "text": text}) + "\n" for i, text in enumerate(texts[:300]))
            output, error = process.communicate(lines.encode(), timeout=60)
            self.assertEqual(process.returncode, 1, f"{left}: {error}")
            self.assertIn(b"'index/segment-000001.ndh'", error)
            self.assertNotIn(b"later", output, f"{left}: nothing is answered from missing bytes")


@unittest.skipUnless(faults.FAULTS, faults.NO_FAULTS)
class Inputs(ErrorTest):
    """The input is shortened before the n-th call that changes a file, for every n."""

    def check(self, name, content, command, outputs, lengths):
        def results():
            return {output: hashlib.sha256(self.read(output)).hexdigest() for output in outputs if self.path(output).exists()}

        # Shortened before it was opened, it is read in that state.
        short = {}
        for length in lengths:
            self.write(name, content[:length])
            subprocess.run([BINARY, *map(str, command)], cwd=self.dir, stderr=subprocess.DEVNULL, timeout=60, check=False)
            short[length] = results()
            self.remove(outputs)
        self.write(name, content)
        calls = faults.count_calls(command, self.dir, self.path("count"))
        whole = results()
        self.assertEqual(set(whole), set(outputs))
        errors = 0
        for number in range(1, calls + 1):
            self.write(name, content)
            self.remove(outputs)
            before = self.names()
            length = lengths[number % len(lengths)]
            result = faults.run(command, self.dir, fault=f"SHRINK:{number}", file=self.path(name), bytes=length)
            if result.returncode == 0:
                self.assertIn(results(), (whole, short[length]), f"call {number}, {length} bytes")
                continue
            errors += 1
            self.assertEqual(result.returncode, 1, f"call {number}, {length} bytes: {result.stderr}")
            self.assertIn(f"'{name}'", result.stderr.decode(), f"call {number}")
            self.assertEqual(self.names(), before, f"call {number}")
        self.assertGreater(errors, 0)

    def remove(self, outputs):
        for output in outputs:
            self.path(output).unlink(missing_ok=True)

    def test_a_text_file_beyond_the_limit(self):
        content = "some words of a text that is long\n" * 120_000
        command = ("dedup", "texts", "-o", "k.jsonl", "--rejects", "r.jsonl", "--max-record-bytes", "1MiB", "--max-rejects", "100%", "--threads", 1, "-q")
        self.write("texts/b.txt", "a short text that is kept")
        self.check("texts/a.txt", content, command, ["k.jsonl", "r.jsonl"], [0, 1000, 4096, len(content) // 2, len(content) - 1])

    def test_a_line_beyond_the_limit(self):
        line = json.dumps({"id": "x", "text": "long " * 800_000}) + "\n"
        content = '{"id": "a", "text": "short"}\n' + line + '{"id": "b", "text": "other"}\n'
        command = ("dedup", "in.jsonl", "-o", "k.jsonl", "--rejects", "r.jsonl", "--max-record-bytes", "1MiB", "--max-rejects", "100%", "--threads", 1, "-q")
        self.check("in.jsonl", content, command, ["k.jsonl", "r.jsonl"], [0, 1000, 4096, len(content) // 2, len(content) - 1])

    def test_segments_of_an_index(self):
        self.corpus("a.jsonl", 1, originals=300)
        self.build()
        segment = self.read("index/segment-000001.ndh")
        command = ("dedup", "a.jsonl", "--recipe", RECIPE, "--against", "index", "-o", "k.jsonl", "--verdicts", "v.tsv", "--threads", 1, "-q")
        self.check("index/segment-000001.ndh", segment, command, ["k.jsonl", "v.tsv"], [0, 5000, len(segment) // 2, len(segment) - 1])
        self.write("index/segment-000001.ndh", segment)
        self.neardup("index", "add", "index", "a.jsonl", "-q")
        shutil.copytree(self.path("index"), self.path("first"))
        calls = faults.count_calls(("index", "merge", "index", "--threads", 1, "-q"), self.dir, self.path("count"))
        for number in range(1, calls + 1):
            shutil.rmtree(self.path("index"))
            shutil.copytree(self.path("first"), self.path("index"))
            result = faults.run(("index", "merge", "index", "--threads", 1, "-q"), self.dir, fault=f"SHRINK:{number}",
                                file=self.path("index/segment-000001.ndh"), bytes=5000)
            if result.returncode == 0:
                self.neardup("index", "verify", "index")
                continue
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(b"'index/segment-000001.ndh'", result.stderr)
            self.assertEqual(self.read("index/MANIFEST"), self.read("first/MANIFEST"), f"call {number}")

    def test_a_table_of_frequencies(self):
        self.corpus("a.jsonl", 1, originals=300)
        self.neardup("idf", "fit", "a.jsonl", "--recipe", "simhash-words", "-o", "words.idf", "-q")
        recipe = json.loads(self.neardup("recipe", "simhash-words").stdout.splitlines()[0])
        recipe["weighting"]["idf"] = "words.idf"
        self.write("fitted.json", json.dumps(recipe))
        table = self.read("words.idf")
        self.check("words.idf", table, ("sketch", "a.jsonl", "--recipe", "fitted.json", "-o", "s.jsonl", "--threads", 1, "-q"), ["s.jsonl"],
                   [0, 4096, len(table) // 2, len(table) - 1])


if __name__ == "__main__":
    unittest.main()
