"""What the campaigns that disturb commands share: commands that meet a disturbance, and what must hold after it.

Commands: dedup, pairs and sketch over outputs of an earlier run or none; dedup --work and --resume; index build, add, delete and merge,
of fingerprints and of texts.
Whatever disturbs them:
  - a command that succeeds gives the outputs of an undisturbed run;
  - after one that ends otherwise, a file under its final name is one of these, or the earlier file;
  - no .partial is left, unless the process was killed or what failed was the removal itself;
  - an index is in the state before or after, verifies, and takes the change when it is made again; a new one opens only when it is complete,
    and its rejects do not exist without it;
  - dedup --resume gives the bytes of an undisturbed run.
"""
from dataclasses import dataclass

import common
from common import expect
from trials import Trial


@dataclass
class Ending:
    """How a disturbed command ended."""
    word: str        # for the counts
    code: int
    error: bytes     # what it said
    right: bool      # it ended as the disturbance allows
    may_leave: bool  # hidden files, and others that only a later command removes


def failed(word, result, may_leave=False):
    """The ending of a command in which something failed: exit code 0 or 1, and with 1 there is a message."""
    right = result.returncode in (0, 1) and (result.returncode == 0 or bool(result.stderr))
    return Ending(word, result.returncode, result.stderr, right, may_leave)


class Judge(Trial):
    """disturb(trial, command, whole_s, calls): runs the command, which takes that time and makes so many calls undisturbed. Returns an Ending."""

    def __init__(self, folder, chance, disturb):
        super().__init__(folder, chance)
        self.disturb, self.what = disturb, ""

    def attempt(self, command, whole_s, calls):
        before = self.partial()  # of attempts before this one
        ending = self.disturb(self, command, whole_s, calls)
        self.what = f"{' '.join(map(str, command))} after {ending.word}: {ending.code} {ending.error.decode()[-300:]}"
        expect(ending.right, self.what)
        if not ending.may_leave:
            left = sorted(self.partial() - before)
            expect(not left, f"{self.what}: left {left}")
        return ending

    def files(self):
        command, outputs = self.file_command()
        whole_s, calls, expected = self.measure(command, lambda: self.remove(*outputs))
        earlier = {}
        if self.chance.random() < 0.5:
            for name in expected:
                (self.folder / name).write_bytes(b"earlier\n")
            earlier = self.outputs()
        ending = self.attempt(command, whole_s, calls)
        done = ending.code == 0
        for name, content in self.outputs().items():
            expect(content == expected.get(name) or (not done and content == earlier.get(name)), f"{self.what}: {name} is neither old nor new")
        expect(not done or self.outputs() == expected, f"{self.what}: outputs are missing")
        return f"{command[0]} {ending.word} {'done' if done else 'ended'}"

    def resume(self):
        command, outputs = self.work_command()
        whole_s, calls, expected = self.measure(command, lambda: self.remove("work", *outputs))
        found = lambda: {name: content for name, content in self.outputs().items() if name in outputs}
        expected = {name: expected[name] for name in outputs}
        ends = 0
        for _ in range(self.chance.randint(1, 5)):
            ending = self.attempt(command, whole_s, calls)
            expect(all(expected[name] == content for name, content in found().items()), f"{self.what}: {sorted(found())} not complete")
            if (self.folder / "work/COMMAND").exists():
                command = ("dedup", "--resume", "work", *self.threads, "-q")
            else:
                self.remove("work")
            if ending.code == 0:
                break
            ends += 1
        self.neardup(*command)
        expect(found() == expected, f"{self.what}: resumed to other bytes")
        expect(not self.partial(), f"{self.what}: left {sorted(self.partial())}")
        return f"dedup --work ended {ends} times"

    def build(self):
        command = self.build_command()
        whole_s, calls, expected = self.measure(command, lambda: self.remove("index", "b.jsonl"))
        existing = self.chance.random() < 0.3
        if existing:
            (self.folder / "index").mkdir()
        states, may_leave = set(), False
        for _ in range(self.chance.randint(1, 3)):
            ending = self.attempt(command, whole_s, calls)
            may_leave = may_leave or ending.may_leave
            opens = self.faults.run(["index", "verify", "index"], self.folder).returncode == 0
            expect(opens or ending.code != 0, f"{self.what}: there is no index")
            found = {name: content for name, content in self.outputs().items() if not name.endswith("BUILDING")}
            states.add("complete" if opens else "nothing")
            if opens:
                expect(found == expected, f"{self.what}: {sorted(found)}")
                break
            expect("index/MANIFEST" not in found, f"{self.what}: {sorted(found)}")
            if not may_leave:
                left = [name for name in common.files_below(self.folder) if name not in self.inputs]
                expect(not left and (self.folder / "index").exists() == existing, f"{self.what}: left {left}")
        else:
            self.neardup(*command)
            expect(self.outputs() == expected, f"{self.what}: built again, it is another")
        return f"index build {' then '.join(sorted(states, reverse=True))}"

    def change(self):
        verb, command = self.change_command()
        whole_s, calls, before, after = self.measure_change(command)
        ending = self.attempt(command, whole_s, calls)
        manifest = self.outputs()["index/MANIFEST"]
        expect(manifest in (before["index/MANIFEST"], after["index/MANIFEST"]), f"{self.what}: neither old nor new")
        expect(ending.code != 0 or manifest == after["index/MANIFEST"], f"{self.what}: the change is missing")
        self.neardup("index", "verify", "index")
        if manifest != after["index/MANIFEST"]:
            self.neardup(*command)
        elif manifest != before["index/MANIFEST"]:
            self.neardup("index", "merge", "index", "--segments", "1000", "-q")  # a writer sweeps
        expect(self.outputs() == after, f"{self.what}: made again, it is another")
        return f"index {verb} {'after' if manifest == after['index/MANIFEST'] else 'before'}"

    def any_job(self):
        return self.chance.choices([self.files, self.resume, self.build, self.change], weights=[3, 2, 2, 3])[0]()


def run(description, disturb, trial=None):
    """The campaign, from the command line: trial(folder, chance) where it does more than to judge any job."""
    given = common.options(description.split("\n", maxsplit=1)[0]).parse_args()
    common.require_program(library=True)
    common.run(trial or (lambda folder, chance: Judge(folder, chance, disturb).any_job()), given)
