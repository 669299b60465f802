"""Tokenizer: a dictionary with user words, and every way of cutting texts by it."""

import collections.abc
import os
import re
import threading

from .._core import CutMode, InputError, Segmenter, UsageError
from ._errors import InvalidFileError, NotTextError, to_text, to_word

MAX_FREQUENCY = 2**53 - 1
USER_LINE = re.compile("(.+?)(?: ([0-9]+))?(?: ([a-z]+))?")
# Looked up once: a call of lcut() takes little longer than such a look-up.
DEFAULT, ALL, SEARCH = CutMode.DEFAULT, CutMode.ALL, CutMode.SEARCH


class Frequencies:
    """FREQ of jieba: word -> frequency, 0 for a deleted word and for the mere beginning of words. To change words use add_word()."""

    __iter__ = None  # there is no list of all words

    def __init__(self, tokenizer):
        self._tokenizer = tokenizer

    def get(self, word, default=None):
        """The frequency of the word, or `default`."""
        if not isinstance(word, str):
            return default
        try:
            found = self._tokenizer._started().frequency(word)
        except TypeError:  # lone surrogates
            return default
        return default if found is None else found

    def __getitem__(self, word):
        found = self.get(word)
        if found is None:
            raise KeyError(word)
        return found

    def __contains__(self, word):
        return self.get(word) is not None


class Tokenizer:
    """The Tokenizer of jieba 0.42.1: the same words, by a native segmenter.

    dictionary: path of a file of lines `word frequency [tag]` that is used instead of the words of jieba. It is read at the first use.

    Safe to use from several threads: a call cuts with the words of its beginning. After a change of words the next call that cuts builds
    tables of all words first, so make changes together. Can be pickled and copied, with its words.

    Texts are str, or bytes in UTF-8 or GBK, of at most 256 MiB of UTF-8. Others raise NotTextError, which is a TypeError and an
    AttributeError.
    """

    tmp_dir = None  # set by programs for jieba; there is no cache file here
    cache_file = None

    def __init__(self, dictionary=None):
        self.dictionary = None if dictionary is None else os.path.abspath(dictionary)
        self.user_word_tag_tab = {}
        self.lock = threading.RLock()
        self._segmenter = None
        self._changes = []  # (word, frequency, tag), in order: the words again for a copy

    def __repr__(self):
        return f"<Tokenizer dictionary={self.dictionary!r}>"

    def __getstate__(self):
        state = dict(self.__dict__, user_word_tag_tab=dict(self.user_word_tag_tab), _changes=list(self._changes), _segmenter=None)
        del state["lock"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.lock = threading.RLock()

    # The dictionary.

    @property
    def initialized(self):
        """Whether the dictionary has been read."""
        return self._segmenter is not None

    @property
    def FREQ(self):  # pylint: disable=invalid-name
        """Word -> frequency, with get(), [] and `in`."""
        return Frequencies(self)

    @property
    def total(self):
        """The sum of all frequencies, which every added word increases."""
        return self._started().total()

    def initialize(self, dictionary=None):
        """Reads the dictionary now instead of at the first use; another one discards the user words. Raises InputError."""
        if dictionary:
            path = os.path.abspath(dictionary)
            if path == self.dictionary and self.initialized:
                return
            self._forget(path)
        self._started()

    def check_initialized(self):
        """Reads the dictionary if that was not done before."""
        self._started()

    def set_dictionary(self, dictionary_path):
        """Uses the words of this file from the next use on, without the user words. Raises InputError if there is no such file."""
        path = os.path.abspath(dictionary_path)
        if not os.path.isfile(path):
            raise InputError(f"{path}: there is no such file")
        self._forget(path)

    def _forget(self, dictionary):
        with self.lock:
            self.dictionary = dictionary
            self._segmenter = None
            self._changes = []

    def _started(self):
        segmenter = self._segmenter
        if segmenter is not None:
            return segmenter
        with self.lock:
            if self._segmenter is None:
                try:
                    segmenter = Segmenter("") if self.dictionary is None else Segmenter.with_words(self.dictionary, "")
                except InputError as error:
                    raise InvalidFileError(str(error)) from None
                for word, frequency, tag in self._changes:
                    segmenter.add_word(word, frequency, tag)
                self._segmenter = segmenter
            return self._segmenter

    # Words.

    def _cut(self, sentence, mode, hmm):
        segmenter = self._segmenter or self._started()
        if not isinstance(sentence, (str, bytes, bytearray)):
            sentence = to_text(sentence)
        return segmenter.cut(sentence, mode, True if hmm else False)

    def cut(self, sentence, cut_all=False, HMM=True, use_paddle=False):
        """A generator of the words of a text; joined they are the text. cut_all: every word of the dictionary in it instead.

        HMM: finds words that the dictionary lacks. use_paddle is ignored, as jieba does where paddle is not installed.
        """
        yield from self._cut(sentence, ALL if cut_all else DEFAULT, HMM)

    def lcut(self, sentence, cut_all=False, HMM=True, use_paddle=False):
        """The list of the words of cut()."""
        if type(self).cut is not Tokenizer.cut:
            return list(self.cut(sentence, cut_all, HMM, use_paddle))
        return self._cut(sentence, ALL if cut_all else DEFAULT, HMM)

    def cut_for_search(self, sentence, HMM=True):
        """A generator of the words of cut(), each with the words of two and three characters in it before it."""
        yield from self.lcut_for_search(sentence, HMM)

    def lcut_for_search(self, sentence, HMM=True):
        """The list of the words of cut_for_search()."""
        if type(self).cut_for_search is not Tokenizer.cut_for_search:
            return list(self.cut_for_search(sentence, HMM))
        if type(self).cut is not Tokenizer.cut:
            return [word for word, _, _ in self._parts(self.cut(sentence, HMM=HMM), True)]
        return self._cut(sentence, SEARCH, HMM)

    def tokenize(self, unicode_sentence, mode="default", HMM=True):
        """A generator of (word, begin, end), in characters. mode: "default", or "search" for the words of cut_for_search().

        Raises NotTextError, which is a ValueError, for anything but str.
        """
        if not isinstance(unicode_sentence, str):
            raise NotTextError(f"unicode_sentence must be str, not {type(unicode_sentence).__name__}")
        if type(self).cut is not Tokenizer.cut:
            yield from self._parts(self.cut(unicode_sentence, HMM=HMM), mode != "default")
        else:
            yield from self._started().tokenize(unicode_sentence, mode != "default", bool(HMM))

    def _parts(self, words, search):
        """The words of a cut() that was overridden, with their places, and for a search the words in them."""
        begin = 0
        for word in words:
            for size in (2, 3) if search else ():
                if len(word) <= size:
                    break
                for at in range(len(word) - size + 1):
                    if self.FREQ.get(word[at : at + size]):
                        yield word[at : at + size], begin + at, begin + at + size
            yield word, begin, begin + len(word)
            begin += len(word)

    def cut_many(self, texts, cut_all=False, HMM=True, for_search=False, threads=None):
        """The words of many texts: [[word, ...], ...] in the order of `texts`, cut by all cores. Not in jieba.

        texts: an iterable of str or bytes, read as it is used. cut_all, HMM: as for cut(). for_search: the words of cut_for_search().
        threads: how many threads cut, all cores without. Frequent words share one str, which takes less memory. Does not use a cut() that
        a subclass overrides. Raises TypeError with the position of an item that is not a text.
        """
        if isinstance(texts, (str, bytes, bytearray)) or not isinstance(texts, collections.abc.Iterable):
            raise NotTextError(f"texts must be an iterable of str, not {type(texts).__name__}")
        if threads is not None and (not isinstance(threads, int) or not 1 <= threads <= 1024):
            raise UsageError(f"threads must be an integer between 1 and 1024, not {threads!r}")
        mode = ALL if cut_all else SEARCH if for_search else DEFAULT
        return self._started().cut_many(texts, mode, bool(HMM), threads or 0)

    # User words.

    def add_word(self, word, freq=None, tag=None):
        """Adds a word, or gives it another frequency (without one: one that keeps it in one piece) or part of speech."""
        segmenter = self._started()
        word = to_word(word)
        if freq is not None:
            freq = int(freq)
            if not 0 <= freq <= MAX_FREQUENCY:
                raise UsageError(f"the frequency of '{word}' must be between 0 and {MAX_FREQUENCY}, not {freq}")
        tag = to_word(tag, "tag") if tag else ""
        self._changes.append((word, segmenter.add_word(word, freq, tag), tag))
        if tag:
            self.user_word_tag_tab[word] = tag

    def del_word(self, word):
        """Deletes a word: the same as adding it with the frequency 0."""
        self.add_word(word, 0)

    def suggest_freq(self, segment, tune=False):
        """The frequency that keeps a word (str) in one piece, or lets it fall apart into its pieces (an iterable of str).

        tune: the word gets it. The HMM may still join or split it.
        """
        segmenter = self._started()
        if isinstance(segment, str):
            word = to_word(segment, "segment")
            freq = segmenter.suggest_word(word)
        else:
            pieces = [to_word(piece, "segment") for piece in segment]
            word = "".join(pieces)
            freq = segmenter.suggest_pieces(pieces)
        if tune:
            self.add_word(word, freq)
        return freq

    def load_userdict(self, f):
        """Adds the words of a file: lines `word [frequency] [tag]` in UTF-8. f: its path, or a file or another iterable of lines.

        Raises OSError for a file that cannot be opened, InvalidFileError, which is a ValueError, for a line that is not UTF-8, and
        UsageError for a word out of bounds, with the line; the words of earlier lines are then added.
        """
        self._started()
        if isinstance(f, (str, os.PathLike)):
            with open(f, "rb") as lines:
                self._add_lines(lines, os.fspath(f))
        else:
            self._add_lines(f, getattr(f, "name", repr(f)))

    def _add_lines(self, lines, name):
        for number, raw in enumerate(lines, 1):
            line = raw.strip()
            if not isinstance(line, str):
                try:
                    line = line.decode("utf-8").lstrip("\ufeff")
                except UnicodeDecodeError:
                    raise InvalidFileError(f"{name}:{number}: the line is not UTF-8") from None
            if not line:
                continue
            found = USER_LINE.fullmatch(line)
            if found is None:
                raise InvalidFileError(f"{name}:{number}: expected 'word [frequency] [tag]', not {line!r}")
            try:
                self.add_word(*found.groups())
            except UsageError as error:
                raise UsageError(f"{name}:{number}: {error}") from None
