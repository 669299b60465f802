"""A run that was interrupted in any way resumes where it was, and gives the same bytes."""
import os
import random
import shutil
import signal
import socket
import subprocess
import time
import unittest

from checked_file import checked_file, payload_of
from harness import BINARY
from resume_case import FAULTS, RUN, ResumeTest

KILLS = 100


class Killed(ResumeTest):
    def test_signatures(self):
        self.kill_loop(self.inputs(24, 1500), KILLS)

    def test_fingerprints(self):
        self.kill_loop(self.inputs(24, 800), KILLS // 4, "--recipe", "simhash-chars-4", "--verify", "cosine")

    def test_folder_of_outputs(self):
        for documents in (300, 2400, 12000):  # more if the run was over before it was killed
            inputs = self.inputs(24, documents)
            process = subprocess.Popen([BINARY, "dedup", *inputs, "--output-dir", "out", "--work", "work", "-q"], cwd=self.dir)
            while not list(self.path("out").glob(".*.partial")) and process.poll() is None:
                pass
            process.kill()
            if process.wait() != 0:
                break
            shutil.rmtree(self.path("out"))
            shutil.rmtree(self.path("work"))
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.neardup("dedup", *inputs, "--output-dir", "expected", "-q")
        self.neardup("dedup", "--resume", "work", "-q")
        names = [name.removeprefix("out/") for name in self.names() if name.startswith("out/")]
        self.assertEqual(names, inputs)
        for name in inputs:
            self.assertEqual(self.read(f"out/{name}"), self.read(f"expected/{name}"))

    def test_nothing_stays_in_shared_memory(self):
        with socket.create_server(("127.0.0.1", 0)) as server:  # the driver is loaded when it connects; there is no answer
            server.settimeout(60)
            uri = f"mongodb://127.0.0.1:{server.getsockname()[1]}/db.texts"
            process = subprocess.Popen([BINARY, "dedup", uri, *RUN], cwd=self.dir)
            try:
                server.accept()[0].close()
            finally:
                process.kill()
                process.wait()
        self.assertEqual([name for name in os.listdir("/dev/shm") if name.endswith(f"-{process.pid}")], [])

    def test_interrupt_says_how_to_resume(self):
        for documents in (1500, 6000, 24000):  # more if the run was over before the signal came
            inputs = self.inputs(24, documents)
            expected = self.expected(inputs)
            process = subprocess.Popen([BINARY, "dedup", *inputs, *RUN[:-1], "--work", "my work", "--threads", "1"], cwd=self.dir,
                                       stderr=subprocess.PIPE)
            while not list(self.path("my work").glob("sketch-*.part")) and process.poll() is None:
                time.sleep(0.002)
            process.send_signal(signal.SIGINT)
            error = process.communicate()[1].decode()
            if process.returncode != 0:
                break
            shutil.rmtree(self.path("my work"))
            self.forget_outputs()
        self.assertEqual(process.returncode, 130, error)
        self.assertTrue(error.endswith("neardup dedup: interrupted; no output was written. Progress is saved; continue with: "
                                       "neardup dedup --resume 'my work'\n"), error)
        self.assertEqual(self.digests(), {})
        self.neardup("dedup", "--resume", "my work", "-q")
        self.assertEqual(self.digests(), expected)


@unittest.skipUnless(FAULTS, "NEARDUP_IO_FAULTS does not name the library that makes calls fail")
class Faults(ResumeTest):
    def test_full_disk(self):
        failures, calls = self.every_call("ENOSPC")
        self.assertGreater(failures, calls // 3)

    def test_broken_disk(self):
        failures, calls = self.every_call("EIO")
        self.assertGreater(failures, calls // 3)

    def test_short_writes(self):
        failures, _ = self.every_call("SHORT")
        self.assertEqual(failures, 0, "a short write is no error")

    def test_killed_at_every_call(self):
        failures, calls = self.every_call("KILL")
        self.assertEqual(failures, calls)


class PowerOff(ResumeTest):
    """Files that were not on the disk when the power went: cut, empty, full of zeros."""

    def test_damaged_files_are_made_again(self):
        inputs = self.inputs(10, 200)
        expected = self.expected(inputs)
        self.neardup("dedup", *inputs, *RUN, "--work", "work")
        chance = random.Random(3)
        names = [path.name for path in self.path("work").iterdir() if path.name.endswith(".part")]
        self.assertGreater(len(names), 4)
        for name in names:
            path = self.path("work") / name
            whole = path.read_bytes()
            for damage in ("empty", "cut", "zeros", "flip", "gone"):
                broken = {"empty": b"", "cut": whole[:chance.randrange(len(whole))], "zeros": bytes(len(whole)), "gone": None}.get(damage, b"")
                if damage == "flip":
                    at = chance.randrange(len(whole))
                    broken = whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1:]
                if broken is None:
                    path.unlink()
                else:
                    path.write_bytes(broken)
                self.forget_outputs()
                self.resume("-q")
                self.assertEqual(self.digests(), expected, f"{damage} {name}")
                if name.startswith("sketch"):
                    self.assertEqual(path.read_bytes(), whole, "a part that is made again is the same")

    def test_damaged_description_is_an_error(self):
        inputs = self.inputs(2, 50)
        self.neardup("dedup", *inputs, *RUN, "--work", "work")
        whole = self.read("work/RUN")
        for broken in (b"", whole[:100], bytes(len(whole))):
            self.path("work/RUN").write_bytes(broken)
            self.assertIn("work/RUN'", self.resume(code=1).stderr)
        self.path("work/RUN").write_bytes(whole)
        self.path("work/COMMAND").write_bytes(b"{")
        self.assertIn("work/COMMAND'", self.resume(code=1).stderr)
        self.path("work/COMMAND").write_bytes(checked_file("command", b"{}"))
        self.assertIn("'work/COMMAND' does not hold a command", self.resume(code=1).stderr)
        self.path("work/COMMAND").write_bytes(b'{"format":1,"words":[],"added":[],"current_folder":"/"}\n')
        self.assertIn("'work/COMMAND' has format 1, without a checksum", self.resume(code=1).stderr)

    def test_a_changed_bit_is_noticed(self):
        inputs = self.inputs(5, 40)
        expected = self.expected(inputs)
        self.neardup("dedup", *inputs, *RUN, "--work", "work")
        chance = random.Random(5)
        whole = {path.name: path.read_bytes() for path in self.path("work").iterdir() if path.name != "LOCK"}
        for name, content in whole.items():
            # All of the bytes that say something of the command, since a wrong command gives the right bytes under a wrong name.
            places = range(4096, 4096 + len(payload_of(content)), 3) if name == "COMMAND" else (chance.randrange(len(content)) for _ in range(8))
            for at in [*places, *(chance.randrange(len(content)) for _ in range(8))]:
                for path, bytes_before in whole.items():
                    self.path("work").joinpath(path).write_bytes(bytes_before)
                changed = bytearray(content)
                changed[at] ^= 1 << chance.randrange(8)
                self.path("work").joinpath(name).write_bytes(changed)
                self.forget_outputs()
                files = self.names()
                result = subprocess.run([BINARY, "dedup", "--resume", "work", "-q"], cwd=self.dir, stderr=subprocess.PIPE, check=False)
                if result.returncode == 0:
                    self.assertNotIn(name, ("COMMAND", "RUN"), f"byte {at}")
                    self.assertEqual(self.digests(), expected, f"{name}, byte {at}")
                else:
                    self.assertEqual(result.returncode, 1, f"{name}, byte {at}")
                    self.assertIn(f"work/{name}'", result.stderr.decode(), f"byte {at}")
                    self.assertEqual(self.names(), files, f"{name}, byte {at}")


if __name__ == "__main__":
    unittest.main()
