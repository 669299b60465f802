#!/usr/bin/env python3
"""neardup.jieba and neardup.compat.simhash: speed against the packages jieba and simhash, in one run of one interpreter.

Parts:
  jieba    words of zh-wiki, zh-classical and zh-laws: lcut() of one text at a time, cut_many() of all with --threads threads, and for
           the page also short texts, parts of speech and keywords
  simhash  fingerprints of zh-wiki and en-docs-versions: simhash_many() with --threads threads, and Simhash() of one text at a time

Run it with a Python that has neardup (or with PYTHONPATH=BUILD/python), jieba 0.42.1, simhash 2.1.2 and numpy. The packages run on a
part of the same texts (--slow-mb). They and neardup alternate, the best of --runs counts on both sides, and results on that part must be
equal. One thread is measured in processor time, several by the clock; --cpu divides the processor time by the threads instead, for a
machine that is not idle.
"""

import itertools
import logging
import sys
import time

import common
from report import Report

SETS = {"jieba": ["zh-wiki", "zh-classical", "zh-laws"], "simhash": ["zh-wiki", "en-docs-versions"]}
SHORT = 30  # characters, about a sentence


def parse():
    parser = common.parser(__doc__)
    parser.add_argument("--mb", type=float, default=40, help="of text for neardup; a part of the sets [%(default)s]")
    parser.add_argument("--slow-mb", type=float, default=1, help="of text for the packages [%(default)s]")
    parser.add_argument("--runs", type=int, default=3, help="of each; the best counts [%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="of cut_many() and simhash_many() [%(default)s]")
    parser.add_argument("--cpu", action="store_true", help="several threads by processor time, for a machine that is not idle")
    parser.add_argument("--only", default=",".join(SETS), help="parts, comma separated [%(default)s]")
    options = parser.parse_args()
    options.data = (options.data or options.shared / "data").resolve()
    options.work = (options.work or options.build / "bench-work").resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    if set(options.only.split(",")) - set(SETS):
        parser.error(f"--only: {options.only} is not of {', '.join(SETS)}")
    return options


def megabytes(texts):
    return sum(len(text.encode()) for text in texts) / 1e6


def texts_of(options, part):
    """All texts and the few for the packages, both evenly out of the sets."""
    texts = [record["text"] for name in SETS[part] for record in common.read_records(common.plain(options, f"{name}.jsonl"))]
    size = megabytes(texts)
    texts = texts[:: max(1, round(size / options.mb))]
    return texts, texts[:: max(1, round(megabytes(texts) / options.slow_mb))]


def best_speeds(options, programs):
    """programs: {name: (function, texts, threads)} -> {name: (megabytes per second, result)}."""
    best = {}
    for turn, (name, (function, texts, threads)) in itertools.product(range(options.runs), programs.items()):
        common.say(f"run {turn + 1} of {options.runs}: {name}")
        clock, processor = time.perf_counter(), time.process_time()
        made = function(texts)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        seconds = processor / threads if threads == 1 or options.cpu else clock
        best[name] = (max(best.get(name, (0,))[0], megabytes(texts) / seconds), made)
    return best


def compare(options, report, what, rival, own, texts, few, threads=1, least=None, few_own=None):
    """One row: own(texts) against rival(few). few_own: what gives the results of `few`, if not `own`."""
    speeds = best_speeds(options, {f"{what}, the package": (rival, few, 1), what: (own, texts, threads)})
    (rival_speed, expected), (speed, _) = speeds.values()
    if (few_own or own)(few) != expected:
        sys.exit(f"{what}: the results differ")
    ratio = speed / rival_speed
    rows = report.table(["one Python process", "threads", "neardup, MB/s", "the package, MB/s", "neardup is"])
    rows.append([what, threads, f"{speed:.1f}", f"{rival_speed:.2f}", f"{ratio:.0f}x"])
    if least:
        report.bar(f"{what}: >= {least}x", f"{ratio:.0f}x", ratio >= least)


def jieba_part(options, report):
    import jieba
    import jieba.analyse
    import jieba.posseg
    import neardup.jieba as ours
    import neardup.jieba.analyse
    import neardup.jieba.posseg

    jieba.setLogLevel(logging.ERROR)
    jieba.initialize()
    ours.initialize()
    texts, few = texts_of(options, "jieba")
    report.note(f"jieba: {megabytes(texts):.0f} MB of text ({', '.join(SETS['jieba'])}), the package {megabytes(few):.1f} MB of them.")

    def each(function):
        return lambda some: [function(text) for text in some]

    compare(options, report, "jieba.lcut of each text", each(jieba.lcut), each(ours.lcut), texts, few, least=50)
    compare(
        options,
        report,
        f"jieba.cut_many, {options.threads} threads",
        each(jieba.lcut),
        lambda some: ours.cut_many(some, threads=options.threads),
        texts,
        few,
        options.threads,
        least=150,
    )
    short = [text[at : at + SHORT] for text in texts[::4] for at in range(0, len(text), SHORT)]
    few_short = short[:: max(1, round(megabytes(short) / options.slow_mb))]
    compare(options, report, f"jieba.lcut of each {SHORT} characters", each(jieba.lcut), each(ours.lcut), short, few_short)
    compare(
        options,
        report,
        "jieba.posseg.lcut of each text",
        lambda some: [[tuple(pair) for pair in jieba.posseg.lcut(text)] for text in some],
        each(neardup.jieba.posseg.lcut),
        texts[::4],
        few[::4],
        few_own=lambda some: [[tuple(pair) for pair in neardup.jieba.posseg.lcut(text)] for text in some],
    )
    compare(
        options,
        report,
        "jieba.analyse.extract_tags of each text",
        each(jieba.analyse.extract_tags),
        each(neardup.jieba.analyse.extract_tags),
        texts,
        few,
    )


def simhash_part(options, report):
    import simhash
    from neardup.compat.simhash import Simhash, simhash_many

    texts, few = texts_of(options, "simhash")

    def package_can(text):  # with numpy 2 it fails where a window of four characters occurs 256 times
        try:
            simhash.Simhash(text)
        except OverflowError:
            return False
        return True

    few = [text for text in few if package_can(text)]
    report.note(f"simhash: {megabytes(texts):.0f} MB of text ({', '.join(SETS['simhash'])}), the package {megabytes(few):.1f} MB of them.")

    def package(some):
        return [simhash.Simhash(text).value for text in some]

    def own(some):
        return [Simhash(text).value for text in some]

    compare(
        options,
        report,
        f"simhash_many, {options.threads} threads",
        package,
        lambda some: simhash_many(some, threads=options.threads),
        texts,
        few,
        options.threads,
        least=50,
        few_own=lambda some: simhash_many(some).tolist(),
    )
    compare(options, report, "Simhash of each text", package, own, texts, few)


def main():
    options = parse()
    report = Report(options, "python_jieba")
    if report.machine["load"] > 0.5:
        common.say(f"The machine was not idle (load {report.machine['load']}): read the figures by the clock with care.")
    for part in options.only.split(","):
        {"jieba": jieba_part, "simhash": simhash_part}[part](options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
