"""neardup query on a stream: an answer comes when its question came, not when the input ends."""
import json
import os
import select
import signal
import subprocess
import unittest

from harness import TIMEOUT_S
from test_index import RECIPE, IndexTest


class Session:
    """A running query, asked line by line."""

    COMMAND = "query"

    def __init__(self, test, *arguments):
        self.test = test
        self.process = subprocess.Popen([os.environ["NEARDUP_BIN"], self.COMMAND, *arguments, "-q"], cwd=test.dir, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        test.addCleanup(self.close)
        self.waiting = b""

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self):
        while b"\n" not in self.waiting:
            ready, _, _ = select.select([self.process.stdout], [], [], TIMEOUT_S)
            self.test.assertTrue(ready, "no answer")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            self.test.assertTrue(data, "the program ended")
            self.waiting += data
        line, self.waiting = self.waiting.split(b"\n", 1)
        return line.decode("utf-8")

    def silent(self):
        ready, _, _ = select.select([self.process.stdout], [], [], 0.3)
        return not ready and not self.waiting

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class Streams(IndexTest):
    def setUp(self):
        super().setUp()
        self.corpus("a.jsonl", 1, originals=40)
        self.neardup("index", "build", "index", "a.jsonl", "--recipe", RECIPE, "--max-distance", 4, "-q")
        self.entries = self.fingerprints("a.jsonl")

    def answers_of(self, name):
        queries = [entry for entry in self.entries if entry[0] == name]
        return [f"{query}\t{found}\t{distance}" for query, found, distance in self.expected(queries, self.entries, 4)]

    def test_documents_are_answered_at_once(self):
        records = [record for record in self.records("a.jsonl") if record["text"].strip()][:12]
        for threads in (1, 2, 4):
            session = Session(self, "index", "-j", str(threads))
            self.assertEqual(session.line(), "query\tid\tdistance")
            for record in records:
                session.send(json.dumps(record).encode() + b"\n")
                for answer in self.answers_of(record["id"]):
                    self.assertEqual(session.line(), answer)
            session.process.stdin.close()
            self.assertEqual(session.process.wait(TIMEOUT_S), 0)

    def test_fingerprints_are_answered_at_once(self):
        session = Session(self, "index", "--from-fingerprints")
        self.assertEqual(session.line(), "query\tid\tdistance")
        for name, code in self.entries[:12]:
            session.send(json.dumps({"id": name, "fingerprint": f"{code:016x}"}).encode() + b"\n")
            for answer in self.answers_of(name):
                self.assertEqual(session.line(), answer)

    def test_a_line_may_come_in_pieces(self):
        record = next(record for record in self.records("a.jsonl") if record["text"].strip())
        line = json.dumps(record).encode() + b"\n"
        session = Session(self, "index")
        session.line()
        session.send(line[:20])
        self.assertTrue(session.silent())
        session.send(line[20:] + line[:9])
        for answer in self.answers_of(record["id"]):
            self.assertEqual(session.line(), answer)
        self.assertTrue(session.silent())
        session.send(line[9:-1])  # the last line may lack its end
        session.process.stdin.close()
        for answer in self.answers_of(record["id"]):
            self.assertEqual(session.line(), answer)

    def test_a_fast_stream_gives_the_same(self):
        lines = self.read("a.jsonl") * 200  # more than a pipe holds
        result = self.neardup("query", "index", "-", "-q", stdin=lines)
        once = self.neardup("query", "index", "a.jsonl", "-q").stdout.split(b"\n", 1)[1]
        self.assertEqual(result.stdout, b"query\tid\tdistance\n" + once * 200)

    def test_broken_lines_do_not_end_it(self):
        record = next(record for record in self.records("a.jsonl") if record["text"].strip())
        session = Session(self, "index", "--rejects", "bad.jsonl", "--strict")
        session.line()
        session.send(b"{nonsense\n" + json.dumps(record).encode() + b"\n")
        for answer in self.answers_of(record["id"]):
            self.assertEqual(session.line(), answer)
        session.process.stdin.close()
        self.assertEqual(session.process.wait(TIMEOUT_S), 3)
        self.assertEqual(self.read("bad.jsonl"), b"{nonsense\n")

    def test_an_interrupt_ends_the_wait(self):
        session = Session(self, "index")
        session.line()
        session.process.send_signal(signal.SIGINT)
        self.assertEqual(session.process.wait(TIMEOUT_S), -signal.SIGINT)

    def test_a_reader_that_goes_ends_it(self):
        session = Session(self, "index", "--jsonl")
        session.process.stdout.close()
        record = next(record for record in self.records("a.jsonl") if record["text"].strip())
        try:
            for _ in range(2000):
                session.send(json.dumps(record).encode() + b"\n")
        except BrokenPipeError:
            pass
        try:
            session.process.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual(session.process.wait(TIMEOUT_S), -signal.SIGPIPE)
        self.assertEqual(session.process.stderr.read(), b"")


if __name__ == "__main__":
    unittest.main()
