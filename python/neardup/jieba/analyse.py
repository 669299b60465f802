"""Keywords, as jieba.analyse finds them. The functions are those of default_tfidf and default_textrank."""

from ._textrank import TextRank
from ._tfidf import TFIDF, KeywordExtractor

__all__ = [
    "TFIDF",
    "KeywordExtractor",
    "TextRank",
    "default_textrank",
    "default_tfidf",
    "extract_tags",
    "set_idf_path",
    "set_stop_words",
    "textrank",
    "tfidf",
]

default_tfidf = TFIDF()
default_textrank = TextRank()

extract_tags = tfidf = default_tfidf.extract_tags
set_idf_path = default_tfidf.set_idf_path
textrank = default_textrank.extract_tags


def set_stop_words(stop_words_path):
    """Adds the lines of a file to the stop words of extract_tags() and textrank()."""
    default_tfidf.set_stop_words(stop_words_path)
    default_textrank.set_stop_words(stop_words_path)
