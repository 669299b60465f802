"""Signals and limits: a run ends cleanly, says how to continue, and leaves nothing half done."""
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from harness import BINARY, TIMEOUT_S, CliTest

EARLY = os.environ.get("NEARDUP_EARLY_SIGNAL_LIBRARY")
LINE = json.dumps({"id": 1, "text": "one two three four five six seven"}).encode() + b"\n"
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals(CliTest):
    def waiting_run(self, *arguments, **keywords):
        """A run whose outputs are open, and which waits for more of its input."""
        process = subprocess.Popen([BINARY, *arguments], cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   **keywords)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.kill)
        process.stdin.write(LINE)
        process.stdin.flush()
        process.stderr.readline()
        return process

    def end_of(self, process):
        messages = process.stderr.read().decode()
        process.stderr.close()
        process.stdout.close()
        return process.wait(TIMEOUT_S), messages

    def test_a_signal_ends_the_wait_for_input(self):
        for number in STOPS:
            process = self.waiting_run("dedup", "-", "-o", "kept.jsonl", "--rejects", "r.jsonl")
            process.send_signal(number)
            code, messages = self.end_of(process)
            self.assertEqual((code, messages), (128 + number, "neardup dedup: interrupted; no output was written\n"))
            self.assertEqual(self.names(), [])

    def test_the_second_signal_ends_at_once(self):
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGHUP, signal.SIGTERM)):
            self.path("pipe").unlink(missing_ok=True)
            os.mkfifo(self.path("pipe"))
            # It waits in an open(), where nothing asks for the first one.
            process = subprocess.Popen([BINARY, "dedup", "pipe", "-o", "kept.jsonl"], cwd=self.dir, stderr=subprocess.DEVNULL)
            self.addCleanup(process.kill)
            deadline = time.monotonic() + TIMEOUT_S
            while process.poll() is None and time.monotonic() < deadline:
                process.send_signal(first)
                time.sleep(0.02)
                process.send_signal(second)
                time.sleep(0.02)
            self.assertIn(process.wait(TIMEOUT_S), (-first, -second, 128 + first))

    def test_what_was_ignored_stays_ignored(self):
        for number in STOPS:
            process = self.waiting_run("dedup", "-", "-o", "kept.jsonl",
                                       preexec_fn=lambda number=number: signal.signal(number, signal.SIG_IGN))
            process.send_signal(number)
            time.sleep(0.3)
            process.stdin.close()
            code, messages = self.end_of(process)
            self.assertEqual(code, 0, messages)
            self.assertEqual(self.read("kept.jsonl"), LINE)

    def test_a_signal_before_main(self):
        if not EARLY:
            self.skipTest("no preloaded library in this build")
        self.write("in.jsonl", LINE)
        for number in STOPS:
            result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", code=128 + number,
                                  env={"LD_PRELOAD": EARLY, "NEARDUP_EARLY_SIGNAL": str(int(number))})
            self.assertTrue(result.stderr.endswith("interrupted; no output was written\n"), result.stderr)
            self.assertEqual(self.names(), ["in.jsonl"])

    def test_json_names_the_command_that_continues(self):
        self.write("in.jsonl", LINE * 3)
        if not EARLY:
            self.skipTest("no preloaded library in this build")
        result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--work", "run", "--log-format", "json", code=143,
                              env={"LD_PRELOAD": EARLY, "NEARDUP_EARLY_SIGNAL": "15"})
        last = json.loads(result.stderr.splitlines()[-1])
        self.assertEqual((last["event"], last["message"]), ("error", "interrupted; no output was written"))
        self.assertEqual(last["resume"], "neardup dedup --resume run")
        self.neardup("dedup", "--resume", "run")
        self.assertEqual(self.read("kept.jsonl"), LINE)


class Limits(CliTest):
    def limited(self, kind, limit, *arguments):
        result = subprocess.run([BINARY, *arguments], cwd=self.dir, capture_output=True, timeout=TIMEOUT_S, check=False,
                                preexec_fn=lambda: resource.setrlimit(kind, (limit, limit)))
        return result.returncode, result.stderr.decode()

    def test_a_limit_on_the_size_of_files_is_a_full_disk(self):
        self.write("in.jsonl", [{"id": i, "text": " ".join(f"w{i}x{j}" for j in range(30))} for i in range(2000)])
        code, messages = self.limited(resource.RLIMIT_FSIZE, 100_000, "dedup", "in.jsonl", "-o", "kept.jsonl", "--verdicts", "v.tsv")
        self.assertEqual(code, 1, messages)
        self.assertIn("neardup dedup: cannot write 'kept.jsonl': File too large", messages)
        self.assertEqual(self.names(), ["in.jsonl"])
        for arguments in (("sketch", "in.jsonl", "-o", "s.jsonl"), ("index", "build", "x", "in.jsonl", "--recipe", "simhash-chars-4"),
                          ("dedup", "in.jsonl", "-o", "kept.jsonl", "--work", "run")):
            code, messages = self.limited(resource.RLIMIT_FSIZE, 10_000, *arguments)
            self.assertEqual(code, 1, messages)
            self.assertIn("File too large", messages)
            self.assertEqual([name for name in self.names() if not name.startswith("run/")], ["in.jsonl"])

    def test_a_limit_on_memory(self):
        # A document that takes more memory than the libraries do.
        words = " ".join(f"w{number}" for number in range(1_000_000))
        self.write("in.jsonl", [{"id": "small", "text": "one two three four five six"}, {"id": "large", "text": words}])
        self.neardup("dedup", "in.jsonl", "-o", "expected.jsonl", "-q")
        expected = self.read("expected.jsonl")
        codes = set()
        for megabytes in range(300, 60, -20):
            code, messages = self.limited(resource.RLIMIT_AS, megabytes << 20, "dedup", "in.jsonl", "-o", "kept.jsonl", "--threads", "2")
            if code == 127 or "mongoc-init" in messages:
                break  # the loader finds no room for the libraries, or the constructor of one gives up before main()
            codes.add(code)
            self.assertIn(code, (0, 1), messages)
            if code == 0:
                self.assertEqual(self.read("kept.jsonl"), expected)
                self.path("kept.jsonl").unlink()
            else:
                self.assertIn("memory", messages)
                self.assertEqual(self.names(), ["expected.jsonl", "in.jsonl"])
        self.assertIn(1, codes, "no limit was too low")


if __name__ == "__main__":
    unittest.main()
