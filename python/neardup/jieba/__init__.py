"""Chinese words as the package jieba 0.42.1 cuts them, by a native segmenter: `import neardup.jieba as jieba`.

The functions of this module are those of the Tokenizer `dt`. Besides, there are the modules posseg (parts of speech) and analyse
(keywords), and cut_many(), which cuts many texts with all cores.

Not there: the mode paddle (use_paddle is ignored), get_DAG, calc, get_dict_file, a list of all words, the program `python -m jieba`, and
ChineseAnalyzer for whoosh.
"""

import logging
import os

from ._errors import InvalidFileError, NotTextError, to_text  # noqa: F401 (callers catch these)
from ._tokenizer import Tokenizer

__version__ = "0.42.1"  # of the jieba that this is like
__license__ = "MIT"

default_logger = logging.getLogger(__name__)

dt = Tokenizer()

add_word = dt.add_word
cut = dt.cut
cut_for_search = dt.cut_for_search
cut_many = dt.cut_many
del_word = dt.del_word
initialize = dt.initialize
lcut = dt.lcut
lcut_for_search = dt.lcut_for_search
load_userdict = dt.load_userdict
set_dictionary = dt.set_dictionary
suggest_freq = dt.suggest_freq
tokenize = dt.tokenize
user_word_tag_tab = dt.user_word_tag_tab

pool = None  # the number of threads after enable_parallel()


def get_FREQ(k, d=None):  # pylint: disable=invalid-name
    """The frequency of a word, 0 for a deleted one and for the mere beginning of words, `d` for others."""
    return dt.FREQ.get(k, d)


def setLogLevel(log_level):  # pylint: disable=invalid-name
    """The level of `default_logger`; there is little to log."""
    default_logger.setLevel(log_level)


def enable_paddle():
    """Raises NotImplementedError: the mode paddle is not there."""
    raise NotImplementedError("neardup.jieba has no mode paddle; without it, use_paddle is ignored")


def _cut_lines(sentence, cut_all=False, HMM=True):
    for words in dt.cut_many(to_text(sentence).splitlines(True), cut_all, HMM, threads=pool):
        yield from words


def _cut_lines_for_search(sentence, HMM=True):
    for words in dt.cut_many(to_text(sentence).splitlines(True), HMM=HMM, for_search=True, threads=pool):
        yield from words


def enable_parallel(processnum=None):
    """Lets cut() and cut_for_search() of this module cut the lines of a text with `processnum` threads, all cores without."""
    global pool, cut, cut_for_search
    pool = processnum or len(os.sched_getaffinity(0))
    cut, cut_for_search = _cut_lines, _cut_lines_for_search


def disable_parallel():
    """The opposite of enable_parallel()."""
    global pool, cut, cut_for_search
    pool, cut, cut_for_search = None, dt.cut, dt.cut_for_search
