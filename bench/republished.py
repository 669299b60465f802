#!/usr/bin/env python3
"""The same text as another site prints it: punctuation, line breaks, markup or the frame differ, the words do not. Which recipes see that?

For Chinese and English texts (of each the first 1,000 characters) and each edit: the share of the texts that a recipe takes for
a near-duplicate of the original, by fingerprints of 64 bits within 3 and within 6, and by the similarity of MinHash recipes at 0.8 and 0.7
(exact search). The exact pairs of fingerprint_quality.py cannot tell this: they count punctuation and blanks themselves.

The recipes that the documents recommend, words-5 and simhash-words-3, must find every text of which only the punctuation changed.
"""
import json
import re
import subprocess
import sys

import common
from report import Report

CORPORA = {"zh-passages": True, "en-books": False}  # name: Chinese?
FINGERPRINTS = ["simhash-words-3", "simhash-chars-3", "simhash-chars-4", "simhash-jieba-200", "simhash-jieba-30", "python-simhash-text",
                "python-simhash-keywords"]
DISTANCES = (3, 6)
MINHASH = ["words-5", "chars-5", "minhash-chars-3", "minhash-jieba-3"]
THRESHOLDS = (0.8, 0.7)
RECOMMENDED = ("words-5", "simhash-words-3")
CHARACTERS = (200, 1000)  # a text has at least, and is cut at

FULL_WIDTH = str.maketrans({"，": ",", "。": ".", "；": ";", "：": ":", "？": "?", "！": "!", "（": "(", "）": ")", "“": '"', "”": '"', "、": ","})
CURLED = str.maketrans({'"': "\u201d", "'": "\u2019"})
SENTENCE_ENDS = {True: re.compile("(?<=[。！？])"), False: re.compile(r"(?<=[.!?]) ")}
FRAMES = {True: ("来源：某某网 2024-05-01 编辑：李四\n", "\n（责任编辑：王五）【关闭窗口】"),
          False: ("Source: example news, 1 May 2024\n", "\n(Editor: J. Doe) [close]")}


def punctuation(text, chinese):
    """Half-width marks for full-width ones; in English, typographic quotation marks."""
    return text.translate(FULL_WIDTH if chinese else CURLED)


def line_breaks(text, chinese):
    """A paragraph for each sentence, indented as Chinese pages do."""
    parts = (part.strip() for part in SENTENCE_ENDS[chinese].split(text))
    return "\n\n".join(("\u3000\u3000" if chinese else "") + part for part in parts if part)


def markup(text, _):
    """The first characters of each long line in bold type, as Markdown writes it."""
    return "\n".join(f"**{line[:8]}**{line[8:]}" if len(line) > 20 else line for line in text.split("\n"))


def frame(text, chinese):
    """A line before and a line after."""
    before, after = FRAMES[chinese]
    return before + text + after


def together(text, chinese):
    return frame(line_breaks(punctuation(text, chinese), chinese), chinese)


EDITS = {"punctuation": punctuation, "line breaks": line_breaks, "markup": markup, "frame": frame,
         "punctuation, line breaks, frame": together}


def write_texts(options, name, chinese, count):
    """The path of the originals, with the id "N/", and their edits "N/EDIT"; and how many originals there are."""
    path = options.work / f"republished-{name}.jsonl"
    least, most = CHARACTERS
    texts = [record["text"][:most] for record in common.read_records(common.plain(options, f"{name}.jsonl"))]
    texts = [text for text in texts if len(text) >= least][:count]
    with open(path, "w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            for edit, change in {"": lambda text, _: text, **EDITS}.items():
                file.write(json.dumps({"id": f"{number}/{edit}", "text": change(text, chinese)}, ensure_ascii=False) + "\n")
    return path, len(texts)


def by_fingerprint(options, path, count, recipe):
    """{edit: the share within each distance}"""
    sketches = options.work / "republished-sketches.jsonl"
    subprocess.run([options.neardup, "sketch", path, "--recipe", recipe, "-o", sketches, "-q"], check=True)
    codes = {record["id"]: int(record["fingerprint"] or "0", 16) for record in common.read_records(sketches)}
    shares = {}
    for edit in EDITS:
        distances = [(codes[f"{number}/"] ^ codes[f"{number}/{edit}"]).bit_count() for number in range(count)]
        shares[edit] = [sum(each <= limit for each in distances) / count for limit in DISTANCES]
    return shares


def by_similarity(options, path, count, recipe):
    """{edit: the share at or above each threshold}"""
    pairs = options.work / "republished-pairs.tsv"
    subprocess.run([options.neardup, "pairs", path, "--recipe", recipe, "--threshold", str(min(THRESHOLDS)), "--search", "exact", "-o", pairs,
                    "-q"], check=True)
    found = {edit: [0] * len(THRESHOLDS) for edit in EDITS}
    for (a, b), similarity in common.read_pairs(pairs, header=True).items():
        (number, edit), (other, other_edit) = sorted((one.split("/") for one in (a, b)), key=lambda one: one[1])
        if number != other or edit != "":
            continue
        for i, threshold in enumerate(THRESHOLDS):
            found[other_edit][i] += float(similarity) >= threshold
    return {edit: [each / count for each in counts] for edit, counts in found.items()}


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--texts", type=int, default=1500, help="of each corpus [%(default)s]")
    options = common.parse(parser)
    report = Report(options, "republished")
    lost = []
    for name, chinese in CORPORA.items():
        path, count = write_texts(options, name, chinese, options.texts)
        rows = report.table([f"{name}, {count} texts", *EDITS], on_page=chinese)
        for recipes, shares_of in ((MINHASH, by_similarity), (FINGERPRINTS, by_fingerprint)):
            for recipe in recipes:
                common.say(f"{name}: {recipe}")
                shares = shares_of(options, path, count, recipe)
                rows.append([recipe, *(" / ".join(f"{100 * share:.1f}" for share in edit) for edit in shares.values())])
                if recipe in RECOMMENDED and shares["punctuation"][0] < 1:
                    lost.append(f"{recipe} on {name}")
    report.note(f"MinHash recipes at a similarity of {' / '.join(map(str, THRESHOLDS))}, fingerprints of 64 bits within a distance of "
                f"{' / '.join(map(str, DISTANCES))}.")
    report.bar(f"{' and '.join(RECOMMENDED)} find every text with other punctuation", "lost: " + ", ".join(lost) if lost else "all", not lost)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
