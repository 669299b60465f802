"""What the documents of a labelled set are to be judged by, and the scores of a program's clusters or pairs.

There are two truths, which answer different questions:
  pairs     all pairs of the set at a Jaccard similarity of 5-grams of characters of 0.7 and above, computed exactly: is the search right?
  clusters  the field `cluster` of the documents: the same value means versions of one thing, however much they differ: is the decision useful?
"""
import collections
import dataclasses
import fractions
import math

import common
import definition

LONGEST_EMPTY = 1000  # white space
THRESHOLD = "0.7"  # what every rival is asked for


@dataclasses.dataclass
class Scores:
    precision: float
    recall: float
    ari: float = math.nan  # of clusters only
    b_cubed: float = math.nan  # F1 of B-cubed precision and recall

    @property
    def f1(self):
        return 2 * self.precision * self.recall / (self.precision + self.recall) if self.precision + self.recall else 0.0


def pairs_in(count):
    return count * (count - 1) // 2


def share(part, whole):
    return part / whole if whole else 1.0


class Labels:
    """Both truths of a set. Documents are known by the ids of tab-separated files."""

    def __init__(self, data):
        self.name = data.name
        at = fractions.Fraction(THRESHOLD)
        self.pairs = {pair for pair, similarity in data.pairs().items() if fractions.Fraction(similarity) >= at}
        self.ids, clusters = [], []
        self.empty = set()  # documents without text: no file of pairs has them, and no program is judged by them
        for record in common.read_records(data.path):
            self.ids.append(common.clean_id(record["id"]))
            clusters.append(record.get("cluster"))
            text = record[data.text_field]
            if len(text) < LONGEST_EMPTY and not definition.normalize(text):
                self.empty.add(self.ids[-1])
        self.clusters = dict(zip(self.ids, clusters)) if None not in clusters else None

    def judge_pairs(self, lines):
        """Scores by the pairs of lines that begin with two ids. Each pair is in one line only: some programs print millions, so they are not
        remembered."""
        found, right = 0, set()
        for line in lines:
            pair = common.pair_key(*line.split("\t", 2)[:2])
            if pair[0] in self.empty and pair[1] in self.empty:
                continue
            found += 1
            if pair in self.pairs:
                right.add(pair)
        return Scores(share(len(right), found), share(len(right), len(self.pairs)))

    def judge_clusters_by_pairs(self, cluster_of):
        """The same of all pairs of documents of one cluster."""
        total = sum(pairs_in(count) for count in collections.Counter(cluster for name, cluster in cluster_of.items() if name not in self.empty).values())
        right = sum(cluster_of[a] == cluster_of[b] for a, b in self.pairs)
        return Scores(share(right, total), share(right, len(self.pairs)))

    def judge_clusters(self, cluster_of):
        """Scores of clusters by the field `cluster`: of pairs of documents, the adjusted Rand index, B-cubed."""
        return compare_clusterings([cluster_of[name] for name in self.ids], [self.clusters[name] for name in self.ids])


def compare_clusterings(found, wanted):
    """Scores of labels, one a document, by others. ARI as Hubert and Arabie define it, B-cubed as Bagga and Baldwin."""
    documents = len(found)
    cells = collections.Counter(zip(found, wanted))
    found_sizes, wanted_sizes = collections.Counter(found), collections.Counter(wanted)
    right = sum(map(pairs_in, cells.values()))
    of_found = sum(map(pairs_in, found_sizes.values()))
    of_wanted = sum(map(pairs_in, wanted_sizes.values()))
    expected = of_found * of_wanted / pairs_in(documents) if documents > 1 else 0.0
    most = (of_found + of_wanted) / 2
    ari = 1.0 if most == expected else (right - expected) / (most - expected)
    precision = sum(count * count / found_sizes[a] for (a, _), count in cells.items()) / documents
    recall = sum(count * count / wanted_sizes[b] for (_, b), count in cells.items()) / documents
    return Scores(share(right, of_found), share(right, of_wanted), ari, 2 * precision * recall / (precision + recall))
