#!/usr/bin/env python3
"""Bar 2, the scan rule: `neardup dedup --search exact` decides like a naive sequential oracle, for every keep policy.

The oracle is a loop over the documents in rank order, driven by the file of exact pairs: keep a document unless a kept one matches it;
its keeper is the first such in rank order. A pair that the file rounds to 0.8000 is computed again by the definition. Every set is read
as three files, in the given order, with a number "bench_rank" added to most records (with many ties), so that source-order, max: and
min: have something to decide. Verdicts, keepers and similarities must be equal; a document named as an exact copy must be one.
"""
import collections
import fractions
import json
import sys
import zlib

import common
import definition
from report import Report

POLICIES = ["first", "last", "longest", "shortest", "source-order", "max:bench_rank", "min:bench_rank", "source-order,longest",
            "max:bench_rank,last"]
PARTS = 3
THRESHOLD = fractions.Fraction("0.8")


class Corpus:
    """A set, cut into files with ranks; documents are known by their position."""

    def __init__(self, options, data):
        self.names, self.texts, self.ranks, self.places, self.paths = [], [], [], [], []
        lines = list(common.lines(data.path))
        for part in range(PARTS):
            path = options.work / f"scan-rule-{part}.jsonl"
            self.paths.append(path)
            with open(path, "w", encoding="utf-8", newline="\n") as out:
                for row, line in enumerate(lines[part * len(lines) // PARTS:(part + 1) * len(lines) // PARTS], 1):
                    self.add(data, out, line, part, row)
        self.index = {name: i for i, name in enumerate(self.names)}
        self.at = {place: i for i, place in enumerate(self.places)}

    def add(self, data, out, line, part, row):
        record = json.loads(line)
        crc = zlib.crc32(line.encode())
        rank = None if crc % 11 == 0 else (crc >> 8) % 7 - 3 + (crc >> 16) % 2 / 2  # -3 to 3.5 by halves
        self.names.append(common.clean_id(record["id"]))
        self.texts.append(record[data.text_field])
        self.ranks.append(rank)
        self.places.append((str(self.paths[part]), row))
        out.write(line if rank is None else line.rstrip()[:-1] + f',"bench_rank":{rank}}}')
        out.write("\n")

    def order(self, policy):
        """The positions in rank order."""
        def key(i):
            parts = []
            for word in policy.split(","):
                if word in ("first", "last"):
                    parts.append(i if word == "first" else -i)
                elif word in ("longest", "shortest"):
                    size = len(self.texts[i].encode("utf-8", "replace"))
                    parts.append(-size if word == "longest" else size)
                elif word == "source-order":
                    parts.append(self.places[i][0])  # the names of the parts sort like the parts
                else:
                    rank = self.ranks[i]
                    parts.append((rank is None, 0 if rank is None else -rank if word.startswith("max:") else rank))
            return (*parts, i)
        return sorted(range(len(self.names)), key=key)


def matches_of(data, corpus):
    """position -> {position of a match: similarity as the file writes it}, at 0.8 and above."""
    matches = collections.defaultdict(dict)
    for (a, b), written in data.pairs().items():
        similar = fractions.Fraction(written) >= THRESHOLD
        a, b = corpus.index[a], corpus.index[b]
        if written == "0.8000":
            similar = definition.jaccard(definition.shingles(corpus.texts[a]), definition.shingles(corpus.texts[b])) >= THRESHOLD
        if similar:
            matches[a][b] = matches[b][a] = written
    empty = [i for i, text in enumerate(corpus.texts) if not definition.normalize(text)]  # exact copies that no file of pairs lists
    for i in empty:
        matches[i] = {other: "1.0000" for other in empty if other != i}
    return matches


def scan(order, matches):
    """{removed: keeper} by the sentence of the scan rule."""
    place = {document: i for i, document in enumerate(order)}
    keeper_of = {}
    for document in order:
        kept = [other for other in matches.get(document, ()) if place[other] < place[document] and other not in keeper_of]
        if kept:
            keeper_of[document] = min(kept, key=place.__getitem__)
    return keeper_of


def run_engine(options, data, corpus, policy):
    out = options.work / "scan-rule-verdicts.jsonl"
    common.run([options.neardup, "dedup", *corpus.paths, "--recipe", "chars-5", "--search", "exact", "--threshold", "0.8", "--keep", policy,
                "--text-field", data.text_field, "--verdicts", out], options.work)
    verdicts = common.read_records(out)
    out.unlink()
    return verdicts


def differences(corpus, matches, keeper_of, verdicts):
    """Yields a line for each verdict that is not the oracle's."""
    if [(v["source"], v["row"]) for v in verdicts] != corpus.places:
        yield "the verdicts are not those of the documents in input order"
        return
    most = fractions.Fraction(1, 2 * 10**4) + fractions.Fraction(1, 2 * 10**6)
    for i, verdict in enumerate(verdicts):
        keeper = corpus.at.get((verdict["keeper_source"], verdict["keeper_row"]))
        name = corpus.names[i]
        if common.clean_id(verdict["id"]) != name:
            yield f"{name}: the id is {verdict['id']}"
        elif (verdict["verdict"] == "remove") != (i in keeper_of) or keeper != keeper_of.get(i):
            expected = corpus.names[keeper_of[i]] if i in keeper_of else None
            yield f"{name}: {verdict['verdict']}, keeper {verdict['keeper_id']}; the oracle's keeper is {expected}"
        elif keeper is not None and abs(fractions.Fraction(str(verdict["similarity"])) - fractions.Fraction(matches[i][keeper])) > most:
            yield f"{name}: similarity {verdict['similarity']}, the file has {matches[i][keeper]}"
        elif keeper is not None and common.clean_id(verdict["keeper_id"]) != corpus.names[keeper]:
            yield f"{name}: the keeper's id is {verdict['keeper_id']}"
        elif verdict["reason"] == "exact_copy" and definition.normalize(corpus.texts[i]) != definition.normalize(corpus.texts[keeper]):
            yield f"{name}: not an exact copy of {verdict['keeper_id']}"


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help="only this set; may be repeated")
    parser.add_argument("--keep", action="append", default=[], help="only this policy; may be repeated")
    options = common.parse(parser)
    report = Report(options, "scan_rule")
    policies = options.keep or POLICIES
    rows = report.table(["set", "documents", "removed under first", *policies], on_page=False)
    wrong = runs = 0
    for data in common.data_sets(options, options.set):
        common.say(data.name)
        corpus = Corpus(options, data)
        matches = matches_of(data, corpus)
        row = [data.name, len(corpus.names), len(scan(corpus.order("first"), matches))]
        for policy in policies:
            found = list(differences(corpus, matches, scan(corpus.order(policy), matches), run_engine(options, data, corpus, policy)))
            for line in found[:3]:
                common.say(f"  {data.name}, {policy}: {line}")
            row.append("equal" if not found else f"{len(found)} differ")
            runs += 1
            wrong += bool(found)
        rows.append(row)
        for path in corpus.paths:
            path.unlink()
    report.note(f"{len(rows)} sets with {sum(row[1] for row in rows):,} documents, each under {len(policies)} policies: "
                f"{', '.join(f'`{policy}`' for policy in policies)}. In {wrong} of {runs} runs a verdict, keeper or similarity differs.")
    report.bar("verdict, keeper, similarity equal to the oracle's, for every policy and set", f"{runs - wrong} of {runs} runs", not wrong)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
