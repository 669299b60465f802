"""Recipes and texts that the tests of docs/recipe.md run through both implementations."""
import json

from recipe_reference.pages import ROOT

PRESETS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "recipes").glob("*.json"))}


def recipe_of(normalizer="nfkc_casefold_v1", tokenizer="words_v1", size=5, short_text="none", min_features=1, lanes=128, seed=1):
    return {"normalizer": normalizer, "tokenizer": tokenizer, "shingle": {"size": size, "short_text": short_text},
            "min_features": min_features, "feature_hash": "xxh3_64_v1", "sketch": {"kind": "minhash_v1", "lanes": lanes, "seed": seed}}


def one_permutation(recipe):
    return recipe | {"sketch": recipe["sketch"] | {"kind": "minhash_v2"}}


OTHERS = {"words-1.json": recipe_of(size=1, lanes=16, seed=7),
          "chars-2.json": recipe_of("nfkc_casefold_v1", "chars_v1", 2, "whole", min_features=3, lanes=5, seed=0),
          "words-3.json": recipe_of("nfkc_lower_v1", "words_v1", 3, "whole", min_features=2, lanes=65, seed=2**53),
          "chars-64.json": recipe_of("nfkc_lower_v1", "chars_v1", 64, "none", lanes=1),
          "code-1.json": recipe_of("none_v1", "code_v1", 1, lanes=9) | {"code": {"comments": "keep", "identifiers": "keep"}},
          "code-2.json": recipe_of("none_v1", "code_v1", 2, "whole", lanes=9) | {"code": {"identifiers": "normalize", "strings": "normalize"}},
          "numbers.json": recipe_of("nfkc_lower_v1", "words_v1", 2, "whole", lanes=9) | {"agree": "numbers_v1"},
          "one-permutation.json": one_permutation(recipe_of(size=2, short_text="whole", seed=3)),
          "one-permutation-few.json": one_permutation(recipe_of("none_v1", "chars_v1", 1, min_features=2, lanes=7, seed=2**53)),
          "one-permutation-lane.json": one_permutation(recipe_of("nfkc_lower_v1", "chars_v1", 2, lanes=1)),
          "code-plain.json": recipe_of("none_v1", "code_v1", 1, lanes=9) | {"code": {}}}
CODE_PIECES = [*"\"'`\\/*#-[]=<>:!+.({$_7aeEpPx0 \n\r\t", '"""', "'''", "\r\n", "\\\r\n", "\\\n", "/*", "*/", "//", "--", "--[[", "]]", "--[=[", "]=]", "<!--", "-->",
               "for", "None", "变", "é", "\u0301", "\u3000", "\u0085", "0x1", "1e", "ー"]

TEXTS = [
    "", " ", "\u3000\n\t ", "a", "one two three four", "one two three four five", "Hello, hello HELLO!  one\ttwo",
    "The quick brown fox jumps over the lazy dog. " * 9, "naïve café, e\u0301E\u0301 \u0301e", "a_b c-d x1 2y 3.14 R2-D2 isn't",
    "今天天气很好，我们去公园散步吧。", "今 天\n天　气 a 很 好", "中文English混排 text，2023年版", "繁體字與简体字：後后、裡里", "ひらがなとカタカナー、ﾊﾝｶｸｶﾞｷﾞ 々ゝヾ〇", "한국어 문장을 나눕니다",
    "\U00020000 \U0002a6d6\U00030000 x", "か\u3099 は\u309a カ\u3099ー", "😀 😃👍🏽 family: 👨\u200d👩\u200d👧\u200d👦 flags 🇨🇳🇬🇧 ❤\ufe0f",
    "ΟΔΟΣ ὈΔΥΣΣΕΎΣ. Σ ΑΣ’Α Σ\u0301Σ", "İstanbul ISPARTA ı Straße ẞ ſ ﬁﬂ", "Ａ１！～ ½ ① ™ ㍿ ㌀ Ⅷ ⅸ",
    "soft\u00adhyphen zero\u200bwidth \ufeff \u2060 \u034f", "हिन्दी में वाक्य है यहाँ", "ภาษาไทย ไม่มีช่องว่าง", "مُحَمَّد القرآن",
    "\u1100\u1161\u11a8\uac00\u11a8 \u3131\u314f \u115f\uffa0", "\ufdfa \u0344 \u0f73a \u1e96 H\u0331",
    "line\u2028sep\u2029para\u0085next\x1cfile", "\x00nul\x01\x7f bytes \ufffd \uffff", "x" * 239 + " " + "y" * 300,
    "字" * 100 + "詞 " * 70,
]
ALPHABET = [*"aZß0 \t\n.,-_'", *"\u00a0\u3000\u2003\u00ad\u0301\u0323\u0345\u200d\u200b", *"ΣσςΑά’·İıſﬁ\u1e9e\u0130",
            *"中文字，。（）々〇々\u302a\u30fb",
            *"かがカガーｶｷﾞﾟﾞｰゝヾ\u3099", *"한글\u1100\u1161\u11a8",
            *"½①Ⅷ㍿ａＡ１！～", *"हिं\u0e33\u0e01", "😀", "🏽", "\ufe0f", "\U00020000", "\U0002f800",
            "\u2f00", "\uf900", "\U00010400", "\U00016fe3", "\U00017000", "\ufffd"]


def simhash_recipe(size=1, short_text="none", bits=64, normalizer="lower_compact_v1", tokenizer="chars_v1", min_features=1, **optional):
    return recipe_of(normalizer, tokenizer, size, short_text, min_features) | {"sketch": {"kind": "simhash_v1", "bits": bits}} | optional


def python_recipe(source, bits=64, tokenizer="words_v1", scale=None, **optional):
    sketch = {"kind": "python_simhash_v1", "bits": bits, "input": source} | ({"scale": scale} if scale else {})
    return recipe_of("none_v1", tokenizer, 1) | {"sketch": sketch} | optional
