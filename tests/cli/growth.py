"""What tests of growth share: user CPU time and memory of the program, and texts made to be slow.

A hostile text is a function of a length in bytes, roughly.
"""
import json
import os
import random
import subprocess
import tempfile
import threading

from harness import BINARY, CliTest

FLOOR_S = 0.05    # the program's start; a run of less counts as this
TIMES = 8         # how much longer the long input is
MOST_GROWTH = 20  # n log n grows by 10, the square by 64


def repeat(unit, length):
    return unit * (length // len(unit.encode("utf-8")))


def random_text(alphabet, length):
    return "".join(random.Random(length).choices(alphabet, k=length // len(alphabet[0].encode("utf-8"))))


HOSTILE_TEXTS = {
    "marks out of order": lambda n: "a" + repeat("\u0316\u0301", n),
    "marks out of order after a capital sigma": lambda n: "\u03a3" + repeat("\u0316\u0301", n),
    "capital sigmas": lambda n: repeat("\u03a3\u0301", n),
    "blanks": lambda n: "a" + repeat(" ", n) + "b",
    "ideographic blanks": lambda n: "\u7684" + repeat("\u3000 ", n) + "b",
    "one letter": lambda n: repeat("a", n),
    "one ideograph": lambda n: repeat("\u7684", n),
    "one long word": lambda n: random_text("abcdefghijklmnopqrstuvwxyz", n),
    "one long run of ideographs": lambda n: random_text([chr(c) for c in range(0x4E00, 0x9FA5)], n),
    "punctuation": lambda n: repeat("!", n),
    "numbers": lambda n: repeat("1.", n),
    "open tags": lambda n: repeat("<div><a b='", n),
}


class GrowthTest(CliTest):
    def run_measured(self, *arguments, cpu_s=None, code=0):
        """Runs the program; returns its CPU time in seconds, or None if it took more than cpu_s. `code` None: any exit code."""
        limit = [] if cpu_s is None else ["prlimit", f"--cpu={int(cpu_s) + 1}"]
        with tempfile.TemporaryFile() as errors, subprocess.Popen([*limit, BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                                                  stdout=subprocess.DEVNULL, stderr=errors, cwd=self.dir) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            if process.returncode < 0 and cpu_s is not None:
                return None
            self.assertGreaterEqual(process.returncode, 0, arguments)
            if code is not None:
                self.assertEqual(process.returncode, code, f"{arguments}\n{errors.read().decode('utf-8', 'replace')[:500]}")
        return usage.ru_utime

    def assert_linear(self, make, length, *arguments, code=0):
        """make(length) writes the input that the arguments name. TIMES the length may cost MOST_GROWTH the time.

        Cheap if all is well: when the long input takes as little as the start allows, the short one is not run.
        """
        for attempt in (1, 2):
            make(TIMES * length)
            long_s = self.run_measured(*arguments, cpu_s=MOST_GROWTH * FLOOR_S, code=code)
            if long_s is not None and long_s <= MOST_GROWTH * FLOOR_S:
                return
            make(length)
            short_s = self.run_measured(*arguments, code=code)
            make(TIMES * length)
            most_s = MOST_GROWTH * max(short_s, FLOOR_S)
            long_s = self.run_measured(*arguments, cpu_s=most_s, code=code)
            if long_s is not None and long_s <= most_s:
                return
        took = "more" if long_s is None else f"{long_s:.2f} s"
        self.fail(f"{arguments}: {short_s:.2f} s, and for {TIMES} times the input {took}, allowed {most_s:.2f} s")

    def write_text(self, name, text):
        self.write(name, json.dumps({"id": "x", "text": text}, ensure_ascii=False) + "\n")

    def peak_private_bytes(self, *arguments):
        """Runs the program; returns the most private memory that samples saw: mapped files do not count."""
        peak = 0
        done = threading.Event()
        with subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, cwd=self.dir) as process:
            def sample():
                nonlocal peak
                while not done.wait(0.005):
                    try:
                        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                            lines = dict(line.split(":", 1) for line in status)
                    except OSError:
                        return
                    peak = max(peak, int(lines.get("RssAnon", "0 kB").split()[0]) * 1024)
            watcher = threading.Thread(target=sample)
            watcher.start()
            process.wait()
            done.set()
            watcher.join()
        self.assertEqual(process.returncode, 0, arguments)
        return peak
