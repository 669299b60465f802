"""docs/recipe.md as a whole: a recipe and a text in, what `neardup sketch` prints out."""
import decimal
import json
import math

from recipe_reference import code, jieba, sketches, weights
from recipe_reference.text import clean, normalize, numbers_of, tokens_of, without_stop_words
from recipe_reference.xxh3 import xxh3_64, xxh3_128

CUTTERS = {"jieba_v1": jieba.cut, "jieba_full_v1": jieba.cut_full, "jieba_search_v1": jieba.cut_for_search}
SIGNATURES = {"minhash_v1": sketches.signature_of, "minhash_v2": sketches.one_permutation_signature_of}


class Files:
    """What the files that a recipe names contain, and their ids as 16 digits."""

    def __init__(self, ids=None, dictionary=None, stop_words=(), table=None):
        self.ids, self.dictionary, self.stop_words, self.table = ids or {}, dictionary, stop_words, table


def number_text(number):
    """The shortest decimal that reads as this number again, without an exponent."""
    text = format(decimal.Decimal(repr(number)), "f")
    return text.removesuffix(".0")


def canonical_json(recipe, ids=None):
    """The recipe without what has its default, with ids for files. Recipes here do not write defaults out, but for "none"."""
    members = {name: value for name, value in recipe.items() if name not in ("dictionary", "line_lists")}
    ids = ids or {}
    if recipe["tokenizer"] in CUTTERS:
        members["dictionary"] = ids["dictionary"]
    members |= {name: ids[name] for name in ("user_words", "stop_words") if name in recipe}
    if "idf" in recipe.get("weighting", {}):
        members["weighting"] = recipe["weighting"] | {"idf": ids.get("idf", "corpus")}
    if "code" in recipe:
        members["code"] = {name: value for name, value in recipe["code"].items() if value != code.DEFAULTS[name]}
    if members.get("code") == {}:
        del members["code"]
    if recipe.get("clean") == []:
        del members["clean"]
    if recipe.get("weighting") == {"kind": "none"}:
        del members["weighting"]
    if recipe.get("unicode") == "15.0":
        del members["unicode"]
    scale = recipe["sketch"].get("scale")
    if not isinstance(scale, (int, float)):
        return json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    members["sketch"] = recipe["sketch"] | {"scale": "number"}
    text = json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.replace('"scale":"number"', f'"scale":{number_text(scale)}')


def id_of(recipe, ids=None):
    return f"{xxh3_64(canonical_json(recipe, ids).encode()):016x}"


def is_blank(token):
    return normalize(token, "lower_compact_v1") == ""


def tokenize(normalized, recipe, files):
    if recipe["tokenizer"] == "code_v1":
        return without_stop_words(code.cut(normalized, recipe.get("code")), files.stop_words, recipe["normalizer"])
    cutter = CUTTERS.get(recipe["tokenizer"])
    tokens = cutter(normalized, files.dictionary) if cutter else tokens_of(normalized, recipe["tokenizer"])
    if cutter and recipe["sketch"]["kind"] != "python_simhash_v1":
        tokens = [token for token in tokens if not is_blank(token)]
    return without_stop_words(tokens, files.stop_words, recipe["normalizer"])


def keywords_of(normalized, recipe, files):
    found = jieba.keywords(normalized, files.dictionary)
    kept = set(without_stop_words([word for word, _ in found], files.stop_words, recipe["normalizer"]))
    top = recipe["weighting"].get("top_k") or len(found)
    return [pair for pair in found if pair[0] in kept][:top]


def python_fingerprint(normalized, tokens, keywords, recipe):
    bits = recipe["sketch"]["bits"]
    if recipe["sketch"]["input"] == "text":
        return sketches.python_simhash_text(normalized, bits)
    if recipe["sketch"]["input"] == "tokens":
        return sketches.python_simhash([(token, 1) for token in tokens], bits)
    scale = recipe["sketch"]["scale"]
    if scale == "raw":
        return sketches.python_simhash(keywords, bits)
    if isinstance(scale, str):
        scale = len(keywords) if scale == "keywords" else len(normalized)
    return sketches.python_simhash([(word, math.floor(weight * scale)) for word, weight in keywords], bits)


def sketch(text, recipe, files=Files()):
    """What `neardup sketch` prints of a document, but for its place and id."""
    normalized = normalize(clean(text, recipe.get("clean", [])), recipe["normalizer"])
    weighting = recipe.get("weighting", {})
    tokens, keywords = [], []
    if weighting.get("kind") == "jieba_keywords_v1":
        keywords = keywords_of(normalized, recipe, files)
        features = weights.weigh_keywords(keywords)
    else:
        tokens = tokenize(normalized, recipe, files)
        key = 0
        if "agree" in recipe:
            key = sketches.number_key(numbers_of(normalized))
        shingles = [sketches.feature_of(shingle) ^ key for shingle in sketches.shingles_of(tokens, recipe)]
        features = weights.weigh(shingles, weighting, files.table)
    too_short = len(features) < recipe["min_features"]
    made = {"exact": "%016x%016x" % xxh3_128(normalized.encode()), "features": len(features), "too_short": too_short}
    kind = recipe["sketch"]
    if kind["kind"] in SIGNATURES:
        signature_of = SIGNATURES[kind["kind"]]
        made["signature"] = None if too_short else signature_of([x for x, _ in features], kind["seed"], kind["lanes"])
        return made
    if kind["kind"] == "simhash_v1":
        code = sketches.simhash(features, kind["bits"])
    else:
        code = python_fingerprint(normalized, tokens, keywords, recipe)
    made["fingerprint"] = None if too_short else f"{code:0{kind['bits'] // 4}x}"
    return made
