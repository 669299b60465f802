"""The checksum of one_permutation_test.cc, from the definition of minhash_v2 in docs/recipe.md alone: Python integers, no code of the
library. The random sets are those of minhash_checksum.py's Mersenne Twister.
"""
import contextlib
import io
import pathlib
import runpy

M32 = (1 << 32) - 1
M64 = (1 << 64) - 1
LANES = 12


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M64
    return x ^ (x >> 31)


def word(seed, n):
    return mix((seed + (n + 1) * 0x9E3779B97F4A7C15) & M64)


def signature(features, key, offsets):
    hashes = [mix(x ^ key) for x in features]
    lanes = []
    for i, offset in enumerate(offsets):
        values = [h >> 32 for h in hashes if (h & M32) * LANES >> 32 == i]
        lanes.append(min(values or ((((x & M32) ^ offset) * ((x >> 32) | 1)) & M32 for x in features)))
    return lanes


def main():
    with contextlib.redirect_stdout(io.StringIO()):  # it prints its own checksum
        twister = runpy.run_path(str(pathlib.Path(__file__).with_name("minhash_checksum.py")))["Mt19937_64"]
    random = twister(42)
    key, offsets = word(1, 1 << 32), [word(1, lane) >> 32 for lane in range(LANES)]
    checksum = 0
    for _ in range(30000):
        features = [0] * (1 + random() % 40)
        for i in range(len(features)):
            features[i] = random()
        for lane in signature(features, key, offsets):
            checksum = ((checksum ^ lane) * 0x100000001B3) & M64
    print(hex(checksum))


if __name__ == "__main__":
    main()
