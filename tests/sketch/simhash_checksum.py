"""The checksums and vectors of simhash_test.cc, from the definition in docs/simhash.md alone: Python integers, no code of the library."""
import contextlib
import io
import pathlib
import runpy

M64 = (1 << 64) - 1


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M64
    return x ^ (x >> 31)


def simhash128(features):
    """Of pairs (hash, weight); None if no weight is other than 0."""
    if all(weight == 0 for _, weight in features):
        return None
    words = [(x | mix((x + 0x9E3779B97F4A7C15) & M64) << 64, weight) for x, weight in features]
    fingerprint = 0
    for i in range(128):
        vote = sum(weight if word >> i & 1 else -weight for word, weight in words)
        fingerprint |= (vote > 0 or (vote == 0 and i % 2 == 1)) << i
    return fingerprint


def main():
    with contextlib.redirect_stdout(io.StringIO()):  # it prints its own checksum
        twister = runpy.run_path(str(pathlib.Path(__file__).with_name("minhash_checksum.py")))["Mt19937_64"]
    random = twister(42)
    sums = [0, 0]
    for _ in range(30000):
        hashes = [0] * (1 + random() % 20)
        for i in range(len(hashes)):
            hashes[i] = random()
        weights = [(random() % 15) - 7 for _ in hashes]
        for which, features in enumerate(([(x, 1) for x in hashes], list(zip(hashes, weights)))):
            made = simhash128(features) or 0
            sums[which] = ((sums[which] ^ (made & M64) ^ mix(made >> 64)) * 0x100000001B3) & M64
    print("unweighted", hex(sums[0]), "weighted", hex(sums[1]))
    for features in ([(0, 1)], [(0x8044F8A624582C4C, 1), (0xD342D59876B9AC2C, 1)],
                     [(0x8044F8A624582C4C, 3), (0xD342D59876B9AC2C, -2), (1, 1)],
                     [(0x8044F8A624582C4C, 1), (0xD342D59876B9AC2C, 1), (0x73FB58F85BCB9F8B, 1)]):
        print([(f"{x:016x}", weight) for x, weight in features], f"{simhash128(features):032x}")


main()
