"""A trial of the campaigns that disturb commands: a random corpus, the undisturbed result of a command, and the contents of the folder."""
import json
import shutil
import time

import common
from common import expect

TIMEOUT_S = 120
RECIPE = ("--recipe", "simhash-chars-4")
KINDS = ((*RECIPE, "--max-distance", "4"), ("--kind", "clue"), ("--kind", "clue", "--texts", "refer"))  # of an index
ALL = ("--max-rejects", "100%")  # a small corpus may be broken in a large part


def write_corpus(path, chance, documents):
    """Random texts, a third of them changed copies, now and then a broken line."""
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 8))) for _ in range(400)]
    texts = []
    with path.open("w") as file:
        for number in range(documents):
            if texts and chance.random() < 0.3:
                text = list(chance.choice(texts))
                text[chance.randrange(len(text))] = chance.choice(words)
            else:
                text = chance.choices(words, k=chance.randint(10, 40))
            texts.append(text)
            file.write('{"broken\n' if chance.random() < 0.01 else json.dumps({"id": f"{path.stem}{number}", "text": " ".join(text)}) + "\n")


class Trial:
    def __init__(self, folder, chance):
        import faults
        self.faults, self.folder, self.chance = faults, folder, chance
        self.inputs = []
        for i in range(chance.randint(1, 6)):
            write_corpus(folder / f"in{i}.jsonl", chance, chance.randint(1, 400))
            self.inputs.append(f"in{i}.jsonl")
        self.threads = ("--threads", str(chance.randint(1, 3)))


    def neardup(self, *command, code=0):
        result = self.faults.run(command, self.folder, timeout=TIMEOUT_S)
        expect(result.returncode == code, f"{' '.join(map(str, command))}: {result.returncode} {result.stderr.decode()[-300:]}")
        return result


    def partial(self):
        return {path for path in common.files_below(self.folder) if path.endswith(".partial")}


    def measure(self, command, clean):
        """How long the command takes and how many calls it makes; `clean` takes away what it made."""
        started = time.monotonic()
        calls = self.faults.count_calls(command, self.folder, self.folder / "count")
        whole_s = time.monotonic() - started
        (self.folder / "count").unlink()
        expected = self.outputs()
        clean()
        return whole_s, calls, expected


    def outputs(self):
        """Digests of all but inputs and locks."""
        return {name: common.digest(self.folder / name) for name in common.files_below(self.folder)
                if name not in self.inputs and not name.endswith("LOCK") and not name.endswith(".partial")}


    def remove(self, *names):
        for name in names:
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


    def file_command(self):
        """dedup, pairs or sketch over the corpus, and the names of its outputs."""
        command = self.chance.choice([
            ("dedup", *self.inputs, "-o", "k.jsonl", "--verdicts", "v.tsv", "--removed", "r.jsonl.gz", "--rejects", "b.jsonl", *ALL),
            ("pairs", *self.inputs, "-o", "k.tsv", "--rejects", "b.jsonl", *ALL),
            ("sketch", *self.inputs, "-o", self.chance.choice(["k.jsonl", "k.npy"]), "--rejects", "b.jsonl", *ALL),
        ]) + (*self.threads, "-q")
        return command, ("k.jsonl", "k.tsv", "k.npy", "v.tsv", "r.jsonl.gz", "b.jsonl")

    def work_command(self):
        """dedup --work over the corpus, and the names of its outputs."""
        options = self.chance.choice([(), RECIPE, ("--batch", str(self.chance.randint(20, 300)))])
        command = ("dedup", *self.inputs, "-o", "k.jsonl", "--verdicts", "v.tsv", "--rejects", "b.jsonl", *options, *ALL, *self.threads, "-q",
                   "--work", "work")
        return command, ("k.jsonl", "v.tsv", "b.jsonl")

    def build_command(self):
        """index build of any kind, of documents or of fingerprints."""
        if self.chance.random() < 0.7:
            return ("index", "build", "index", *self.inputs, *self.chance.choice(KINDS), "--rejects", "b.jsonl", *ALL, *self.threads, "-q")
        codes = self.chance.choice(["codes.bin", "codes.jsonl"])
        self.neardup("sketch", *self.inputs, *RECIPE, "-o", codes, *ALL, "-q")
        self.inputs.append(codes)
        return ("index", "build", "index", codes, "--from-fingerprints", "--rejects", "b.jsonl", *self.threads, "-q")

    def change_command(self):
        """Makes an index of any kind; then add, delete or merge, and the verb."""
        self.neardup("index", "build", "index", self.inputs[0], *self.chance.choice(KINDS), *ALL, "-q")
        for path in self.inputs[1:]:
            self.neardup("index", "add", "index", path, *ALL, "-q")
        verb, command = self.chance.choice([
            ("add", ("index", "add", "index", self.inputs[-1], *ALL)),
            ("delete", ("index", "delete", "index", *(f"in0{self.chance.randint(0, 300)}" for _ in range(5)), "in00", "in01", "in02")),
            ("merge", ("index", "merge", "index")),
        ])
        return verb, (*command, *self.threads, "-q")

    def measure_change(self, command):
        """As measure(), of a command that changes the index, which is afterwards as it was before; and its digests then."""
        before = self.outputs()
        first = self.folder.with_suffix(".first")
        shutil.copytree(self.folder / "index", first)
        try:
            whole_s, calls, after = self.measure(command, lambda: self.remove("index"))
            shutil.copytree(first, self.folder / "index")
        finally:
            shutil.rmtree(first)
        return whole_s, calls, before, after
