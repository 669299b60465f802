#!/usr/bin/env python3
"""Shows what a run of `neardup dedup --verdicts FILE` decided: explains one decision, then draws the biggest clusters as bars.

A cluster is a kept document with the documents that were removed for it. The decision shown is a short removed document that differs from
its keeper, with the words in which the two differ, or, if they have several lines, the lines. Their texts are read from the inputs of the
run: text files, and the records of JSON Lines files, plain or .gz; from the folder in which neardup ran.

usage: show_clusters.py [--top N] [--text-field NAME] VERDICTS
"""
import argparse
import collections
import difflib
import gzip
import json
import math
import sys
import textwrap

BAR_WIDTH = 30
DIFF_LINES = 12
LINE_WIDTH = 110
NAME_WIDTH = 24
SHORT_TEXT = 500  # characters: what is explained fits in a few lines
LONG_TEXT = 1 << 20  # more of a text is not read into memory

NEEDED = ("source", "row", "verdict", "reason")
OF_KEEPERS = ("keeper_source", "keeper_row", "similarity")
NAMES = ("id", "keeper_id")


class Unusable(Exception):
    """What cannot be read, and why."""


def from_table(header, line):
    """The verdict in a line of a table, as JSON has it."""
    cells = dict(zip(header, line.split("\t"), strict=True))
    verdict = {name: cells.get(name) or None for name in NEEDED + OF_KEEPERS + NAMES}
    numbers = {"row": int, "keeper_row": int, "similarity": float}
    return verdict | {name: read(verdict[name]) for name, read in numbers.items() if verdict[name] is not None}


def read_verdicts(path):
    """Those of a table (.tsv) or of JSON Lines."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"cannot read '{path}': {error}") from None
    header = lines.pop(0).split("\t") if lines and not lines[0].startswith("{") else None
    verdicts = []
    if header is not None and not {*NEEDED, *OF_KEEPERS} <= set(header):
        raise Unusable(f"{path}:1: not the header of a table of `neardup dedup --verdicts`")
    for number, line in enumerate(lines, 1 if header is None else 2):
        try:
            verdict = from_table(header, line) if header else json.loads(line)
            needed = NEEDED + OF_KEEPERS if verdict["verdict"] == "remove" else NEEDED
            verdicts.append({name: verdict[name] for name in needed} | {name: verdict.get(name) for name in NAMES})
        except (KeyError, TypeError, ValueError):
            raise Unusable(f"{path}:{number}: not a verdict of `neardup dedup --verdicts`, as JSON Lines or a .tsv table") from None
    return verdicts


def place_of(verdict, prefix=""):
    """(source, row) of a document, or of its keeper."""
    return verdict[f"{prefix}source"], verdict[f"{prefix}row"] or 1


def name_of(verdict, prefix=""):
    """The id; of a record without one, source:row."""
    source, row = place_of(verdict, prefix)
    name = verdict.get(f"{prefix}id")
    return name if isinstance(name, str) and name else source if row == 1 else f"{source}:{row}"


class Cluster:
    def __init__(self, first):
        self.place, self.name = place_of(first, "keeper_"), name_of(first, "keeper_")
        self.copies, self.near = 0, []

    def add(self, verdict):
        if verdict["reason"] == "exact_copy":
            self.copies += 1
        else:
            self.near.append(verdict)

    def size(self):
        return self.copies + len(self.near)

    def lowest(self):
        return min((verdict["similarity"] for verdict in self.near), default=1)


def clusters_of(verdicts):
    """The biggest first, then by place."""
    clusters = {}
    for verdict in verdicts:
        if verdict["verdict"] == "remove":
            clusters.setdefault(place_of(verdict, "keeper_"), Cluster(verdict)).add(verdict)
    return sorted(clusters.values(), key=lambda cluster: (-cluster.size(), cluster.place))


def short_names(names):
    """The names without the ending that all share, and with no more folders than tell them apart: /usr/share/doc/zip/copyright -> zip."""
    parts = [name.split("/") for name in names]
    most = min(map(len, parts)) - 1
    tail = next((i for i in range(most) if len({part[-1 - i] for part in parts}) > 1), most) if len(names) > 1 else 0
    kept = [part[: len(part) - tail] for part in parts]
    for depth in range(1, max(map(len, kept))):
        short = ["/".join(part[-depth:]) for part in kept]
        if len(set(short)) == len(names):
            return short
    return names


class Texts:
    """The texts of documents, or why one cannot be read: those of `places`, (source, row), each source read once."""

    def __init__(self, places, field):
        self.field, self.texts = field, {}
        wanted = collections.defaultdict(set)
        for source, row in places:
            wanted[source].add(row)
        for source, rows in wanted.items():
            self.texts |= self.read(source, rows)

    def read(self, source, rows):
        plain = source.removesuffix(".gz")
        lines_of_json = plain.endswith((".jsonl", ".ndjson", ".json"))
        if not lines_of_json and rows != {1}:
            return {(source, row): Unusable(f"'{source}' is neither a text file nor JSON Lines") for row in rows}
        found = {}
        try:
            with (gzip.open if plain != source else open)(source, "rt", encoding="utf-8", errors="replace") as file:
                if not lines_of_json:
                    return {(source, 1): file.read(LONG_TEXT)}
                for row, line in enumerate(file, 1):
                    if row in rows:
                        found[source, row] = self.field_of(line, f"{source}:{row}")
        except (OSError, EOFError) as error:
            return {(source, row): Unusable(f"cannot read '{source}': {error}") for row in rows}
        return {(source, row): found.get((source, row), self.without(f"{source}:{row}")) for row in rows}

    def without(self, name):
        return Unusable(f"{name}: no record with the field '{self.field}'")

    def field_of(self, line, name):
        try:
            value = json.loads(line)
            for part in self.field.split("."):
                value = value[part]
        except (KeyError, TypeError, ValueError):
            return self.without(name)
        return value if isinstance(value, str) else Unusable(f"{name}: the field '{self.field}' is not a text")

    def of(self, place):
        """Raises Unusable."""
        text = self.texts[place]
        if isinstance(text, Unusable):
            raise text
        return text

    def length(self, place):
        text = self.texts[place]
        return sys.maxsize if isinstance(text, Unusable) else len(text)


def pick(clusters, texts):
    """The near-duplicate to explain: of those short enough for a few lines the least similar one of the cluster that has the most of them;
    if all are longer, the shortest."""
    ranked = []
    for cluster in clusters:
        lengths = [texts.length(cluster.place) + texts.length(place_of(verdict)) for verdict in cluster.near]
        short = sum(length <= 2 * SHORT_TEXT for length in lengths)
        for verdict, length in zip(cluster.near, lengths, strict=True):
            rank = (0, -short, verdict["similarity"]) if length <= 2 * SHORT_TEXT else (1, length, verdict["similarity"])
            ranked.append((*rank, place_of(verdict), verdict))
    return min(ranked, key=lambda entry: entry[:-1])[-1] if ranked else None


def clip(line, width=LINE_WIDTH):
    return line if len(line) <= width else line[: width - 3] + "..."


def marked(kept, removed):
    """Both texts as one, with [- -] around words of the kept one only, and {+ +} around words of the removed one only."""
    words = kept.split(), removed.split()
    out = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if kind == "equal":
            out += words[0][a:b]
            continue
        if b > a:
            out.append("[-" + " ".join(words[0][a:b]) + "-]")
        if d > c:
            out.append("{+" + " ".join(words[1][c:d]) + "+}")
    return " ".join(out)


def lines_of(text):
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def show_difference(kept, removed):
    lines = lines_of(kept), lines_of(removed)
    if max(map(len, lines)) == 1:
        print("  [-only in the kept text-] {+only in the removed one+}\n")
        print(textwrap.fill(marked(kept, removed), LINE_WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False))
        return
    changes = [line for line in difflib.unified_diff(*lines, n=0, lineterm="") if line[0] in "+-" and line[1:].strip()]
    changes = [line for line in changes if not line.startswith(("---", "+++"))]
    print(f"  Lines that differ (- only in the kept one, + only in the removed one), of {len(lines[1])} lines:\n")
    for line in changes[:DIFF_LINES]:
        print("    " + clip(line))
    if len(changes) > DIFF_LINES:
        print(f"    and {len(changes) - DIFF_LINES} more")


def show_decision(verdict, texts):
    print("One decision explained:\n")
    print(f"  kept        {name_of(verdict, 'keeper_')}")
    print(f"  removed     {name_of(verdict)}")
    print(f"  similarity  {verdict['similarity']:.6f}, the share of features that the two have in common\n")
    try:
        show_difference(texts.of(place_of(verdict, "keeper_")), texts.of(place_of(verdict)))
    except Unusable as error:
        print(f"  The two texts cannot be compared here: {error}")


def show_clusters(clusters, top, texts):
    shown = clusters[:top]
    names = short_names([cluster.name for cluster in shown])
    width = min(max(map(len, names)), NAME_WIDTH)
    most = shown[0].size()
    print(f"{len(clusters)} clusters; the biggest {len(shown)}, each with its kept document (= exact copy, # near-duplicate):\n")
    print(f"{'kept':<{width}}  {'removed':>7}  {'':<{BAR_WIDTH}}  lowest similarity, and the kept text")
    for name, cluster in zip(names, shown):
        length, equal = (math.ceil(BAR_WIDTH * count / most) for count in (cluster.size(), cluster.copies))
        bar = "=" * equal + "#" * (length - equal)
        row = f"{name[:width]:<{width}}  {cluster.size():>7}  {bar:<{BAR_WIDTH}}  {cluster.lowest():.4f}"
        try:
            row += "  " + " ".join(texts.of(cluster.place)[: 4 * LINE_WIDTH].split())
        except Unusable:
            pass  # the picture is of numbers; the texts only help
        print(clip(row))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=12, metavar="N")
    parser.add_argument("--text-field", default="text", metavar="NAME")
    parser.add_argument("verdicts", metavar="VERDICTS")
    options = parser.parse_args(arguments)
    try:
        verdicts = read_verdicts(options.verdicts)
    except Unusable as error:
        print(f"show_clusters: {error}", file=sys.stderr)
        return 1
    clusters = clusters_of(verdicts)
    if not clusters:
        print(f"{len(verdicts)} documents, none of them a duplicate of another")
        return 0
    places = {cluster.place for cluster in clusters if cluster.near} | {cluster.place for cluster in clusters[:options.top]}
    texts = Texts(places | {place_of(verdict) for cluster in clusters for verdict in cluster.near}, options.text_field)
    decision = pick(clusters, texts)
    if decision:
        show_decision(decision, texts)
    else:
        print("All removed documents are exact copies of their keepers; there is no near-duplicate to explain.")
    print()
    show_clusters(clusters, options.top, texts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
