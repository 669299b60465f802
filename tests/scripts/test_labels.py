"""The scores on labelled sets, against their definitions over all pairs of documents; and the heat map of the figures next to it."""
import itertools
import random
import unittest
import xml.etree.ElementTree

from loading import load_bench

labels = load_bench("labels")
edit_recall = load_bench("edit_recall")


def slow_scores(found, wanted):
    """Precision, recall, ARI and B-cubed F1 by their definitions."""
    both = only_found = only_wanted = neither = 0
    for i, k in itertools.combinations(range(len(found)), 2):
        a, b = found[i] == found[k], wanted[i] == wanted[k]
        both += a and b
        only_found += a and not b
        only_wanted += b and not a
        neither += not a and not b
    bottom = (both + only_found) * (only_found + neither) + (both + only_wanted) * (only_wanted + neither)
    ari = 2 * (both * neither - only_found * only_wanted) / bottom if bottom else 1.0
    precision = recall = 0.0
    everybody = range(len(found))
    for i in everybody:
        mine = {k for k in everybody if found[k] == found[i]}
        theirs = {k for k in everybody if wanted[k] == wanted[i]}
        precision += len(mine & theirs) / len(mine) / len(found)
        recall += len(mine & theirs) / len(theirs) / len(found)
    return labels.Scores(both / (both + only_found) if both + only_found else 1.0, both / (both + only_wanted) if both + only_wanted else 1.0, ari,
                         2 * precision * recall / (precision + recall))


class Labels(unittest.TestCase):
    def test_scores_are_those_of_the_definitions(self):
        for seed in range(300):
            chance = random.Random(seed)
            documents = chance.randint(2, 12)
            found, wanted = ([chance.randrange(1 + seed % 5) for _ in range(documents)] for _ in range(2))
            expected, scores = slow_scores(found, wanted), labels.compare_clusterings(found, wanted)
            for name in ("precision", "recall", "f1", "ari", "b_cubed"):
                self.assertAlmostEqual(getattr(scores, name), getattr(expected, name), places=9, msg=f"{name} of {found}, {wanted}")

    def test_an_example_by_hand(self):
        # Found: {a b c} {d e}; wanted: {a b} {c d e}. Two of four found pairs are wanted, two of four wanted ones found.
        scores = labels.compare_clusterings([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
        self.assertEqual((scores.precision, scores.recall, scores.f1), (0.5, 0.5, 0.5))
        self.assertAlmostEqual(scores.ari, (2 - 1.6) / (4 - 1.6))
        self.assertAlmostEqual(scores.b_cubed, (5 / 3 + 2) / 5)


class HeatMap(unittest.TestCase):
    def test_the_picture_is_that_of_the_figures(self):
        picture = edit_recall.draw(edit_recall.read_figures())
        self.assertEqual(edit_recall.PICTURE.read_text(encoding="utf-8"), picture, "bench/edit_recall.py --draw-only draws it again")
        xml.etree.ElementTree.fromstring(picture)


if __name__ == "__main__":
    unittest.main()
