"""docs/recipe.md suffices: what follows here was written from that page and the specification of XXH3, and shares nothing with the engine.

It must give every test vector of the page, and the sketches that `neardup sketch` prints for the texts of the page and for many others.
Characters are of Unicode 13 or older, so that unicodedata and the ICU of the program agree.
"""
import functools
import json
import os
import pathlib
import random
import re
import struct
import unicodedata
import unittest

from harness import CliTest

PAGE = pathlib.Path(os.environ.get("NEARDUP_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2]) / "docs/recipe.md"
M32, M64 = (1 << 32) - 1, (1 << 64) - 1

# --- XXH3, seed 0 (xxHash specification, "XXH3 algorithm description") ----------------------------------------------------------------

P32 = [0, 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D]
P64 = [0, 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5]
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def u32(data, at=0):
    return int.from_bytes(data[at:at + 4], "little")


def u64(data, at=0):
    return int.from_bytes(data[at:at + 8], "little")


def swap(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def rotate(value, count, bits=64):
    return (value << count | value >> (bits - count)) & ((1 << bits) - 1)


def folded(product):
    return (product & M64) ^ product >> 64


def avalanche(x):
    x = (x ^ x >> 37) * MX1 & M64
    return x ^ x >> 32


def avalanche_xxh64(x):
    x = (x ^ x >> 33) * P64[2] & M64
    x = (x ^ x >> 29) * P64[3] & M64
    return x ^ x >> 32


def mix(data, at, secret):
    return folded((u64(data, at) ^ u64(SECRET, secret)) * (u64(data, at + 8) ^ u64(SECRET, secret + 8)))


def sum_of(data, at):
    return u64(data, at) + u64(data, at + 8)


def long_accumulators(data):
    acc = [P32[3], P64[1], P64[2], P64[3], P64[4], P32[2], P64[5], P32[1]]

    def stripe(at, secret):
        for i in range(8):
            lane = u64(data, at + 8 * i)
            key = lane ^ u64(SECRET, secret + 8 * i)
            acc[i ^ 1] = (acc[i ^ 1] + lane) & M64
            acc[i] = (acc[i] + (key & M32) * (key >> 32)) & M64

    for number in range((len(data) - 1) // 64):
        stripe(64 * number, 8 * (number % 16))
        if number % 16 == 15:
            acc[:] = [((x ^ x >> 47) ^ u64(SECRET, 128 + 8 * i)) * P32[1] & M64 for i, x in enumerate(acc)]
    stripe(len(data) - 64, 121)
    return acc


def merged(acc, start, secret):
    keyed = [x ^ u64(SECRET, secret + 8 * i) for i, x in enumerate(acc)]
    return avalanche(start + sum(folded(keyed[i] * keyed[i + 1]) for i in (0, 2, 4, 6)) & M64)


def xxh3_64(data):
    size = len(data)
    if size == 0:
        return avalanche_xxh64(u64(SECRET, 56) ^ u64(SECRET, 64))
    if size <= 3:
        return avalanche_xxh64(u32(SECRET) ^ u32(SECRET, 4) ^ (data[-1] | size << 8 | data[0] << 16 | data[size >> 1] << 24))
    if size <= 8:
        x = u64(SECRET, 8) ^ u64(SECRET, 16) ^ (u32(data, size - 4) | u32(data) << 32)
        x = (x ^ rotate(x, 49) ^ rotate(x, 24)) * MX2 & M64
        x = (x ^ (x >> 35) + size) * MX2 & M64
        return x ^ x >> 28
    if size <= 16:
        low = u64(SECRET, 24) ^ u64(SECRET, 32) ^ u64(data)
        high = u64(SECRET, 40) ^ u64(SECRET, 48) ^ u64(data, size - 8)
        return avalanche((size + swap(low, 8) + high + folded(low * high)) & M64)
    if size <= 128:
        x = size * P64[1]
        for i in range((size - 1 >> 5) + 1):
            x += mix(data, 16 * i, 32 * i) + mix(data, size - 16 * (i + 1), 32 * i + 16)
        return avalanche(x & M64)
    if size <= 240:
        x = avalanche((size * P64[1] + sum(mix(data, 16 * i, 16 * i) for i in range(8))) & M64)
        return avalanche((x + sum(mix(data, 16 * i, 16 * i - 125) for i in range(8, size >> 4)) + mix(data, size - 16, 119)) & M64)
    return merged(long_accumulators(data), size * P64[1] & M64, 11)


def xxh3_128(data):
    """(high, low)"""
    size = len(data)
    if size == 0:
        return avalanche_xxh64(u64(SECRET, 80) ^ u64(SECRET, 88)), avalanche_xxh64(u64(SECRET, 64) ^ u64(SECRET, 72))
    if size <= 3:
        x = data[-1] | size << 8 | data[0] << 16 | data[size >> 1] << 24
        high = u32(SECRET, 8) ^ u32(SECRET, 12) ^ rotate(swap(x, 4), 13, 32)
        return avalanche_xxh64(high), avalanche_xxh64(u32(SECRET) ^ u32(SECRET, 4) ^ x)
    if size <= 8:
        product = (u64(SECRET, 16) ^ u64(SECRET, 24) ^ (u32(data) | u32(data, size - 4) << 32)) * (P64[1] + (size << 2))
        low = product & M64
        high = ((product >> 64) + (low << 1)) & M64
        low ^= high >> 3
        low = (low ^ low >> 35) * MX2 & M64
        return avalanche(high), low ^ low >> 28
    if size <= 16:
        first, last = u64(data), u64(data, size - 8)
        product = (u64(SECRET, 32) ^ u64(SECRET, 40) ^ first ^ last) * P64[1]
        other = u64(SECRET, 48) ^ u64(SECRET, 56) ^ last
        low = ((product & M64) + (size - 1 << 54)) & M64
        high = ((product >> 64) + (other & M32 << 32) + (other & M32) * P32[2]) & M64
        product = (low ^ swap(high, 8)) * P64[2]
        return avalanche((product >> 64) + high * P64[2] & M64), avalanche(product & M64)
    if size > 240:
        acc = long_accumulators(data)
        return merged(acc, ~(size * P64[2]) & M64, 117), merged(acc, size * P64[1] & M64, 11)
    a, b = size * P64[1] & M64, 0

    def two(first, second, secret):
        nonlocal a, b
        a = (a + mix(data, first, secret) & M64) ^ (sum_of(data, second) & M64)
        b = (b + mix(data, second, secret + 16) & M64) ^ (sum_of(data, first) & M64)

    if size <= 128:
        for i in reversed(range((size - 1 >> 5) + 1)):
            two(16 * i, size - 16 * (i + 1), 32 * i)
    else:
        for i in range(4):
            two(32 * i, 32 * i + 16, 32 * i)
        a, b = avalanche(a), avalanche(b)
        for i in range(4, size >> 5):
            two(32 * i, 32 * i + 16, 32 * i - 125)
        two(size - 16, size - 32, 103)
    return -avalanche(a * P64[1] + b * P64[4] + size * P64[2] & M64) & M64, avalanche(a + b & M64)


# --- docs/recipe.md, section by section -----------------------------------------------------------------------------------------------

WHITE = {*range(9, 14), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}
CJK = [(0x2E80, 0x303F), (0x3100, 0x312F), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF),
       (0x20000, 0x3FFFF)]
IGNORABLE = [(0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
             (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8),
             (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]
SINGLE = [(0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA),
          (0x30FD, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFF66, 0xFF6F),
          (0xFF71, 0xFF9D), (0x16FE3, 0x16FE3), (0x17000, 0x18D7F), (0x1AFF0, 0x1B16F), (0x1B170, 0x1B2FF), (0x20000, 0x3FFFF)]
KANA_SIGNS = {0x30FC, 0xFF70, 0xFF9E, 0xFF9F}


def within(character, ranges):
    return any(first <= ord(character) <= last for first, last in ranges)


def is_white(character):
    return ord(character) in WHITE


def decode(data):
    """Malformed UTF-8 becomes U+FFFD, one per maximal subpart."""
    leads = [(0xC2, 0xDF, 1, 0x80, 0xBF), (0xE0, 0xE0, 2, 0xA0, 0xBF), (0xE1, 0xEC, 2, 0x80, 0xBF), (0xED, 0xED, 2, 0x80, 0x9F),
             (0xEE, 0xEF, 2, 0x80, 0xBF), (0xF0, 0xF0, 3, 0x90, 0xBF), (0xF1, 0xF3, 3, 0x80, 0xBF), (0xF4, 0xF4, 3, 0x80, 0x8F)]
    text, at = "", 0
    while at < len(data):
        byte = data[at]
        at += 1
        if byte < 0x80:
            text += chr(byte)
            continue
        more, low, high = next((row[2:] for row in leads if row[0] <= byte <= row[1]), (0, 0, 0))
        value, need = byte & 0x3F >> more, more
        while need and at < len(data) and low <= data[at] <= high:
            value, need, low, high = value << 6 | data[at] & 0x3F, need - 1, 0x80, 0xBF
            at += 1
        text += "\ufffd" if need or not more else chr(value)
    return text


def without_white_between_cjk(text):
    out, at = "", 0
    while at < len(text):
        end = at
        while end < len(text) and is_white(text[end]):
            end += 1
        if end == at:
            out += text[at]
            at += 1
            continue
        if not (at > 0 and end < len(text) and within(text[at - 1], CJK) and within(text[end], CJK)):
            out += text[at:end]
        at = end
    return out


@functools.cache
def casefold_image(character):
    """The NFKC_Casefold property of a code point, by its derivation."""
    text = character
    while True:
        kept = "".join(c for c in unicodedata.normalize("NFD", text) if not within(c, IGNORABLE))
        image = unicodedata.normalize("NFKC", kept.casefold())
        if image == text:
            return image
        text = image


FORMS = {"nfkc_casefold_v1": lambda text: unicodedata.normalize("NFC", "".join(map(casefold_image, text))),
         "nfkc_lower_v1": lambda text: unicodedata.normalize("NFKC", text).lower()}


def normalize(text, normalizer):
    formed = FORMS[normalizer](without_white_between_cjk(text))
    out = ""
    for character in formed:
        if not is_white(character):
            out += character
        elif not out.endswith(" "):
            out += " "
    return out.strip(" ")


def tokens_of(normalized, tokenizer):
    if tokenizer == "chars_v1":
        return list(normalized)
    tokens, open_token, single = [], False, False
    for character in normalized:
        category = unicodedata.category(character)
        if within(character, SINGLE):
            tokens.append(character)
            open_token, single = True, True
        elif ord(character) in KANA_SIGNS or category[0] == "M":
            if open_token:
                tokens[-1] += character
            else:
                tokens.append(character)
                open_token, single = True, False
        elif category[0] == "L" or category == "Nd":
            if open_token and not single:
                tokens[-1] += character
            else:
                tokens.append(character)
                open_token, single = True, False
        else:
            open_token = False
    return tokens


def shingles_of(tokens, recipe):
    size = recipe["shingle"]["size"]
    separator = " " if recipe["tokenizer"] == "words_v1" else ""
    if len(tokens) < size:
        return [separator.join(tokens)] if tokens and recipe["shingle"]["short_text"] == "whole" else []
    return [separator.join(tokens[i:i + size]) for i in range(len(tokens) - size + 1)]


@functools.cache
def feature_of(shingle):
    return xxh3_64(shingle.encode())


def offset_of(seed, lane):
    x = seed + (lane + 1) * 0x9E3779B97F4A7C15 & M64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return (x ^ x >> 31) >> 32


def signature_of(features, seed, lanes):
    parts = [(x & M32, x >> 32 | 1) for x in features]
    offsets = [offset_of(seed, lane) for lane in range(lanes)]
    return [min(((low ^ offset) * odd & M32 for low, odd in parts), default=M32) for offset in offsets]


def band_key(rows):
    return xxh3_64(struct.pack(f"<{len(rows)}I", *rows)) & (1 << 48) - 1


def canonical_json(recipe):
    return json.dumps(recipe, sort_keys=True, separators=(",", ":"))


def sketch(text, recipe):
    """What `neardup sketch` prints of a document, but for its place and id."""
    normalized = normalize(text, recipe["normalizer"])
    features = sorted({feature_of(shingle) for shingle in shingles_of(tokens_of(normalized, recipe["tokenizer"]), recipe)})
    too_short = len(features) < recipe["min_features"]
    return {"exact": "%016x%016x" % xxh3_128(normalized.encode()), "features": len(features), "too_short": too_short,
            "signature": None if too_short else signature_of(features, recipe["sketch"]["seed"], recipe["sketch"]["lanes"])}


# --- the tests ------------------------------------------------------------------------------------------------------------------------


def recipe_of(normalizer="nfkc_casefold_v1", tokenizer="words_v1", size=5, short_text="none", min_features=1, lanes=128, seed=1):
    return {"normalizer": normalizer, "tokenizer": tokenizer, "shingle": {"size": size, "short_text": short_text},
            "min_features": min_features, "feature_hash": "xxh3_64_v1", "sketch": {"kind": "minhash_v1", "lanes": lanes, "seed": seed}}


RECIPES = {"words-5": recipe_of(), "chars-5": recipe_of("nfkc_lower_v1", "chars_v1", short_text="whole")}
OTHERS = {"words-1.json": recipe_of(size=1, lanes=16, seed=7),
          "chars-2.json": recipe_of("nfkc_casefold_v1", "chars_v1", 2, "whole", min_features=3, lanes=5, seed=0),
          "words-3.json": recipe_of("nfkc_lower_v1", "words_v1", 3, "whole", min_features=2, lanes=65, seed=2**53),
          "chars-64.json": recipe_of("nfkc_lower_v1", "chars_v1", 64, "none", lanes=1)}

TEXTS = [
    "", " ", "\u3000\n\t ", "a", "one two three four", "one two three four five", "Hello, hello HELLO!  one\ttwo",
    "The quick brown fox jumps over the lazy dog. " * 9, "naïve café, e\u0301E\u0301 \u0301e", "a_b c-d x1 2y 3.14 R2-D2 isn't",
    "今天天气很好，我们去公园散步吧。", "今 天\n天　气 a 很 好", "中文English混排 text，2023年版", "繁體字與简体字：後后、裡里", "ひらがなとカタカナー、ﾊﾝｶｸｶﾞｷﾞ 々ゝヾ〇", "한국어 문장을 나눕니다",
    "\U00020000 \U0002a6d6\U00030000 x", "か\u3099 は\u309a カ\u3099ー", "😀 😃👍🏽 family: 👨\u200d👩\u200d👧\u200d👦 flags 🇨🇳🇬🇧 ❤\ufe0f",
    "ΟΔΟΣ ὈΔΥΣΣΕΎΣ. Σ ΑΣ’Α Σ\u0301Σ", "İstanbul ISPARTA ı Straße ẞ ſ ﬁﬂ", "Ａ１！～ ½ ① ™ ㍿ ㌀ Ⅷ ⅸ",
    "soft\u00adhyphen zero\u200bwidth \ufeff \u2060 \u034f", "हिन्दी में वाक्य है यहाँ", "ภาษาไทย ไม่มีช่องว่าง", "مُحَمَّد القرآن",
    "\u1100\u1161\u11a8\uac00\u11a8 \u3131\u314f \u115f\uffa0", "\ufdfa \u0344 \u0f73a \u1e96 H\u0331",
    "line\u2028sep\u2029para\u0085next\x1cfile", "\x00nul\x01\x7f bytes \ufffd \uffff", "x" * 239 + " " + "y" * 300,
    "字" * 100 + "詞 " * 70,
]
ALPHABET = [*"aZß0 \t\n.,-_'", *"\u00a0\u3000\u2003\u00ad\u0301\u0323\u0345\u200d\u200b", *"ΣσςΑά’·İıſﬁ\u1e9e\u0130",
            *"中文字，。（）々〇々\u302a\u30fb",
            *"かがカガーｶｷﾞﾟﾞｰゝヾ\u3099", *"한글\u1100\u1161\u11a8",
            *"½①Ⅷ㍿ａＡ１！～", *"हिं\u0e33\u0e01", "😀", "🏽", "\ufe0f", "\U00020000", "\U0002f800",
            "\u2f00", "\uf900", "\U00010400", "\U00016fe3", "\U00017000", "\ufffd"]


def page_vectors():
    blocks = re.findall(r"^```json vectors\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [json.loads(line) for block in blocks for line in block.splitlines()]


def pattern_bytes(length):
    return bytes((i * i + 7) & 0xFF for i in range(length))


class RecipePage(CliTest):
    def recipe_name(self, recipe):
        for name, known in RECIPES.items():
            if known == recipe:
                return name
        return self.write("recipe.json", json.dumps(recipe))

    def program_sketches(self, texts, recipe):
        self.write("texts.jsonl", [{"text": text} for text in texts])
        self.neardup("sketch", "texts.jsonl", "--recipe", self.recipe_name(recipe), "-o", "sketches.jsonl", "-q")
        return [{key: record[key] for key in ("exact", "features", "too_short", "signature")} for record in self.records("sketches.jsonl")]

    def check(self, texts, recipe):
        found = self.program_sketches(texts, recipe)
        self.assertEqual(len(found), len(texts))
        for text, record in zip(texts, found):
            self.assertEqual(record, sketch(text, recipe), ascii(text))

    def test_vectors_of_the_page(self):
        seen = {}
        for vector in page_vectors():
            step = vector["step"]
            seen[step] = seen.get(step, 0) + 1
            with self.subTest(**vector):
                getattr(self, f"check_{step}")(vector)
        steps = {name.removeprefix("check_") for name in dir(self) if name.startswith("check_")}
        self.assertEqual(set(seen), steps)

    def check_canonical(self, vector):
        recipe = RECIPES[vector["recipe"]]
        self.assertEqual(vector["json"], canonical_json(recipe))
        self.assertEqual(vector["id"], f"{xxh3_64(vector['json'].encode()):016x}")
        printed = self.neardup("recipe", vector["recipe"]).stdout.decode()
        self.assertEqual(printed, f"{vector['json']}\nid {vector['id']}\n")

    def check_repair(self, vector):
        data = bytes.fromhex(vector["bytes"])
        self.assertEqual(vector["text"], decode(data))
        self.write("in.txt", data)
        self.neardup("sketch", "in.txt", "-o", "one.jsonl", "-q")
        self.assertEqual(self.records("one.jsonl")[0]["exact"], sketch(vector["text"], RECIPES["words-5"])["exact"])

    def check_normalize(self, vector):
        self.assertEqual(vector["normalized"], normalize(vector["text"], vector["normalizer"]))
        self.check([vector["text"]], recipe_of(vector["normalizer"], size=1, lanes=2))

    def check_tokenize(self, vector):
        self.assertEqual(vector["tokens"], tokens_of(vector["normalized"], vector["tokenizer"]))
        recipe = recipe_of("nfkc_lower_v1", vector["tokenizer"], size=1, lanes=64)
        self.assertEqual(vector["normalized"], normalize(vector["normalized"], recipe["normalizer"]))
        self.check([vector["normalized"]], recipe)

    def check_shingles(self, vector):
        recipe = recipe_of(tokenizer=vector["tokenizer"], size=vector["size"], short_text=vector["short_text"])
        shingles = shingles_of(vector["tokens"], recipe)
        self.assertEqual(vector["shingles"], shingles)
        self.assertEqual(vector["features"], [f"{feature_of(shingle):016x}" for shingle in shingles])

    def check_xxh3(self, vector):
        data = pattern_bytes(vector["length"])
        self.assertEqual(vector["xxh3_64"], f"{xxh3_64(data):016x}")
        self.assertEqual(vector["xxh3_128"], "%016x%016x" % xxh3_128(data))

    def check_offsets(self, vector):
        self.assertEqual(vector["offsets"], [offset_of(vector["seed"], lane) for lane in range(len(vector["offsets"]))])

    def check_minhash(self, vector):
        features = [int(feature, 16) for feature in vector["features"]]
        self.assertEqual(vector["signature"], signature_of(features, vector["seed"], len(vector["signature"])))

    def check_band(self, vector):
        self.assertEqual(vector["key"], f"{band_key(vector['rows']):012x}")

    def check_document(self, vector):
        recipe = RECIPES[vector["recipe"]]
        made = sketch(vector["text"], recipe)
        begin = vector["signature_begins"]
        self.assertEqual(begin, made["signature"] and made["signature"][:len(begin)])
        for key in ("exact", "features", "too_short"):
            self.assertEqual(vector[key], made[key])
        self.check([vector["text"]], recipe)

    def test_many_texts(self):
        chance = random.Random(2)
        texts = TEXTS + ["x" * length for length in range(2, 280)]
        texts += ["".join(chance.choice(ALPHABET) for _ in range(chance.randrange(1, 40))) for _ in range(400)]
        for recipe in [*RECIPES.values(), *OTHERS.values()]:
            self.check(texts, recipe)

    def test_any_bytes(self):
        chance = random.Random(3)
        pieces = [bytes([byte]) for byte in (0x41, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF)]
        pieces += ["中".encode(), "😀".encode()[:3], "é".encode()]
        for number in range(200):
            data = b"x" + b"".join(chance.choice(pieces) for _ in range(chance.randrange(1, 12)))
            self.write(f"texts/{number:03}.txt", data)
            self.assertEqual(decode(data), data.decode("utf-8", errors="replace"))
        recipe = RECIPES["chars-5"]
        self.neardup("sketch", "texts", "--recipe", "chars-5", "-o", "sketches.jsonl", "-q")
        for record in self.records("sketches.jsonl"):
            expected = sketch(decode(self.read(record["source"])), recipe)
            self.assertEqual({key: record[key] for key in expected}, expected, record["source"])

    def test_ids_of_recipes_of_ones_own(self):
        for name, recipe in OTHERS.items():
            self.write(name, json.dumps(recipe))
            printed = self.neardup("recipe", name).stdout.decode().splitlines()
            self.assertEqual(printed, [canonical_json(recipe), f"id {xxh3_64(canonical_json(recipe).encode()):016x}"])


if __name__ == "__main__":
    unittest.main()
