#!/usr/bin/env python3
"""A clue index of all data sets, and what it answers to clues from Chinese law, classics and English licences: a part of docs/search.md.

Every question is one command, whose time is that of the whole process with a warm page cache. Of the hits, those of the first three works
are shown, where a work is all that has the same id without edition, part and version.
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

CLUES = (  # clue, options, what the answer shows
    ("公民的合法的私有财产不受侵犯", "", "The constitution, the amendment that brought the sentence, and an encyclopedia in traditional characters."),
    ("民事主体从事民事活动，应当遵循诚信原则，秉持诚实，恪守承诺", "", "An article of the civil code, and the report of a case that quotes it."),
    ("以事实为根据，以法律为准绳", "", "The wording of the laws."),
    ("以事实为依据，以法律为准绳", "--edits 10%", "A common variant. A few rules have it; they come first."),
    ("今亡亦死，举大计亦死，等死，死国可乎", "", "*Records of the Grand Historian*, and a book of the 12th century that quotes it."),
    ("风萧萧兮易水寒，壮士一去兮不复还", "", "Two histories tell the same story."),
    ("穷则独善其身，达则兼济天下", "--edits 20%", "As it is quoted today. Mencius wrote 善, and so did a historian who quoted him."),
    ("床前明月光，疑是地上霜", "--edits 20%", "As children learn it. Editions in traditional characters have 看."),
    ("王侯将相宁有种乎", "", "Eight ideographs are too few to be certain ..."),
    ("王侯将相宁有种乎", "--scan", "... unless every text is read."),
    ("THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND", "", "Boilerplate, in any case and with any quotation marks."),
    ("the software is provided as is, with no warranty of any kind", "--edits 10%", "The same from memory."),
    ("Permission is granted to any person obtaining a copy of this software and associated documentation files to deal in the Software "
     "without restriction", "--resembles --threshold 0.7", "A whole sentence from memory, in any order of its parts."),
    ("to be, or not to be: that is the question", "", "Not in any book of the corpus, but in the manual of a message queue."),
)
SHOWN = 3
CHARACTERS = 100


def shortened(text):
    text = re.sub(r"\s+", " ", text).strip(" ,.*").replace("*", "")
    return text if len(text) <= CHARACTERS else text[:CHARACTERS] + " ..."


def work_of(name):
    """古文原文/史记/X/text.txt and 双语数据/史记/X/source.txt are editions of one work, A.md#13 is a part of A.md, a.c@1f a version of a.c."""
    edition = re.fullmatch(r"(?:古文原文|双语数据)/(.*)/\w+\.txt", name)
    return edition[1] if edition else re.sub(r"[#@][^/]*$|/version-[\d.]+|/current", "", name)


def ask(options, folder, clue, more):
    """(the answer with hits, the number of all matching texts, milliseconds)"""
    command = [options.neardup, "search", folder, "--text", clue, "--json", *more.split()]
    subprocess.run(command, check=True, capture_output=True)
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True)
    milliseconds = 1000 * (time.perf_counter() - start)
    counted = subprocess.run([*command, "--count"], check=True, capture_output=True)
    return json.loads(done.stdout), json.loads(counted.stdout), milliseconds


def question(clue, more, caption, answer, counted, milliseconds):
    """The Markdown of a clue and its answer."""
    certainty = answer["certainty"]
    if certainty == "likely":
        certainty += f" ({100 * answer['predicted_recall']:.1f} % expected)"
    count = f"{'at least ' if counted['more'] else ''}{counted['count']:,} text{'' if counted['count'] == 1 else 's'}"
    lines = [f"**{clue}**{f' `{more}`' if more else ''}: {count}, {certainty}, {milliseconds:.0f} ms. {caption}", ""]
    seen = set()
    for hit in answer["hits"]:
        work = work_of(hit["id"])
        if work in seen:
            continue
        seen.add(work)
        if len(seen) > SHOWN:
            break
        figure = f" ({hit['similarity']:.2f})" if "similarity" in hit else ""
        lines.append(f"- {hit['id']}{figure}: {shortened(hit.get('differences', hit['passage']))}")
    return "\n".join(lines)


def main():
    options = common.parse(common.parser(__doc__))
    report = Report(options, "clue_real")
    names = sorted(path.name.removesuffix(".zst") for path in options.data.glob("*.jsonl*") if not re.search(r"pairs|html", path.name))
    inputs = [common.plain(options, name) for name in names]
    folder = options.work / "clue-real"
    shutil.rmtree(folder, ignore_errors=True)
    summary_file = options.work / "clue-real.json"
    figures = common.run([options.neardup, "index", "build", folder, *inputs, "--kind", "clue", "--fold-han", "--summary", summary_file], options.work)
    summary = json.loads(summary_file.read_text(encoding="utf-8"))
    built = (f"{len(inputs)} sets, {summary['added']:,} texts, {summary['text_bytes'] / 1e6:.0f} MB, built with `--fold-han` in "
             f"{figures.cpu_seconds:.1f} s of processor time. The index proper has {summary['anchor_bytes'] / 1e6:.0f} MB, "
             f"{summary['anchor_bytes'] / summary['text_bytes']:.2f} bytes a byte of text; with the texts, it has {summary['index_bytes'] / 1e6:.0f} MB.")
    answers = [built, *(question(*clue, *ask(options, folder, clue[0], clue[1])) for clue in CLUES)]
    for answer in answers[1:]:
        common.say(f"{answer}\n")
    report.note(f"{built} Clues and answers: [search.md](../docs/search.md#on-real-texts).")
    report.part("docs/search.md", "clue_real", "\n\n".join(answers))
    code = report.finish()
    shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
