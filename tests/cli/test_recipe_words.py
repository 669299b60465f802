"""docs/segmentation.md suffices: recipe_reference/jieba.py was written from that page. It must give the vectors of the page, and cut, weigh
and sketch as the program does.

The dictionary is a small one of the tests' own, in which about every rule decides something; the real one is compared with the package
jieba itself in tests/differential.
"""
import json
import random
import unittest

from harness import CliTest
from recipe_reference import jieba
from recipe_reference.chain import Files, canonical_json, id_of, sketch
from recipe_reference.pages import vectors_of
from recipe_reference.texts import python_recipe, recipe_of, simhash_recipe
from recipe_reference.xxh3 import xxh3_64

LETTERS = "中国人民的北京大学生活水平方杨过T恤ABab19+#&._%-"
OUTSIDE = " \t\r\n　，。々ａé😀"
STATES = "BEMS"
NEVER = jieba.NEVER


WAYS = {"accurate": ((), jieba.cut), "no_hmm": (("--no-hmm",), lambda text, words: jieba.cut(text, words, hmm=False)),
        "full": (("--mode", "full"), jieba.cut_full), "search": (("--mode", "search"), jieba.cut_for_search)}


class OwnDictionary(CliTest):
    """A dictionary for the program, own.dict, and the same one for recipe_reference."""

    def build(self, words, idf, hmm, stop_words):
        self.sources = words, dict(idf), hmm, stop_words
        self.write("dict.txt", "".join(f"{word} {frequency} n\n" for word, frequency in words))
        self.write("idf.txt", "".join(f"{word} {value}\n" for word, value in idf))
        self.write("stop.txt", "\n".join(stop_words))
        for name, table in zip(("start", "trans", "emit"), hmm, strict=True):
            self.write(f"hmm/prob_{name}.py", f"P={table!r}\n")
        self.neardup("dict", "build", "--words", "dict.txt", "--idf", "idf.txt", "--hmm", "hmm", "--stop-words", "stop.txt", "-o", "own.dict")
        info = self.neardup("dict", "info", "own.dict").stdout.decode().splitlines()
        self.ids = {"dictionary": next(line.split()[1] for line in info if line.startswith("id"))}

    def dictionary(self):
        return jieba.Dictionary(*self.sources)

    def run_words(self, texts, *arguments):
        self.write("texts.jsonl", [{"id": i, "text": text} for i, text in enumerate(texts)])
        self.neardup(*arguments, "texts.jsonl", "-q", "-o", "out.jsonl", env={"NEARDUP_DICT": "own.dict"})
        return self.records("out.jsonl")


class SegmentationPage(OwnDictionary):
    def test_vectors(self):
        vectors = vectors_of("segmentation.md")
        given = vectors[0]
        hmm = given["hmm"]
        self.build(given["words"], given["idf"], (hmm["start"], hmm["transition"], hmm["emission"]), given["stop_words"])
        for vector in vectors[1:]:
            with self.subTest(**vector):
                getattr(self, f"check_{vector['step']}")(vector)
        self.assertEqual({vector["step"] for vector in vectors}, {"dictionary", "cut", "keywords", "user_words"})
        self.assertEqual({vector.get("mode") for vector in vectors} - {None}, set(WAYS))

    def check_cut(self, vector):
        arguments, cutter = WAYS[vector["mode"]]
        self.assertEqual(cutter(vector["text"], self.dictionary()), vector["tokens"])
        self.assertEqual(self.run_words([vector["text"]], "tokenize", *arguments)[0]["tokens"], vector["tokens"])

    def check_keywords(self, vector):
        self.assertEqual([list(pair) for pair in jieba.keywords(vector["text"], self.dictionary(), vector["top"])], vector["keywords"])
        self.assertEqual(self.run_words([vector["text"]], "keywords", "--topk", vector["top"])[0]["keywords"], vector["keywords"])

    def check_user_words(self, vector):
        dictionary = self.dictionary()
        for line in vector["lines"]:
            word, _, frequency = line.partition(" ")
            dictionary.add_user_word(word, int(frequency) if frequency else None)
        self.assertEqual({word: dictionary.frequency[word] for word in vector["frequencies"]}, vector["frequencies"])
        self.assertEqual(dictionary.total, vector["total"])
        self.assertEqual(jieba.cut(vector["text"], dictionary), vector["tokens"])
        self.write("user.txt", "\n".join(vector["lines"]))
        self.assertEqual(self.run_words([vector["text"]], "tokenize", "--user-dict", "user.txt")[0]["tokens"], vector["tokens"])


class Words(OwnDictionary):
    def setUp(self):
        super().setUp()
        chance = random.Random(7)
        words = {"".join(chance.choice(LETTERS) for _ in range(chance.choice([1, 1, 2, 2, 2, 3, 3, 4, 5]))) for _ in range(700)}
        listed = [(word, chance.choice([0, 1, 2, 2, 3, 50, 900, 12345])) for word in sorted(words)] + [("北京", 3), ("北京", 40)]
        idf = [(word, chance.choice([0.5, 2.25, 7.125, 9.5, -1.75])) for word, _ in listed[::3]]
        start = {"B": -0.26, "E": NEVER, "M": NEVER, "S": -1.46}
        transition = {"B": {"E": -0.5, "M": -0.9}, "E": {"B": -0.6, "S": -0.8}, "M": {"E": -0.3, "M": -1.2}, "S": {"B": -0.7, "S": -0.6}}
        emission = {state: {letter: -chance.choice([1.5, 2.5, 4.25, 6.0]) for letter in LETTERS[:18:2]} for state in STATES}
        self.build(listed, idf, (start, transition, emission), ["的", "中国", "ab", "水平"])
        self.texts = ["", "\r\n", "北京", "\n\r\n \r", "的的的", "1.5.2 50%% 192.168.1.1 a--b"] + [
            "".join(chance.choice(LETTERS if chance.random() < 0.93 else OUTSIDE) for _ in range(chance.randrange(1, 60)))
            for _ in range(300)]

    def check_tokens(self, dictionary, *more):
        for arguments, cutter in WAYS.values():
            for text, record in zip(self.texts, self.run_words(self.texts, "tokenize", *arguments, *more), strict=True):
                self.assertEqual(record["tokens"], cutter(text, dictionary), f"{arguments} {ascii(text)}")

    def test_tokens(self):
        self.check_tokens(self.dictionary())

    def test_user_words(self):
        lines = [("北京大学", None), ("方杨", 0), ("国人", 30), ("T恤x", None), ("民的北", 0), ("过T", None)]
        self.write("user.txt", "".join(word + (f" {frequency}" if frequency is not None else "") + "\n" for word, frequency in lines))
        dictionary = self.dictionary()
        for word, frequency in lines:
            dictionary.add_user_word(word, frequency)
        self.check_tokens(dictionary, "--user-dict", "user.txt")

    def test_keywords(self):
        for top in (0, 5):
            for text, record in zip(self.texts, self.run_words(self.texts, "keywords", "--topk", top), strict=True):
                expected = jieba.keywords(text, self.dictionary(), top)
                self.assertEqual([tuple(pair) for pair in record["keywords"]], expected, ascii(text))

    def check_sketches(self, recipe, files):
        self.write("recipe.json", json.dumps(recipe | {"dictionary": "own.dict"}))
        self.write("texts.jsonl", [{"text": text} for text in self.texts])
        printed = self.neardup("recipe", "recipe.json").stdout.decode().splitlines()[:2]
        self.assertEqual(printed, [canonical_json(recipe, files.ids), f"id {id_of(recipe, files.ids)}"])
        self.neardup("sketch", "texts.jsonl", "--recipe", "recipe.json", "-q", "-o", "out.jsonl")
        for text, record in zip(self.texts, self.records("out.jsonl"), strict=True):
            expected = sketch(text, recipe, files)
            self.assertEqual({key: record.get(key) for key in expected}, expected, ascii(text))

    def test_sketches(self):
        keywords = {"kind": "jieba_keywords_v1", "top_k": 6}
        recipes = [recipe_of("nfkc_lower_v1", "jieba_v1", 3, "whole"), recipe_of("none_v1", "jieba_full_v1", 2, lanes=3),
                   simhash_recipe(2, "whole", 128, "none_v1", "jieba_search_v1", weighting={"kind": "tf_v1"}),
                   simhash_recipe(normalizer="none_v1", tokenizer="jieba_v1", weighting=keywords, bits=128),
                   python_recipe("tokens", 64, "jieba_v1"), python_recipe("tokens", 128, "jieba_full_v1"),
                   python_recipe("keywords", 64, "jieba_v1", "keywords", weighting=keywords),
                   python_recipe("keywords", 128, "jieba_v1", "characters", weighting={"kind": "jieba_keywords_v1"}),
                   python_recipe("keywords", 64, "jieba_v1", 200, weighting=keywords),
                   python_recipe("keywords", 128, "jieba_v1", 0.5, weighting=keywords),
                   python_recipe("keywords", 64, "jieba_v1", "raw", weighting=keywords),
                   python_recipe("keywords", 128, "jieba_v1", "raw", weighting={"kind": "jieba_keywords_v1"})]
        for recipe in recipes:
            with self.subTest(**recipe):
                self.check_sketches(recipe, Files(self.ids, self.dictionary()))

    def test_sketches_with_files(self):
        user = "北京大学 900\n方杨 0\n"
        self.write("user.txt", user)
        self.write("more.txt", "北京\n人民\n大学\n")
        dictionary = self.dictionary()
        dictionary.add_user_word("北京大学", 900)
        dictionary.add_user_word("方杨", 0)
        ids = self.ids | {"user_words": f"{xxh3_64(user.encode()):016x}",
                          "stop_words": f"{xxh3_64(''.join(sorted(['北京' + chr(10), '人民' + chr(10), '大学' + chr(10)])).encode()):016x}"}
        optional = {"user_words": "user.txt", "stop_words": "more.txt"}
        for recipe in (simhash_recipe(normalizer="nfkc_lower_v1", tokenizer="jieba_v1",
                                      weighting={"kind": "jieba_keywords_v1", "top_k": 4}, **optional),
                       recipe_of("nfkc_lower_v1", "jieba_search_v1", 2, "whole") | optional):
            self.check_sketches(recipe, Files(ids, dictionary, ["北京", "人民", "大学"]))


if __name__ == "__main__":
    unittest.main()
