#!/usr/bin/env python3
"""Bar 3, determinism: the SHA-256 of kept, removed, verdicts and pairs does not depend on how they were computed.

The input (by default made with make_corpus: English and Chinese with planted near-duplicates) goes through several jobs: LSH and exact
search, scan rule and components, dedup and pairs. Each job runs once as the reference, with one thread and baseline kernels, and
again with every variation: threads, instruction sets, memory budgets, input compressed with gzip, zstd or bzip2, and some of these
together. The compressed files carry the same name in other folders, because verdicts name their source.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys

import common
from report import Report

SETS = ["en-licenses", "en-proc-codes", "zh-law-articles"]
PACKERS = {"gz": ["gzip", "-1"], "zst": ["zstd", "-q", "-1"], "bz2": ["bzip2", "-1"]}
JOBS = {
    "dedup, words-5, lsh": ["dedup", "--recipe", "words-5"],
    "dedup, chars-5, lsh, keep longest": ["dedup", "--recipe", "chars-5", "--keep", "longest"],
    "dedup, words-5, components": ["dedup", "--recipe", "words-5", "--cluster", "components", "--threshold", "0.7"],
    "pairs, words-5, lsh": ["pairs", "--recipe", "words-5"],
    "dedup, chars-5, exact": ["dedup", "--recipe", "chars-5", "--search", "exact"],
    "pairs, chars-5, exact": ["pairs", "--recipe", "chars-5", "--search", "exact", "--threshold", "0.7"],
}
OUTPUTS = {"dedup": {"-o": "kept.jsonl", "--removed": "removed.jsonl", "--verdicts": "verdicts.jsonl"}, "pairs": {"-o": "pairs.tsv"}}


def kernels(options):
    """The instruction sets that this processor has: the program refuses the others."""
    names = []
    for name in ("baseline", "avx2", "avx512"):
        try:
            common.run([options.neardup, "doctor"], options.work, env={"NEARDUP_KERNELS": name})
            names.append(name)
        except RuntimeError:
            common.say(f"no {name} kernels here")
    return names


def make_inputs(options):
    """Folders with the same file name: plain, and one per compression."""
    folder = options.work / "determinism"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "plain").mkdir(parents=True)
    plain = folder / "plain/corpus.jsonl"
    if options.input:
        shutil.copyfile(options.input, plain)
    else:
        common.run([common.tool(options, "make_corpus"), "--mb", options.mb, "--out", plain,
                    *(common.plain(options, f"{name}.jsonl") for name in SETS)], options.work)
    small = folder / "small/corpus.jsonl"  # for the exact search, which is not made for large inputs
    small.parent.mkdir()
    with open(plain, "rb") as source, open(small, "wb") as target:
        target.writelines(source.readlines(int(options.exact_mb * 1e6)))
    for size in ("plain", "small"):
        for name, packer in PACKERS.items():
            packed = folder / f"{size}-{name}/corpus.jsonl"
            packed.parent.mkdir()
            with open(folder / size / "corpus.jsonl", "rb") as source, open(packed, "wb") as target:
                subprocess.run([*packer, "-c"], stdin=source, stdout=target, check=True)
    return folder


def variations(options, names):
    """Yields (threads, kernels, memory, compression): the reference, one change at a time, then random mixtures."""
    reference = (1, names[0], None, None)
    yield reference
    yield from ((threads, names[-1], None, None) for threads in options.threads)
    yield from ((2, name, None, None) for name in names)
    yield from ((2, names[-1], memory, None) for memory in options.memory)
    yield from ((2, names[-1], None, packer) for packer in PACKERS)
    mixed = random.Random(3)
    for _ in range(options.mixed):
        yield (mixed.choice(options.threads), mixed.choice(names), mixed.choice([None, *options.memory]), mixed.choice([None, *PACKERS]))


def run_job(options, arguments, folder, variation):
    """Returns {output: SHA-256} and the bytes that went to disk; or None, 0 when the memory does not do for the exact search."""
    threads, kernel, memory, packer = variation
    exact = "exact" in arguments
    place = folder / (("small" if exact else "plain") + (f"-{packer}" if packer else ""))
    out = folder / "out"
    out.mkdir()
    summary = folder / "summary.json"
    command = [options.neardup, arguments[0], "corpus.jsonl", *arguments[1:], "--threads", threads, "--summary", summary]
    command += ["--memory", memory] if memory else []
    for flag, name in OUTPUTS[arguments[0]].items():
        command += [flag, out / name]
    try:
        common.run(command, options.work, cwd=place, env={"NEARDUP_KERNELS": kernel})
        spilled = json.loads(summary.read_text(encoding="utf-8"))["spilled_bytes"]
        return {path.name: common.sha256(path) for path in sorted(out.iterdir())}, spilled
    except RuntimeError as error:
        if exact and memory and "raise --memory" in str(error) and not any(out.iterdir()):
            return None, 0
        raise
    finally:
        shutil.rmtree(out)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--input", type=pathlib.Path, help="a JSON Lines file instead of the one that is made")
    parser.add_argument("--mb", type=float, default=200, help="size of the input that is made [%(default)s]")
    parser.add_argument("--exact-mb", type=float, default=10, help="its first part, for the exact search [%(default)s]")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 7])
    parser.add_argument("--memory", nargs="+", default=["64MiB", "128MiB", "512MiB", "4GiB"])
    parser.add_argument("--mixed", type=int, default=6, help="random mixtures of all of these [%(default)s]")
    parser.add_argument("--job", action="append", default=[], choices=list(JOBS), help="only this job; may be repeated")
    options = common.parse(parser)
    report = Report(options, "determinism")
    names = kernels(options)
    folder = make_inputs(options)
    report.note(f"Threads {options.threads}; kernels {', '.join(names)}; memory {', '.join(options.memory)} and default; input plain, "
                f"{', '.join(PACKERS)}; {options.mixed} random mixtures.")
    rows = report.table(["job", "runs", "refused for memory", "most MB spilled", "different", "SHA-256 of the outputs, first 12 digits"])
    total = wrong = 0
    for job in options.job or JOBS:
        common.say(job)
        reference, runs, refused, different, most_spilled = None, 0, 0, 0, 0
        for variation in variations(options, names):
            hashes, spilled = run_job(options, JOBS[job], folder, variation)
            runs += 1
            most_spilled = max(most_spilled, spilled)
            refused += hashes is None
            reference = reference or hashes
            if hashes is not None and hashes != reference:
                different += 1
                changed = [name for name in hashes if hashes[name] != reference[name]]
                common.say(f"  {job}: threads, kernels, memory, compression = {variation} changes {', '.join(changed)}")
        digests = ", ".join(f"{name} {digest[:12]}" for name, digest in reference.items())
        rows.append([job, runs, refused, f"{most_spilled / 1e6:.0f}", different, digests])
        total += runs
        wrong += different
    shutil.rmtree(folder)
    report.bar("same SHA-256 of every output in all runs", f"{total - wrong} of {total}", not wrong)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
