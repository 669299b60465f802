"""docs/recipe.md, from bytes to tokens: code points, literal cleaners, normalizers, the tokenizers without a dictionary.

Characters are of Unicode 13 or older, so that unicodedata and the ICU of the program agree.
"""
import functools
import re
import unicodedata

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
    if normalizer == "none_v1":
        return text
    if normalizer == "lower_compact_v1":
        return "".join(character for character in text.lower() if not is_white(character))
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


def numbers_of(normalized):
    """numbers_v1 of docs/recipe.md."""
    found = re.findall(r"[0-9]+(?:\.[0-9]+)?", normalized)
    return sorted((whole.lstrip("0") or "0") + (f".{rest.rstrip('0')}" if rest.rstrip("0") else "")
                  for whole, _, rest in (number.partition(".") for number in found))


def without_tags(text):
    """tags_v1: "<", one or more characters that are not ">", ">"."""
    out, at = "", 0
    while at < len(text):
        end = text.find(">", at)
        if text[at] == "<" and end > at + 1:
            at = end
        else:
            out += text[at]
        at += 1
    return out


def clean(text, cleaners):
    """docs/cleaning.md, as far as markers are literal texts."""
    for cleaner in cleaners:
        if cleaner == "tags_v1":
            text = without_tags(text)
            continue
        (action, marker), = cleaner.items()
        at = text.find(marker)
        if action == "remove":
            text = text.replace(marker, "")
        elif at >= 0:
            text = text[at + len(marker):] if action == "cut_before" else text[:at]
    return text


def without_stop_words(tokens, words, normalizer):
    images = {normalize(word, normalizer) for word in words}
    return [token for token in tokens if token not in images]
