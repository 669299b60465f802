"""The definition of the exact pairs, in Python and in exact arithmetic: what the engine is judged by.

White space between two CJK characters is removed, Unicode NFKC, default lower case, other white space becomes one blank; the set of all
substrings of 5 code points, or the whole text when it is shorter; common / all. The character data are of Unicode 14, Python 3.11.
"""
import fractions
import re
import unicodedata

CJK = "\u2e80-\u303f\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
BETWEEN_CJK = re.compile(f"(?<=[{CJK}])\\s+(?=[{CJK}])")
UNICODE = "14.0.0"


def normalize(text):
    return " ".join(unicodedata.normalize("NFKC", BETWEEN_CJK.sub("", text)).lower().split())


def shingles(text):
    text = normalize(text)
    return {text} if len(text) < 5 else {text[i:i + 5] for i in range(len(text) - 4)}


def jaccard(a, b):
    """The similarity of two sets, as a fraction."""
    common = len(a & b)
    return fractions.Fraction(common, len(a) + len(b) - common)


def agrees(written, exact, places):
    """True if the decimal `written` is `exact` rounded to its number of places (either way at a tie)."""
    return abs(fractions.Fraction(written) - exact) <= fractions.Fraction(1, 2 * 10**places)
