#!/usr/bin/env python3
"""Chinese text and fingerprints: speed against the programs that people use today, in one run.

Parts:
  layers     segmentation, extract_tags and simhash-chars-4 on one core against jieba-rs, cppjieba, jieba and hash4j's FastSimHash64
             (SHARED/peers-zh, set up in --rivals), on at least --mb megabytes of text out of zh-wiki, zh-classical and zh-laws
  counting   nanoseconds per feature of SimHash counting (neardup_bench)
  html       html_v1 against lexbor's parser alone (and its tokenizer alone), on the pages of html-libreoffice
  processes  `neardup dedup` on two cores against the same recipes in Python (recipes.py of SHARED/peers-zh)

Rivals and neardup alternate, and the best of --runs counts on both sides. One-thread figures are of processor time (user and system), so that
what else the machine does counts for neither: for compiled rivals it is that of the whole process with the texts, less that with one text,
over their three passes. hash4j alone tells only the time by the clock (its compiler and collector have threads of their own); there the
clock counts on both sides. Whole processes are timed by the clock too, and --cpu divides the processor time by the threads instead, for a
machine that is not idle; the Python recipes have one thread. Slow rivals run on a part of the same texts.
"""
import json
import pathlib
import struct
import subprocess
import sys

import common
from report import Report

SETS = ["zh-wiki", "zh-classical", "zh-laws"]
PASSES = 3  # of the compiled rivals
PARTS = ["layers", "counting", "html", "processes"]
RECIPES = {"simhash-jieba-200": ("1", 250), "simhash-chars-4": ("3", 150), "minhash-jieba-3": ("4", 250)}


def texts_of(options, name):
    return [record["text"].encode() for record in common.read_records(common.plain(options, f"{name}.jsonl"))]


def write_inputs(options):
    """Paths: (all texts as .jsonl, as .bin, one text as .bin, a part as .jsonl, as .bin), and megabytes of text of the first."""
    texts = [text for name in SETS for text in texts_of(options, name)]
    size = sum(map(len, texts))
    part = texts[::max(1, round(size / 1e6 / options.slow_mb))]
    times = 1 if options.mb <= 0 else -int(-options.mb * 1e6 // size)
    made = []
    for name, chosen, repeated in (("all", texts, times), ("one", texts[:1], 1), ("part", part, 1)):
        lines, binary = options.work / f"chinese-{name}.jsonl", options.work / f"chinese-{name}.bin"
        with open(lines, "w", encoding="utf-8") as to, open(binary, "wb") as to_binary:
            for turn in range(repeated):
                for i, text in enumerate(chosen):
                    to.write(json.dumps({"id": f"{turn}-{i}", "text": text.decode()}, ensure_ascii=False) + "\n")
                    to_binary.write(struct.pack("<I", len(text)) + text)
        made += [lines, binary]
    return made, times * size / 1e6, sum(map(len, part)) / 1e6


def json_lines(command, **more):
    done = subprocess.run([str(each) for each in command], capture_output=True, check=True, **more)
    return [json.loads(line) for line in done.stdout.decode().splitlines() if line.startswith("{")]


class Best:
    """The best speed of each program, and the order of its runs is alternating."""

    def __init__(self, options):
        self.options, self.programs = options, {}

    def add(self, name, run):
        """`run` gives megabytes per second."""
        self.programs[name] = run

    def measure(self):
        best = dict.fromkeys(self.programs, 0.0)
        for turn in range(self.options.runs):
            for name, run in self.programs.items():
                common.say(f"run {turn + 1} of {self.options.runs}: {name}")
                best[name] = max(best[name], run())
        return best


def layers(options, report):
    (lines, binary, _, one, part_lines, part), megabytes, part_mb = write_inputs(options)
    kit, rivals = options.shared / "peers-zh", options.rivals
    own_tool = common.tool(options, "sketch_speed")

    def own(mode, clock="cpu_MBps"):
        return lambda: json_lines([own_tool, PASSES, mode, lines])[0][clock]

    def compiled(*command):
        def run():
            work = [common.run([*command, path], options.work).cpu_seconds for path in (binary, one)]
            return PASSES * megabytes / (work[0] - work[1])
        return run

    def python(mode):
        return lambda: part_mb / json_lines([options.peers, kit / "seg.py", "jieba", mode, part], cwd=kit)[-1]["cpu_s"]

    def hash4j():
        made = json_lines(["java", "-cp", f"{rivals}/h4j/target/classes:{rivals}/h4j/target/lib/*", "FpHash4j", binary])
        return next(line["MBps"] for line in made if line["tool"].endswith(" FastSimHash64"))

    jieba_rs, cppjieba = rivals / "bin/seg_jieba_rs", [rivals / "bin/seg_cppjieba", rivals / "dict", "jieba"]
    compared = [
        ("segmentation", own("words"), [("jieba-rs", 4, jieba_rs, compiled(jieba_rs, "cut", "-")),
                                        ("cppjieba", 10, cppjieba[0], compiled(*cppjieba, "cut", "-")),
                                        ("jieba", 120, options.peers, python("cut"))]),
        ("extract_tags, topK 200", own("keywords-200"), [("jieba-rs", 6, jieba_rs, compiled(jieba_rs, "tags200", "-")),
                                                         ("jieba", 100, options.peers, python("tags200"))]),
        ("simhash-chars-4", own("simhash-chars-4", "MBps"), [("FastSimHash64", 3, rivals / "h4j/target/lib", hash4j)]),
    ]
    report.note(f"layers: {megabytes:.0f} MB of text ({', '.join(SETS)}, repeated); jieba on {part_mb:.1f} MB of them.")
    rows = report.table(["one core", "program", "MB/s", "neardup is"])
    for what, own_run, others in compared:
        best = Best(options)
        best.add("neardup", own_run)
        for name, _, needed, run in others:
            if needed and needed.exists():
                best.add(name, run)
            else:
                report.note(f"{what}: {name} is not there (--rivals, --peers): not judged.")
        speed = best.measure()
        rows.append([what, "neardup", f"{speed['neardup']:.1f}", ""])
        for name, least, _, _ in others:
            if name in speed:
                ratio = speed["neardup"] / speed[name]
                rows.append([what, name, f"{speed[name]:.2f}", f"{ratio:.1f}x"])
                report.bar(f"{what}: >= {least:g}x {name}", f"{ratio:.1f}x", ratio >= least)


def counting(options, report):
    made = subprocess.run([common.tool(options, "neardup_bench"), "--benchmark_filter=BM_simhash(_weighted)?/n:(100|1000|10000)/bits:64",
                           f"--benchmark_repetitions={options.runs}", "--benchmark_format=json"], capture_output=True, check=True)
    best = {}
    for run in json.loads(made.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            best[run["run_name"]] = min(best.get(run["run_name"], 1.0), run["s/item"])
    rows = report.table(["SimHash of 64 bits, one text of n features", "ns per feature"], on_page=False)
    rows += [[name, f"{1e9 * seconds:.2f}"] for name, seconds in best.items()]
    for what, least, weighted in (("unweighted", 0.5, ""), ("weighted", 2.0, "_weighted")):
        nanoseconds = 1e9 * best[f"BM_simhash{weighted}/n:1000/bits:64"]
        report.bar(f"SimHash counting, {what}, 1000 features: <= {least} ns per feature", f"{nanoseconds:.2f} ns", nanoseconds <= least)


def html(options, report):
    path = common.plain(options, "html-libreoffice.jsonl")

    def run(*command):
        def measure():
            with open(path, "rb") as pages:
                done = subprocess.run([str(each) for each in command], stdin=pages, capture_output=True, check=True)
            made = json.loads((done.stdout if command[0].name == "html_limit" else done.stderr).decode())
            return made["bytes_in"] / 1e6 / made["seconds"]
        return measure

    limit = common.tool(options, "html_limit")
    best = Best(options)
    best.add("html_v1", run(common.tool(options, "clean_texts"), '["html_v1"]', "html"))
    best.add("lexbor's parser alone", run(limit, "html", "parser"))
    best.add("lexbor's tokenizer alone", run(limit, "html", "tokenizer"))
    speed = best.measure()
    rows = report.table(["HTML, one core", "MB/s", "html_v1 is"])
    rows += [[name, f"{each:.0f}", f"{100 * speed['html_v1'] / each:.0f} %"] for name, each in speed.items()]
    share = speed["html_v1"] / speed["lexbor's parser alone"]
    report.bar("html_v1: >= 90 % of the speed of the parser alone", f"{100 * share:.0f} %", share >= 0.9)


def processes(options, report):
    (lines, _, _, _, _, part), megabytes, part_mb = write_inputs(options)
    kit = options.shared / "peers-zh"
    threads = 2
    common.read_into_cache(lines)
    clock = f"processor time by {threads}" if options.cpu else "clock"
    report.note(f"processes: {megabytes:.0f} MB of text on {threads} threads, {clock}; the Python recipes on {part_mb:.1f} MB, processor time.")
    rows = report.table(["neardup dedup", "MB/s", "recipes.py", "MB/s", "neardup is"])
    for recipe, (name, least) in RECIPES.items():
        def own(recipe=recipe):
            run = common.run([options.neardup, "dedup", lines, "--recipe", recipe, "--threads", threads, "-o", options.work / "out-kept.jsonl"],
                             options.work)
            return megabytes / (run.cpu_seconds / threads if options.cpu else run.seconds)

        def python(name=name):
            return part_mb / json_lines([options.peers, kit / "recipes.py", name, part], cwd=kit)[-1]["cpu_s"]

        best = Best(options)
        best.add(recipe, own)
        if options.peers:
            best.add("Python", python)
        else:
            report.note("The Python recipes are not there (--peers): not judged.")
        speed = best.measure()
        ratio = speed[recipe] / speed["Python"] if options.peers else 0
        rows.append([recipe, f"{speed[recipe]:.1f}", name, f"{speed.get('Python', 0):.2f}", f"{ratio:.0f}x"])
        if options.peers:
            report.bar(f"dedup --recipe {recipe}: >= {least}x the same recipe in Python", f"{ratio:.0f}x", ratio >= least)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--mb", type=float, default=100, help="at least so much text; whole sets are repeated [%(default)s]")
    parser.add_argument("--slow-mb", type=float, default=4, help="text for rivals in Python [%(default)s]")
    parser.add_argument("--runs", type=int, default=3, help="of each program; the best counts [%(default)s]")
    parser.add_argument("--rivals", type=pathlib.Path, default=pathlib.Path("rivals"), help="folder made by SHARED/peers-zh/setup.sh")
    parser.add_argument("--peers", type=pathlib.Path, help="a Python with jieba, simhash, datasketch and numpy below 2 [RIVALS/venv-np1]")
    parser.add_argument("--cpu", action="store_true", help="whole processes by processor time, for a machine that is not idle")
    common.add_parts(parser, PARTS)
    options = common.parse(parser)
    options.rivals = options.rivals.resolve()
    venv = options.rivals / "venv-np1/bin/python"
    options.peers = options.peers or (venv if venv.exists() else None)
    wanted = common.chosen_parts(parser, options, PARTS)
    report = Report(options, "chinese_speed")
    if report.machine["load"] > 0.5:
        common.say(f"The machine was not idle (load {report.machine['load']}): read the figures by the clock with care.")
    for part in wanted:
        globals()[part](options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
