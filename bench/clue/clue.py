#!/usr/bin/env python3
"""Clue search against SQLite FTS5 trigram, tantivy ngram and PostgreSQL pg_trgm, on the same texts and clues.

make_clue_corpus.cc makes the texts, clue_questions.cc the clues and their exact answers, rivals.py and clue_speed.cc ask. Everybody indexes
the same texts; rivals get them in neardup's normal form, so that all answer the same question, and their time does not include making it.
Rivals get the first --rival-texts, with clues drawn from these. Each clue asks for at most 100 texts and is asked by one thread.

Recall is right hits over true answers (at most 100 of them), over all clues of a class. "source" is the share of clues with edits for which
the text they were drawn from is a hit. Cold: pages are dropped, and the process is in a memory cgroup (version 1 or 2) whose limit is
--cold-share of the bytes of the index; needs root, else the page cache is only dropped for the files of the index, or the part is skipped.

--python is an interpreter with the package of requirements.txt:
  python3 -m venv V && V/bin/pip install --require-hashes -r bench/clue/requirements.txt
"""
import contextlib
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # pylint: disable=wrong-import-position
from report import Report  # pylint: disable=wrong-import-position

LIMIT = 100
SETS = ("zh-wiki", "zh-laws", "zh-law-articles", "zh-classical", "zh-poetry-tang", "zh-passages", "zh-docs-versions", "zh-rev-apisix",
        "zh-rev-hertzbeat", "en-books", "en-licenses", "en-proc-codes", "en-docs-versions", "en-rev-apisix", "code-irplag", "code-plag-1",
        "code-rev-apisix-lua", "code-rev-cjson", "code-rev-hertzbeat-java")
BUILD = ["program", "texts", "MB of text", "index bytes a text byte", "with texts", "build CPU s", "build s", "MB per CPU s"]
ASKED = ["class", "program", "texts", "clues", "CPU us p50", "CPU us p99", "wall us p50", "wall us p99", "recall", "source"]
COST = ["class", "texts", "exact", "likely", "look-ups", "postings", "candidates", "settled", "texts read", "most read"]
MAX_BYTES_PER_BYTE = 0.35
SMALLER, BUILD_TIMES = 7, {"SQLite": 20, "tantivy": 15}
SOURCE_FOUND = {"zh edit": 0.99, "en edit": 0.95, "en word": 0.95}
COLD_MS = {"p50": 20, "p99": 100}


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


class Questions:
    """A corpus, its forms, and clues with their answers."""

    def __init__(self, options, texts):
        self.texts = texts
        base = options.work / f"clue-{texts}-{options.seed}-{options.per_class}"
        corpus = options.work / f"clue-{texts}-{options.seed}"
        self.corpus, self.sentences = corpus.with_suffix(".jsonl"), corpus.with_suffix(".boilerplate")
        self.clues, self.forms = base.with_suffix(".clues"), base.with_suffix(".forms")
        if not self.corpus.exists():
            common.say(f"making {texts:,} texts")
            part = self.corpus.with_suffix(".part")
            common.run([common.tool(options, "make_clue_corpus"), "--texts", texts, "--seed", options.seed, "--out", part, "--boilerplate",
                        self.sentences, *(common.plain(options, f"{name}.jsonl") for name in SETS)], options.work)
            part.rename(self.corpus)
        if not self.clues.exists():
            common.say("drawing and answering clues")
            part = self.clues.with_suffix(".part")
            common.run([common.tool(options, "clue_questions"), self.corpus, "--boilerplate", self.sentences, "--clues", part, "--forms", self.forms,
                        "--per-class", options.per_class, "--seed", options.seed], options.work)
            part.rename(self.clues)
        self.by_id = {clue["id"]: clue for clue in common.read_records(self.clues)}
        with open(self.forms, "rb") as forms:
            self.form_bytes = sum(len(line) - 1 for line in forms)

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
        return sum(line["right"] for _, line in answered) / true if true else math.nan

    def sources(self, name):
        found = [line["source_found"] for clue, line in self.classes[name] if clue["edits"] and clue["source"] is not None]
        return sum(found) / len(found) if found else None

    def row(self, name, program, texts):
        source = self.sources(name)
        us = [f"{self.times(name, unit, share):,.0f}" for unit in ("cpu_us", "wall_us") for share in (0.5, 0.99)]
        return [name, program, f"{texts:,}", len(self.classes[name]), *us, f"{self.recall(name):.4f}", "" if source is None else f"{source:.3f}"]


# --- neardup -----------------------------------------------------------------------------------------------------------------------


def build_index(options, questions, report):
    """(the folder, index bytes a text byte, MB per CPU-second)"""
    folder = options.work / f"clue-index-{questions.texts}"
    shutil.rmtree(folder, ignore_errors=True)
    common.say(f"indexing {questions.texts:,} texts")
    run = common.run([options.neardup, "index", "build", folder, questions.corpus, "--kind", "clue"], options.work)
    stat = json.loads(subprocess.run([options.neardup, "index", "stat", folder, "--json"], check=True, capture_output=True).stdout)
    anchors = sum(segment["anchor_bytes"] for segment in stat["segments"])
    whole = sum(segment["bytes"] for segment in stat["segments"])
    per_byte, speed = anchors / questions.form_bytes, questions.form_bytes / 1e6 / run.cpu_seconds
    report.table(BUILD).append(["neardup", f"{questions.texts:,}", f"{questions.form_bytes / 1e6:.1f}", f"{per_byte:.3f}",
                                f"{whole / questions.form_bytes:.3f}", f"{run.cpu_seconds:.1f}", f"{run.seconds:.1f}", f"{speed:.1f}"])
    return folder, whole, per_byte, speed


def ask_neardup(options, folder, questions, turns, prefix=()):
    common.say(f"asking {len(questions.by_id):,} clues")
    done = subprocess.run([*prefix, common.tool(options, "clue_speed"), folder, questions.clues, "--limit", str(LIMIT), "--turns", str(turns)],
                          check=True, capture_output=True, encoding="utf-8")
    return Answers(questions, map(json.loads, done.stdout.splitlines()))


def cost_rows(answers, questions, report):
    rows = report.table(COST)
    for name, asked in answers.classes.items():
        lines = [line for _, line in asked]
        mean = [f"{sum(line[what] for line in lines) / len(lines):,.1f}" for what in ("lookups", "postings", "candidates", "settled", "texts_read")]
        certain = [sum(line["certainty"] == word for line in lines) for word in ("exact", "likely")]
        rows.append([name, f"{questions.texts:,}", *certain, *mean, max(line["texts_read"] for line in lines)])


def check_exact(answers, report, what):
    """Whether every answer that says "exact" has all texts that match, or `more`."""
    wrong = []
    exact = 0
    for asked in answers.classes.values():
        for clue, line in asked:
            if line["certainty"] != "exact" or "answers" not in clue:
                continue
            exact += 1
            complete = line["right"] == line["hits"] == min(LIMIT, clue["count"]) and line["more"] == (clue["count"] > LIMIT)
            wrong += [] if complete else [clue["id"]]
    report.bar(f"{what}: \"exact\" answers have every text, and `more` is right", f"{exact - len(wrong)} of {exact}", not wrong)
    guaranteed = [line["certainty"] for asked in answers.classes.values() for clue, line in asked if not clue["edits"] and line["guaranteed"]]
    report.bar(f"{what}: all clues of the guaranteed length are answered as \"exact\"", f"{guaranteed.count('exact')} of {len(guaranteed)}",
               set(guaranteed) <= {"exact"})


# --- cold --------------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def memory_group(limit):
    """Yields the path of the file that takes a process into a new memory cgroup with this limit, or None."""
    made = None
    for parent, name in ((pathlib.Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"), (pathlib.Path("/sys/fs/cgroup"), "memory.max")):
        if name == "memory.max" and not (parent / "cgroup.controllers").exists():
            continue
        try:
            made = pathlib.Path(tempfile.mkdtemp(prefix="neardup-clue-", dir=parent))
            (made / name).write_text(str(limit), encoding="ascii")
            break
        except OSError:
            if made is not None:
                made.rmdir()
            made = None
    try:
        yield made / "cgroup.procs" if made else None
    finally:
        if made is not None:
            made.rmdir()


def drop_pages(folder):
    os.sync()
    try:
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("3", encoding="ascii")
    except OSError:
        for path in folder.iterdir():
            with open(path, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def ask_cold(options, folder, whole, questions, report):
    limit = max(16 << 20, int(whole * options.cold_share))
    with memory_group(limit) as procs:
        if procs is None:
            report.note("Cold: no memory cgroup can be made (root?); pages were dropped once.")
        drop_pages(folder)
        answers = ask_neardup(options, folder, questions, 1, ["sh", "-c", f'echo $$ > "{procs}"; exec "$@"', "sh"] if procs else ())
    if procs:
        report.note(f"Cold: {limit / 1e6:.0f} MB of memory for {whole / 1e6:.0f} MB of index and texts.")
    for name in questions.classes():
        report.table(ASKED).append(answers.row(name, "neardup, cold", questions.texts))
        for word, most in COLD_MS.items():
            ms = answers.times(name, "wall_us", {"p50": 0.5, "p99": 0.99}[word]) / 1000
            report.bar(f"cold, {questions.texts:,} texts, {name}: {word} <= {most} ms", f"{ms:.1f} ms", ms <= most)


# --- all -----------------------------------------------------------------------------------------------------------------------------


def ask_rival(options, rival, questions, report):
    """(figures of the build, Answers), or None if the rival is not installed."""
    common.say(f"{rival}: {questions.texts:,} texts")
    work = options.work / f"rival-{rival}"
    done = subprocess.run([options.python, "-B", HERE / "rivals.py", rival, "--forms", questions.forms, "--clues", questions.clues, "--work", work,
                           "--limit", str(LIMIT)], capture_output=True, encoding="utf-8", check=False, env={**os.environ, "TMPDIR": str(options.work)})
    shutil.rmtree(work, ignore_errors=True)
    if done.returncode != 0:
        report.note(f"{rival} was not measured: {(done.stderr.strip() or 'failed').splitlines()[-1]}")
        return None
    build, *lines = map(json.loads, done.stdout.splitlines())
    build["per_byte"], build["speed"] = build["index_bytes"] / build["text_bytes"], build["text_bytes"] / 1e6 / build["build_cpu_s"]
    report.table(BUILD).append([build["program"], f"{build['texts']:,}", f"{build['text_bytes'] / 1e6:.1f}", f"{build['per_byte']:.3f}", "",
                                f"{build['build_cpu_s']:.1f}", f"{build['build_s']:.1f}", f"{build['speed']:.2f}"])
    return build, Answers(questions, lines)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--texts", type=int, nargs="*", default=[5_000_000], help="sizes of the corpora of neardup [5000000]")
    parser.add_argument("--rival-texts", type=int, default=300_000, help="size of the corpus of neardup and the rivals [%(default)s]")
    parser.add_argument("--per-class", type=int, default=100, help="clues of each class [%(default)s]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rivals", nargs="*", default=["sqlite", "tantivy", "postgres"], help="which of sqlite, tantivy, tantivy-positions, postgres [all but tantivy-positions]")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the packages of the rivals")
    parser.add_argument("--cold-share", type=float, default=0.7, help="memory limit over bytes of the index; 0: no cold part [%(default)s]")
    options = common.parse(parser)
    report = Report(options, "clue")

    questions = Questions(options, options.rival_texts)
    folder, _, per_byte, speed = build_index(options, questions, report)
    mine = ask_neardup(options, folder, questions, 2)
    programs = [("neardup", mine)]
    report.bar(f"{questions.texts:,} texts: index <= {MAX_BYTES_PER_BYTE} bytes a text byte", f"{per_byte:.3f}", per_byte <= MAX_BYTES_PER_BYTE)
    check_exact(mine, report, f"{questions.texts:,} texts")
    for rival in options.rivals:
        asked = ask_rival(options, rival, questions, report)
        if asked is None:
            continue
        build, answers = asked
        programs.append((build["program"], answers))
        times = next((times for name, times in BUILD_TIMES.items() if build["program"].startswith(name)), None)
        if times:
            report.bar(f"index >= {SMALLER}x smaller than that of {build['program']}", f"{build['per_byte'] / per_byte:.1f}x",
                       build["per_byte"] >= SMALLER * per_byte)
            report.bar(f"build >= {times}x {build['program']} per CPU-second", f"{speed / build['speed']:.1f}x", speed >= times * build["speed"])
        if rival == "tantivy":
            for name in questions.classes():
                if " exact " in name and not name.endswith((" 8", "en exact 12")):
                    own, their = mine.times(name, "cpu_us", 0.5), answers.times(name, "cpu_us", 0.5)
                    report.bar(f"{name}, warm: p50 >= 5x faster than tantivy's AND with verification", f"{their / own:.1f}x", their >= 5 * own)
    for name in questions.classes():
        report.table(ASKED).extend(answers.row(name, program, questions.texts) for program, answers in programs)
    cost_rows(mine, questions, report)
    for texts in options.texts:
        large = Questions(options, texts)
        folder, whole, per_byte, _ = build_index(options, large, report)
        answers = ask_neardup(options, folder, large, 2)
        check_exact(answers, report, f"{texts:,} texts")
        report.bar(f"{texts:,} texts: index <= {MAX_BYTES_PER_BYTE} bytes a text byte", f"{per_byte:.3f}", per_byte <= MAX_BYTES_PER_BYTE)
        for name in large.classes():
            report.table(ASKED).append(answers.row(name, "neardup", texts))
            floor = next((floor for kind, floor in SOURCE_FOUND.items() if name.startswith(kind)), None)
            if floor:
                report.bar(f"{texts:,} texts, {name}: source found >= {floor}", f"{answers.sources(name):.3f}", answers.sources(name) >= floor)
            if " exact " in name and not name.endswith((" 8", "en exact 12")):
                us = answers.times(name, "cpu_us", 0.5)
                report.bar(f"{texts:,} texts, {name}, warm: p50 <= 100 us", f"{us:.0f} us", us <= 100)
        cost_rows(answers, large, report)
        if options.cold_share > 0:
            ask_cold(options, folder, whole, large, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
