"""Prints normalizer_golden.inc: our own strings and what they normalize to, by Python's unicodedata, which knows nothing of ICU.

usage: python3 -B make_golden.py > normalizer_golden.inc        (Python 3.11, Unicode 14; the strings are older than that)
"""

import re
import sys
import unicodedata

CJK = ("\u2e80-\u303f\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
       "\U00020000-\U0003ffff")
BETWEEN_CJK = re.compile(f"(?<=[{CJK}])\\s+(?=[{CJK}])")

# Default_Ignorable_Code_Point, the unassigned ranges of plane 14 included.
IGNORABLE = [(0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
             (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
             (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]


def casefold_image(character):
    """NFKC_Casefold of one character: fold, drop the ignorable, normalize, until nothing changes."""
    text = character
    while True:
        kept = "".join(c for c in unicodedata.normalize("NFD", text) if not any(a <= ord(c) <= b for a, b in IGNORABLE))
        image = unicodedata.normalize("NFKC", kept.casefold())
        if image == text:
            return image
        text = image


def nfkc_casefold(text):
    return unicodedata.normalize("NFC", "".join(casefold_image(c) for c in text))


def normalized(text, form):
    return " ".join(form(BETWEEN_CJK.sub("", text)).split())


def lower(text):
    return normalized(text, lambda t: unicodedata.normalize("NFKC", t).lower())


def casefold(text):
    return normalized(text, nfkc_casefold)


STRINGS = [
    "", " ", "\u3000\n\t ", "a", "Hello,  World!\r\n", "\u00a0one\u2003two\u2028three\u0085four\u1680five\u202fsix\u205fseven\u3000",
    "unit\x1cfile\x1dgroup\x1erecord\x1fend", "zero\u200bwidth is not white",
    "\u4e2d \u6587", "\u4e2d\n\u3000\u6587 \u5b57", "\u4e2d a \u6587", "\u4e2d \u3000 a", "a \u3000 \u6587", "\u3000\u4e2d\u3000",
    "\u4e2d\uff0c \u6587\u3002\n\u5b57", "\u4e2d (\u6587)", "\u304b \u304b", "\u4e2d \u304b", "\U00020000 \U0002a6d6", "\u3001 \u3105",
    "\uff21\uff22\uff23\uff11\uff12\uff13\uff01\uff5e", "\uff76\uff9e\uff77\uff9e\uff8a\uff9f", "\uff76 \uff9e", "\uff76a \uff9e",
    "\u212b\u00c5A\u030a\u2126", "e\u0301E\u0301 \u0301e", "H\u0331 h\u0331 \u1e96", "q\u0307\u0323 Q\u0323\u0307", "a\u00ad\u0301",
    "\u1100\u1161\u11a8 \uac00\u11a8 \u1100\u1161", "\u3131\u314f", "\u4e2d\u302a\u6587",
    "\ufb01\ufb06\u0149\u01c4\u01c5", "\u00bd\u2460\u2026\u2122\u33a1\u337f", "\u00a8x\u00a8 \u00af", "\u4e2d\u00a8\u6587",
    "Stra\u00dfe STRASSE \u1e9e \u017f", "\u0130stanbul I\u0307 \u0131", "\u03a3\u03a3 \u039f\u0394\u039f\u03a3. \u03a3",
    "\u039f\u0394\u039f\u03a3\u2019\u0391 A\u03a3\u0301 B\u03a3", "\U0001d6ba\U0001d6bax", "\u1fb3\u1fbc\u0390",
    "\u2f00\u2f2f \uf900\ufa0e\ufacf \U0002f800\U0002fa1d", "\ufdfa", "\U0001f600\ufe0f\u200d\U0001f525", "\U0001d400\U0001d7ce \U00010400",
    "\u0e01\u0e33 \u0f77 \u09c7\u09be", "\u115f\uffa0\u3164x", "\ufffe\ufffd\U0010ffff", "A" * 63 + "\u0301" + "B" * 64 + " " * 3 + "C",
    "x" * 64 + "\n" + "Y" * 63 + "\r\n" + "\u4e2d" * 22 + " \u6587", "\u0344\u0f73a", "\u1ea4\u1ebe \u1eed", "\u2163 \u216b \u2184 \u2c2f",
]


def literal(text):
    """A C++ literal of the UTF-8 bytes: all but plain ASCII as three-digit octal escapes, which no following digit can lengthen."""
    plain = lambda b: 0x20 <= b < 0x7F and b not in b'"\\?'
    body = "".join(chr(b) if plain(b) else f"\\{b:03o}" for b in text.encode())
    return f'"{body}"'


def main():
    print("// Made by make_golden.py: {text, nfkc_lower_v1, nfkc_casefold_v1}. Do not edit.")
    print("// clang-format off")
    for text in STRINGS:
        print(f"{{{literal(text)},\n {literal(lower(text))},\n {literal(casefold(text))}}},")
    print("// clang-format on")
    return 0


if __name__ == "__main__":
    sys.exit(main())
