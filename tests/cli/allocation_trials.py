"""Runs the program with one large allocation that fails, and judges what it does: for test_allocations.py and campaigns/allocations.py.

NEARDUP_ALLOC_FAULTS names the preloaded library of support/alloc_faults.cc. A trial is right if the run succeeds with the bytes of an
undisturbed run (a library did without), or ends with exit code 1, names the reason, and leaves nothing behind.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess

LIBRARY = os.environ.get("NEARDUP_ALLOC_FAULTS")
TIMEOUT_S = 120

# Name -> words after the program's name. Everything that a job writes begins with "out".
JOBS = {
    "dedup": "dedup in.jsonl -o out.jsonl --verdicts out.tsv --removed out-removed.jsonl.zst",
    "work": "dedup in.jsonl -o out.jsonl --recipe chars-5 --work run",
    "jieba": "dedup in.jsonl -o out.jsonl --recipe simhash-jieba-30",
    "compressed": "dedup in.jsonl.zst -o out.jsonl.gz --annotate out.bz2 --recipe minhash-jieba-3",
    "html": "dedup in.html.jsonl -o out.jsonl --recipe html.json",
    "sqlite": "dedup in.jsonl -o sqlite://out.db?table=docs",
    "pairs": "pairs in.jsonl -o out.tsv",
    "quotes": "quotes in.jsonl -o out.tsv",
    "sketch": "sketch in.jsonl -o out.jsonl --recipe simhash-chars-4",
    "index": "index build out-index in.jsonl --recipe simhash-chars-4 --max-distance 4",
    "query": "query seen in.jsonl -o out.tsv",
    "clue": "index build out-clue in.jsonl --kind clue",
    "search": "search texts in.jsonl -o out.tsv",
    "keywords": "keywords in.jsonl -o out.jsonl",
    "compare": "compare a.txt b.txt --json",
}


def make_inputs(folder, binary, documents=300):
    """The inputs of all jobs."""
    chance = random.Random(1)
    words = [f"{name}{number}" for name in ("alpha", "beta", "gamma", "delta", "Straße", "É\u0301cole") for number in range(30)]
    han = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"
    texts = []
    for number in range(documents):
        if number % 4 == 3:
            texts.append(chance.choice(texts) + " x")
        else:
            texts.append(" ".join(chance.choices(words, k=40)) + "".join(chance.choices(han, k=60)))
    lines = "".join(json.dumps({"id": i, "text": text}, ensure_ascii=False) + "\n" for i, text in enumerate(texts))
    (folder / "in.jsonl").write_text(lines, "utf-8")
    pages = "".join(json.dumps({"id": i, "text": f"<html><body><p>{text}</p></body></html>"}, ensure_ascii=False) + "\n"
                    for i, text in enumerate(texts))
    (folder / "in.html.jsonl").write_text(pages, "utf-8")
    recipe = json.loads(subprocess.run([binary, "recipe", "words-5", "--json"], capture_output=True, check=True, timeout=TIMEOUT_S).stdout)
    (folder / "html.json").write_text(json.dumps(recipe | {"clean": ["html_v1"]}))
    (folder / "a.txt").write_text(texts[0] * 20, "utf-8")
    (folder / "b.txt").write_text(texts[1] * 20, "utf-8")
    run = lambda *arguments: subprocess.run([binary, *arguments, "-q"], cwd=folder, check=True, timeout=TIMEOUT_S)
    run("dedup", "in.jsonl", "--annotate", "in.jsonl.zst")
    run("index", "build", "seen", "in.jsonl", "--recipe", "simhash-chars-4", "--max-distance", "4")
    run("index", "build", "texts", "in.jsonl", "--kind", "clue")


def outputs(folder):
    """Name -> bytes of all that jobs wrote, hidden files too. A database is named only: its bytes hold no order of ours; so is a LOCK, which
    holds the number of a process."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and not name.startswith("run/") and (name.startswith("out") or ".partial" in name or name.startswith(".")):
            found[name] = b"" if name.endswith((".db", "LOCK")) else path.read_bytes()
    return found


def clear(folder):
    for path in list(folder.iterdir()):
        if path.name.startswith(("out", "run", ".")):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


class Trials:
    """The trials of one job in a folder that make_inputs() filled."""

    def __init__(self, binary, folder, job, threads=2):
        self.command = [binary, *JOBS[job].split()]
        if job not in ("compare",):
            self.command += ["--threads", str(threads), "-q"]
        self.folder = pathlib.Path(folder)
        count = self.folder / "count"
        result = self._run(NEARDUP_ALLOC_COUNT=str(count))
        if result.returncode != 0:
            raise RuntimeError(f"{job}: {result.stderr.decode()}")
        self.allocations = int(count.read_text())
        self.wanted = outputs(self.folder) | {"stdout": result.stdout}

    def _run(self, **environment):
        clear(self.folder)
        env = os.environ | {"LD_PRELOAD": LIBRARY} | environment
        return subprocess.run(self.command, cwd=self.folder, env=env, capture_output=True, timeout=TIMEOUT_S, check=False)

    def problem(self, fault):
        """What is wrong with a run whose allocation `fault` ("7", or "7+" for that and all later ones) fails; None if nothing is."""
        try:
            result = self._run(NEARDUP_ALLOC_FAULT=str(fault))
        except subprocess.TimeoutExpired:
            return "it hangs"
        message = result.stderr.decode("utf-8", "replace").strip()
        left = outputs(self.folder)
        if result.returncode == 0:
            if left | {"stdout": result.stdout} != self.wanted:
                return "it succeeds with other outputs"
            return None
        if result.returncode != 1:
            return f"it ends with {result.returncode}: {message[-200:]}"
        if str(fault).endswith("+") and set(left) <= {"out-index/LOCK", "out-index/MANIFEST"}:
            left = {}  # a folder cannot even be listed then
        if left and left != {name: bytes for name, bytes in self.wanted.items() if name != "stdout"}:  # complete: only the report failed
            return f"it leaves {sorted(left)}: {message[-200:]}"
        if "memory" not in message and "'sqlite://" not in message:  # SQLite has a reason of its own
            return f"its message does not say that memory is out: {message[-200:]}"
        return None
