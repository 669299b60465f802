"""TextRank: keywords by the graph of words that are near each other (Mihalcea and Tarau 2004)."""

import collections
import sys

from . import posseg
from ._tfidf import KeywordExtractor

DAMPING = 0.85
ROUNDS = 10


def _ranks(weights):
    """Node -> rank between about 0 and 1. weights: {(node, node): weight}, in the order in which edges are added."""
    edges = collections.defaultdict(list)  # node -> (neighbour, weight)
    for (one, other), weight in weights.items():
        edges[one].append((other, weight))
        edges[other].append((one, weight))
    outgoing = {node: sum((weight for _, weight in near), 0.0) for node, near in edges.items()}
    ranks = dict.fromkeys(edges, 1.0 / (len(edges) or 1.0))
    for _ in range(ROUNDS):
        for node in sorted(edges):
            share = 0
            for other, weight in edges[node]:
                share += weight / outgoing[other] * ranks[other]
            ranks[node] = (1 - DAMPING) + DAMPING * share
    # The bounds begin as those of jieba, whose largest rank is at least the smallest positive number.
    low = min(ranks.values(), default=sys.float_info.max)
    high = max(ranks.values(), default=sys.float_info.min)
    return {node: (rank - low / 10.0) / (high - low / 10.0) for node, rank in ranks.items()}


class TextRank(KeywordExtractor):
    """The TextRank of jieba.analyse."""

    def __init__(self):
        super().__init__()
        self.tokenizer = self.postokenizer = posseg.dt
        self.pos_filt = frozenset(("ns", "n", "vn", "v"))
        self.span = 5

    def pairfilter(self, wp):
        """Whether a pair of a word and its part of speech may be a keyword."""
        return wp.flag in self.pos_filt and len(wp.word.strip()) >= 2 and wp.word.lower() not in self.stop_words

    def textrank(self, sentence, topK=20, withWeight=False, allowPOS=("ns", "n", "vn", "v"), withFlag=False):
        """The keywords of a text, best first; the arguments are those of extract_tags()."""
        self.pos_filt = frozenset(allowPOS)
        words = list(self.tokenizer.cut(sentence))
        good = [self.pairfilter(word) for word in words]
        together = collections.defaultdict(int)
        for at, word in enumerate(words):
            if not good[at]:
                continue
            for near in range(at + 1, min(at + self.span, len(words))):
                if good[near]:
                    together[(word, words[near]) if allowPOS and withFlag else (word.word, words[near].word)] += 1
        ranked = sorted(_ranks(together).items(), key=lambda item: item[1], reverse=True)
        if topK:
            ranked = ranked[:topK]
        return ranked if withWeight else [word for word, _ in ranked]

    extract_tags = textrank
