"""Fingerprints of `neardup sketch` against recipe_reference/: every kind of sketch, weighting, literal cleaner and plain normalizer."""
import itertools
import json
import random
import unittest

from harness import CliTest
from recipe_reference.chain import Files, canonical_json, id_of, sketch, tokenize
from recipe_reference.text import clean, normalize
from recipe_reference.texts import ALPHABET, PRESETS, TEXTS, python_recipe, simhash_recipe
from recipe_reference.weights import FrequencyTable
from recipe_reference.xxh3 import xxh3_64

PLAIN = {
    "sets of 128 bits": simhash_recipe(2, bits=128, normalizer="nfkc_casefold_v1", tokenizer="words_v1"),
    "tf of 128 bits": simhash_recipe(3, "whole", 128, weighting={"kind": "tf_v1"}),
    "the commonest": simhash_recipe(1, "none", 64, "nfkc_lower_v1", weighting={"kind": "tf_v1", "top_k": 3}, min_features=2),
    "as it is": simhash_recipe(2, "whole", normalizer="none_v1"),
    "Python's text, 128 bits": python_recipe("text", 128, min_features=2),
    "Python's tokens": python_recipe("tokens"),
    "Python's tokens, 128 bits": python_recipe("tokens", 128, "chars_v1"),
    "tags": simhash_recipe(2, "whole", clean=["tags_v1"]),
    "markers": simhash_recipe(2, "whole", normalizer="none_v1", clean=[{"cut_before": "："}, {"cut_after": "收录"}, {"remove": "aa"}]),
}
PAGES = ["<p>one</p>two<br>", "a < b and c > d", "<<b>c<>d<e", "<a title=\">\">b&amp;", "题目：正文aaa。<b>收录</b>：某刊", "<" * 50, "<x" * 20 + ">"]


def numbered(files):
    return {name: f"{value:016x}" for name, value in files.items()}


class Fingerprints(CliTest):
    def texts(self, seed):
        chance = random.Random(seed)
        some = ["".join(chance.choice(ALPHABET) for _ in range(chance.randrange(1, 30))) for _ in range(150)]
        marks = ["".join(chance.choice(["<", ">", "：", "收", "录", "a", "aa", "收录", "x"]) for _ in range(chance.randrange(1, 30)))
                 for _ in range(100)]
        return TEXTS + PAGES + some + marks

    def check(self, texts, recipe, files=Files(), name=None):
        self.write("texts.jsonl", [{"text": text} for text in texts])
        name = name or self.write("recipe.json", json.dumps(recipe))
        self.neardup("sketch", "texts.jsonl", "--recipe", name, "-o", "sketches.jsonl", "-q")
        found = self.records("sketches.jsonl")
        self.assertEqual(len(found), len(texts))
        made = 0
        for text, record in zip(texts, found):
            expected = sketch(text, recipe, files)
            self.assertEqual({key: record.get(key) for key in expected}, expected, ascii(text))
            self.assertEqual(record["recipe_id"], id_of(recipe, files.ids))
            made += expected["fingerprint"] is not None
        self.assertGreater(made, len(texts) // 3)

    def test_presets(self):
        for name in ("simhash-words-3", "simhash-chars-3", "simhash-chars-4", "python-simhash-text"):
            with self.subTest(name):
                self.check(self.texts(1), PRESETS[name], name=name)

    def test_without_files(self):
        for name, recipe in PLAIN.items():
            with self.subTest(name):
                self.check(self.texts(2), recipe)

    def test_stop_words(self):
        self.write("stop.txt", "\ufeffTwo\n  a \n\nＢ\nthe\n")
        words = ["Two", "a", "Ｂ", "the"]
        ids = numbered({"stop_words": xxh3_64("".join(word + "\n" for word in sorted(words)).encode())})
        recipe = simhash_recipe(1, normalizer="nfkc_lower_v1", tokenizer="words_v1", stop_words="stop.txt", weighting={"kind": "tf_v1"})
        texts = self.texts(3) + ["two b", "two a c b", "The end of THE two"]
        self.check(texts, recipe, Files(ids, stop_words=words))

    def test_a_table_of_frequencies(self):
        recipe = simhash_recipe(1, "none", 128, "nfkc_casefold_v1", "words_v1", weighting={"kind": "tf_idf_v1", "idf": "table.idf"})
        self.write("plain.json", json.dumps(recipe | {"weighting": {"kind": "none"}}))
        texts = self.texts(4)
        self.write("corpus.jsonl", [{"text": text} for text in texts[::2]])
        self.neardup("idf", "fit", "corpus.jsonl", "--recipe", "plain.json", "-o", "table.idf", "-q")
        data = self.read("table.idf")
        table = FrequencyTable.parse(data)
        counted = FrequencyTable.count([tokenize(normalize(text, "nfkc_casefold_v1"), recipe, Files()) for text in texts[::2]])
        self.assertEqual((table.documents, table.frequencies), (counted.documents, counted.frequencies))
        ids = numbered({"idf": FrequencyTable.id_of(data)})
        for top in (0, 4):
            if top:
                recipe["weighting"]["top_k"] = top
            self.check(texts, recipe, Files(ids, table=table))

    def test_a_table_fitted_on_the_corpus(self):
        recipe = simhash_recipe(1, "none", 64, "nfkc_casefold_v1", "words_v1", weighting={"kind": "tf_idf_v1", "idf": "corpus"})
        self.write("recipe.json", json.dumps(recipe))
        texts = [text for text in self.texts(5) if text]
        self.write("texts.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)])
        self.neardup("pairs", "texts.jsonl", "--recipe", "recipe.json", "--max-distance", 20, "-o", "pairs.tsv", "-q")
        table = FrequencyTable.count([tokenize(normalize(text, "nfkc_casefold_v1"), recipe, Files()) for text in texts])
        made = [sketch(text, recipe, Files(table=table)) for text in texts]
        expected = set()
        for (i, a), (j, b) in itertools.combinations(enumerate(made), 2):
            if a["exact"] == b["exact"]:
                distance = 0
            elif a["too_short"] or b["too_short"]:
                continue
            else:
                distance = (int(a["fingerprint"], 16) ^ int(b["fingerprint"], 16)).bit_count()
            if distance <= 20:
                expected.add((str(i), str(j), f"{(64 - distance) * 1000000 // 64 / 1000000:.6f}"))
        self.assertEqual({tuple(row.values()) for row in self.table("pairs.tsv")}, expected)
        self.assertGreater(len(expected), 20)

    def test_ids(self):
        for recipe in PLAIN.values():
            self.write("recipe.json", json.dumps(recipe))
            printed = self.neardup("recipe", "recipe.json").stdout.decode().splitlines()[:2]
            self.assertEqual(printed, [canonical_json(recipe), f"id {id_of(recipe)}"])
        # Members with their default may be written or left out.
        self.write("recipe.json", json.dumps(PLAIN["as it is"] | {"clean": [], "weighting": {"kind": "none"}}))
        self.assertEqual(self.neardup("recipe", "recipe.json", "--json").stdout.decode().strip(), canonical_json(PLAIN["as it is"]))

    def test_literal_cleaners_alone(self):
        """By the exact hash of texts that nothing else changes."""
        for cleaners in (["tags_v1"], [{"remove": "收录"}], [{"cut_before": ">"}], ["tags_v1", {"cut_after": "x"}]):
            recipe = simhash_recipe(1, normalizer="none_v1", clean=cleaners)
            self.check([text for text in self.texts(6) if clean(text, cleaners)], recipe)


if __name__ == "__main__":
    unittest.main()
