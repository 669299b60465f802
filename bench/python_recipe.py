#!/usr/bin/env python3
"""The copied recipe in Python, as people write it: jieba's extract_tags, weights floor(w * n), Simhash, SimhashIndex(k), first one wins.

usage: python_recipe.py IN.jsonl FIELD tags|no-tags K OUT.jsonl VARIANT...      VARIANT: TOPK:keywords or TOPK:characters (what n counts)

Written for copied_recipe.py. Needs the packages jieba and simhash, and numpy below 2 (with numpy 2 the package simhash fails on an integer
weight above 255). Prints one line a document: {"id": ..., "VARIANT": {"keywords": N, "fingerprint": HEX, "kept": BOOL}, ...}.
One call of extract_tags serves all variants: the best 30 of 200 are the best 30.
"""
import json
import logging
import math
import re
import sys
import tempfile

import jieba
import jieba.analyse
import simhash

TAG = re.compile(r"<[^>]+>")


class Variant:
    def __init__(self, name, k):
        top, self.scale = name.split(":")
        self.top = int(top)
        self.index = simhash.SimhashIndex([], f=64, k=k)

    def run(self, key, text, tags):
        tags = tags[:self.top]
        scale = len(tags) if self.scale == "keywords" else len(text)
        made = simhash.Simhash([(word, math.floor(weight * scale)) for word, weight in tags])
        kept = not self.index.get_near_dups(made)
        if kept:
            self.index.add(key, made)
        return {"keywords": len(tags), "fingerprint": f"{made.value:016x}", "kept": kept}


def main():
    path, field, tags, k, out, *names = sys.argv[1:]
    jieba.setLogLevel(logging.ERROR)
    jieba.dt.tmp_dir = tempfile.mkdtemp()  # never trust a cache that another version left
    logging.getLogger("simhash").setLevel(logging.ERROR)
    variants = {name: Variant(name, int(k)) for name in names}
    most = max(variant.top for variant in variants.values())
    with open(path, encoding="utf-8", newline="\n") as source, open(out, "w", encoding="utf-8") as target:
        for number, line in enumerate(source):
            record = json.loads(line)
            text = TAG.sub("", record[field]) if tags == "tags" else record[field]
            found = jieba.analyse.extract_tags(text, topK=most, withWeight=True)
            row = {"id": record["id"], **{name: variant.run(str(number), text, found) for name, variant in variants.items()}}
            target.write(json.dumps(row, ensure_ascii=False) + "\n")


main()
