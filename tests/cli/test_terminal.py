"""Signals, pipes and terminals."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from harness import BINARY, TIMEOUT_S, CliTest

REDRAW = "\r\033[K"
LINE = json.dumps({"id": 1, "text": "one two three four five six seven"}).encode() + b"\n"


def resize(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def read_within(terminal, seconds):
    """What comes next; nothing at the end, or after `seconds`."""
    if not select.select([terminal], [], [], seconds)[0]:
        return b""
    try:
        return os.read(terminal, 65536)
    except OSError:  # the end of a terminal
        return b""


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
    def on_terminal(self, *arguments, env=None, columns=80, then_columns=None, code=0):
        """What the program writes to a terminal that is both its outputs. After the first progress line it gets `then_columns`."""
        main, other = pty.openpty()
        resize(main, columns)
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        process = subprocess.Popen([BINARY, *arguments], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=other, stderr=other,
                                   env=environment | {"TERM": "xterm"} | (env or {}))
        os.close(other)
        shown = b""
        while piece := read_within(main, TIMEOUT_S):
            shown += piece
            if then_columns and REDRAW.encode() in shown:
                os.kill(process.pid, signal.SIGSTOP)
                os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)  # it may write until it has stopped
                while piece := read_within(main, 0):
                    shown += piece
                shown += b"RESIZED"
                resize(main, then_columns)
                then_columns = None
                os.kill(process.pid, signal.SIGCONT)
        os.close(main)
        self.assertEqual(process.wait(TIMEOUT_S), code)
        return shown.decode().replace("\r\n", "\n")

    def drawn(self, shown):
        """The progress lines that were drawn, without colors."""
        lines = re.sub(r"\033\[[0-9;]*m|RESIZED", "", shown).split(REDRAW)[1:]
        return [line for line in lines if line and "\n" not in line]  # a message follows where it was erased

    def big_corpus(self):
        self.write("in.jsonl", [{"id": i, "text": " ".join(f"w{i % 900}x{j}" for j in range(30))} for i in range(3000)])

    def test_progress_is_shown_and_erased(self):
        self.write("in.jsonl", LINE * 5)
        shown = self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl", columns=100)
        self.assertRegex(self.drawn(shown)[0], r"^sketch \(1/5\) \[###################\] 100 %, .*5 documents, 275 bytes in total$")
        self.assertIn("wrote kept.jsonl\n", shown.split(REDRAW)[-1], "erased before the summary")
        self.assertNotIn("\033", self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl", "-q"))
        self.assertNotIn("\033", self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl", env={"TERM": "dumb"}))

    def test_the_line_fits_at_any_width(self):
        self.big_corpus()
        for columns in (20, 60, 80, 200):
            shown = self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl", columns=columns)
            lines = self.drawn(shown)
            self.assertIn("100 %", lines[-1])
            for line in lines:
                self.assertLess(len(line), columns, line)
                self.assertIn(" %", line)
            self.assertEqual(any("[####" in line for line in lines), columns > 20, lines)
            self.assertIn(any(", 3,000 documents" in line for line in lines), {20: [False], 200: [True]}.get(columns, [False, True]))
            banner = shown[:shown.index(REDRAW)].splitlines()
            self.assertEqual(banner[0].split(" ")[0], "dedup:")
            self.assertTrue(all(len(line) < columns or " " not in line.strip() for line in banner), banner)

    def test_the_line_follows_the_width(self):
        self.big_corpus()
        for before, after in ((200, 25), (25, 200)):
            lines = []
            for _ in range(20):  # until the run has passes to show after the change
                shown = self.on_terminal("dedup", "in.jsonl", "-o", "kept.jsonl", columns=before, then_columns=after)
                lines = self.drawn(shown[shown.index("RESIZED"):])
                if lines:
                    break
            self.assertTrue(lines)
            self.assertLess(max(map(len, lines)), after)
            self.assertEqual("[" in lines[-1], after == 200, lines)

    def test_when_progress_is_shown(self):
        self.write("in.jsonl", LINE * 5)
        command = ("dedup", "in.jsonl", "-o", "kept.jsonl", "--progress")
        self.assertEqual(self.drawn(self.on_terminal(*command, "never")), [])
        self.assertNotEqual(self.drawn(self.on_terminal(*command, "always")), [])
        dumb = self.on_terminal(*command, "always", env={"TERM": "dumb"})
        self.assertRegex(dumb, r"\ndedup: sketch \(1/5\): 100 %, .*5 documents, .* in total")
        self.assertNotIn("\033", dumb)

    def test_results_on_the_terminal_do_not_continue_the_progress_line(self):
        self.big_corpus()
        for command in (("pairs", "in.jsonl"), ("sketch", "in.jsonl"), ("tokenize", "in.jsonl", "--tokenizer", "words_v1"), ("clean", "in.jsonl"),
                        ("dedup", "in.jsonl", "-o", "-"), ("dedup", "in.jsonl", "-o", "kept.jsonl", "--summary", "-")):
            self.assertFalse(REDRAW in self.on_terminal(*command), command)
        logged = self.on_terminal("pairs", "in.jsonl", "--progress", "always")
        self.assertFalse(REDRAW in logged)
        self.assertIn("\npairs: sketch (1/5): ", logged)

    def test_colors_of_messages(self):
        self.write("in.jsonl", LINE * 5)
        command = ("dedup", "in.jsonl", "-o", "kept.jsonl", "--memory", "900T")
        shown = self.on_terminal(*command)
        self.assertIn("\033[1;33mwarning:\033[0m --memory", shown)
        self.assertIn("[\033[32m####", shown)
        self.assertIn("\033[1;31mneardup dedup:\033[0m ", self.on_terminal("dedup", "none.jsonl", "-o", "kept.jsonl", code=1))
        for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotRegex(self.on_terminal(*command, env=plain), r"\033\[[0-9;]*m")
        self.assertIn("\033[1;33m", self.on_terminal(*command, env={"NO_COLOR": ""}), "empty is not set")
        self.assertNotIn("\033", self.neardup(*command).stderr)

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
