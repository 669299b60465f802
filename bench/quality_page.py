#!/usr/bin/env python3
"""Writes docs/quality.md: what neardup and the rivals find on every labelled set, with the settings that `neardup tune` recommends.

The settings of a set are those of SETTINGS/SET.toml, which --tune makes with `neardup tune`. The rivals' results are those that rivals.py
left in --cache. labels.py defines the two truths and the scores.

Bar: by the field `cluster`, and asked for the same pairs as the rivals, F1 is above that of every rival on every set; the page gives the
reason for the others.
"""
import dataclasses
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tomllib

import common
import labels
import rivals
from report import machine

PAGE = common.ROOT / "docs/quality.md"
SKIPPED = ("smoke",)  # a mixed sample of the other sets
OWN_FIELDS = {"html-libreoffice": "html"}  # neardup cleans pages itself; the rivals get the text that is expected of a cleaner
SAME_REQUEST = {"recipe": "chars-5", "threshold": labels.THRESHOLD}
PAIRS_OPTIONS = ("recipe", "clean", "threshold", "max_distance", "measure", "search")  # of a configuration, those that `pairs` has, too
NO_DATA = "–"
# Why a rival is ahead by clusters, where one is.
REASONS = {
    ("en-docs-versions", "cluster"): "The label is the path of a page, so the same page under two paths counts as two things. From 0.5 to 0.9 groups hold together about equally well: the texts do not tell that a higher threshold would be better by this label (`words-5` at 0.9: 0.738).",
    ("en-licenses", "cluster"): "The label is the licence expression, which notices of one line and whole licence texts share; similarity of texts finds little of that, by any program.",
}


@dataclasses.dataclass
class Result:
    program: str
    pairs: labels.Scores
    clusters: labels.Scores | None
    problem: str = ""


def settings_of(options, data):
    """The settings that tune recommends, as {option: value}."""
    path = options.settings / f"{data.name}.toml"
    if options.tune and not path.exists():
        command = [options.neardup, "tune", data.path, "--text-field", OWN_FIELDS.get(data.name, data.text_field), "-o", path, "-q"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return {key: value for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items() if not isinstance(value, dict)}


def as_options(settings, allowed=None):
    chosen = {key: value for key, value in settings.items() if (allowed is None or key in allowed) and value not in ("", False)}
    return [word for key, value in chosen.items() for word in ([f"--{key.replace('_', '-')}"] + ([] if value is True else [str(value)]))]


def run_neardup(options, data, known, name, settings, field=None, cluster="components"):
    """Judges `pairs` by the pairs and `dedup` by the clusters."""
    found, verdicts = options.work / "quality-pairs.tsv", options.work / "quality-verdicts.jsonl"
    text = ["--text-field", field or data.text_field]
    common.run([options.neardup, "pairs", data.path, *text, *as_options(settings, PAIRS_OPTIONS), "-o", found, "-q"], options.work)
    pairs = known.judge_pairs(itertools.islice(common.lines(found), 1, None))
    common.run([options.neardup, "dedup", data.path, *text, *as_options(settings), "--cluster", cluster, "--verdicts", verdicts, "-q"], options.work)
    cluster_of = {common.clean_id(verdict["id"]): verdict["cluster_id"] for verdict in common.read_records(verdicts)}
    found.unlink()
    verdicts.unlink()
    return Result(name, pairs, known.judge_clusters(cluster_of) if known.clusters else None)


def judge_rival(options, data, known, rival):
    cache = options.cache / data.name / rival.name
    if not (cache / "run.json").exists():
        return Result(rival.name, None, None, "not run")
    run = json.loads((cache / "run.json").read_text(encoding="utf-8"))
    if "problem" in run:
        return Result(rival.name, None, None, run["problem"])
    if not rival.gives_clusters:
        return Result(rival.name, None, None, "gives only the kept documents")
    cluster_of = dict(line.split("\t")[:2] for line in common.lines(cache / "clusters.tsv"))
    if set(cluster_of) != set(known.ids):
        # A rival that drops documents, such as short ones, leaves them alone.
        cluster_of = {name: cluster_of.get(name, f"alone {name}") for name in known.ids}
    if (cache / "pairs.tsv").exists():
        pairs = known.judge_pairs(common.lines(cache / "pairs.tsv"))
    else:
        pairs = known.judge_clusters_by_pairs(cluster_of)
    return Result(rival.name, pairs, known.judge_clusters(cluster_of) if known.clusters else None)


def number(value):
    return NO_DATA if math.isnan(value) else f"{value:.3f}"


def table(columns, rows):
    return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def shown_settings(settings):
    """`words-5` at 0.8, and what else is set."""
    words = f"`{settings['recipe']}`"
    if "threshold" in settings:
        words += f" at {settings['threshold']}"
    return words + "".join(f", {key.replace('_', '-')} {value}" for key, value in settings.items() if key not in ("recipe", "threshold"))


def best(results, score):
    judged = [result for result in results if score(result) is not None and not math.isnan(score(result))]
    return max(judged, key=score, default=None)


def f1_of(kind):
    return lambda result: getattr(result, kind).f1 if getattr(result, kind) else None


def f1_pair(mine, rival):
    """Both cells; the higher one is bold, both if they are equal."""
    high = max(round(value, 3) for value in (mine, rival) if value is not None)
    return [NO_DATA if value is None else f"**{value:.3f}**" if round(value, 3) == high else f"{value:.3f}" for value in (mine, rival)]


class Page:
    def __init__(self):
        self.by_clusters, self.by_pairs, self.details, self.trailing = [], [], [], []

    def add(self, data, known, settings, own, others):
        tuned, same, _ = own
        rival = best(others, f1_of("clusters"))
        if tuned.clusters:
            mine = tuned.clusters
            mine_f1, rival_f1 = f1_pair(mine.f1, rival.clusters.f1 if rival else None)
            self.by_clusters.append([data.name, shown_settings(settings), number(mine.precision), number(mine.recall), mine_f1, number(mine.ari),
                                     number(mine.b_cubed), *([rival.program, rival_f1, number(rival.clusters.ari), number(rival.clusters.b_cubed)]
                                                             if rival else [NO_DATA] * 4)])
            if rival and round(rival.clusters.f1, 3) > round(mine.f1, 3):
                self.trailing.append((data.name, "cluster", mine.f1, rival))
        rival = best(others, f1_of("pairs"))
        mine_f1, rival_f1 = f1_pair(same.pairs.f1, rival.pairs.f1 if rival else None)
        self.by_pairs.append([data.name, len(known.pairs), number(same.pairs.precision), number(same.pairs.recall), mine_f1, f"{tuned.pairs.f1:.3f}",
                              *([rival.program, rival_f1] if rival else [NO_DATA] * 2)])
        if rival and round(rival.pairs.f1, 3) > round(same.pairs.f1, 3):
            self.trailing.append((data.name, "pairs", same.pairs.f1, rival))
        rows = []
        for result in (*own, *others):
            if result.problem:
                rows.append([result.program, result.problem, *[""] * 7])
                continue
            cells = [number(value) for value in (result.pairs.precision, result.pairs.recall, result.pairs.f1)]
            scores = result.clusters
            cells += [number(value) for value in (scores.precision, scores.recall, scores.f1, scores.ari, scores.b_cubed)] if scores else [NO_DATA] * 5
            rows.append([result.program, *cells])
        self.details.append(f"### {data.name}\n\n{len(known.ids):,} documents, {len(known.pairs):,} pairs at {labels.THRESHOLD} and above"
                            + (f", {len(set(known.clusters.values())):,} values of `cluster`" if known.clusters else ", no field `cluster`") + ".\n\n"
                            + table(["program", "pairs: P", "R", "F1", "clusters: P", "R", "F1", "ARI", "B-cubed F1"], rows))

    def reasons(self):
        if not self.trailing:
            return "No rival is ahead on any set."
        lines = [f"- **{name}**, by {'the field `cluster`' if kind == 'cluster' else 'the pairs'}: {rival.program} has {getattr(rival, 'clusters' if kind == 'cluster' else 'pairs').f1:.3f}, "
                 f"neardup {mine:.3f}. {REASONS.get((name, kind), '')}".rstrip() for name, kind, mine, rival in self.trailing]
        return "\n".join(lines)

    def text(self, version):
        m = machine()
        return TEMPLATE.format(version=version, date=m["date"], cores=m["cores"], threshold=labels.THRESHOLD, reasons=self.reasons(),
                               clusters=table(["set", "settings of tune", "P", "R", "F1", "ARI", "B-cubed F1", "best rival", "F1", "ARI", "B-cubed F1"], self.by_clusters),
                               pairs=table(["set", "pairs", "P", "R", "F1", "F1 with the settings of tune", "best rival", "F1"], self.by_pairs),
                               rivals=table(["rival", "run"], [[rival.name, f"`{rival.script} {rival.arguments}`".replace(" `", "`")] for rival in rivals.RIVALS.values()]),
                               details="\n\n".join(self.details))


TEMPLATE = """# Quality on labelled texts

<!-- made by bench/quality_page.py -->

What neardup decides on texts with labels, next to other programs. This page is generated by `bench/quality_page.py`; on your own labels,
[`neardup evaluate`](evaluate.md) gives the same figures. Made with neardup {version} on {date}.

There are two truths, and they answer different questions:

- **clusters**: the field `cluster` of the documents. The same value means versions of one thing (a page in several releases, a file in its
  revisions), however much they differ. Is the decision useful?
- **pairs**: all pairs of documents whose sets of 5-grams of characters have a Jaccard similarity of {threshold} and above, computed exactly. Is the
  search right?

P is pair precision: the share of pairs found that are in the truth. R is pair recall: the share of the truth that is found. F1 is their
harmonic mean. ARI is the adjusted Rand index, B-cubed F1 the harmonic mean of B-cubed precision and recall; both judge whole clusters.

## By clusters

neardup runs with what `neardup tune` recommends for the set, unchanged, and groups documents as the rivals do, `neardup dedup --cluster
components`. Without that option a document is removed only for a kept one that it resembles itself, which is safer and gives smaller
clusters; the rows "scan rule" at the end of this page have them. The best rival is the one with the highest F1;
the higher F1 of the two is bold. tune was developed with these sets at hand; judge its advice on your texts with `neardup evaluate`.

{clusters}

## By pairs

All programs are asked for the same: similarity {threshold} of 5-grams of characters, or of words where a rival has no characters. neardup runs with
`--recipe chars-5 --threshold {threshold}`. The column after it has the settings of tune, which may ask for other pairs than these. The pairs
of a rival are those that it prints, or all pairs of its clusters.

{pairs}

## Where a rival is ahead

{reasons}

## How the rivals run

With their documented settings, at the threshold {threshold}; on words, and on characters where they can. `{{language}}` is `zho_Hani` for sets in
Chinese and `eng_Latn` for the others, `{{tokens}}` is `character` or `space`. Each set has ten minutes and 6 GiB.

{rivals}

## All results

{details}
"""


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--set", action="append", default=[], help="only this set; may be repeated")
    parser.add_argument("--settings", type=pathlib.Path, required=True, help="folder with SET.toml of every set")
    parser.add_argument("--tune", action="store_true", help="make the settings that are missing with `neardup tune`")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder that rivals.py filled")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=PAGE, help="[%(default)s]")
    options = common.parse(parser)
    options.settings.mkdir(parents=True, exist_ok=True)
    page = Page()
    for data in common.data_sets(options, options.set):
        if data.name in SKIPPED:
            continue
        common.say(data.name)
        known = labels.Labels(data)
        settings = settings_of(options, data)
        field = OWN_FIELDS.get(data.name)
        own = [run_neardup(options, data, known, "neardup, settings of tune", settings, field), run_neardup(options, data, known, "neardup, chars-5 at 0.7", SAME_REQUEST),
               run_neardup(options, data, known, "neardup, settings of tune, scan rule", settings, field, "scan")]
        others = [judge_rival(options, data, known, rival) for rival in rivals.RIVALS.values()]
        page.add(data, known, settings, own, others)
    version = subprocess.run([options.neardup, "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout.split()[1]
    options.output.write_text(page.text(version), encoding="utf-8")
    for name, kind, mine, rival in page.trailing:
        common.say(f"{name}, by {kind}: {rival.program} is ahead of {mine:.3f}")
    return 0 if not page.trailing or options.report_only else 1


if __name__ == "__main__":
    sys.exit(main())
