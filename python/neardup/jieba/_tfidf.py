"""TFIDF: keywords by TF-IDF."""

import os

from .._core import InputError, Keywords
from . import dt, posseg
from ._errors import InvalidFileError, to_text


class StopWords(set):
    """A set that counts its changes, so that the native list of stop words is made again only after one."""

    changes = 0


def _counted(name):
    method = getattr(set, name)

    def change(self, *arguments):
        self.changes += 1
        return method(self, *arguments)

    change.__name__ = name
    change.__doc__ = method.__doc__
    return change


for _name in (
    "add",
    "clear",
    "difference_update",
    "discard",
    "intersection_update",
    "pop",
    "remove",
    "symmetric_difference_update",
    "update",
    "__iand__",
    "__ior__",
    "__isub__",
    "__ixor__",
):
    setattr(StopWords, _name, _counted(_name))


class KeywordExtractor:
    """What TFIDF and TextRank share: stop words, at first those of jieba."""

    def __init__(self):
        self.stop_words = dt._started().stop_words()

    @property
    def stop_words(self):
        """The set of words that are no keywords, in lower case. Change it, or assign another one, which is copied."""
        return self._stop_words

    @stop_words.setter
    def stop_words(self, words):
        self._stop_words = StopWords(words)

    def set_stop_words(self, stop_words_path):
        """Adds the lines of a file in UTF-8 to the stop words. Raises InputError, and InvalidFileError, which is a ValueError."""
        path = os.path.abspath(stop_words_path)
        if not os.path.isfile(path):
            raise InputError(f"{path}: there is no such file")
        with open(path, "rb") as file:
            content = file.read()
        try:
            self.stop_words.update(content.decode("utf-8").splitlines())
        except UnicodeDecodeError:
            raise InvalidFileError(f"{path}: the file is not UTF-8") from None

    def extract_tags(self, *args, **kwargs):
        """The keywords of a text; each kind of extractor has its own."""
        raise NotImplementedError


class TFIDF(KeywordExtractor):
    """The TFIDF of jieba.analyse. Its tokenizer and postokenizer can be assigned; a cut() that a subclass overrides is not used.

    idf_path: a file of lines `word idf` in UTF-8 that is used instead of the table of jieba.
    """

    def __init__(self, idf_path=None):
        super().__init__()
        self.tokenizer = dt
        self.postokenizer = posseg.dt
        self.idf_path = None
        self._prepare()
        if idf_path:
            self.set_idf_path(idf_path)

    def _prepare(self):
        self._keywords = Keywords()
        self._native_stop_words = None  # (set, its changes) that _keywords has

    def __getstate__(self):
        state = dict(self.__dict__)
        del state["_keywords"], state["_native_stop_words"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._prepare()
        if self.idf_path:
            self.set_idf_path(self.idf_path)

    def set_idf_path(self, idf_path):
        """Reads another IDF table now. Raises InputError if there is no such file, and InvalidFileError, which is a ValueError."""
        path = os.path.abspath(idf_path)
        if not os.path.isfile(path):
            raise InputError(f"{path}: there is no such file")
        try:
            self._keywords.set_idf_path(path)
        except InputError as error:
            raise InvalidFileError(str(error)) from None
        self.idf_path = path

    def _native(self):
        words = self._stop_words
        if self._native_stop_words is None or self._native_stop_words[0] is not words or self._native_stop_words[1] != words.changes:
            changes = words.changes
            # No keyword has a character that is not printable, and some of them the native list could not hold.
            self._keywords.set_stop_words([word for word in list(words) if isinstance(word, str) and word.isprintable()])
            self._native_stop_words = (words, changes)
        return self._keywords

    def extract_tags(self, sentence, topK=20, withWeight=False, allowPOS=(), withFlag=False):
        """The keywords of a text, best first.

        topK: how many; None or 0: all. withWeight: a list of (keyword, weight) instead of one of keywords. allowPOS: only words with these
        parts of speech. withFlag: with allowPOS, pairs of a word and its part of speech instead of words.
        """
        top = topK if isinstance(topK, int) and topK > 0 else 0
        if allowPOS and withFlag:
            found = self._tagged(sentence, frozenset(allowPOS))
        elif allowPOS:
            tags = sorted(tag for tag in frozenset(allowPOS) if isinstance(tag, str) and tag.isprintable())
            segmenter = self.postokenizer.tokenizer._started()
            found = self._native().extract_tags(segmenter, to_text(sentence), top, tags) if tags else []
        else:
            found = self._native().extract_tags(self.tokenizer._started(), to_text(sentence), top, [])
        if topK and len(found) > topK:
            found = found[:topK]
        elif topK and topK < 0:
            found = found[:topK]
        return found if withWeight else [word for word, _ in found]

    def _tagged(self, sentence, tags):
        counts = {}
        for each in self.postokenizer.cut(sentence):
            if each.flag in tags and len(each.word.strip()) >= 2 and each.word.lower() not in self._stop_words:
                counts[each] = counts.get(each, 0) + 1
        total = sum(counts.values())
        words = list(counts)
        weights = self._keywords.idf(self.postokenizer.tokenizer._started(), [each.word for each in words])
        weighed = [(each, counts[each] * (weight / total)) for each, weight in zip(words, weights)]
        return sorted(weighed, key=lambda item: item[1], reverse=True)
