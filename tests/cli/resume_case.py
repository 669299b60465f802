"""What tests of runs with a checkpoint directory have in common: inputs, the digests of outputs, and ways to end a run."""
import hashlib
import json
import random
import signal
import subprocess
import time

import faults
from checked_file import payload_of
from harness import BINARY, CliTest

FAULTS = faults.FAULTS
OUTPUTS = ("kept.jsonl", "removed.jsonl.gz", "verdicts.tsv", "rejects.jsonl")
RUN = ("-o", OUTPUTS[0], "--removed", OUTPUTS[1], "--verdicts", OUTPUTS[2], "--rejects", OUTPUTS[3], "-q")


def corpus(seed, documents):
    """Texts of random words, a third of them changed copies; every hundredth line is broken."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(3000)]
    texts, lines = [], []
    for number in range(documents):
        if texts and chance.random() < 0.35:
            text = list(chance.choice(texts))
            for _ in range(chance.randint(0, 3)):
                text[chance.randrange(len(text))] = chance.choice(words)
        else:
            text = chance.choices(words, k=chance.randint(20, 60))
        texts.append(text)
        lines.append('{"broken": \n' if number % 100 == 99 else json.dumps({"id": f"d{number}", "text": " ".join(text)}) + "\n")
    return lines


class ResumeTest(CliTest):
    def inputs(self, files, documents, seed=1):
        """So many files: each ends a batch, and four batches are a part."""
        lines = corpus(seed, files * documents)
        return [self.write(f"in{i:02}.jsonl", "".join(lines[i * documents:(i + 1) * documents])) for i in range(files)]

    def command(self, folder):
        """What the run was asked for."""
        return json.loads(payload_of(self.read(f"{folder}/COMMAND")))

    def digests(self):
        return {name: hashlib.sha256(self.read(name)).hexdigest() for name in OUTPUTS if self.path(name).exists()}

    def forget_outputs(self):
        for name in OUTPUTS:
            self.path(name).unlink(missing_ok=True)

    def expected(self, inputs, *options):
        self.neardup("dedup", *inputs, *RUN, *options)
        digests = self.digests()
        self.assertEqual(len(digests), len(OUTPUTS))
        self.forget_outputs()
        return digests

    def resume(self, *arguments, **keywords):
        return self.neardup("dedup", "--resume", "work", *arguments, **keywords)

    def passes(self, *arguments):
        """Resumes; the names of the passes, which the progress has to count alike."""
        self.forget_outputs()
        events = [json.loads(line) for line in self.resume("--log-format", "json", *arguments).stderr.splitlines()]
        names = [part["name"] for part in events[-1]["summary"]["passes"]]
        progress = [event for event in events if event["event"] == "progress"]
        self.assertEqual(list(dict.fromkeys(event["pass"] for event in progress)), names)
        last = progress[-1]
        self.assertEqual(last["pass_number"], last["passes"], "skipped passes count as finished")
        self.assertEqual({event["passes"] for event in progress}, {last["passes"]})
        return names

    def kill_loop(self, inputs, kills, *options):
        expected = self.expected(inputs, *options)
        chance = random.Random(7)
        started = time.monotonic()
        self.neardup("dedup", *inputs, *RUN, *options, "--work", "whole")
        whole_s = time.monotonic() - started
        self.assertEqual(self.digests(), expected)
        self.forget_outputs()
        killed = rounds = 0
        while killed < kills:
            rounds += 1
            folder = f"work{rounds}"
            command = ["dedup", *inputs, *RUN, *options, "--work", folder]
            while True:
                process = subprocess.Popen([BINARY, *command], cwd=self.dir, stderr=subprocess.PIPE)
                try:
                    # Short waits more often than long ones: later resumes have less to do.
                    process.wait(timeout=whole_s * chance.random() ** 2)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                error = process.communicate()[1].decode()
                if process.returncode != -signal.SIGKILL:
                    self.assertEqual(process.returncode, 0, error)
                    break
                killed += 1
                if self.path(folder).joinpath("COMMAND").exists():
                    command = ["dedup", "--resume", folder, "-q"]
                else:
                    subprocess.run(["rm", "-rf", folder], cwd=self.dir, check=True)
            self.assertEqual(self.digests(), expected, f"after {killed} kills")
            self.forget_outputs()
            # The files that killed processes left next to the outputs and in the directory are removed.
            self.assertEqual([name for name in self.names() if name.endswith(".partial") and "/" not in name], [])
            subprocess.run(["rm", "-rf", folder], cwd=self.dir, check=True)

    def run_with(self, command, fault=None, count=None):
        return faults.run(command, self.dir, fault, count)

    def every_call(self, kind, *options, recipe=(), after=lambda error: None):
        """Fails the n-th call for every n; gives how many of the runs failed. The outputs must be those without `options`. `after` is called
        with the message of each run that failed, before it is resumed."""
        inputs = self.inputs(6, 60)
        expected = self.expected(inputs, *recipe)
        command = ["dedup", *inputs, *RUN, *recipe, *options, "--work", "work"]
        count = self.path("count")
        self.assertEqual(self.run_with(command, count=count).returncode, 0)
        calls = int(count.read_text())
        self.assertGreater(calls, 20)
        failures = 0
        for number in range(1, calls + 1):
            self.forget_outputs()
            subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
            result = self.run_with(command, fault=f"{kind}:{number}")
            error = result.stderr.decode()
            if result.returncode == 0:
                self.assertEqual(self.digests(), expected, f"{kind}:{number}")
                continue
            failures += 1
            self.assertEqual(result.returncode, -signal.SIGKILL if kind == "KILL" else 1, f"{kind}:{number} {error}")
            if kind != "KILL":
                self.assertIn("cannot ", error)
                self.assertEqual(self.digests(), {}, f"{kind}:{number}: outputs under their final names after a failure")
            after(error)
            if self.path("work/COMMAND").exists():
                self.resume("-q")
            else:
                subprocess.run(["rm", "-rf", "work"], cwd=self.dir, check=True)
                self.neardup(*command)
            self.assertEqual(self.digests(), expected, f"{kind}:{number}")
            self.assertEqual([name for name in self.names() if name.endswith(".partial")], [], f"{kind}:{number}")
        return failures, calls
