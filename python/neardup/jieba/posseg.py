"""Words with their parts of speech, as jieba.posseg gives them. It does not cut as jieba.cut does."""

from . import dt as _words
from ._errors import NotTextError, to_text
from ._tokenizer import Tokenizer


class pair:  # pylint: disable=invalid-name
    """A word and its part of speech: "n", "v", "ns"."""

    __slots__ = ("word", "flag")

    def __init__(self, word, flag):
        self.word = word
        self.flag = flag

    def __repr__(self):
        return f"pair({self.word!r}, {self.flag!r})"

    def __str__(self):
        return f"{self.word}/{self.flag}"

    def __iter__(self):
        return iter((self.word, self.flag))

    def __lt__(self, other):
        return self.word < other.word

    def __eq__(self, other):
        return isinstance(other, pair) and self.word == other.word and self.flag == other.flag

    def __hash__(self):
        return hash(self.word)

    def encode(self, arg):
        """The bytes of "word/flag" in an encoding."""
        return str(self).encode(arg)


class POSTokenizer:
    """Cuts into words with parts of speech, with the dictionary and the user words of a Tokenizer (without: one of its own)."""

    def __init__(self, tokenizer=None):
        if not isinstance(tokenizer, (Tokenizer, type(None))):
            raise NotTextError(f"tokenizer must be a Tokenizer, not {type(tokenizer).__name__}")
        self.tokenizer = tokenizer or Tokenizer()

    def __repr__(self):
        return f"<POSTokenizer tokenizer={self.tokenizer!r}>"

    def __getattr__(self, name):
        if name in ("cut_for_search", "lcut_for_search", "tokenize"):
            raise NotImplementedError(f"POSTokenizer has no {name}()")
        if name == "tokenizer" or name.startswith("__"):  # while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self.tokenizer, name)

    def initialize(self, dictionary=None):
        """Reads the dictionary now; another one discards the user words."""
        self.tokenizer.initialize(dictionary)

    def cut(self, sentence, HMM=True):
        """A generator of pairs."""
        yield from self.lcut(sentence, HMM)

    def lcut(self, sentence, HMM=True):
        """The list of the pairs."""
        words, tags = self.tokenizer._started().posseg(to_text(sentence), bool(HMM))
        return list(map(pair, words, tags))


dt = POSTokenizer(_words)
initialize = dt.initialize


def cut(sentence, HMM=True, use_paddle=False):
    """A generator of pairs. use_paddle is ignored, as jieba does where paddle is not installed."""
    yield from dt.lcut(sentence, HMM)


def lcut(sentence, HMM=True, use_paddle=False):
    """The list of the pairs."""
    return dt.lcut(sentence, HMM)
