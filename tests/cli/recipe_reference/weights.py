"""docs/weights.md: document frequencies and weights, in whole numbers."""
import fractions
import math
import struct

from recipe_reference.xxh3 import xxh3_64

MOST = 2**31 - 1


def log2(x):
    whole = x.bit_length() - 1
    mantissa, result = x << (63 - whole), whole
    for _ in range(40):
        square = mantissa * mantissa
        two = square >> 127
        mantissa = square >> (64 if two else 63)
        result = 2 * result + two
    return result


class FrequencyTable:
    def __init__(self, documents, frequencies):
        self.documents, self.frequencies = documents, frequencies

    @classmethod
    def count(cls, token_lists):
        """What a pass over a corpus counts."""
        frequencies = {}
        for tokens in token_lists:
            for feature in {xxh3_64(token.encode()) for token in tokens}:
                frequencies[feature] = frequencies.get(feature, 0) + 1
        return cls(len(token_lists), frequencies)

    @staticmethod
    def without_words(data):
        """The bytes that the id covers."""
        described, _, entries = struct.unpack_from("<IQQ", data, 12)
        end = 40 + described + -described % 8 + 8 * entries + 4 * entries + -4 * entries % 8 + 8
        if len(data) > end and data[end:end + 8] != b"neardupW":
            raise ValueError("something else follows the table of document frequencies")
        return data[:end]

    @classmethod
    def parse(cls, data):
        data = cls.without_words(data)
        magic, version, described, documents, entries, _, _ = struct.unpack_from("<8sIIQQII", data)
        if magic != b"neardupF" or version != 1 or xxh3_64(data[:-8]) != int.from_bytes(data[-8:], "little"):
            raise ValueError("not a table of document frequencies")
        at = 40 + described + -described % 8
        hashes = struct.unpack_from(f"<{entries}Q", data, at)
        return cls(documents, dict(zip(hashes, struct.unpack_from(f"<{entries}I", data, at + 8 * entries))))

    @classmethod
    def id_of(cls, data):
        return int.from_bytes(cls.without_words(data)[-8:], "little")

    def idf(self, feature):
        difference = log2(self.documents + 1) - log2(self.frequencies.get(feature, 0) + 1)
        return 65536 + (difference * 2977044472 + 2**55 >> 56)


def weigh(features, weighting, table=None):
    """(feature, weight) pairs of the features of a text, in the order of the text."""
    counts = {}
    for feature in features:
        counts[feature] = counts.get(feature, 0) + 1
    kind = weighting.get("kind", "none")
    weight = {"none": lambda feature, count: 1, "tf_v1": lambda feature, count: min(count, MOST),
              "tf_idf_v1": lambda feature, count: min(count * table.idf(feature), MOST)}[kind]
    weighted = [(feature, weight(feature, count)) for feature, count in counts.items()]
    if weighting.get("top_k"):
        weighted = sorted(weighted, key=lambda pair: -pair[1])[:weighting["top_k"]]
    return sorted(weighted)


def fixed_weight(weight):
    return min(max(math.floor(fractions.Fraction(weight) * 65536 + fractions.Fraction(1, 2)), 0), MOST)


def weigh_keywords(keywords):
    weights = {}
    for word, weight in keywords:
        if fixed_weight(weight) > 0:
            feature = xxh3_64(word.encode())
            weights[feature] = min(weights.get(feature, 0) + fixed_weight(weight), MOST)
    return sorted(weights.items())
