#!/usr/bin/env python3
"""A clue index of all data sets, and what it answers to clues from Chinese law, classics and English licences: the last part of docs/search.md.

Every question is one command, whose time is that of the whole process with a warm page cache.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # pylint: disable=wrong-import-position
from report import Report  # pylint: disable=wrong-import-position

CLUES = (
    ("中华人民共和国的一切权力属于人民",),
    ("以事实为根据，以法律为准绳",),
    ("以事实为依据，以法律为准绳", "--edits", "10%"),
    ("先帝创业未半，而中道崩殂",),
    ("王侯将相宁有种乎",),
    ("王侯将相宁有种乎", "--scan"),
    ("THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND",),
    ("the software is provided as is, with no warranty of any kind", "--edits", "10%"),
    ("Permission is granted to any person obtaining a copy of this software and associated documentation files to deal in the Software "
     "without restriction", "--resembles", "--threshold", "0.7"),
)
SHOWN = 60  # characters of a cell


def shortened(text):
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def ask(options, folder, clue, *more):
    """(the answer with hits, the number of all matching texts, milliseconds of the first command)"""
    command = [options.neardup, "search", folder, "--text", clue, "--json", *more]
    subprocess.run(command, check=True, capture_output=True)
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True)
    milliseconds = 1000 * (time.perf_counter() - start)
    counted = subprocess.run([*command, "--count"], check=True, capture_output=True)
    return json.loads(done.stdout), json.loads(counted.stdout)["count"], milliseconds


def main():
    options = common.parse(common.parser(__doc__))
    report = Report(options, "clue_real")
    names = sorted(path.name.removesuffix(".zst") for path in options.data.glob("*.jsonl*") if not re.search(r"pairs|html", path.name))
    inputs = [common.plain(options, name) for name in names]
    folder = options.work / "clue-real"
    shutil.rmtree(folder, ignore_errors=True)
    figures = common.run([options.neardup, "index", "build", folder, *inputs, "--kind", "clue", "--summary", options.work / "clue-real.json"],
                         options.work)
    summary = json.loads((options.work / "clue-real.json").read_text(encoding="utf-8"))
    built = (f"{len(inputs)} sets, {summary['added']:,} texts, {summary['text_bytes'] / 1e6:.0f} MB: built in {figures.seconds:.1f} s "
             f"({figures.cpu_seconds:.1f} s of processor time); {summary['index_bytes'] / 1e6:.0f} MB with the texts, the index proper "
             f"{summary['anchor_bytes'] / 1e6:.0f} MB, {summary['anchor_bytes'] / summary['text_bytes']:.2f} bytes a byte of text.")
    report.note(built)
    columns = ["clue", "options", "certainty", "texts", "ms", "first text", "passage"]
    rows = report.table(columns)
    for clue, *more in CLUES:
        answer, count, milliseconds = ask(options, folder, clue, *more)
        certainty = answer["certainty"]
        if certainty == "likely":
            certainty += f", {100 * answer['predicted_recall']:.1f} %"
        first = answer["hits"][0] if answer["hits"] else {"id": "", "passage": ""}
        rows.append([shortened(clue), " ".join(more), certainty, count, f"{milliseconds:.0f}", f"`{shortened(first['id'])}`" if answer["hits"] else "",
                     shortened(first.get("differences", first["passage"]))])
    cells = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in [columns, ["---"] * len(columns), *rows]]
    report.part("docs/search.md", "clue_real", "\n".join([built, "", *cells]))
    code = report.finish()
    shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
