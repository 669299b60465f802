#!/usr/bin/env python3
"""A very redundant corpus, decided at once and in slices (--batch): time, memory, disk, and the same bytes out.

The corpus is a question bank (make_question_bank) in which --planted of the documents are near-duplicates of an earlier one, and every line
comes --times times, each time with an id of its own and the lines in another order: exact copies and near-duplicates far from their keeper.
"""
import json
import pathlib
import random
import sys

import common
import watch
from report import Report

INPUTS = ("zh-passages", "zh-wiki", "zh-law-articles", "en-books", "en-docs-versions", "en-proc-codes")
THREADS = 2
RECIPES = {"words-5": ("--threshold", "0.8"), "simhash-chars-4": ("--max-distance", "3")}
GB = 1e9


def make_corpus(options):
    corpus = options.work / f"redundant-{options.documents}-{options.planted}-{options.times}.jsonl"
    if corpus.exists():
        return corpus
    bank = options.work / "redundant-bank.jsonl"
    common.run([common.tool(options, "make_question_bank"), "--documents", options.documents // options.times, "--out", bank, "--truth",
                options.work / "redundant-truth.tsv", "--planted", options.planted,
                *(common.plain(options, f"{name}.jsonl") for name in INPUTS)], options.work)
    texts = [json.loads(line)["text"] for line in common.lines(bank)]
    chance = random.Random(1)
    part, number = corpus.with_suffix(".part"), 0
    with open(part, "w", encoding="utf-8") as out:
        for _ in range(options.times):
            chance.shuffle(texts)
            for text in texts:
                number += 1
                out.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    part.rename(corpus)
    bank.unlink()
    return corpus


def measure(options, corpus, recipe, batch, with_folder):
    folders = common.make_folders(options, "slices")
    kept, summary = folders["out"] / "kept.jsonl", options.work / "slices-summary.json"
    command = [options.neardup, "dedup", corpus, "--recipe", recipe, *RECIPES[recipe], "--threads", THREADS, "--memory", options.memory,
               "--temp-dir", folders["temp"], "-o", kept, "--summary", summary, "--quiet", "--batch", batch,
               *(["--work", folders["run"]] if with_folder else [])]
    peaks = watch.run([str(word) for word in command], folders, options.work / "slices-messages.txt", [])
    counts = json.loads(summary.read_text(encoding="utf-8"))
    result = peaks, counts, common.sha256(kept), peaks.folders["run"], peaks.unnamed + peaks.folders["temp"]
    common.remove_folders(folders)
    return result


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--documents", type=int, default=10_000_000)
    parser.add_argument("--planted", type=float, default=0.5)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--batch", type=int, nargs="+", default=[2_000_000, 500_000])
    parser.add_argument("--memory", default="512MiB")
    options = common.parse(parser)
    report = Report(options, "slices")
    corpus = make_corpus(options)
    report.note(f"{options.documents / 1e6:g} million documents, {corpus.stat().st_size / GB:.2f} GB; {THREADS} threads, --memory {options.memory}. "
                "Folders: each at its own peak.")
    for recipe in RECIPES:
        for with_folder in (False, True):
            before = None
            for batch in (0, *options.batch):
                peaks, counts, bytes_out, run, temp = measure(options, corpus, recipe, batch, with_folder)
                report.table(["recipe", "--batch", "seconds", "private memory GB", "--work", "checkpoint directory GB", "temporary folder GB"]).append(
                    [recipe, batch or "-", f"{peaks.seconds:.1f}", f"{peaks.anonymous / GB:.2f}", "yes" if with_folder else "no",
                     f"{run / GB:.2f}", f"{temp / GB:.2f}"])
                if not with_folder and before is None:
                    report.note(f"{recipe}: {100 * counts['removed'] / counts['read']:.1f} % removed.")
                if before is None:
                    before = bytes_out, run + temp
                    continue
                report.bar(f"{recipe}, --batch {batch}{', --work' if with_folder else ''}: the same bytes out", bytes_out == before[0], bytes_out == before[0])
                if before[1] > 0.1 * GB:
                    report.bar(f"{recipe}, --batch {batch}{', --work' if with_folder else ''}: less disk", f"{100 * (run + temp) / before[1]:.0f} %",
                               run + temp < before[1])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
