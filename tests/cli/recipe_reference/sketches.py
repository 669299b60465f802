"""docs/recipe.md, from tokens to sketches: shingles, features, MinHash; docs/simhash.md: simhash_v1 and python_simhash_v1."""
import functools
import hashlib
import struct
import unicodedata

from recipe_reference.xxh3 import M32, M64, xxh3_64


def shingles_of(tokens, recipe):
    size = recipe["shingle"]["size"]
    separator = "" if recipe["tokenizer"] == "chars_v1" else " "
    if len(tokens) < size:
        return [separator.join(tokens)] if tokens and recipe["shingle"]["short_text"] == "whole" else []
    return [separator.join(tokens[i:i + size]) for i in range(len(tokens) - size + 1)]


@functools.cache
def feature_of(shingle):
    return xxh3_64(shingle.encode())


def mix64(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def number_key(numbers):
    """What numbers_v1 combines with features."""
    return mix64(xxh3_64("".join(f"{number} " for number in numbers).encode()))


def offset_of(seed, lane):
    return mix64(seed + (lane + 1) * 0x9E3779B97F4A7C15 & M64) >> 32


def signature_of(features, seed, lanes):
    parts = [(x & M32, x >> 32 | 1) for x in features]
    offsets = [offset_of(seed, lane) for lane in range(lanes)]
    return [min(((low ^ offset) * odd & M32 for low, odd in parts), default=M32) for offset in offsets]


def one_permutation_signature_of(features, seed, lanes):
    """minhash_v2."""
    key = mix64(seed + (2**32 + 1) * 0x9E3779B97F4A7C15 & M64)
    bins = [[] for _ in range(lanes)]
    for x in features:
        h = mix64(x ^ key)
        bins[(h & M32) * lanes >> 32].append(h >> 32)
    of_all = signature_of(features, seed, lanes)
    return [min(values, default=of_all[i]) for i, values in enumerate(bins)]


def band_key(rows):
    return xxh3_64(struct.pack(f"<{len(rows)}I", *rows)) & (1 << 48) - 1


def simhash(features, bits):
    """Of (hash, weight) pairs; None if all weights are 0."""
    if not any(weight for _, weight in features):
        return None
    words = [(x | mix64(x + 0x9E3779B97F4A7C15 & M64) << 64, weight) for x, weight in features]
    made = 0
    for i in range(bits):
        vote = sum(weight if word >> i & 1 else -weight for word, weight in words)
        made |= (i % 2 if vote == 0 else vote > 0) << i
    return made


def md5(token, bits):
    return int.from_bytes(hashlib.md5(token.encode()).digest()[-bits // 8:], "big")


def in_order(numbers):
    """Their sum as doubles, strictly from the first to the last; sum() of newer versions of Python is more precise."""
    total = 0
    for number in numbers:
        total += number
    return total


def python_simhash(tokens, bits):
    """Of (token, int) pairs, or of (token, float) pairs, whose sums depend on their order."""
    total = in_order(weight for _, weight in tokens)
    made = 0
    for i in range(bits):
        with_bit = in_order(weight for token, weight in tokens if (weight > 0 or isinstance(weight, float)) and md5(token, bits) >> i & 1)
        made |= (2 * with_bit > total) << i
    return made


def is_word_character(character):
    return unicodedata.category(character)[0] == "L" or unicodedata.numeric(character, None) is not None or character == "_"


def python_simhash_text(text, bits):
    content = "".join(filter(is_word_character, text.lower()))
    return python_simhash([(content[i:i + 4], 1) for i in range(max(len(content) - 3, 1))], bits)
