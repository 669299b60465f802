"""docs/recipe.md, the tokenizer code_v1, by patterns made of its rules."""
import functools
import re
import unicodedata

from recipe_reference.pages import ROOT
from recipe_reference.text import KANA_SIGNS, SINGLE, is_white, tokens_of, within

DEFAULTS = {"comments": "drop", "identifiers": "keep", "numbers": "keep", "strings": "keep"}
QUOTED = r'(?:\\(?:\r\n|.|\Z)|(?!{end})(?:[^\\{more}]))*(?:{end}|(?=[\r\n])|\Z)'
LONG = r'(?:\\(?:\r\n|.|\Z)|(?!{end})[^\\])*(?:{end}|\Z)'


@functools.cache
def kept_names():
    """The block of words that follows the table of `code`."""
    page = (ROOT / "docs/recipe.md").read_text(encoding="utf-8")
    return frozenset(re.search(r"\| `strings` \|[^\n]*\n\n```text\n(.*?)```", page, re.DOTALL)[1].split())


def in_name(character):
    category = unicodedata.category(character)
    return character in "_$" or within(character, SINGLE) or ord(character) in KANA_SIGNS or category[0] in "LM" or category == "Nd"


def at_line_end(text, at):
    return re.compile(r"[\r\n]|\Z").search(text, at).start()


def after(text, closing, at):
    found = text.find(closing, at)
    return len(text) if found < 0 else found + len(closing)


def comment_end(text, at):
    """None: no comment begins here."""
    parted = at == 0 or is_white(text[at - 1])
    following = text[at + 1:at + 2]
    if text.startswith("/*", at):
        return after(text, "*/", at + 2)
    if text.startswith("<!--", at):
        return after(text, "-->", at + 4)
    lua = re.compile(r"--\[(=*)\[").match(text, at)
    if lua:
        return after(text, f"]{lua[1]}]", lua.end())
    if text.startswith("//", at) and text[at - 1:at] != ":":
        return at_line_end(text, at)
    if text[at] == "#" and parted and not (following and (in_name(following) or following in "[({")):
        return at_line_end(text, at)
    next_one = text[at + 2:at + 3]
    if text.startswith("--", at) and parted and (next_one in ("", "-") or is_white(next_one)):
        return at_line_end(text, at)
    return None


def string_end(text, at):
    quote = text[at]
    if quote not in "\"'`":
        return None
    if quote != "`" and text.startswith(quote * 3, at):
        return re.compile(LONG.format(end=quote * 3), re.DOTALL).match(text, at + 3).end()
    return re.compile(QUOTED.format(end=quote, more="\\r\\n"), re.DOTALL).match(text, at + 1).end()


def number_end(text, at):
    if text[at] not in "0123456789":
        return None
    exponents = "pP" if text[at:at + 2] in ("0x", "0X") else "eE"
    end = at + 1
    while end < len(text):
        before_digit = text[end + 1:end + 2] in set("0123456789")
        joined = before_digit and (text[end] == "." or (text[end] in "+-" and text[end - 1] in exponents))
        if not (joined or in_name(text[end])):
            break
        end += 1
    return end


def name_end(text, at):
    end = at
    while end < len(text) and in_name(text[end]):
        end += 1
    return end


def cut(text, choices=None):
    """The tokens of code_v1; `choices` is the member `code` of the recipe."""
    choices = DEFAULTS | (choices or {})
    tokens, at = [], 0
    while at < len(text):
        begin = at
        if is_white(text[at]):
            at += 1
        elif (end := comment_end(text, begin)) is not None:
            at = end
            if choices["comments"] == "keep":
                tokens += tokens_of(text[begin:at], "words_v1")
        elif (end := string_end(text, begin)) is not None:
            at = end
            tokens.append('""' if choices["strings"] == "normalize" else text[begin:at])
        elif (end := number_end(text, begin)) is not None:
            at = end
            tokens.append("0" if choices["numbers"] == "normalize" else text[begin:at])
        elif (end := name_end(text, begin)) > begin:
            at = end
            name = text[begin:at]
            tokens.append("_" if choices["identifiers"] == "normalize" and name not in kept_names() else name)
        else:
            at += 1
            tokens.append(text[begin])
    return tokens
