"""The checksums of python_simhash_test.cc, by the Python package itself: needs simhash==2.1.2 and numpy==1.24.3, and Python 3.11, whose
Unicode is 14.0.0. The random numbers are those of std::mt19937_64."""
import contextlib
import io
import pathlib
import re
import runpy
import unicodedata

from simhash import Simhash

M64 = (1 << 64) - 1
PRIME = 0x100000001B3
assert unicodedata.unidata_version == "14.0.0"


def words():
    """Over every code point: the word characters that are left of its lower-case form."""
    checksum = 0
    for c in range(0x110000):
        if 0xD800 <= c < 0xE000 or c == 0x3A3 or unicodedata.category(chr(c)) == "Cn":
            continue
        left = "".join(re.findall(r"[\w\u4e00-\u9fcc]+", chr(c).lower()))
        assert len(left) <= 1
        checksum = ((checksum ^ c ^ (ord(left) if left else 0) << 32) * PRIME) & M64
    return checksum


def weighted(random):
    checksum = 0
    for case in range(3000):
        n = 150 + random() % 400 if case % 50 == 0 else random() % 8
        tokens = []
        for _ in range(n):
            token = f"t{random() % 1000}" * (1 + random() % 4 * 5)
            kind, weight = random() % 4, random() % 70
            tokens.append((token, [weight, weight - 5, weight / 10, weight / 10 - 1][kind]))
        value = Simhash(tokens, f=128).value
        assert Simhash(tokens, f=64).value == value & M64
        checksum = ((checksum ^ (value & M64)) * PRIME) & M64
        checksum = ((checksum ^ (value >> 64)) * PRIME) & M64
    return checksum


ALPHABET = "aZ_9 .,é\u0301ΣσΑ'İßŉ中文字。１²½Ⅷ〇٣𝐀𠀀😀\u00ad\n"


def texts(random):
    checksum = 0
    for _ in range(3000):
        text = "".join(ALPHABET[random() % len(ALPHABET)] for _ in range(random() % 40))
        value = Simhash(text, f=128).value
        assert Simhash(text, f=64).value == value & M64
        checksum = ((checksum ^ (value & M64)) * PRIME) & M64
        checksum = ((checksum ^ (value >> 64)) * PRIME) & M64
    return checksum


with contextlib.redirect_stdout(io.StringIO()):  # it prints its own checksum
    twister = runpy.run_path(str(pathlib.Path(__file__).with_name("minhash_checksum.py")))["Mt19937_64"]
print("words", hex(words()), "weighted", hex(weighted(twister(1))), "texts", hex(texts(twister(2))))
