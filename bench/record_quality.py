#!/usr/bin/env python3
"""Which offers of the same item the recipes find, with and without --block-on: precision, recall and F1 by threshold.

The records are generated, with a fixed seed, because no set of real offers can be shared here; the figures compare recipes, and promise
nothing for a catalogue. An item is a brand, a kind of product, a model and a size; its siblings differ in one of them. Offers of an item
differ as titles of shops do: order, case and width of words, words left out and added, units with and without a blank, spelling mistakes
and, rarely, a unit that changes the number (0.5 l, 500 ml) or another name of the brand. These last ones cost recall where numbers must
agree or brands are blocks.
"""
import collections
import json
import random
import sys

import common
from report import Report

ITEMS = 4000
THRESHOLDS = ["0.3", "0.4", "0.5", "0.6", "0.7", "0.8"]
SHOWN = ["0.4", "0.5", "0.6", "0.8"]  # on the page
RECIPES = ["record-chars-2", "record-words-1", "minhash-chars-3", "chars-5", "words-5"]
SYLLABLES = "ka lo mi ren tor vel san dra bek nor fy zul pan gri os ter hal win ost lam".split()
PRODUCTS = {"drill": "V", "kettle": "l", "shampoo": "ml", "hard drive": "GB", "running shoes": "mm", "olive oil": "ml", "monitor": "cm",
            "rechargeable battery": "mAh", "backpack": "l", "蓝牙耳机": "mAh", "洗发水": "ml", "电饭煲": "l"}
SIZES = {"V": [12, 18, 24], "l": [1.2, 1.5, 1.7, 2, 3, 20, 25], "ml": [50, 100, 250, 500, 750, 1000], "GB": [256, 512, 1000, 2000],
         "mm": [245, 250, 255, 260], "cm": [54.6, 60.5, 68.6], "mAh": [400, 600, 2000, 2500]}
COLOURS = ["black", "white", "red", "silver", "blue"]
EXTRAS = ["new", "original", "with 2 years warranty", "free shipping", "bundle", "for home and office", "正品"]


def name_of(chance, syllables):
    return "".join(chance.choice(SYLLABLES) for _ in range(syllables)).capitalize()


def make_items(chance):
    """Families of siblings that differ in the model, the size or the colour."""
    brands = [name_of(chance, chance.choice([2, 3])) for _ in range(150)]
    items = set()
    while len(items) < ITEMS:
        product = chance.choice(list(PRODUCTS))
        unit = PRODUCTS[product]
        item = [chance.choice(brands), product, name_of(chance, 2), chance.choice("ABXZ") + str(chance.randrange(10, 990)),
                chance.choice(SIZES[unit]), unit, chance.choice(COLOURS)]
        items.add(tuple(item))
        for _ in range(chance.randrange(4)):
            sibling = list(item)
            part = chance.choice([3, 4, 6])
            sibling[part] = {3: chance.choice("ABXZ") + str(chance.randrange(10, 990)), 4: chance.choice(SIZES[unit]),
                             6: chance.choice(COLOURS)}[part]
            items.add(tuple(sibling))
    return sorted(items, key=str)


def misspelt(chance, text):
    at = chance.randrange(1, len(text) - 1)
    kind = chance.randrange(3)
    return text[:at] + (text[at + 1] + text[at] + text[at + 2:] if kind == 0 else text[at + 1:] if kind == 1 else text[at] + text[at:])


def full_width(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def offer_of(chance, item):
    """(title, brand)"""
    brand, product, series, model, size, unit, colour = item
    shown = brand if chance.random() < 0.97 else brand[:-2] + "-" + brand[-2:]
    style = chance.choice([str, str.upper, str.lower, str])
    measure = f"{size}{chance.choice(['', ' '])}{chance.choice([unit, unit.upper()])}"
    if unit == "ml" and chance.random() < 0.05:
        measure = f"{size / 1000} l"
    if chance.random() < 0.05:
        measure = full_width(measure)
    words = [shown, series, model, product, measure, *([colour] if chance.random() < 0.8 else [])]
    if chance.random() < 0.15:
        words[1] = misspelt(chance, words[1])
    if chance.random() < 0.4:
        moved = words.pop(chance.randrange(len(words)))
        words.insert(chance.randrange(len(words) + 1), moved)
    if chance.random() < 0.3:
        words.append(chance.choice(EXTRAS))
    separator = chance.choice([" ", " ", " ", ", ", " - "])
    return style(separator.join(words)), style(shown)


def make_records():
    chance = random.Random(15)
    records = []
    for number, item in enumerate(make_items(chance)):
        for _ in range(chance.choice([1, 1, 2, 3, 4])):
            title, brand = offer_of(chance, item)
            records.append({"id": f"{number}/{len(records)}", "text": title, "brand": brand, "item": number})
    chance.shuffle(records)
    return records


def similarities(options, path, recipe, block):
    """(similarity, whether both are of one item) of all pairs at the lowest threshold."""
    out = options.work / "offer-pairs.jsonl"
    common.run([options.neardup, "pairs", path, "--recipe", recipe, *(["--block-on", block] if block else []), "--search", "exact",
                "-t", THRESHOLDS[0], "-o", out], options.work)
    found = [(pair["similarity"], pair["id_a"].partition("/")[0] == pair["id_b"].partition("/")[0]) for pair in common.read_records(out)]
    out.unlink()
    return found


def judge(found, copies, threshold):
    """Precision, recall and F1."""
    chosen = [right for similarity, right in found if similarity >= float(threshold)]
    precision = sum(chosen) / len(chosen) if chosen else 1.0
    return precision, sum(chosen) / copies, 2 * sum(chosen) / (len(chosen) + copies)


def main():
    options = common.parse(common.parser(__doc__))
    report = Report(options, "records")
    records = make_records()
    path = options.work / "offers.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    copies = sum(size * (size - 1) // 2 for size in collections.Counter(record["item"] for record in records).values())
    rows = report.table(["recipe", "block", *(f"t = {threshold}" for threshold in THRESHOLDS)])
    for recipe in RECIPES:
        for block in ("", "brand"):
            common.say(f"{recipe} {block}")
            found = similarities(options, path, recipe, block)
            judged = {threshold: judge(found, copies, threshold) for threshold in THRESHOLDS}
            rows.append([f"`{recipe}`", block, *("{:.2f} / {:.2f} / {:.2f}".format(*judged[threshold]) for threshold in THRESHOLDS)])
    report.note(f"Generated: {len(records)} offers of {len({record['item'] for record in records})} items, {copies} pairs of one item. A cell "
                "has precision / recall / F1.")
    shown = [2 + THRESHOLDS.index(threshold) for threshold in SHOWN]
    report.part("docs/code.md", "records", "\n".join(["| recipe | block | " + " | ".join(f"t = {threshold}" for threshold in SHOWN) + " |",
                                                      "|---|---|" + "---|" * len(SHOWN),
                                                      *("| " + " | ".join([*row[:2], *(row[i] for i in shown)]) + " |" for row in rows)]))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
