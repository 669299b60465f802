#!/usr/bin/env python3
"""Bar 4, second half: what is found and what is lost, neardup and rivals, judged by the exact pairs.

resolved: of the exact pairs at 0.8 and above (shingles of 5 characters), the share of which at least one document was removed.
lost:     removed documents that resemble no other document of the set at 0.8; in brackets, at the least similarity that the file lists.

A program that looks at words is not wrong where it differs from a measure over characters; the bars are on chars-5 against rivals with
the same shingles: resolved not below theirs, and nothing lost.
"""
import collections
import dataclasses
import fractions
import pathlib
import subprocess
import sys

import common
from report import Report

SETS = ["en-proc-codes", "en-licenses", "en-docs-versions", "zh-law-articles", "zh-wiki"]
OWN = {"neardup words-5": ["--recipe", "words-5"], "neardup chars-5": ["--recipe", "chars-5"]}
RIVALS = {
    "rensa, unigrams": ("rensa", "run_rensa.py --mode dedup --shingle split --threshold 0.7"),
    "rensa rho, unigrams": ("rensa", "run_rensa.py --mode rho --threshold 0.7"),
    "rensa, chars 5": ("rensa", "run_rensa.py --mode dedup --shingle char5 --threshold 0.8"),
    "datasketch, chars 5": ("datasketch", "run_datasketch.py --shingle char5 --threshold 0.8"),
}
JUDGED = "neardup chars-5"
SAME_SHINGLES = "chars 5"


@dataclasses.dataclass
class Quality:
    removed: int
    resolved: float
    lost: int
    lost_at_floor: int


def removed_by_neardup(options, path, arguments):
    out = options.work / "quality-verdicts.jsonl"
    common.run([options.neardup, "dedup", path, *arguments, "--verdicts", out], options.work)
    removed = {common.clean_id(verdict["id"]) for verdict in common.read_records(out) if verdict["verdict"] == "remove"}
    out.unlink()
    return removed


def removed_by_rival(options, path, arguments):
    out = options.work / "quality-rival"
    script, *more = arguments.split()
    common.run([options.peers, options.shared / "peers" / script, path, out, *more], options.work)
    rows = (line.split("\t") for line in common.lines(out / "clusters.tsv"))
    return {row[0] for row in rows if row[2] == "0"}


def judge(removed, pairs):
    partners, near = set(), set()
    similar = resolved = 0
    for (a, b), similarity in pairs.items():
        partners.update((a, b))
        if fractions.Fraction(similarity) < fractions.Fraction("0.8"):
            continue
        near.update((a, b))
        similar += 1
        resolved += a in removed or b in removed
    return Quality(len(removed), resolved / similar if similar else 1.0, len(removed - near), len(removed - partners))


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help=f"a data set; may be repeated [{' '.join(SETS)}]")
    parser.add_argument("--peers", type=pathlib.Path, help="a Python with the rivals, made by SHARED/peers/setup.sh")
    options = common.parse(parser)
    report = Report(options, "quality")
    programs = {name: (removed_by_neardup, arguments) for name, arguments in OWN.items()}
    for name, (package, arguments) in RIVALS.items():
        if options.peers and subprocess.run([options.peers, "-c", f"import {package}"], capture_output=True, check=False).returncode == 0:
            programs[name] = (removed_by_rival, arguments)
        else:
            report.note(f"{name} is not there (--peers names a Python with {package}): not judged.")
    rows = report.table(["set", "program", "removed", "resolved", "lost"])
    found = collections.defaultdict(dict)
    for data in common.data_sets(options, options.set or SETS):
        pairs = data.pairs()
        for name, (run, arguments) in programs.items():
            common.say(f"{data.name}: {name}")
            made = judge(run(options, data.path, arguments), pairs)
            found[name][data.name] = made
            rows.append([data.name, name, made.removed, f"{100 * made.resolved:.2f} %", f"{made.lost} ({made.lost_at_floor})"])
    own = found[JUDGED]
    report.bar(f"{JUDGED}: no document removed that resembles none at 0.8", f"{sum(each.lost for each in own.values())} lost",
               not any(each.lost for each in own.values()))
    for name, results in found.items():
        if not name.endswith(SAME_SHINGLES):
            continue
        below = [data for data, made in results.items() if own[data].resolved < made.resolved]
        report.bar(f"{JUDGED}: resolves no smaller share than {name}, on every set",
                   "below on " + ", ".join(below) if below else f"{len(results)} of {len(results)} sets", not below)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
