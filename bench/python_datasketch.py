#!/usr/bin/env python3
"""neardup.compat.datasketch against the installed package datasketch, in one process: the same tokens and signatures, the same answers.

Needs the packages neardup (or PYTHONPATH=BUILD/python), datasketch and scipy. Bars: a MinHash of 1,000 tokens 30 times as fast, insert
and query of MinHashLSH 10 times. A MinHash is timed several times, and the fastest run counts; the index once, because it takes minutes.
All is measured in processor time, because one thread does it, except bulk, which has all cores and is measured by the clock.
The signatures are of random values; every third one is an earlier one with about ten values changed.
"""

import gc
import sys
import time

import common
import datasketch
import numpy as np
from report import Report

import neardup.compat.datasketch as ours

NUM_PERM = 128
SCHEMES = ("affine32", "affine64", "legacy")
TOKENS = [b"token%d" % i for i in range(1000)]
SETS = [[b"%d" % token for token in range(i, i + 1000)] for i in range(0, 20_000, 100)]
MINHASH_BAR = 30
LSH_BAR = 10


def fastest(call, runs, clock=time.process_time):
    """The seconds of the fastest call."""
    best = float("inf")
    for _ in range(runs):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best


def row(name, theirs, own, unit, bar):
    return {"name": name, "datasketch": theirs, "neardup": own, "unit": unit, "ratio": theirs / own, "bar": bar}


def one_by_one(minhash):
    update = minhash.update
    for token in TOKENS:
        update(token)


def minhash_rows(runs):
    """1,000 tokens into an existing MinHash, in microseconds."""
    rows = []
    for scheme in SCHEMES:
        pair = [package.MinHash(NUM_PERM, scheme=scheme) for package in (datasketch, ours)]
        theirs, own = (fastest(lambda m=m: m.update_batch(TOKENS), runs) for m in pair)
        rows.append(row(f"update_batch, {scheme}", theirs * 1e6, own * 1e6, "us", MINHASH_BAR))
        theirs, own = (fastest(lambda m=m: one_by_one(m), max(3, runs // 10)) for m in pair)
        rows.append(row(f"update, one token at a time, {scheme}", theirs * 1e6, own * 1e6, "us", MINHASH_BAR))
        assert np.array_equal(pair[0].hashvalues, pair[1].hashvalues)
    made = []
    seconds = []
    for package in (datasketch, ours):
        seconds.append(
            fastest(lambda package=package: made.append(package.MinHash.bulk(SETS, num_perm=NUM_PERM)), 3, time.perf_counter) / len(SETS)
        )
    assert all(np.array_equal(a.hashvalues, b.hashvalues) for a, b in zip(made[0], made[-1]))
    rows.append(row(f"bulk, a set of 1,000, of {len(SETS)} sets", seconds[0] * 1e6, seconds[1] * 1e6, "us", MINHASH_BAR))
    return rows


def make_values(count):
    random = np.random.RandomState(1)
    values = random.randint(0, 2**32, (count, NUM_PERM), dtype=np.uint32)
    for i in range(3, count, 3):
        values[i] = values[i // 2]
        values[i, random.randint(0, NUM_PERM, 10)] = random.randint(0, 2**32, 10, dtype=np.uint32)
    return values


def run_index(package, values, threshold):
    """Seconds of insert and of query, for each query a checksum of its keys, the number of all keys, and the bands."""
    permutations = package.MinHash(NUM_PERM).permutations
    minhashes = [package.MinHash(hashvalues=row, permutations=permutations, scheme="affine32") for row in values]
    lsh = package.MinHashLSH(threshold, NUM_PERM)
    start = time.process_time()
    for key, minhash in enumerate(minhashes):
        lsh.insert(key, minhash)
    inserting = time.process_time() - start
    # As most programs do, it drops each answer before the next query: millions of lists would measure Python's garbage collection.
    found = 0
    start = time.process_time()
    for minhash in minhashes:
        found += len(lsh.query(minhash))
    querying = time.process_time() - start
    digests = [hash(tuple(sorted(lsh.query(minhash)))) for minhash in minhashes]
    return inserting, querying, digests, found, (lsh.b, lsh.r)


def lsh_rows(count, threshold):
    values = make_values(count)
    results = []
    for package in (datasketch, ours):
        results.append(run_index(package, values, threshold))
        gc.collect()
        print(f"{package.__name__}: insert {results[-1][0]:.1f} s, query {results[-1][1]:.1f} s", file=sys.stderr, flush=True)
    assert results[0][2:] == results[1][2:], "the answers differ"
    b, r = results[0][4]
    what = f"{count:,} signatures, threshold {threshold}: {b} bands of {r}"
    found = results[0][3]
    return [
        row(f"MinHashLSH.insert, {what}", results[0][0], results[1][0], "s", LSH_BAR),
        row(f"MinHashLSH.query, {what}, {found:,} keys found", results[0][1], results[1][1], "s", LSH_BAR),
    ]


def main():
    made = common.parser(__doc__)
    made.add_argument("--signatures", type=int, default=1_000_000, help="in the index; 0: no index [%(default)s]")
    made.add_argument("--threshold", type=float, default=0.8, help="of the index [%(default)s]")
    made.add_argument("--runs", type=int, default=50, help="of a MinHash [%(default)s]")
    options = made.parse_args()
    report = Report(options, "python_datasketch")
    rows = minhash_rows(options.runs)
    if options.signatures:
        rows += lsh_rows(options.signatures, options.threshold)
    table = report.table([f"{NUM_PERM} permutations", f"datasketch {datasketch.__version__}", "neardup", "neardup is"])
    for each in rows:
        table.append(
            [each["name"], *(f"{each[side]:,.1f} {each['unit']}" for side in ("datasketch", "neardup")), f"{each['ratio']:.1f}x"]
        )
        report.bar(f"{each['name']}: at least {each['bar']}x", f"{each['ratio']:.1f}x", each["ratio"] >= each["bar"])
    return report.finish()


sys.exit(main())
