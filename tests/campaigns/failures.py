"""What the campaigns of failing calls and of full disks share: commands that meet a failure, and what must hold after it.

Whatever fails:
  - the exit code is 0 or 1, and with 1 there is a message;
  - with 0 the outputs are those of an undisturbed run; with 1 a file under its final name is one of these, or what was there before;
  - no .partial is left;
  - an index is in the state before or after, verifies, and takes the change when it is made again; a new one opens only when it is complete;
  - dedup --resume gives the bytes of an undisturbed run.
"""
import common
from common import expect
from trials import Trial


class Failures(Trial):
    """A campaign adds disturbed(command, calls): runs the command, of which an undisturbed run makes so many calls, while something fails."""
    leaves_partial = False  # set by disturbed() where what fails is the removal itself

    def disturbed(self, command, calls):
        raise NotImplementedError

    def attempt(self, command, calls):
        """True if the command succeeded."""
        before = self.partial()
        self.leaves_partial = False
        result = self.disturbed(command, calls)
        self.what = f"{' '.join(map(str, command))}: {result.returncode} {result.stderr.decode()[-300:]}"
        expect(result.returncode in (0, 1), self.what)
        expect(result.returncode == 0 or result.stderr, f"{self.what}: no message")
        if not self.leaves_partial:
            left = sorted(self.partial() - before)
            expect(not left, f"{self.what}: left {left}")
        return result.returncode == 0

    def files(self):
        """dedup, pairs or sketch over outputs of an earlier run, or none."""
        command, outputs = self.file_command()
        _, calls, expected = self.measure(command, lambda: self.remove(*outputs))
        earlier = {}
        if self.chance.random() < 0.5:
            for name in expected:
                (self.folder / name).write_bytes(b"earlier\n")
            earlier = self.outputs()
        done = self.attempt(command, calls)
        for name, content in self.outputs().items():
            expect(content == expected.get(name) or (not done and content == earlier.get(name)), f"{self.what}: {name} is neither old nor new")
        expect(not done or self.outputs() == expected, f"{self.what}: outputs are missing")
        return f"{command[0]} {'done' if done else 'failed'}"

    def resume(self):
        command, outputs = self.work_command()
        _, calls, expected = self.measure(command, lambda: self.remove("work", *outputs))
        expected = {name: expected[name] for name in outputs}
        failed = 0
        for _ in range(self.chance.randint(1, 4)):
            done = self.attempt(command, calls)
            found = {name: content for name, content in self.outputs().items() if name in outputs}
            expect(all(expected[name] == content for name, content in found.items()), f"{self.what}: {sorted(found)} not complete")
            if (self.folder / "work/COMMAND").exists():
                command = ("dedup", "--resume", "work", *self.threads, "-q")
            else:
                self.remove("work")
            if done:
                break
            failed += 1
        self.neardup(*command)
        found = {name: content for name, content in self.outputs().items() if name in outputs}
        expect(found == expected, f"{self.what}: resumed to other bytes")
        return f"dedup --work failed {failed} times"

    def build(self):
        command = self.build_command()
        _, calls, expected = self.measure(command, lambda: self.remove("index"))
        done = self.attempt(command, calls)
        opens = self.faults.run(["index", "verify", "index"], self.folder).returncode == 0
        expect(opens or not done, f"{self.what}: there is no index")
        if opens:
            expect(self.outputs() == expected, f"{self.what}: {sorted(self.outputs())}")
        else:
            expect(self.leaves_partial or not (self.folder / "index").exists(), f"{self.what}: left {common.files_below(self.folder)}")
            self.neardup(*command)
            expect(self.outputs() == expected, f"{self.what}: built again, it is another")
        return f"index build {'done' if done else 'failed'}"

    def change(self):
        verb, command = self.change_command()
        _, calls, before, after = self.measure_change(command)
        done = self.attempt(command, calls)
        manifest = self.outputs()["index/MANIFEST"]
        expect(manifest in (before["index/MANIFEST"], after["index/MANIFEST"]), f"{self.what}: neither old nor new")
        expect(not done or manifest == after["index/MANIFEST"], f"{self.what}: the change is missing")
        self.neardup("index", "verify", "index")
        if manifest != after["index/MANIFEST"]:
            self.neardup(*command)
            expect(self.outputs()["index/MANIFEST"] == after["index/MANIFEST"], f"{self.what}: made again, it is another")
        return f"index {verb} {'done' if done else 'failed'}"

    def any_job(self):
        return self.chance.choices([self.files, self.resume, self.build, self.change], weights=[3, 2, 2, 3])[0]()
