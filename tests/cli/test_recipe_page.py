"""docs/recipe.md suffices: recipe_reference/ was written from that page and those that it refers to, and the specification of XXH3, and
shares nothing with the engine. It must give every test vector of the page, and the MinHash sketches that `neardup sketch` prints for the
texts of the page and for many others. Fingerprints: test_recipe_fingerprints.py. Chinese words: test_recipe_words.py.
"""
import json
import random
import re
import subprocess
import unittest

from harness import BINARY, CliTest
from recipe_reference import code
from recipe_reference.chain import canonical_json, id_of, sketch
from recipe_reference.pages import vectors_of
from recipe_reference.sketches import band_key, feature_of, number_key, offset_of, one_permutation_signature_of, python_simhash, shingles_of, \
    signature_of, simhash
from recipe_reference.text import clean, decode, normalize, numbers_of, tokens_of, without_stop_words
from recipe_reference.texts import ALPHABET, CODE_PIECES, OTHERS, PRESETS, TEXTS, recipe_of
from recipe_reference.xxh3 import xxh3_64, xxh3_128


def pattern_bytes(length):
    return bytes((i * i + 7) & 0xFF for i in range(length))


class RecipePage(CliTest):
    def recipe_name(self, recipe):
        for name, known in PRESETS.items():
            if known == recipe:
                return name
        return self.write("recipe.json", json.dumps(recipe))

    def program_sketches(self, texts, recipe):
        self.write("texts.jsonl", [{"text": text} for text in texts])
        self.neardup("sketch", "texts.jsonl", "--recipe", self.recipe_name(recipe), "-o", "sketches.jsonl", "-q")
        made = "fingerprint" if "bits" in recipe["sketch"] else "signature"
        return [{key: record.get(key) for key in ("exact", "features", "too_short", made)} for record in self.records("sketches.jsonl")]

    def need_dictionary(self, ids):
        """Fails unless the program has the dictionary of the page."""
        if "dictionary" not in ids:
            return
        printed = subprocess.run([BINARY, "dict", "info"], capture_output=True, text=True, check=False).stdout
        if f"\nid {ids['dictionary']}\n" not in re.sub(" +", " ", "\n" + printed):
            self.fail(f"the program has not the dictionary {ids['dictionary']}, that of python3-jieba 0.42.1-3 (scripts/setup.sh build)")

    def check(self, texts, recipe):
        found = self.program_sketches(texts, recipe)
        self.assertEqual(len(found), len(texts))
        for text, record in zip(texts, found):
            self.assertEqual(record, sketch(text, recipe), ascii(text))

    def test_vectors_of_the_page(self):
        seen = {}
        for vector in vectors_of("recipe.md"):
            step = vector["step"]
            seen[step] = seen.get(step, 0) + 1
            with self.subTest(**vector):
                getattr(self, f"check_{step}")(vector)
        steps = {name.removeprefix("check_") for name in dir(self) if name.startswith("check_")}
        self.assertEqual(set(seen), steps)

    def check_canonical(self, vector):
        ids = vector.get("ids", {})
        self.assertEqual(vector["json"], canonical_json(PRESETS[vector["recipe"]], ids))
        self.assertEqual(vector["id"], f"{xxh3_64(vector['json'].encode()):016x}")
        self.need_dictionary(ids)
        printed = self.neardup("recipe", vector["recipe"]).stdout.decode()
        lines = printed.splitlines()
        self.assertEqual([lines[0], *lines[1].split(" ")[:2]], [vector["json"], "id", vector["id"]])  # more is for people
        self.write("canonical.json", vector["json"])
        self.assertEqual(self.neardup("recipe", "canonical.json").stdout.decode(), printed)

    def check_unicode(self, vector):
        self.assertEqual(vector["id"], id_of(PRESETS[vector["recipe"]] | {"unicode": vector["unicode"]}))
        own = self.write("recipe.json", json.dumps(PRESETS[vector["recipe"]] | {"unicode": vector["unicode"]}))
        doctor = self.neardup("doctor").stdout.decode()
        if re.search(rf"Unicode +{re.escape(vector['unicode'])}\b", doctor):
            self.assertIn(f"id {vector['id']}", self.neardup("recipe", own).stdout.decode())
        else:
            self.assertIn(f"was made for Unicode {vector['unicode']}; this build has", self.neardup("recipe", own, code=2).stderr)

    def check_clean(self, vector):
        self.assertEqual(vector["cleaned"], clean(vector["text"], vector["clean"]))
        self.check([vector["text"]], recipe_of("none_v1", size=1, lanes=2) | {"clean": vector["clean"]})

    def check_filter(self, vector):
        self.assertEqual(vector["left"], without_stop_words(vector["tokens"], vector["stop_words"], vector["normalizer"]))

    def check_simhash(self, vector):
        features = [(int(feature, 16), weight) for feature, weight in vector["features"]]
        self.assertEqual(vector["fingerprint"], f"{simhash(features, vector['bits']):0{vector['bits'] // 4}x}")

    def check_python(self, vector):
        tokens = [tuple(pair) for pair in vector["tokens"]]
        self.assertEqual(vector["fingerprint"], f"{python_simhash(tokens, vector['bits']):0{vector['bits'] // 4}x}")

    def check_repair(self, vector):
        data = bytes.fromhex(vector["bytes"])
        self.assertEqual(vector["text"], decode(data))
        self.write("in.txt", data)
        self.neardup("sketch", "in.txt", "-o", "one.jsonl", "-q")
        self.assertEqual(self.records("one.jsonl")[0]["exact"], sketch(vector["text"], PRESETS["words-5"])["exact"])

    def check_normalize(self, vector):
        self.assertEqual(vector["normalized"], normalize(vector["text"], vector["normalizer"]))
        self.check([vector["text"]], recipe_of(vector["normalizer"], size=1, lanes=2))

    def check_tokenize(self, vector):
        if vector["tokenizer"] == "code_v1":
            self.compare_code(vector["normalized"], vector.get("code", {}), vector["tokens"])
            return
        self.assertEqual(vector["tokens"], tokens_of(vector["normalized"], vector["tokenizer"]))
        recipe = recipe_of("nfkc_lower_v1", vector["tokenizer"], size=1, lanes=64)
        self.assertEqual(vector["normalized"], normalize(vector["normalized"], recipe["normalizer"]))
        self.check([vector["normalized"]], recipe)

    def compare_code(self, text, choices, tokens):
        self.assertEqual(tokens, code.cut(text, choices))
        if not choices:
            self.write("one.jsonl", [{"text": text}])
            self.neardup("tokenize", "one.jsonl", "--tokenizer", "code_v1", "-q", "-o", "tokens.jsonl")
            self.assertEqual(self.records("tokens.jsonl")[0]["tokens"], tokens)
        self.check([text], recipe_of("none_v1", "code_v1", size=1, lanes=64) | {"code": choices})

    def check_shingles(self, vector):
        recipe = recipe_of(tokenizer=vector["tokenizer"], size=vector["size"], short_text=vector["short_text"])
        shingles = shingles_of(vector["tokens"], recipe)
        self.assertEqual(vector["shingles"], shingles)
        self.assertEqual(vector["features"], [f"{feature_of(shingle):016x}" for shingle in shingles])

    def check_numbers(self, vector):
        self.assertEqual(vector["numbers"], numbers_of(vector["normalized"]))
        self.assertEqual(vector["key"], f"{number_key(vector['numbers']):016x}")
        self.check([vector["normalized"]], recipe_of("nfkc_lower_v1", size=1, lanes=64) | {"agree": "numbers_v1"})

    def check_xxh3(self, vector):
        data = pattern_bytes(vector["length"])
        self.assertEqual(vector["xxh3_64"], f"{xxh3_64(data):016x}")
        self.assertEqual(vector["xxh3_128"], "%016x%016x" % xxh3_128(data))

    def check_offsets(self, vector):
        self.assertEqual(vector["offsets"], [offset_of(vector["seed"], lane) for lane in range(len(vector["offsets"]))])

    def check_minhash(self, vector):
        features = [int(feature, 16) for feature in vector["features"]]
        self.assertEqual(vector["signature"], signature_of(features, vector["seed"], len(vector["signature"])))

    def check_one_permutation(self, vector):
        features = [int(feature, 16) for feature in vector["features"]]
        self.assertEqual(vector["signature"], one_permutation_signature_of(features, vector["seed"], len(vector["signature"])))

    def check_band(self, vector):
        self.assertEqual(vector["key"], f"{band_key(vector['rows']):012x}")

    def check_document(self, vector):
        recipe = PRESETS[vector["recipe"]]
        made = sketch(vector["text"], recipe)
        if "signature_begins" in vector:
            begin = vector["signature_begins"]
            self.assertEqual(begin, made["signature"] and made["signature"][:len(begin)])
        for key in made.keys() - {"signature"}:
            self.assertEqual(vector[key], made[key])
        self.check([vector["text"]], recipe)

    def check_page(self, vector):
        recipe = PRESETS[vector["recipe"]]
        made = sketch(vector["cleaned"], {name: value for name, value in recipe.items() if name != "clean"})
        self.assertEqual(vector["signature_begins"], made["signature"][:4])
        for key in made.keys() - {"signature"}:
            self.assertEqual(vector[key], made[key])
        self.assertEqual(self.program_sketches([vector["text"]], recipe), [made])

    def check_dictionary_document(self, vector):
        self.need_dictionary(vector["ids"])
        printed = self.program_sketches([vector["text"]], PRESETS[vector["recipe"]])[0]
        self.assertEqual(printed, {key: vector[key] for key in printed})

    def test_many_texts(self):
        chance = random.Random(2)
        texts = TEXTS + ["x" * length for length in range(2, 280)]
        texts += ["".join(chance.choice(ALPHABET) for _ in range(chance.randrange(1, 40))) for _ in range(400)]
        for recipe in [PRESETS["words-5"], PRESETS["chars-5"], *OTHERS.values()]:
            self.check(texts, recipe)

    def test_many_pieces_of_code(self):
        chance = random.Random(4)
        texts = ["".join(chance.choice(CODE_PIECES) for _ in range(chance.randrange(1, 24))) for _ in range(1500)]
        for recipe in (OTHERS["code-1.json"], OTHERS["code-2.json"]):
            self.check(texts[:400], recipe)
        self.write("texts.jsonl", [{"text": text} for text in texts])
        self.neardup("tokenize", "texts.jsonl", "--tokenizer", "code_v1", "-q", "-o", "tokens.jsonl")
        for text, record in zip(texts, self.records("tokens.jsonl"), strict=True):
            self.assertEqual(record["tokens"], code.cut(text), ascii(text))

    def test_any_bytes(self):
        chance = random.Random(3)
        pieces = [bytes([byte]) for byte in (0x41, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF)]
        pieces += ["中".encode(), "😀".encode()[:3], "é".encode()]
        for number in range(200):
            data = b"x" + b"".join(chance.choice(pieces) for _ in range(chance.randrange(1, 12)))
            self.write(f"texts/{number:03}.txt", data)
            self.assertEqual(decode(data), data.decode("utf-8", errors="replace"))
        recipe = PRESETS["chars-5"]
        self.neardup("sketch", "texts", "--recipe", "chars-5", "-o", "sketches.jsonl", "-q")
        for record in self.records("sketches.jsonl"):
            expected = sketch(decode(self.read(record["source"])), recipe)
            self.assertEqual({key: record[key] for key in expected}, expected, record["source"])

    def test_ids_of_recipes_of_ones_own(self):
        for name, recipe in OTHERS.items():
            self.write(name, json.dumps(recipe))
            printed = self.neardup("recipe", name).stdout.decode().splitlines()[:2]
            self.assertEqual(printed, [canonical_json(recipe), f"id {id_of(recipe)}"])


if __name__ == "__main__":
    unittest.main()
