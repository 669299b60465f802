"""Fingerprints by their definitions (docs/simhash.md), in Python's integers."""
import hashlib
import re

from test_recipe_page import xxh3_64

MASK = 2**64 - 1
# simhash_v1 of the words themselves: nothing but ASCII is used, so no more of the normalizer than lower case is needed.
WORDS = {
    "normalizer": "nfkc_lower_v1",
    "tokenizer": "words_v1",
    "shingle": {"size": 1, "short_text": "none"},
    "weighting": {"kind": "tf_v1"},
    "min_features": 1,
    "feature_hash": "xxh3_64_v1",
    "sketch": {"kind": "simhash_v1", "bits": 128},
}


def mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def weights_of(text):
    weights = {}
    for word in re.findall("[a-z0-9]+", text.lower()):
        weights[word] = weights.get(word, 0) + 1
    return weights


def simhash(weights, bits):
    """None for a text without features."""
    if not weights:
        return None
    votes = [0] * bits
    for word, weight in weights.items():
        low = xxh3_64(word.encode())
        code = low | mix((low + 0x9E3779B97F4A7C15) & MASK) << 64
        for bit in range(bits):
            votes[bit] += weight if code >> bit & 1 else -weight
    return sum(((vote > 0) if vote else bit % 2) << bit for bit, vote in enumerate(votes))


def python_simhash(text):
    """What Simhash(text) of the Python package gives."""
    joined = "".join(re.findall(r"[\w\u4e00-\u9fcc]+", text.lower()))
    windows = {}
    for at in range(max(len(joined) - 3, 1)):
        windows[joined[at:at + 4]] = windows.get(joined[at:at + 4], 0) + 1
    counts = [0] * 64
    for window, count in windows.items():
        code = int.from_bytes(hashlib.md5(window.encode()).digest()[-8:], "big")
        for bit in range(64):
            counts[bit] += count if code >> bit & 1 else 0
    return sum((2 * count > sum(windows.values())) << bit for bit, count in enumerate(counts))
