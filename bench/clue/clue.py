#!/usr/bin/env python3
"""Clue search against SQLite FTS5 trigram, tantivy ngram and PostgreSQL pg_trgm, on the same texts and clues.

make_clue_corpus.cc makes the texts, clue_questions.cc the clues and their exact answers, rivals.py and clue_speed.cc ask. All bytes are per
byte of the original texts. Sizes and times of building: everybody indexes the original texts. Questions: rivals index neardup's normal
forms, so that all answer the same question. Each clue asks for at most 100 texts and is asked by one thread.

Recall is right hits over true answers (at most 100 of them), over all clues of a class. "source" is the share of clues with edits for which
the text they were drawn from is a hit; clues whose 100 hits leave it out do not count. Cold: pages are dropped, and the process is in a
memory cgroup (version 1 or 2) whose limit is --cold-share of the bytes of the index proper, without the texts; needs root, else the pages
of the index are dropped only. Clues of all classes take turns.

--python is an interpreter with the package of requirements.txt:
  python3 -m venv V && V/bin/pip install --require-hashes -r bench/clue/requirements.txt
Processor time hardly depends on other load, so everything can be built before: --build-only builds what a run with --reuse then asks.
--update also writes the table of docs/scale.md.
"""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # pylint: disable=wrong-import-position
from report import Report  # pylint: disable=wrong-import-position
from cold import drop_pages, memory_group, random_reads_us  # pylint: disable=wrong-import-position

LIMIT = 100
SETS = ("zh-wiki", "zh-laws", "zh-law-articles", "zh-classical", "zh-poetry-tang", "zh-passages", "zh-docs-versions", "zh-rev-apisix",
        "zh-rev-hertzbeat", "en-books", "en-licenses", "en-proc-codes", "en-docs-versions", "en-rev-apisix", "code-irplag", "code-plag-1",
        "code-rev-apisix-lua", "code-rev-cjson", "code-rev-hertzbeat-java")
BUILD = ["program", "texts", "MB of text", "index bytes a text byte", "with texts", "build CPU s", "build s", "MB per CPU s"]
ASKED = ["class", "program", "texts", "clues", "CPU us p50", "CPU us p99", "wall us p50", "wall us p99", "recall", "source"]
SCALE = ["texts", "text", "index, bytes a text byte", "with the texts", "built, CPU s", "peak memory", "warm p50, guaranteed", "cold p50", "cold p99"]
COST = ["class", "texts", "exact", "likely", "look-ups", "postings", "candidates", "settled", "texts read", "most read"]
MAX_BYTES_PER_BYTE = 0.35
SMALLER = 7
BUILD_TIMES = {"sqlite": 20, "tantivy-positions": 15}  # of rivals on the original texts, with their default options
SOURCE_FOUND = {"zh edit": 0.99, "en edit": 0.95, "en word": 0.95}
COLD_MS = {"p50": 20, "p99": 100}
PACKED_BYTES = 2_000_000_000  # a corpus of more text is compressed
WORDS_BYTES = 500_000_000  # a corpus of more text has no true answers for "word" clues


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


def is_short(name):
    """Whether clues of the class are below the guaranteed length."""
    return name.endswith((" 8", "en exact 12"))


class Questions:
    """A corpus, clues with their answers, and the forms if rivals are asked."""

    def __init__(self, options, size, with_forms=False):
        texts, text_bytes, most = (*str(size).split(":"), "", "")[:3]
        self.texts, self.text_bytes = int(texts), int(text_bytes or 200)
        self.name = f"{self.texts}-{self.text_bytes}-{options.seed}"
        self.what = f"{self.texts:,} texts" + (f" of {self.text_bytes:,} bytes" if self.text_bytes != 200 else "")
        self.packed = self.texts * self.text_bytes > PACKED_BYTES
        self.corpus = options.work / f"clue-{self.name}.jsonl{'.zst' if self.packed else ''}"
        self.sentences = options.work / f"clue-{self.name}.boilerplate"
        base = options.work / f"clue-{self.name}-{options.per_class}"
        self.clues, self.forms = base.with_suffix(".clues"), base.with_suffix(".forms")
        if not self.corpus.exists():
            self.make_corpus(options)
        if not self.clues.exists() or (with_forms and not self.forms.exists()):
            self.draw(options, with_forms)
        clues = common.read_records(self.clues)
        self.by_id = {clue["id"]: clue for clue in clues}
        if most:
            clues = clues[:int(most) * len(self.classes())]  # classes take turns
            self.by_id = {clue["id"]: clue for clue in clues}
            self.clues = base.with_suffix(".some")
            self.clues.write_text("".join(json.dumps(clue, ensure_ascii=False) + "\n" for clue in clues), encoding="utf-8")

    def make_corpus(self, options):
        common.say(f"making {self.what}")
        part = self.corpus.with_suffix(".part")
        command = [common.tool(options, "make_clue_corpus"), "--texts", self.texts, "--bytes", self.text_bytes, "--seed", options.seed,
                   "--boilerplate", self.sentences, *(common.plain(options, f"{name}.jsonl") for name in SETS)]
        if self.packed:
            with subprocess.Popen(["zstd", "-q", "-f", "-1", "-o", part], stdin=subprocess.PIPE) as packer:
                out = packer.stdin.fileno()
                subprocess.run([*map(str, command), "--out", f"/dev/fd/{out}"], check=True, pass_fds=[out], stdout=subprocess.DEVNULL)
        else:
            common.run([*command, "--out", part], options.work)
        part.rename(self.corpus)

    def draw(self, options, with_forms):
        common.say("drawing and answering clues")
        part = self.clues.with_suffix(".part")
        common.run([common.tool(options, "clue_questions"), self.corpus, "--boilerplate", self.sentences, "--clues", part, "--per-class",
                    options.per_class, "--seed", options.seed, *(["--forms", self.forms] if with_forms else []),
                    *(["--unanswered", "word"] if self.texts * self.text_bytes > WORDS_BYTES else [])], options.work)
        part.rename(self.clues)

    def classes(self):
        return list(dict.fromkeys(clue["class"] for clue in self.by_id.values()))


class Answers:
    """What one program answered, by class."""

    def __init__(self, questions, lines):
        self.classes = {name: [] for name in questions.classes()}
        for line in lines:
            clue = questions.by_id[line["id"]]
            self.classes[clue["class"]].append((clue, line))

    def times(self, name, unit, share):
        return percentile([line[unit] for _, line in self.classes[name]], share)

    def recall(self, name):
        answered = [(clue, line) for clue, line in self.classes[name] if "answers" in clue]
        true = sum(min(LIMIT, clue["count"]) for clue, _ in answered)
        return sum(line["right"] for _, line in answered) / true if true else None

    def sources(self, name):
        found = [line["source_found"] for clue, line in self.classes[name] if clue["edits"] and clue["source"] is not None
                 and (line["source_found"] or line["hits"] < LIMIT or line.get("capped"))]
        return sum(found) / len(found) if found else None

    def row(self, name, program, texts):
        recall, source = self.recall(name), self.sources(name)
        us = [f"{self.times(name, unit, share):,.0f}" for unit in ("cpu_us", "wall_us") for share in (0.5, 0.99)]
        return [name, program, texts, len(self.classes[name]), *us, "" if recall is None else f"{recall:.4f}",
                "" if source is None else f"{source:.3f}"]


# --- neardup -----------------------------------------------------------------------------------------------------------------------


class Index:
    """A clue index of a corpus. --reuse: that of an earlier run, if the program is the same."""

    def __init__(self, options, questions, report):
        self.folder = options.work / f"clue-index-{questions.name}"
        known = self.folder.with_suffix(".json")
        program = common.sha256(options.neardup)
        figures = json.loads(known.read_text(encoding="utf-8")) if options.reuse and known.exists() else {}
        if figures.get("program") != program or not self.folder.exists():
            figures = {"program": program, **self.build(options, questions)}
            known.write_text(json.dumps(figures), encoding="utf-8")
        self.text_bytes, self.bytes, self.cpu_s = figures["text_bytes"], figures["anchor_bytes"], figures["cpu_s"]
        self.per_byte, whole = self.bytes / self.text_bytes, figures["index_bytes"] / self.text_bytes
        self.scale = [questions.what, f"{self.text_bytes / 1e9:.1f} GB", f"{self.per_byte:.3f}", f"{whole:.2f}", f"{self.cpu_s:.0f}",
                      f"{figures['peak_memory_bytes'] / 1e9:.1f} GB"]
        report.table(BUILD).append(["neardup", questions.what, f"{self.text_bytes / 1e6:.0f}", f"{self.per_byte:.3f}", f"{whole:.3f}",
                                    f"{self.cpu_s:.1f}", f"{figures['wall_s']:.1f}", f"{self.text_bytes / 1e6 / self.cpu_s:.1f}"])
        report.bar(f"{questions.what}: index <= {MAX_BYTES_PER_BYTE} bytes a text byte", f"{self.per_byte:.3f}", self.per_byte <= MAX_BYTES_PER_BYTE)

    def build(self, options, questions):
        shutil.rmtree(self.folder, ignore_errors=True)
        common.say(f"indexing {questions.what}")
        summary = options.work / "clue-summary.json"
        run = common.run([options.neardup, "index", "build", self.folder, questions.corpus, "--kind", "clue", "--temp-dir", options.work,
                          "--summary", summary], options.work)
        made = json.loads(summary.read_text(encoding="utf-8"))
        return {"cpu_s": run.cpu_seconds, "wall_s": run.seconds, **{name: made[name] for name in ("text_bytes", "index_bytes", "anchor_bytes", "peak_memory_bytes")}}

    def remove(self):
        self.folder.with_suffix(".json").unlink()
        shutil.rmtree(self.folder)

    def ask(self, options, questions, turns, prefix=()):
        common.say(f"asking {len(questions.by_id):,} clues")
        done = subprocess.run([*prefix, common.tool(options, "clue_speed"), self.folder, questions.clues, "--limit", str(LIMIT), "--turns", str(turns)],
                              check=True, capture_output=True, encoding="utf-8")
        return Answers(questions, map(json.loads, done.stdout.splitlines()))


def cost_rows(answers, questions, report):
    rows = report.table(COST, on_page=False)
    for name, asked in answers.classes.items():
        lines = [line for _, line in asked]
        mean = [f"{sum(line[what] for line in lines) / len(lines):,.1f}" for what in ("lookups", "postings", "candidates", "settled", "texts_read")]
        certain = [sum(line["certainty"] == word for line in lines) for word in ("exact", "likely")]
        rows.append([name, questions.what, *certain, *mean, max(line["texts_read"] for line in lines)])


def check_exact(answers, report, what):
    """Whether every answer that says "exact" has all texts that match, or `more`."""
    wrong = []
    exact = 0
    for asked in answers.classes.values():
        for clue, line in asked:
            if line["certainty"] != "exact" or "count" not in clue:
                continue
            exact += 1
            complete = line["hits"] == min(LIMIT, clue["count"]) and line["more"] == (clue["count"] > LIMIT)
            complete = complete and ("answers" not in clue or line["right"] == line["hits"])
            wrong += [] if complete else [clue["id"]]
    report.bar(f"{what}: \"exact\" answers have every text, and `more` is right", f"{exact - len(wrong)} of {exact}", not wrong)
    guaranteed = [line["certainty"] for asked in answers.classes.values() for clue, line in asked if not clue["edits"] and line["guaranteed"]]
    report.bar(f"{what}: all clues of the guaranteed length are answered as \"exact\"", f"{guaranteed.count('exact')} of {len(guaranteed)}",
               set(guaranteed) <= {"exact"})


def ask_cold(options, index, questions, report):
    limit = max(16 << 20, int(index.bytes * options.cold_share))
    drop_pages(index.folder)
    reads = random_reads_us(index.folder)
    drop_pages(index.folder)
    blocks = options.work / "clue-blocks.txt"
    with memory_group(limit) as group:
        timed = ["/usr/bin/time", "-q", "-o", str(blocks), "-f", "%I"]
        answers = index.ask(options, questions, 1, [*(group.prefix() if group else ()), *timed])
        peak = group.peak() if group else None
    read = 512 * int(blocks.read_text(encoding="ascii")) / 1e6
    memory = f"{limit / 1e6:.0f} MB of memory" if group else "no memory cgroup can be made (root?), so memory was not limited"
    used = f" ({peak / 1e6:.0f} MB used)" if peak else ""
    report.note(f"Cold, {questions.what}: {memory}{used} for an index of {index.bytes / 1e6:.0f} MB and the texts; "
                f"{read:.0f} MB were read for {len(questions.by_id):,} clues. A random read of 4 KiB of "
                f"the disk takes {percentile(reads, 0.5):.0f} us (p50), {percentile(reads, 0.99):.0f} us (p99).")
    worst = {"p50": 0, "p99": 0}
    for name in questions.classes():
        report.table(ASKED).append(answers.row(name, "neardup, cold", questions.what))
        for word, most in COLD_MS.items():
            ms = answers.times(name, "wall_us", {"p50": 0.5, "p99": 0.99}[word]) / 1000
            worst[word] = max(worst[word], ms)
            report.bar(f"cold, {questions.what}, {name}: {word} <= {most} ms", f"{ms:.1f} ms", ms <= most)
    return worst


def measure(options, size, report):
    """neardup alone on a corpus: built, asked warm and cold, and removed. Returns a row of SCALE."""
    questions = Questions(options, size)
    index = Index(options, questions, report)
    if options.build_only:
        return None
    answers = index.ask(options, questions, 2)
    check_exact(answers, report, questions.what)
    warm = []
    for name in questions.classes():
        report.table(ASKED).append(answers.row(name, "neardup", questions.what))
        floor = next((floor for kind, floor in SOURCE_FOUND.items() if name.startswith(kind)), None)
        if floor:
            report.bar(f"{questions.what}, {name}: source found >= {floor}", f"{answers.sources(name):.3f}", answers.sources(name) >= floor)
        if " exact " in name and not is_short(name):
            us = answers.times(name, "cpu_us", 0.5)
            warm.append(us)
            report.bar(f"{questions.what}, {name}, warm: p50 <= 100 us", f"{us:.0f} us", us <= 100)
    cost_rows(answers, questions, report)
    cold = ask_cold(options, index, questions, report) if options.cold_share > 0 else None
    index.remove()
    return [*index.scale, f"{min(warm):.0f} to {max(warm):.0f} us", *(f"{cold[word]:.1f} ms" if cold else "" for word in ("p50", "p99"))]


# --- rivals --------------------------------------------------------------------------------------------------------------------------


def run_rival(options, rival, questions, report, original):
    """(figures of the build, Answers or None), or None if the rival is not installed."""
    common.say(f"{rival}: {questions.what}")
    work = options.work / f"rival-{rival}-{questions.name}{'-original' if original else ''}"
    about = ["--corpus", questions.corpus] if original else ["--forms", questions.forms]
    clues = options.per_class if rival == "tantivy" else options.slow_clues
    asked = [] if original or options.build_only else ["--clues", questions.clues, "--per-class", str(clues)]
    done = subprocess.run([options.python, "-B", HERE / "rivals.py", rival, *about, *asked, "--work", work, "--limit", str(LIMIT),
                           *(["--reuse"] if options.reuse else [])],
                          capture_output=True, encoding="utf-8", check=False, env={**os.environ, "TMPDIR": str(options.work)})
    if done.returncode != 0:
        report.note(f"{rival} was not measured: {(done.stderr.strip() or 'failed').splitlines()[-1]}")
        return None
    build, *lines = map(json.loads, done.stdout.splitlines())
    return build, Answers(questions, lines) if asked else None


def build_row(build, questions, index, report):
    report.table(BUILD).append([build["program"], questions.what, f"{index.text_bytes / 1e6:.0f}", f"{build['index_bytes'] / index.text_bytes:.3f}", "",
                                f"{build['build_cpu_s']:.1f}", f"{build['build_s']:.1f}", f"{index.text_bytes / 1e6 / build['build_cpu_s']:.2f}"])


def compare_builds(options, questions, index, report):
    for rival, times in BUILD_TIMES.items():
        ran = run_rival(options, rival, questions, report, True) if rival.partition("-")[0] in options.rivals else None
        if ran is None:
            continue
        build, _ = ran
        build_row(build, questions, index, report)
        smaller, faster = build["index_bytes"] / index.bytes, build["build_cpu_s"] / index.cpu_s
        report.bar(f"index >= {SMALLER}x smaller than that of {build['program']}", f"{smaller:.1f}x", smaller >= SMALLER)
        report.bar(f"build >= {times}x {build['program']} per CPU-second", f"{faster:.1f}x", faster >= times)


def compare(options, size, rivals, report):
    """neardup and rivals on the same corpus."""
    questions = Questions(options, size, with_forms=True)
    index = Index(options, questions, report)
    if questions.texts == options.rival_texts:
        compare_builds(options, questions, index, report)
    mine = None if options.build_only else index.ask(options, questions, 2)
    programs = [("neardup", mine)]
    for rival in rivals:
        ran = run_rival(options, rival, questions, report, False)
        if ran is None:
            continue
        build, answers = ran
        programs.append((build["program"], answers))
        build_row(build, questions, index, report)
        for name in questions.classes() if rival == "tantivy" and mine else ():
            if " exact " in name and not is_short(name):
                own, their = mine.times(name, "cpu_us", 0.5), answers.times(name, "cpu_us", 0.5)
                report.bar(f"{questions.what}, {name}, warm: p50 >= 5x faster than tantivy's AND with verification", f"{their / own:.1f}x",
                           their >= 5 * own)
    if mine:
        check_exact(mine, report, questions.what)
        for name in questions.classes():
            report.table(ASKED).extend(answers.row(name, program, questions.what) for program, answers in programs)
        cost_rows(mine, questions, report)


def measure_all(options, report):
    if options.rival_texts:
        compare(options, options.rival_texts, [rival for rival in options.rivals if rival != "postgres" or not options.build_only], report)
    if options.tantivy_texts and "tantivy" in options.rivals:
        compare(options, options.tantivy_texts, ["tantivy"], report)
    rows = [row for row in [measure(options, size, report) for size in options.texts] if row]
    if rows:
        cells = ["| " + " | ".join(row) + " |" for row in (SCALE, ["---"] * len(SCALE), *rows)]
        cold = (f"Warm: clues of the guaranteed length, processor time, by class. Cold: the worst class, memory limited to {options.cold_share:g} "
                "of the index without the texts, pages dropped before.")
        report.part("docs/scale.md", "clue_scale", "\n".join([*cells, "", cold]))


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--texts", nargs="*", default=["20000000", "5000000:1000"], metavar="N[:BYTES[:CLUES]]",
                        help="corpora of neardup alone, mean bytes of a text, clues of each class [20000000 5000000:1000]")
    parser.add_argument("--rival-texts", type=int, default=300_000, help="size of the corpus of neardup and all rivals; 0: none [%(default)s]")
    parser.add_argument("--tantivy-texts", type=int, default=1_000_000, help="size of a corpus of neardup and tantivy; 0: none [%(default)s]")
    parser.add_argument("--per-class", type=int, default=100, help="clues of each class [%(default)s]")
    parser.add_argument("--slow-clues", type=int, default=10, help="clues of each class that SQLite and PostgreSQL are asked [%(default)s]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rivals", nargs="*", default=["sqlite", "tantivy", "postgres"], help="which of sqlite, tantivy, postgres [all]")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the packages of the rivals")
    parser.add_argument("--cold-share", type=float, default=0.7, help="memory limit over bytes of the index proper; 0: no cold part [%(default)s]")
    parser.add_argument("--build-only", action="store_true", help="make corpora, clues and indexes, and ask nothing")
    parser.add_argument("--reuse", action="store_true", help="use indexes that an earlier run of the same programs left in the work folder")
    options = common.parse(parser)
    report = Report(options, "clue")
    try:
        measure_all(options, report)
    finally:  # what was measured before it failed is worth minutes
        code = report.finish()
    return code


if __name__ == "__main__":
    sys.exit(main())
