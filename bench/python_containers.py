#!/usr/bin/env python3
"""neardup.dedup of Python against the command line: the same verdicts, speed, and memory. Run it with a Python that can import neardup.

- The verdicts of every set of SHARED/data in every container (lists, pandas, Polars, Arrow in all layouts, datasets, files) are those of
  the command line, byte for byte.
- Over all texts of these sets together, dedup of an Arrow column in memory reaches 90 % of the speed of the command line, which reads the
  same texts as JSON Lines; that of a Python list 70 %. Runs alternate; of each the shortest time counts, and the smallest memory. The clock
  of the command line has its start, that of Python does not.
- The text column is not copied: during a run over Arrow, memory grows by less than the texts have, and by no more than the command line
  needs.
"""

import json
import subprocess
import sys
import time

import common
from report import Report

sys.path.insert(0, str(common.ROOT / "python/tests"))
import containers  # noqa: E402

LEAST_SPEED = {"arrow": 0.9, "list": 0.7}
KINDS = {"arrow": "an Arrow column", "polars": "a Polars series", "list": "a list of str", "stream": "a reader of record batches"}
MB = 1e6


def sets(options):
    """The sets of documents by name: (file, field of the text)."""
    named = sorted(
        path.name.removesuffix(".zst").removesuffix(".jsonl")
        for path in options.data.iterdir()
        if ".jsonl" in path.name and ".pairs." not in path.name
    )
    return {name: (common.plain(options, f"{name}.jsonl"), common.TEXT_FIELDS.get(name, "text")) for name in named}


def records_of(path, field):
    return [{"id": record["id"], "text": record[field]} for record in map(json.loads, common.lines(path))]


def verdicts_of(options, path, *more):
    """The verdict file of the command line."""
    output = options.work / "verdicts.jsonl"
    subprocess.run([options.neardup, "dedup", path, "--verdicts", output, "-q", *more], check=True)
    return output.read_bytes()


def check_set(options, name, path, field):
    """How many containers were compared, and the names of those with other verdicts."""
    import neardup

    records = records_of(path, field)
    whole, plain = str(options.work / "python-ids.jsonl"), str(options.work / "python-texts.jsonl")
    containers.write_lines(whole, records)
    containers.write_lines(plain, ({"text": record["text"]} for record in records))
    different, count = [], 0
    for file, made in ((whole, [containers.arrow_containers, containers.frame_containers]), (plain, [containers.text_containers])):
        expected = verdicts_of(options, file)
        for make in made:
            for kind, data in make(records if file == whole else [record["text"] for record in records]):
                found = containers.verdict_bytes(neardup.dedup(data, name=file, progress=False).verdicts)
                count += 1
                if found != expected:
                    different.append(f"{name}: {kind}")
        found = containers.verdict_bytes(neardup.dedup(file, progress=False).verdicts)
        count += 1
        if found != expected:
            different.append(f"{name}: file")
    return count, different


# --- speed and memory ----------------------------------------------------------------------------------------------------------------

WORKER = """
import json, sys, time
import pyarrow as pa, pyarrow.ipc
import neardup

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) * 1024

with pa.OSFile(sys.argv[2]) as file:
    table = pa.ipc.open_file(file).read_all()
kind = sys.argv[1]
if kind == "list":
    data = table["text"].to_pylist()
    del table
elif kind == "polars":
    import polars
    data = polars.from_arrow(table)["text"]
elif kind == "stream":
    data = lambda: table.to_reader(20000)
else:
    data = table["text"]
pa.default_memory_pool().release_unused()
before = status("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
begin = time.perf_counter()
result = neardup.dedup(data, progress=False)
seconds = time.perf_counter() - begin
peak = status("VmHWM")
counts = {name: result.summary[name] for name in ("kept", "removed")}
print(json.dumps({"seconds": seconds, "growth": peak - before, "held": before, **counts}))
"""


def run_python(kind, arrow):
    done = subprocess.run([sys.executable, "-c", WORKER, kind, arrow], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def run_command(options, lines):
    summary = options.work / "summary.json"
    begin = time.perf_counter()
    subprocess.run([options.neardup, "dedup", lines, "--verdicts", options.work / "verdicts.jsonl", "--summary", summary, "-q"], check=True)
    seconds = time.perf_counter() - begin
    counts = json.loads(summary.read_text())
    return {"seconds": seconds, "kept": counts["kept"], "removed": counts["removed"], "growth": counts["peak_memory_bytes"], "held": 0}


def write_corpus(options, found):
    """All texts as JSON Lines and as a file of Arrow; their bytes."""
    import pyarrow as pa
    import pyarrow.ipc

    lines, arrow = options.work / "python-corpus.jsonl", options.work / "python-corpus.arrow"
    size = 0
    schema = pa.schema([("text", pa.string())])
    with open(lines, "w", encoding="utf-8") as file, pa.OSFile(str(arrow), "w") as sink, pa.ipc.new_file(sink, schema) as writer:
        for path, field in found.values():
            texts = [record["text"] for record in records_of(path, field)]
            size += sum(len(text.encode()) for text in texts)
            file.writelines(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)
            writer.write_batch(pa.record_batch([pa.array(texts, pa.string())], schema=schema))
    return lines, arrow, size


def measure(options, report, found):
    lines, arrow, size = write_corpus(options, found)
    best = {}
    for _ in range(options.rounds):
        for kind in ("command line", *KINDS):
            run = run_command(options, lines) if kind == "command line" else run_python(kind, arrow)
            known = best.get(kind, run)
            # Mapped pages of an input count, so the resident set varies: the smallest counts, as the shortest time does.
            best[kind] = {**run, "seconds": min(run["seconds"], known["seconds"]), "growth": min(run["growth"], known["growth"])}
            common.say(f"{kind}: {run['seconds']:.2f} s, memory grows by {run['growth'] / MB:.0f} MB")
    rival = best["command line"]
    table = report.table(["data", "seconds", "MB/s", "of the command line's speed", "memory before, MB", "growth, MB"])
    for kind, run in best.items():
        shown = KINDS.get(kind, "JSON Lines, command line")
        table.append(
            [
                shown,
                f"{run['seconds']:.2f}",
                f"{size / MB / run['seconds']:.0f}",
                f"{rival['seconds'] / run['seconds']:.2f}",
                f"{run['held'] / MB:.0f}",
                f"{run['growth'] / MB:.0f}",
            ]
        )
        if (run["kept"], run["removed"]) != (rival["kept"], rival["removed"]):
            sys.exit(
                f"{kind}: {run['kept']} kept and {run['removed']} removed, the command line has {rival['kept']} and {rival['removed']}"
            )
    documents = rival["kept"] + rival["removed"]
    report.note(f"{len(found)} sets, {size / MB:.0f} MB of texts, {documents:,} documents; the fastest of {options.rounds} runs each.")
    for kind, least in LEAST_SPEED.items():
        share = rival["seconds"] / best[kind]["seconds"]
        report.bar(f"{KINDS[kind]}: at least {least:.0%} of the speed of the command line", f"{share:.0%}", share >= least)
    growth = best["arrow"]["growth"]
    report.bar(
        "an Arrow column is not copied: memory grows by less than the texts, and by no more than the command line needs",
        f"{growth / MB:.0f} MB, of {size / MB:.0f} MB of texts; the command line has {rival['growth'] / MB:.0f} MB",
        growth < size and growth <= rival["growth"],
    )


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind [%(default)s]")
    parser.add_argument("--sets", nargs="*", default=[], help="only these sets")
    parser.add_argument("--part", choices=("verdicts", "speed"), help="only this part")
    options = common.parse(parser)
    report = Report(options, "python_containers")
    found = {name: value for name, value in sets(options).items() if not options.sets or name in options.sets}
    if options.part != "speed":
        total, different = 0, []
        for name, (path, field) in found.items():
            count, odd = check_set(options, name, path, field)
            common.say(f"{name}: {count} containers, {len(odd)} different")
            total, different = total + count, different + odd
        report.bar(
            "verdicts of every set in every container are those of the command line, byte for byte",
            f"{total - len(different)} of {total}{': not ' + ', '.join(different) if different else ''}",
            not different,
        )
    if options.part != "verdicts":
        measure(options, report, found)
    sys.exit(report.finish())


if __name__ == "__main__":
    main()
