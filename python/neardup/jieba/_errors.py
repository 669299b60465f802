"""Errors that are also of the kind that jieba raises in the same place, so that callers who catch those catch these."""

from .._core import InputError, UsageError


class NotTextError(UsageError, TypeError, AttributeError):
    """What should be a text is neither str nor bytes. jieba raises AttributeError."""


class InvalidFileError(InputError, ValueError):
    """A dictionary, a list of words or an IDF table that cannot be read as one. jieba raises ValueError."""


def to_text(value, name="sentence"):
    """`value` as str: bytes as UTF-8, or else as GBK without what is not GBK. Raises NotTextError."""
    if isinstance(value, str):
        return value
    if not hasattr(value, "decode"):
        raise NotTextError(f"{name} must be str or bytes, not {type(value).__name__}")
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("gbk", "ignore")
    if not isinstance(text, str):
        raise NotTextError(f"{name} must be str or bytes, not {type(value).__name__}")
    return text


def to_word(value, name="word"):
    """The same for a word, which must be valid Unicode."""
    word = to_text(value, name)
    try:
        word.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(f"{name} {word!r}: {error.reason}") from None
    return word
