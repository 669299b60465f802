#!/usr/bin/env python3
"""Kills random commands at random moments, and looks at what they leave.

Commands: index build, add, delete and merge; dedup --work and --resume; dedup, pairs and sketch. Signals: KILL, TERM and HUP, after a random
time or before a random call that changes a file. Whatever happens:
  - a file under its final name is complete;
  - after TERM or HUP there is no .partial;
  - an index is in the state before or after, verifies, and takes the change when it is made again; a new one opens only when it is complete;
  - dedup --resume gives the bytes of a run that was never stopped.
"""
import signal
import subprocess

import common
from common import expect
from trials import TIMEOUT_S, Trial

SIGNALS = {"KILL": signal.SIGKILL, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}


class Kills(Trial):
    def end(self, command, whole_s, calls):
        """Runs the command and ends it somewhere. Returns the signal's name, and whether it came to its end all the same."""
        name = self.chance.choice(list(SIGNALS))
        before = self.partial()  # of kills before this one
        if self.chance.random() < 0.5:
            result = self.faults.run(command, self.folder, fault=f"{name}:{self.chance.randint(1, calls)}", timeout=TIMEOUT_S)
            code, error = result.returncode, result.stderr
        else:
            process = subprocess.Popen([self.faults.BINARY, *map(str, command)], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                process.wait(timeout=whole_s * self.chance.random() * 1.1)
            except subprocess.TimeoutExpired:
                process.send_signal(SIGNALS[name])
            error = process.communicate(timeout=TIMEOUT_S)[1]
            code = process.returncode
        self.what = f"{' '.join(map(str, command))} after {name}: {code} {error.decode()[-200:]}"
        # A signal that comes before the handlers are installed has its default effect; nothing is open then.
        expect(code in (0, -SIGNALS[name]) or (name != "KILL" and code == 128 + SIGNALS[name]), self.what)
        if name != "KILL":
            left = sorted(self.partial() - before)
            expect(not left, f"{self.what}: left {left}")
        return name, code == 0

    def files(self):
        """dedup, pairs or sketch: each output is complete or not there."""
        command, outputs = self.file_command()
        whole_s, calls, expected = self.measure(command, lambda: self.remove(*outputs))
        name, complete = self.end(command, whole_s, calls)
        found = self.outputs()
        expect(all(expected.get(output) == content for output, content in found.items()), f"{self.what}: {sorted(found)} not complete")
        expect(found == expected or not complete, f"{self.what}: outputs are missing")
        return f"{command[0]} {name} {'complete' if complete else 'ended'}"

    def resume(self):
        """dedup --work, ended and resumed until it is done."""
        command, outputs = self.work_command()
        whole_s, calls, expected = self.measure(command, lambda: self.remove("work", *outputs))
        expected = {name: expected[name] for name in outputs}
        ends = 0
        for _ in range(self.chance.randint(1, 5)):
            name, complete = self.end(command, whole_s, calls)
            found = {name: content for name, content in self.outputs().items() if name in outputs}
            expect(all(expected[output] == content for output, content in found.items()), f"{self.what}: {sorted(found)} not complete")
            ends += not complete
            if (self.folder / "work/COMMAND").exists():
                command = ("dedup", "--resume", "work", *self.threads, "-q")
            else:
                self.remove("work")
            if complete:
                break
        self.neardup(*command)
        found = {name: content for name, content in self.outputs().items() if name in outputs}
        expect(found == expected, f"{self.what}: resumed to other bytes")
        expect(not self.partial(), f"{self.what}: left {sorted(self.partial())}")
        return f"dedup --work ended {ends} times"

    def build(self):
        if self.chance.random() < 0.3:
            (self.folder / "index").mkdir()
        command = self.build_command()
        whole_s, calls, expected = self.measure(command, lambda: self.remove("index"))
        states, killed = set(), False
        for _ in range(self.chance.randint(1, 3)):
            name, complete = self.end(command, whole_s, calls)
            opens = self.faults.run(["index", "verify", "index"], self.folder).returncode == 0
            expect(opens or not complete, f"{self.what}: there is no index")
            found = {path: content for path, content in self.outputs().items() if not path.endswith("BUILDING")}
            expect(found == expected if opens else "index/MANIFEST" not in found, f"{self.what}: {sorted(found)}")
            if name != "KILL" and not opens and not killed:
                expect(not (self.folder / "index/LOCK").exists(), f"{self.what}: left {common.files_below(self.folder)}")
            killed = killed or name == "KILL"
            states.add("complete" if opens else "nothing")
            if opens:
                break
        else:
            self.neardup(*command)
            expect(self.outputs() == expected, f"{self.what}: built again, it is another")
            expect(not self.partial(), f"{self.what}: not cleaned")
        return f"index build {' then '.join(sorted(states))}"

    def change(self):
        verb, command = self.change_command()
        whole_s, calls, before, after = self.measure_change(command)
        name, complete = self.end(command, whole_s, calls)
        manifest = self.outputs()["index/MANIFEST"]
        expect(manifest in (before["index/MANIFEST"], after["index/MANIFEST"]), f"{self.what}: neither old nor new")
        expect(not complete or manifest == after["index/MANIFEST"], f"{self.what}: the change is missing")
        self.neardup("index", "verify", "index")
        if manifest != after["index/MANIFEST"]:
            self.neardup(*command)
        elif manifest != before["index/MANIFEST"]:
            self.neardup("index", "merge", "index", "--segments", "1000", "-q")  # a writer sweeps
        expect(self.outputs() == after, f"{self.what}: made again, it is another")
        return f"index {verb} {'after' if manifest == after['index/MANIFEST'] else 'before'}"


def trial(folder, chance):
    it = Kills(folder, chance)
    return chance.choices([it.files, it.resume, it.build, it.change], weights=[2, 2, 3, 3])[0]()


if __name__ == "__main__":
    given = common.options(__doc__.split("\n", maxsplit=1)[0]).parse_args()
    common.require_program(library=True)
    common.run(trial, given)
