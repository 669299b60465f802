#!/usr/bin/env python3
"""Does reading hide behind the work? Parquet and gzip JSON Lines through `neardup dedup`, against source and engine alone.

  bench/tables.py [--megabytes 400] [--recipe words-5] [--threads 2]

Source alone: bench/source_speed reads all texts once and does nothing with them. Engine alone: `neardup dedup --verdicts` over the same
documents as plain JSON Lines in the page cache; pipeline: the same over the source. Of both, the first pass, which is the one that reads
every text, and the whole run. All in megabytes of text a second, the best of three.
The bar: the first pass of the pipeline has at least 80 % of the speed of the slower of the two. Where source and engine both use all
processors, the most that can be had is 1 / (1/source + 1/engine); the table has that, too.
"""
import gzip
import json
import subprocess

import common
import corpora
import report

RUNS = 3


def engine(options, path):
    """MB/s of text: the first pass, the whole run."""
    passes, runs = [], []
    for _ in range(RUNS):
        summary, verdicts = options.work / "tables.json", options.work / "tables.tsv"
        subprocess.run([options.neardup, "dedup", path, "--recipe", options.recipe, "--threads", str(options.threads), "--verdicts",
                        verdicts, "--summary", summary, "-q"], check=True)
        found = json.loads(summary.read_text(encoding="utf-8"))
        megabytes = found["text_bytes"] / 1e6
        passes.append(megabytes / found["passes"][0]["seconds"])
        runs.append(megabytes / sum(each["seconds"] for each in found["passes"]))
    return max(passes), max(runs)


def source(options, path):
    best = 0
    for _ in range(RUNS):
        result = subprocess.run([common.tool(options, "source_speed"), path, str(options.threads)], stdout=subprocess.PIPE, check=True)
        found = json.loads(result.stdout)
        best = max(best, found["text_bytes"] / 1e6 / found["seconds"])
    return best


def main():
    made = common.parser(__doc__)
    made.add_argument("--corpus", default="english", choices=corpora.CORPORA, help="[%(default)s]")
    made.add_argument("--megabytes", type=int, default=400)
    made.add_argument("--recipe", default="words-5")
    made.add_argument("--threads", type=int, default=2)
    options = common.parse(made)
    printed = report.Report(options, "tables")
    plain = corpora.make(options, corpora.CORPORA[options.corpus], options.megabytes)
    packed = options.work / "tables.jsonl.gz"
    with open(plain, "rb") as lines, gzip.open(packed, "wb", compresslevel=6) as out:
        while piece := lines.read(1 << 20):
            out.write(piece)
    table = options.work / "tables.parquet"
    # Without near-duplicates taken out: all rows.
    subprocess.run([options.neardup, "dedup", plain, "--annotate", table, "-q"], check=True)

    alone, alone_run = engine(options, plain)
    rows = printed.table(["source", "source alone MB/s", "engine alone MB/s", "pipeline MB/s", "of the slower", "whole run MB/s",
                          "whole run, plain JSONL"])
    for name, path in (("Parquet, zstd", table), ("JSON Lines, gzip", packed)):
        read = source(options, path)
        piped, run = engine(options, path)
        share = piped / min(read, alone)
        rows.append([name, f"{read:.0f}", f"{alone:.0f}", f"{piped:.0f}", f"{share:.0%}", f"{run:.0f}", f"{alone_run:.0f}"])
        printed.bar(f"{name}: pipeline >= 80 % of the slower of source and engine", f"{share:.0%}", share >= 0.8)
    raise SystemExit(printed.finish())


if __name__ == "__main__":
    main()
