#!/usr/bin/env python3
"""Online stores: speed against a batch run and against other programs, growth, templates, equality with batch runs.

Parts:
  speed     `neardup store build` (every answer on the disk) against `neardup dedup` of the same file, best of --runs; with --peers NAME, a
            Python with rensa and datasketch, also the processor time of their adding and asking, in memory and unverified
  growth    what an insertion and a check cost as a store grows to --kept documents; then the process ends without closing, and the time until
            the store answers again is measured
  template  --pages documents of one template, none of them near-duplicates
  equality  answers text by text against batch runs, in groups of 1, 7 and 256, across reopenings, for three recipes and all sets
"""
import json
import pathlib
import shutil
import subprocess
import sys

import common
from report import Report

PARTS = ("speed", "growth", "template", "equality")
SETS = {"en-proc-codes": "words-5", "en-licenses": "words-5", "zh-wiki": "chars-5", "zh-law-articles": "chars-5"}
RECIPES = ("words-5", "chars-5", "simhash-words-3")
LEAST_SHARE, LEAST_RENSA, LEAST_DATASKETCH, MOST_GROWTH, MOST_RESIDENT, MOST_OPEN, MOST_PAGE = 0.4, 2.5, 25, 1.5, 200, 5, 100

# A peer makes word 5-shingles of each line, asks, and adds. Its time counts from the lines on, as that of the store does.
PEERS = r'''
import json, sys, time
name, path, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
lines = [line for line, _ in zip(open(path, encoding="utf-8"), range(most))]
begin = time.process_time()
texts = [json.loads(line)["text"].lower().split() for line in lines]
sets = [{" ".join(words[i:i + 5]) for i in range(max(1, len(words) - 4))} for words in texts]
if name == "rensa":
    from rensa import RMinHash, RMinHashDeduplicator
    store = RMinHashDeduplicator(threshold=0.8, num_perm=128, use_lsh=True)
    for number, words in enumerate(sets):
        made = RMinHash(num_perm=128, seed=42)
        made.update(list(words))
        store.add(str(number), made)
else:
    from datasketch import MinHash, MinHashLSH
    store = MinHashLSH(threshold=0.8, num_perm=128)
    for number, words in enumerate(sets):
        made = MinHash(num_perm=128)
        made.update_batch([word.encode() for word in words])
        if not store.query(made):
            store.insert(str(number), made)
print(len(sets) / (time.process_time() - begin))
'''


def parse():
    made = common.parser(__doc__)
    made.add_argument("--runs", type=int, default=3, help="of speed [%(default)s]")
    made.add_argument("--kept", type=int, default=20_000_000, help="documents of growth [%(default)s]")
    made.add_argument("--pages", type=int, default=1_000_000, help="documents of template [%(default)s]")
    made.add_argument("--peers", type=pathlib.Path, help="a Python with rensa and datasketch (made by SHARED/peers/setup.sh)")
    common.add_parts(made, PARTS)
    options = common.parse(made)
    options.only = common.chosen_parts(made, options, PARTS)
    return options


def best(runs):
    """Wall and processor seconds."""
    return min(run.seconds for run in runs), min(run.cpu_seconds for run in runs)


def measure_speed(options, report):
    rows = report.table(["texts", "recipe", "documents", "dedup, s", "store, s", "of its speed", "dedup, us of processor a document", "store"])
    store, answers = options.work / "online-store", options.work / "answers.jsonl"
    files = {f"{name} ({recipe})": (common.plain(options, f"{name}.jsonl"), recipe) for name, recipe in SETS.items()}
    files["question bank (words-5)"] = (common.bank(options, 1_000_000), "words-5")
    shares = {}
    for name, (path, recipe) in files.items():
        documents = sum(1 for _ in open(path, "rb"))
        batch, online = [], []
        for _ in range(options.runs):
            batch.append(common.run([options.neardup, "dedup", path, "--recipe", recipe, "--max-candidates", "0", "--verdicts", answers, "-q"], options.work))
            shutil.rmtree(store, ignore_errors=True)
            online.append(common.run([options.neardup, "store", "build", store, path, "--recipe", recipe, "-o", answers, "-q"], options.work))
        (batch_wall, batch_cpu), (wall, cpu) = best(batch), best(online)
        shares[name] = batch_wall / wall
        rows.append([name.split(" (")[0], recipe, f"{documents:,}", f"{batch_wall:.2f}", f"{wall:.2f}", f"{batch_wall / wall:.2f}",
                     f"{batch_cpu / documents * 1e6:.1f}", f"{cpu / documents * 1e6:.1f}"])
    report.bar(f"at least {LEAST_SHARE} times the speed of dedup", ", ".join(f"{name}: {share:.2f}" for name, share in shares.items()),
               min(shares.values()) >= LEAST_SHARE)
    shutil.rmtree(store, ignore_errors=True)
    if not options.peers:
        report.note("rensa and datasketch are not there (--peers): not compared.")
        return
    peers = report.table(["program", "documents", "documents a second of processor time", "the store"])
    path = files["en-proc-codes (words-5)"][0]
    documents = sum(1 for _ in open(path, "rb"))
    ours = []
    for _ in range(options.runs):
        shutil.rmtree(store, ignore_errors=True)
        ours.append(common.run([options.neardup, "store", "build", store, path, "--recipe", "words-5", "-q"], options.work))
    own = documents / best(ours)[1]
    for name, most, least in (("rensa", 31_000, LEAST_RENSA), ("datasketch", 5_000, LEAST_DATASKETCH)):
        theirs = max(float(subprocess.run([options.peers, "-c", PEERS, name, path, str(most)], stdout=subprocess.PIPE, text=True,
                                          check=True).stdout) for _ in range(options.runs))
        peers.append([name, f"{min(most, documents):,}", f"{theirs:,.0f}", f"{own / theirs:.1f}x"])
        report.bar(f"at least {least} times {name}", f"{own / theirs:.1f}x", own / theirs >= least)
    shutil.rmtree(store, ignore_errors=True)


def lines_of(command):
    return [json.loads(line) for line in subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()]


def measure_growth(options, report):
    store = options.work / "online-growth"
    shutil.rmtree(store, ignore_errors=True)
    speed = common.tool(options, "online_speed")
    texts = options.kept * 4 // 3
    lines = lines_of([speed, store, texts, "--measure-every", max(texts // 20, 1)])
    rows = report.table(["documents kept", "segments", "insertions a second", "us of processor an insertion", "us of processor a check",
                         "resident bytes a document", "on the disk, MB"])
    for line in lines:
        rows.append([f"{line['kept']:,}", line["segments"], f"{line['insert_per_second']:,}", line["insert_cpu_us"], line["check_cpu_us"],
                     f"{line['resident_mb'] * 2**20 / line['kept']:.0f}", f"{line['disk_mb']:,}"])
    opened = lines_of([speed, store, "--reopen"])[0]
    report.note(f"The process of {lines[-1]['kept']:,} documents ended without closing the store; the next one answered after "
                f"{opened['seconds']:.1f} s.")
    ratio = lines[-1]["check_cpu_us"] / lines[0]["check_cpu_us"]
    report.bar(f"a check at the end: at most {MOST_GROWTH} times the processor time of that at a twentieth", f"{ratio:.2f}x", ratio <= MOST_GROWTH)
    resident = lines[-1]["resident_mb"] * 2**20 / lines[-1]["kept"]
    report.bar(f"at most {MOST_RESIDENT} bytes resident a document", f"{resident:.0f}", resident <= MOST_RESIDENT)
    report.bar(f"ready at most {MOST_OPEN} s after the end of the process", f"{opened['seconds']:.1f} s", opened["seconds"] <= MOST_OPEN)
    shutil.rmtree(store, ignore_errors=True)


def measure_template(options, report):
    store = options.work / "online-template"
    shutil.rmtree(store, ignore_errors=True)
    lines = lines_of([common.tool(options, "online_speed"), store, options.pages, "--template", "--measure-every", options.pages // 5])
    rows = report.table(["pages of one template", "us of processor an insertion", "us of processor a check", "resident MB"])
    for line in lines:
        rows.append([f"{line['kept']:,}", line["insert_cpu_us"], line["check_cpu_us"], line["resident_mb"]])
    worst = max(line["insert_cpu_us"] for line in lines)
    report.bar(f"at most {MOST_PAGE} us a page of a template", f"{worst:.0f} us", worst <= MOST_PAGE)
    shutil.rmtree(store, ignore_errors=True)


def measure_equality(options, report):
    rows = report.table(["recipe", "sets", "texts compared", "differences"])
    tool = common.tool(options, "online_equality")
    paths = sorted(path for path in options.data.glob("*.jsonl*") if "pairs" not in path.name)
    for recipe in RECIPES:
        compared = different = 0
        for path in paths:
            field = common.TEXT_FIELDS.get(path.name.split(".")[0], "text")
            distance = ["--max-distance", "6"] if recipe.startswith("simhash") else []
            result = subprocess.run([tool, options.work, path, "--recipe", recipe, "--text-field", field, *distance], stdout=subprocess.PIPE,
                                    text=True, check=False)
            if result.returncode not in (0, 1) or result.stdout.count("\n") != 3:
                sys.exit(f"online_equality failed for {path}")
            for line in result.stdout.splitlines():
                compared += int(line.split("\t")[2].split()[0])
                different += int(line.split("\t")[4].split()[0])
        rows.append([recipe, len(paths), f"{compared:,}", different])
        report.bar(f"answers as those of a batch run, {recipe}", f"{different} differences", different == 0)


def main():
    options = parse()
    report = Report(options, "online")
    for part in options.only:
        {"speed": measure_speed, "growth": measure_growth, "template": measure_template, "equality": measure_equality}[part](options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
