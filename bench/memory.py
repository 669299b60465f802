#!/usr/bin/env python3
"""Bar 5, memory: peak resident memory, and the same bytes under a small budget.

- At default settings the peak (as GNU time reports it) is at most 300 MB and 300 bytes for each document: on the large English and
  Chinese inputs of speed.py, and on --documents short documents, where the documents count for more than their bytes.
- Under each budget of --memory the run on the large inputs completes, and kept and verdicts have the SHA-256 of the default run.
"""
import sys

import common
import corpora
from report import Report

FIXED_MB = 300
BYTES_PER_DOCUMENT = 300


def bytes_per_document(peak_mb, documents):
    return max(0.0, (peak_mb - FIXED_MB) * 1e6 / documents)


def run_once(options, path, recipe, *more):
    """Returns (Run, summary, SHA-256 of the outputs)."""
    figures, counts, outputs = corpora.dedup(options, path, recipe, *more, keep_outputs=True)
    hashes = [common.sha256(output) for output in outputs]
    for output in outputs:
        output.unlink()
    return figures, counts, hashes


def row(name, recipe, memory, figures, counts):
    spilled_mb = counts["spilled_bytes"] / 1e6
    return [name, recipe, counts["read"], memory, f"{figures.peak_mb:.0f}", f"{spilled_mb:.0f}", f"{figures.seconds:.1f}"]


def judge(options, report, rows, name, path, recipe, budgets):
    common.say(name)
    figures, counts, hashes = run_once(options, path, recipe)
    rows.append(row(name, recipe, "default", figures, counts))
    bound = FIXED_MB + BYTES_PER_DOCUMENT * counts["read"] / 1e6
    per_document = bytes_per_document(figures.peak_mb, counts["read"])
    report.bar(f"{name}, {recipe}: peak <= {FIXED_MB} MB + {BYTES_PER_DOCUMENT} bytes x {counts['read']} documents = {bound:.0f} MB",
               f"{figures.peak_mb:.0f} MB, {per_document:.0f} bytes a document", figures.peak_mb <= bound)
    for budget in budgets:
        common.say(f"{name}, --memory {budget}")
        figures, counts, others = run_once(options, path, recipe, "--memory", budget)
        rows.append(row(name, recipe, budget, figures, counts))
        same = hashes == others
        report.bar(f"{name}, {recipe}: same bytes under --memory {budget}",
                   f"{'same' if same else 'other'} SHA-256, peak {figures.peak_mb:.0f} MB", same)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--mb", type=float, default=1000, help="size of the large inputs [%(default)s]")
    parser.add_argument("--documents", type=int, default=10_000_000, help="short documents [%(default)s]")
    parser.add_argument("--memory", nargs="+", default=["512MiB"], help="budgets [512MiB]")
    parser.add_argument("--corpus", action="append", default=[], choices=list(corpora.CORPORA), help="only this one; may be repeated")
    options = common.parse(parser)
    report = Report(options, "memory")
    rows = report.table(["input", "recipe", "documents", "--memory", "peak MB", "spilled MB", "seconds"])
    for name in options.corpus or corpora.CORPORA:
        corpus = corpora.CORPORA[name]
        judge(options, report, rows, name, corpora.make(options, corpus, options.mb), corpus.recipe, options.memory)
    if options.documents:
        path = corpora.make_short(options, "short", options.documents)
        judge(options, report, rows, "short documents", path, "words-5", options.memory)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
