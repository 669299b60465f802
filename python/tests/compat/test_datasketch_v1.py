"""neardup.compat.datasketch.v1: copies and pickles, and the values of datasketch 1.10, which pip installs into a folder of its own."""

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import neardup.compat.datasketch.v1 as ours

TOKENS = [b"token%d" % i for i in range(300)] + [b"x" * 99, b""]
SEEDS = (1, 5, 2**31)
SIZES = (1, 64, 100, 128)
# Prints what a package has for the same seeds and tokens.
PROGRAM = f"""
import sys
import {{package}} as package
tokens = {TOKENS!r}
for seed in {SEEDS!r}:
    for size in {SIZES!r}:
        m = package.MinHash(size, seed)
        m.update_batch(tokens[:200])
        for token in tokens[200:]:
            m.update(token)
        lean = package.LeanMinHash(m)
        buffer = bytearray(lean.bytesize())
        lean.serialize(buffer)
        bits = [bytes(package.bBitMinHash(m, b).__getstate__()).hex() for b in (1, 3, 16)]
        print(m.hashvalues.dtype, m.hashvalues.tolist(), [list(map(int, row)) for row in m.permutations], buffer.hex(), bits, m.count())
"""


@pytest.mark.parametrize("num_perm", SIZES)
def test_copies_and_pickles(num_perm):
    m = ours.MinHash(num_perm, 7)
    m.update_batch(TOKENS)
    m.note = "an attribute"
    assert pickle.loads(pickle.dumps(m)).note == "an attribute"
    for twin in (pickle.loads(pickle.dumps(m)), copy.copy(m), copy.deepcopy(m), m.copy()):
        assert twin == m and type(twin) is ours.MinHash and np.array_equal(twin.permutations, m.permutations)
        twin.update_batch([b"another %d" % i for i in range(20_000)])
        assert twin != m
    lean = ours.LeanMinHash(m)
    for twin in (pickle.loads(pickle.dumps(lean)), copy.copy(lean), copy.deepcopy(lean), lean.copy()):
        assert twin == lean and hash(twin) == hash(lean)
    union = ours.MinHash.union(m, ours.MinHash(num_perm, 7))
    assert union == m and type(union) is ours.MinHash
    assert ours.MinHash(seed=7, hashvalues=m.hashvalues, permutations=m.permutations) == m


def test_the_values_are_those_of_version_1(tmp_path):
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*install, "--target", tmp_path, "datasketch==1.10.0"], check=True, timeout=300)
    outputs = []
    for package in ("datasketch", "neardup.compat.datasketch.v1"):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(package=package)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] and len(outputs[0].splitlines()) == len(SEEDS) * len(SIZES)
