"""Signals, pipes and terminals."""
import json
import os
import pty
import select
import signal
import subprocess
import time
import unittest

from harness import BINARY, TIMEOUT_S, CliTest

LINE = json.dumps({"id": 1, "text": "one two three four five six seven"}).encode() + b"\n"


class Interrupt(CliTest):
    def interrupt(self, number, *outputs):
        """The run waits for more input when the signal comes; then the input ends."""
        process = subprocess.Popen([BINARY, "dedup", "-", *outputs], cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        try:
            process.stdin.write(LINE * 10)
            process.stdin.flush()
            first = process.stderr.readline()  # outputs are open now
            process.send_signal(number)
            time.sleep(0.05)
            _, rest = process.communicate(timeout=TIMEOUT_S)
        finally:
            process.kill()
            process.wait()
        return process.returncode, (first + rest).decode()

    def test_nothing_is_left_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            code, messages = self.interrupt(number, "-o", "kept.jsonl", "--verdicts", "v.tsv", "--removed", "r.jsonl.gz", "--summary",
                                            "s.json")
            self.assertEqual(code, 128 + number, messages)
            self.assertTrue(messages.endswith("neardup dedup: interrupted; no output was written\n"), messages)
            self.assertEqual(self.names(), [])

    def test_old_outputs_are_kept(self):
        self.write("kept.jsonl", "old")
        self.interrupt(signal.SIGINT, "-o", "kept.jsonl")
        self.assertEqual(self.read("kept.jsonl"), b"old")
        self.assertEqual(self.names(), ["kept.jsonl"])


class Pipes(CliTest):
    def test_a_reader_that_goes_away_is_no_error_message(self):
        texts = "".join(json.dumps({"id": i, "text": " ".join(f"w{i}x{j}" for j in range(20))}) + "\n" for i in range(20000))
        self.write("in.jsonl", texts)
        process = subprocess.Popen([BINARY, "dedup", "in.jsonl", "-q", "-o", "-", "--verdicts", "v.tsv"], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        messages = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(TIMEOUT_S), -signal.SIGPIPE)
        self.assertEqual(messages, b"")
        self.assertEqual(self.names(), ["in.jsonl"])

    def test_output_to_a_pipe_and_to_a_device(self):
        self.write("in.jsonl", LINE * 3)
        self.assertEqual(self.neardup("dedup", "in.jsonl", "-o", "/dev/null", "--removed", "-", "-q").stdout, LINE * 2)


class Terminal(CliTest):
    def on_terminal(self, *arguments, env=None):
        """What the program writes to a terminal that is both its outputs."""
        main, other = pty.openpty()
        process = subprocess.Popen([BINARY, *arguments], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=other, stderr=other,
                                   env=os.environ | {"TERM": "xterm"} | (env or {}))
        os.close(other)
        shown = b""
        while select.select([main], [], [], TIMEOUT_S)[0]:
            try:
                piece = os.read(main, 65536)
            except OSError:  # the end of a terminal
                break
            shown += piece
        os.close(main)
        self.assertEqual(process.wait(TIMEOUT_S), 0)
        return shown.decode().replace("\r\n", "\n")

    def test_progress_is_shown_and_erased(self):
        self.write("in.jsonl", LINE * 5)
        shown = self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl")
        self.assertIn("\r\033[Ksketch (1/5): 100 % of", shown)
        self.assertLess(shown.rindex("\033[K"), shown.index("read 5 ="))
        self.assertNotIn("\033", self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl", "-q"))
        self.assertNotIn("\033", self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl", env={"TERM": "dumb"}))

    EVIL = "evil\x1b]0;pwned\x07\u009b31m\u202e\x7f"

    def assert_harmless(self, shown, but=("\033[K", "\r")):
        """No control character but those of the progress line, and none that changes the direction of writing."""
        for mine in but:
            shown = shown.replace(mine, "")
        self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

    def test_nothing_of_the_input_controls_the_terminal(self):
        text = "one two three four five six seven " + self.EVIL
        record = json.dumps({"id": self.EVIL, "text": text}, ensure_ascii=False)
        name = f"in{self.EVIL}.jsonl"
        self.write(name, (record + "\n") * 3)
        self.write("a.txt", text)
        os.rename(self.path("a.txt"), self.path(f"a{self.EVIL}.txt"))
        self.neardup("index", "build", "x", name, "--recipe", "simhash-chars-4", "-q")
        for arguments in (("dedup", name, "-o", f"k{self.EVIL}.jsonl"), ("dedup", name, "-o", "-"), ("pairs", name, "-o", "-"),
                          ("query", "x", name), ("query", "x", "--file", f"a{self.EVIL}.txt"), ("sketch", name, "-o", "-"),
                          ("compare", f"a{self.EVIL}.txt", f"a{self.EVIL}.txt", "--recipe", "simhash-chars-4"),
                          ("compare", f"a{self.EVIL}.txt", f"a{self.EVIL}.txt", "--json"), ("index", "delete", "x", "no" + self.EVIL)):
            shown = self.on_terminal(*arguments, env={"NO_COLOR": "1"})
            self.assert_harmless(shown)
        self.assertIn("evil\\u001b]0;pwned\\u0007\\u009b31m\\u202e\\u007f", self.on_terminal("pairs", name, "-o", "-"))

    def test_messages_are_harmless_in_files_too(self):
        self.write("in.jsonl", (json.dumps({"id": self.EVIL, "text": "one two three four five six"}, ensure_ascii=False) + "\n") * 2)
        for log in ("text", "json"):
            messages = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--log-format", log).stderr
            self.assert_harmless(messages)
            self.assertIn("pwned", messages)
        for wrong in (("dedup", f"no{self.EVIL}.jsonl", "-o", "k"), ("dedup", "in.jsonl", "-o", f"no/{self.EVIL}")):
            messages = self.neardup(*wrong, code=1).stderr
            self.assert_harmless(messages)
            self.assertIn("evil\\x1b]0;pwned\\x07\\u009b31m\\u202e\\x7f", messages)
        for wrong in ((f"no{self.EVIL}",), ("dedup", f"--no{self.EVIL}"), ("dedup", "in.jsonl", "--threshold", self.EVIL)):
            self.assert_harmless(self.neardup(*wrong, code=2).stderr)

    def test_bytes_that_are_no_utf8_are_escaped_in_messages(self):
        result = subprocess.run([BINARY, "dedup", b"no\xff\x9b.jsonl", "-o", "k"], cwd=self.dir, capture_output=True, check=False)
        self.assertIn(b"'no\\xff\\x9b.jsonl'", result.stderr)
        result = subprocess.run([BINARY, "dedup", b"no\xff.jsonl", "-o", "k", "--log-format", "json"], cwd=self.dir, capture_output=True,
                                check=False)
        self.assertIn("'no\\xff.jsonl'", json.loads(result.stderr)["message"])

    def test_files_and_pipes_get_every_byte(self):
        line = json.dumps({"id": self.EVIL, "text": "one two three four five six " + self.EVIL}, ensure_ascii=False).encode() + b"\n"
        self.write("in.jsonl", line)
        self.assertEqual(self.neardup("dedup", "in.jsonl", "-o", "-").stdout, line)
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl")
        self.assertEqual(self.read("kept.jsonl"), line)

    def test_no_color(self):
        arguments = ("compare", "--text-a", "a", "--text-b", "b")
        self.assertIn("\033[1m", self.on_terminal(*arguments))
        self.assertNotIn("\033", self.on_terminal(*arguments, env={"NO_COLOR": "1"}))


if __name__ == "__main__":
    unittest.main()
