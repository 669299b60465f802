#!/usr/bin/env python3
"""Runs the rivals of SHARED/peers on every labelled set and keeps their clusters on disk, for quality_page.py.

CACHE/SET/RIVAL has clusters.tsv (id, cluster, kept), pairs.tsv where the rival itself gives pairs, and run.json: seconds, or why there is
no result. What is there is not run again. Each rival runs with its documented settings at the threshold 0.7, on words, and on characters
where it can.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import common

# A set on which a rival needs more is left out and says so.
LIMIT_SECONDS = 600
LIMIT_GIB = 6


@dataclasses.dataclass
class Rival:
    name: str
    environment: str  # the virtual environment that SHARED/peers/setup.sh makes
    package: str
    script: str
    arguments: str
    gives_clusters: bool = True  # otherwise only the kept documents

    def command(self, python, peers, data, out):
        language = "zho_Hani" if data.name.startswith("zh-") else "eng_Latn"
        tokens = "character" if data.name.startswith("zh-") else "space"
        return [python, peers / self.script, data.path, out, "--text", data.text_field,
                *self.arguments.format(language=language, tokens=tokens).split()]


RIVALS = {made.name: made for made in (
    Rival("datasketch, words", "lib", "datasketch", "run_datasketch.py", "--shingle word5 --threshold 0.7"),
    Rival("datasketch, characters", "lib", "datasketch", "run_datasketch.py", "--shingle char5 --threshold 0.7"),
    Rival("datasketch, characters, estimate", "lib", "datasketch", "run_datasketch.py", "--shingle char5 --threshold 0.7 --verify"),
    Rival("rensa, words", "lib", "rensa", "run_rensa.py", "--mode pairs --shingle word5 --threshold 0.7"),
    Rival("rensa, characters", "lib", "rensa", "run_rensa.py", "--mode pairs --shingle char5 --threshold 0.7"),
    Rival("gaoya, words", "lib", "gaoya", "run_gaoya.py", "--analyzer word --ngram 5 5 --threshold 0.7"),
    Rival("gaoya, characters", "lib", "gaoya", "run_gaoya.py", "--analyzer char --ngram 5 5 --threshold 0.7"),
    Rival("datatrove", "lib", "datatrove", "run_datatrove.py", "--lang {language}"),
    Rival("daft", "lib", "daft", "run_daft.py", ""),
    Rival("text-dedup", "textdedup", "text_dedup", "run_text_dedup.py", "--algo minhash"),
    Rival("data-juicer", "dj", "data_juicer", "run_data_juicer.py", "--tokenization {tokens}", gives_clusters=False),
)}


def installed(python, rival):
    if not python.exists():
        return False
    return subprocess.run([python, "-c", f"import importlib.util as u, sys; sys.exit(u.find_spec('{rival.package}') is None)"], check=False).returncode == 0


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_GIB << 30, LIMIT_GIB << 30))


def measure(command, out, log):
    """{"seconds"} or {"problem"} of one run."""
    start = time.monotonic()
    for step in (command, [*command, "--export"]):
        with open(log, "ab") as messages:
            run = subprocess.Popen(list(map(str, step)), stdin=subprocess.DEVNULL, stdout=messages, stderr=messages, start_new_session=True,
                                   preexec_fn=limit_memory, env={**os.environ, "HF_HUB_OFFLINE": "1"})
            try:
                run.wait(LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)  # a session of its own, so all that it started
                run.wait()
                return {"problem": f"needs more than {LIMIT_SECONDS // 60} minutes"}
        if run.returncode != 0:
            words = log.read_text(encoding="utf-8", errors="replace")
            memory = re.search(r"MemoryError|memory allocation of|Cannot allocate memory|bad_alloc", words)
            return {"problem": f"needs more than {LIMIT_GIB} GiB" if memory else f"fails with exit code {run.returncode}"}
        if step is command:
            seconds = time.monotonic() - start
    return {"seconds": round(seconds, 2)} if (out / "clusters.tsv").exists() else {"problem": "gave no result"}


def keep_result(cache, out, result):
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("clusters.tsv", "pairs.tsv"):
        if "problem" not in result and (out / name).exists():
            shutil.move(out / name, cache / name)
    (cache / "run.json").write_text(json.dumps(result) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=pathlib.Path, default=common.ROOT.parent / "shared", help="folder with data and peers [%(default)s]")
    parser.add_argument("--data", type=pathlib.Path, help="folder with the data sets [SHARED/data]")
    parser.add_argument("--environments", type=pathlib.Path, required=True, help="folder that SHARED/peers/setup.sh filled")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder of the results, created if missing")
    parser.add_argument("--set", action="append", default=[], help="only this set; may be repeated")
    parser.add_argument("--rival", action="append", default=[], choices=RIVALS, help="only this rival; may be repeated")
    options = parser.parse_args()
    options.data = options.data or options.shared / "data"
    options.work = options.cache / "work"
    options.work.mkdir(parents=True, exist_ok=True)
    sets = sorted(common.data_sets(options, options.set), key=lambda data: data.path.stat().st_size)
    for rival in (RIVALS[name] for name in options.rival or RIVALS):
        python = options.environments / rival.environment / "bin/python"
        if not installed(python, rival):
            common.say(f"{rival.name}: {rival.package} is not installed in {python}")
            continue
        for data in sets:
            cache = options.cache / data.name / rival.name
            if (cache / "run.json").exists():
                continue
            out = options.work / f"out-{os.getpid()}"
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            log = options.work / f"log-{os.getpid()}.txt"
            log.unlink(missing_ok=True)
            result = measure(rival.command(python, options.shared / "peers", data, out), out, log)
            keep_result(cache, out, result)
            if "problem" in result:
                shutil.copy(log, cache / "log.txt")
            common.say(f"{data.name}, {rival.name}: {result}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
