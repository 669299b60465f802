"""What the scripts of bench/ share: options, data sets, and runs under GNU time. Reports are in report.py."""
import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = {"en-licenses": "0.7", "en-proc-codes": "0.6"}  # the least similarity that the file of exact pairs lists; else 0.5
TEXT_FIELDS = {"html-libreoffice": "expected", "smoke-html": "expected"}


def parser(doc):
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="build directory [%(default)s]")
    made.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared", help="folder with data, limits, peers [%(default)s]")
    made.add_argument("--data", type=pathlib.Path, help="folder with the data sets, .zst or not [SHARED/data]")
    made.add_argument("--work", type=pathlib.Path, help="folder for inputs that are made, and results [BUILD/bench-work]")
    made.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    made.add_argument("--report-only", action="store_true", help="exit code 0 although a bar is not met")
    made.add_argument("--update", action="store_true", help="put the report into bench/README.md")
    return made


def add_parts(made, parts):
    """--only, of scripts whose parts can be run alone; chosen_parts() reads it."""
    made.add_argument("--only", default=",".join(parts), help="parts, comma separated [%(default)s]")


def chosen_parts(made, options, parts):
    """Those of --only, in its order. Ends the program for one that does not exist."""
    chosen = options.only.split(",")
    if set(chosen) - set(parts):
        made.error(f"--only: {options.only} is not of {', '.join(parts)}")
    return chosen


def use_cores(count):
    """Restricts this script, and what it starts from now on, to so many cores, so that no program has more than another."""
    available = sorted(os.sched_getaffinity(0))
    if count > len(available):
        sys.exit(f"--cores {count}: this machine has {len(available)}")
    os.sched_setaffinity(0, available[:count])


def parse(made):
    """Parses the arguments, completes the folders, and checks that the program exists."""
    options = made.parse_args()
    options.build = options.build.resolve()
    options.shared = options.shared.resolve()
    options.data = (options.data or options.shared / "data").resolve()
    options.work = (options.work or options.build / "bench-work").resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    options.neardup = options.build / "apps/cli/neardup"
    if not options.neardup.exists():
        sys.exit(f"{options.neardup} is not there: build with -DNEARDUP_BENCH=ON, or say --build")
    return options


def tool(options, name):
    """A program of bench/, such as make_corpus."""
    path = options.build / "bench" / name
    if not path.exists():
        sys.exit(f"{path} is not there: configure with -DNEARDUP_BENCH=ON")
    return path


def say(text):
    print(text, file=sys.stderr, flush=True)


BANK_INPUTS = ("zh-passages", "zh-wiki", "zh-law-articles", "en-books", "en-docs-versions", "en-proc-codes")

# --- data sets ---------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class DataSet:
    name: str
    path: pathlib.Path
    pairs_path: pathlib.Path
    floor: str
    text_field: str

    def pairs(self):
        return read_pairs(self.pairs_path)


def plain(options, name):
    """The path of a file of the data folder, decompressed into the work folder if only the .zst exists."""
    path = options.data / name
    if path.exists():
        return path
    packed = options.data / f"{name}.zst"
    if not packed.exists():
        sys.exit(f"{packed} is not there: --data names the folder with the data sets")
    path = options.work / "data" / name
    if not path.exists() or path.stat().st_mtime < packed.stat().st_mtime:
        path.parent.mkdir(exist_ok=True)
        part = path.with_suffix(".part")
        subprocess.run(["zstd", "-dfq", packed, "-o", part], check=True)
        os.utime(part)  # zstd keeps the time of the packed file
        part.rename(path)
    return path


def data_sets(options, wanted=()):
    """All sets with exact pairs, or those named."""
    ending = re.compile(r"(.+)\.exact-pairs\.tsv(\.zst)?$")
    names = sorted({match[1] for match in map(ending.match, os.listdir(options.data)) if match})
    unknown = set(wanted) - set(names)
    if unknown or not names:
        sys.exit(f"no exact pairs in {options.data} for: {', '.join(sorted(unknown)) or 'any set'}")
    return [DataSet(name, plain(options, f"{name}.jsonl"), plain(options, f"{name}.exact-pairs.tsv"), FLOORS.get(name, "0.5"),
                    TEXT_FIELDS.get(name, "text")) for name in names if not wanted or name in wanted]



def bank(options, documents):
    """The path of a question bank, made once per work folder."""
    path = options.work / f"bank-{documents}.jsonl"
    if not path.exists():
        say(f"making {path.name}")
        part, truth = path.with_suffix(".part"), path.with_suffix(".tsv")
        run([tool(options, "make_question_bank"), "--documents", documents, "--out", part, "--truth", truth, "--sample", 100,
                    *(plain(options, f"{name}.jsonl") for name in BANK_INPUTS)], options.work)
        part.rename(path)
    return path

def clean_id(value):
    """An id in the form of tab-separated files."""
    return re.sub(r"[\t\r\n]", " ", str(value))


def pair_key(a, b):
    return (a, b) if a < b else (b, a)


def lines(path):
    """Yields lines that end with \\n only: other line separators are text."""
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


def read_pairs(path, header=False):
    """{unordered pair of ids: similarity as written}."""
    found = {}
    for number, line in enumerate(lines(path)):
        if header and number == 0:
            continue
        a, b, similarity = line.split("\t")
        key = pair_key(a, b)
        if key in found:
            raise ValueError(f"{path}:{number + 1}: the pair occurs twice")
        found[key] = similarity
    return found


def read_records(path):
    return [json.loads(line) for line in lines(path)]


def remove_folders(folders):
    for path in folders.values():
        shutil.rmtree(path, ignore_errors=True)


def make_folders(options, name):
    """{"run", "temp", "out": path}: the folders of a measured run; the run creates "run", the others exist and are empty."""
    folders = {part: options.work / f"{name}-{part}" for part in ("run", "temp", "out")}
    remove_folders(folders)
    for part in ("temp", "out"):
        folders[part].mkdir()
    return folders


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- runs --------------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Run:
    seconds: float
    cpu_seconds: float
    peak_mb: float  # MB of 10^6 bytes, resident, of the largest process


def run(command, work, *, cwd=None, env=None, timeout=None):
    """Runs a command under GNU time. Raises RuntimeError with its messages when it fails."""
    figures = work / f"time-{os.getpid()}.txt"
    start = time.perf_counter()
    done = subprocess.run(["/usr/bin/time", "-q", "-o", figures, "-f", "%U %S %M", *map(str, command)], cwd=cwd,
                          env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {' '.join(map(str, command))}\n{done.stderr.decode(errors='replace')[-2000:]}")
    user, system, kilobytes = figures.read_text(encoding="ascii").split()
    figures.unlink()
    return Run(seconds, float(user) + float(system), int(kilobytes) * 1024 / 1e6)


def read_into_cache(path):
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 24):
            pass
