"""The programs that speed.py compares with: other deduplicators, merely parsing, and ClickHouse's hashes of texts.

They run through the scripts of SHARED/peers in the Python of --peers, and through SHARED/limits. What is not installed is None or False
here, never an error.
"""
import dataclasses
import json
import re
import subprocess

import common


@dataclasses.dataclass
class Rival:
    name: str
    script: str
    arguments: str
    package: str
    min_ratio: float
    size: str = "mb"  # the option that says how much of the input it reads


RIVALS = {
    "english": [
        Rival("rensa, unigrams", "run_rensa.py", "--mode dedup --shingle split --threshold 0.7", "rensa", 10),
        Rival("rensa rho, unigrams", "run_rensa.py", "--mode rho --threshold 0.7", "rensa", 8),
        Rival("datasketch, words 5", "run_datasketch.py", "--shingle word5 --threshold 0.8", "datasketch", 100, "slow_mb"),
        Rival("Daft, words 5, not verified", "run_daft.py", "--ngram 5 --bands 21 --rows 6", "daft", 10, "daft_mb"),
    ],
    "english-chars": [Rival("rensa, chars 5", "run_rensa.py", "--mode dedup --shingle char5 --threshold 0.8", "rensa", 26, "slow_mb")],
    "chinese": [Rival("rensa, chars 5", "run_rensa.py", "--mode dedup --shingle char5 --threshold 0.8", "rensa", 22, "slow_mb")],
}
CLICKHOUSE = "sketch_chdb.py"
CLICKHOUSE_LINE = re.compile(r"^(.+): (\d+) MB/s$")


def installed(options, script, package):
    if not options.peers or not (options.shared / "peers" / script).exists():
        return False
    return subprocess.run([options.peers, "-c", f"import {package}"], capture_output=True, check=False).returncode == 0


def run_rival(options, rival, path):
    out = options.work / "out-rival"
    figures = common.run([options.peers, options.shared / "peers" / rival.script, path, out, *rival.arguments.split()], options.work)
    for file in out.iterdir():
        file.unlink()
    return figures


def parser_program(options):
    """The program of SHARED/limits, built if necessary, or None."""
    source = options.shared / "limits/limits.cpp"
    program = options.work / "limits"
    if not source.exists():
        return None
    if not program.exists():
        build = ["g++", "-O3", "-march=native", "-std=c++20", source, "-lsimdjson", "-licuuc", "-o", program]
        if subprocess.run(build, check=False).returncode != 0:
            return None
    return program


def parse_speed(program, path):
    """Megabytes of the file that one thread merely parses in a second."""
    return json.loads(subprocess.run([program, path], capture_output=True, check=True).stdout)["jsonl_parse_mb_s"]


def clickhouse_speeds(printed):
    """{what: megabytes of the file a second} of the lines that SHARED/peers/sketch_chdb.py prints."""
    return {found[1]: int(found[2]) for found in map(CLICKHOUSE_LINE.match, printed.splitlines()) if found}


def run_clickhouse(options, path):
    done = subprocess.run([options.peers, options.shared / "peers" / CLICKHOUSE, path], capture_output=True, check=True, text=True)
    return clickhouse_speeds(done.stdout)
