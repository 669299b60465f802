#!/usr/bin/env python3
"""neardup.spark on one machine against the command line, and against datatrove: speed, bytes that move, hot buckets.

Parts, over a question bank of --documents short texts:
  sketch    the pack stage alone, written nowhere, on local[CORES], against the first pass of `neardup dedup --threads CORES`
  job       dedup() and writing the kept documents, on local[CORES], against `neardup dedup`; starting the session and a run of 100
            documents are measured apart
  bytes     what the exchanges of that job moved, next to the plan of the stages and the table for packed blobs: exact hashes of 16 bytes
            with ids of 8, and 16 bytes for each band
  datatrove the four stages of its MinHash pipeline over the first --few documents (--peers names a Python with it)
  hot       a bucket of --alike documents: edges, rounds, seconds

Spark reads Parquet and writes Parquet, the others JSON Lines. Runs of Spark and the command line alternate, and the best of --runs counts.

Run it with a Python that can import neardup and pyspark. The programs of bench/ make the bank.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import threading
import time

import common
import spark_runs
from report import Report

PARTS = ("sketch", "job", "bytes", "datatrove", "hot")
LEAST_SKETCH, MOST_JOB, LEAST_DATATROVE, NEAR_TABLE = 0.6, 3, 20, 0.2


def parse():
    made = common.parser(__doc__)
    made.add_argument("--documents", type=int, default=5_000_000, help="[%(default)s]")
    made.add_argument("--few", type=int, default=100_000, help="documents for datatrove [%(default)s]")
    made.add_argument("--alike", type=int, default=500_000, help="documents of the hot bucket [%(default)s]")
    made.add_argument("--recipe", default="words-5", help="[%(default)s]")
    made.add_argument("--cores", type=int, default=2, help="[%(default)s]")
    made.add_argument("--partitions", type=int, help="[chosen by neardup.spark]")
    made.add_argument("--runs", type=int, default=3, help="of sketch and job [%(default)s]")
    made.add_argument("--peers", type=pathlib.Path, help="a Python with datatrove (made by SHARED/peers/setup.sh)")
    common.add_parts(made, PARTS)
    options = common.parse(made)
    options.only = common.chosen_parts(made, options, PARTS)
    return options


class Memory(threading.Thread):
    """The largest resident set of a Python worker while it runs, and the sum of all workers."""

    def __init__(self, spark):
        super().__init__(daemon=True)
        self.root, self.largest, self.all = spark_runs.gateway_process(spark), 0, 0
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(0.2):
            sizes = []
            for process, command in spark_runs.processes_below(self.root).items():
                if "pyspark" in command and "java" not in command.split(" ")[0]:
                    try:
                        pages = int(pathlib.Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
                    except OSError:  # it has ended
                        continue
                    sizes.append(pages * spark_runs.os.sysconf("SC_PAGE_SIZE"))
            self.largest, self.all = max([self.largest, *sizes]), max(self.all, sum(sizes))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


class Job:
    """The session, and the documents of the bank."""

    def __init__(self, options):
        self.options = options
        bank = common.bank(options, options.documents)
        self.lines, self.table = spark_runs.write_corpus(options, bank.stem, bank, "text", seed=0)
        begin = time.perf_counter()
        self.spark = spark_runs.session(options, f"local[{options.cores}]")
        self.dedup(self.spark.read.parquet(str(self.table)).limit(100), partitions=options.cores).release()
        self.start_seconds = time.perf_counter() - begin

    def documents(self):
        return self.spark.read.parquet(str(self.table))

    def dedup(self, documents, **given):
        import neardup.spark

        given = {"recipe": self.options.recipe, "partitions": self.options.partitions, **given}
        return neardup.spark.dedup(documents, **{name: value for name, value in given.items() if value is not None})


# --- the command line -----------------------------------------------------------------------------------------------------------------


def run_command(options, lines):
    """Seconds of the first pass and of the whole, and the counts."""
    kept, summary = options.work / "spark-kept.jsonl", options.work / "spark-summary.json"
    begin = time.perf_counter()
    wanted = ["--recipe", options.recipe, "--threads", str(options.cores), "-o", kept, "--summary", summary, "-q"]
    subprocess.run([options.neardup, "dedup", lines, *wanted], check=True)
    seconds = time.perf_counter() - begin
    counts = json.loads(summary.read_text(encoding="utf-8"))
    kept.unlink()
    first = next(each["seconds"] for each in counts["passes"] if each["name"] == "sketch")
    return {"first": first, "whole": seconds, **{name: counts[name] for name in ("kept", "removed", "text_bytes")}}


# --- parts ----------------------------------------------------------------------------------------------------------------------------


def sketch_seconds(job):
    """The pack stage: what maps run before the first exchange."""
    from neardup.spark import _plan, _ranks
    from neardup.spark._cluster import exchange as _exchange
    from neardup.spark._cluster.session import bounded_batches
    from neardup.spark._cluster.ship import task

    options = job.options
    given = {"recipe": options.recipe, **({"partitions": options.partitions} if options.partitions else {})}
    plan = _plan.make_plan(job.documents(), given)
    ranked = _ranks.rank_documents(plan, job.documents(), ["text"], "id", [])
    numbers = _exchange.labels(job.spark, plan.parts)
    with bounded_batches(job.spark):
        packed = ranked.scan().mapInArrow(task("_steps.links", "pack", plan.given, plan.parts, True, numbers), _exchange.SCHEMA)
        begin = time.perf_counter()
        packed.write.format("noop").mode("overwrite").save()
        return time.perf_counter() - begin


def sketch_part(report, job, best):
    ours = best["sketch"]
    megabytes = best["command"]["text_bytes"] / 1e6
    share = best["command"]["first"] / ours
    rows = report.table(["stage", "documents", "text MB", "command line, first pass, s", "Spark, pack, s", "command line, MB/s a core",
                         "Spark, MB/s a core", "of its speed"])
    cores = job.options.cores
    rows.append(["sketch", f"{job.options.documents:,}", f"{megabytes:.0f}", f"{best['command']['first']:.1f}", f"{ours:.1f}",
                 f"{megabytes / best['command']['first'] / cores:.1f}", f"{megabytes / ours / cores:.1f}", f"{share:.2f}"])
    report.bar(f"sketch stage: >= {LEAST_SKETCH:.0%} of the speed of the command line", f"{share:.0%}", share >= LEAST_SKETCH)


def run_job(job):
    folder = job.options.work / "spark-kept.parquet"
    shutil.rmtree(folder, ignore_errors=True)
    with Memory(job.spark) as memory:
        begin = time.perf_counter()
        result = job.dedup(job.documents())
        decided = time.perf_counter() - begin
        result.kept.write.parquet(str(folder))
        whole = time.perf_counter() - begin
    summary = result.summary()
    result.release()
    shutil.rmtree(folder)
    return {"decided": decided, "whole": whole, "worker": memory.largest, "workers": memory.all, "summary": summary}


def job_part(report, job, best):
    spark, command = best["job"], best["command"]
    if (spark["summary"]["kept"], spark["summary"]["removed"]) != (command["kept"], command["removed"]):
        sys.exit(f"Spark keeps {spark['summary']['kept']} documents, the command line {command['kept']}")
    ratio = spark["whole"] / command["whole"]
    rows = report.table(["whole job", "documents", "seconds", "of them dedup()", "documents/s", "of the command line's time",
                         "largest Python worker, MB"])
    count, cores = job.options.documents, job.options.cores
    local = [f"command line, {cores} threads", f"{count:,}", f"{command['whole']:.1f}", "", f"{count / command['whole']:,.0f}", "1.00", ""]
    rows.append(local)
    rows.append([f"Spark, local[{cores}], {spark['summary']['partitions']} parts", f"{count:,}", f"{spark['whole']:.1f}",
                 f"{spark['decided']:.1f}", f"{count / spark['whole']:,.0f}", f"{ratio:.2f}", f"{spark['worker'] / 1e6:.0f}"])
    report.note(f"Starting the session and a first run of 100 documents took {job.start_seconds:.1f} s and is not counted.")
    report.bar(f"whole job: at most {MOST_JOB} times the time of the command line", f"{ratio:.2f}x", ratio <= MOST_JOB)


def stage_metrics(spark):
    """(stage, name, bytes written for an exchange) of the stages so far."""
    context = spark.sparkContext
    gateway = context._gateway
    store, nothing = context._jsc.sc().statusStore(), gateway.jvm.java.util.ArrayList()
    stages = store.stageList(None, False, False, gateway.new_array(gateway.jvm.double, 0), nothing)
    found = [stages.apply(place) for place in range(stages.size())]
    return {(stage.stageId(), stage.attemptId()): (stage.name(), stage.shuffleWriteBytes()) for stage in found}


def bytes_part(report, job, before, summary):
    count = summary["read"] - summary["rejected"]
    bands = summary["bands"]
    moved = {key: value for key, value in stage_metrics(job.spark).items() if key not in before and value[1] > 0}
    links = [size for _, (name, size) in sorted(moved.items()) if "links.py" in name]
    files = [*links[:2], None, None][:2]
    table = [24, 16 * bands] if bands else [None, None]
    rows = report.table(["exchange", "bytes a document: planned", "records moved", "of the table", "files of Spark"])
    stages = {stage["name"]: stage for stage in summary["stages"]}
    of_all = [stages["documents"], stages["keys"]]
    for stage, written, tabled in zip(of_all, files, table):
        rows.append([stage["name"], f"{stage['planned_bytes_per_document']:.0f}", f"{stage['bytes_per_document']:.1f}", tabled or "",
                     f"{written / count:.1f}" if written else ""])
    for name in ("edges", "candidates"):
        rows.append([name, "", f"{stages[name]['bytes_per_document']:.1f}", "", ""])
    others = sum(size for name, size in moved.values()) - sum(links[:2])
    rows.append(["all others (groups, candidates, verdicts)", "", "", "", f"{others / count:.1f}"])
    if bands:
        total = sum(stage["bytes_per_document"] for stage in of_all)
        share = total / sum(table)
        report.bar(f"bytes a document of both exchanges: within {NEAR_TABLE:.0%} of the table", f"{total:.1f} of {sum(table)}: {share:.2f}",
                   abs(share - 1) <= NEAR_TABLE)


def datatrove_part(report, job, best):
    options = job.options
    if not options.peers:
        report.note("datatrove is not there (--peers): not compared.")
        return
    few, out = options.work / "spark-few.jsonl", options.work / "datatrove"
    with job.lines.open("rb") as source, few.open("wb") as target:
        target.writelines(line for _, line in zip(range(options.few), source))
    shutil.rmtree(out, ignore_errors=True)
    runner = options.shared / "peers/run_datatrove.py"
    run = common.run([options.peers, runner, few, out, "--tasks", options.cores, "--lang", "eng_Latn"], options.work)
    shutil.rmtree(out)
    count = min(options.few, options.documents)
    theirs, ours = count / run.seconds, options.documents / best["job"]["whole"]
    rows = report.table(["program", "documents", "seconds", "documents/s", "Spark is"])
    name = f"datatrove 0.10.1, MinHash, {options.cores} tasks"
    rows.append([name, f"{count:,}", f"{run.seconds:.1f}", f"{theirs:,.0f}", f"{ours / theirs:.1f}x"])
    report.bar(f"at least {LEAST_DATATROVE} times datatrove", f"{ours / theirs:.1f}x", ours / theirs >= LEAST_DATATROVE)


def hot_part(report, job):
    """Documents of a template that differ in one word."""
    from neardup.spark import _dedup
    from pyspark.sql import functions as F

    count = job.options.alike
    template = " ".join(f"word{number * number % 97}" for number in range(60))
    text = F.concat(F.lit(template + " number "), F.col("id").cast("string"))
    alike = job.spark.range(0, count, 1, 2 * job.options.cores).select("id", text.alias("text"))
    noted, find_links = {}, _dedup.find_links

    def find_noted(*arguments):
        links = find_links(*arguments)
        noted.update(links.measured)
        return links

    _dedup.find_links = find_noted
    try:
        begin = time.perf_counter()
        result = job.dedup(alike, recipe="words-5", partitions=job.options.partitions or 2 * job.options.cores)
        seconds = time.perf_counter() - begin
    finally:
        _dedup.find_links = find_links
    summary = result.summary()
    result.release()
    edges = noted["edges"] / count
    rows = report.table(["alike documents", "removed", "edges", "edges a document", "rounds", "verifications", "seconds"])
    rows.append([f"{count:,}", f"{summary['removed']:,}", f"{noted['edges']:,}", f"{edges:.2f}", summary["rounds"],
                 f"{summary['verifications']:,}", f"{seconds:.1f}"])
    report.bar(f"{count:,} alike documents: at most one edge for each document and band", f"{edges:.2f} of {summary['bands']}",
               edges <= summary["bands"])


def measure(options, job):
    """The best of several runs that alternate, and the stages before the last job."""
    best = {}
    for turn in range(options.runs):
        common.say(f"run {turn + 1} of {options.runs}")
        command = run_command(options, job.lines)
        if "command" in best:
            command = {**command, **{name: min(command[name], best["command"][name]) for name in ("first", "whole")}}
        best["command"] = command
        if "sketch" in options.only:
            best["sketch"] = min(sketch_seconds(job), best.get("sketch", float("inf")))
        if {"job", "bytes", "datatrove"} & set(options.only):
            before = stage_metrics(job.spark)
            run = run_job(job)
            best["before"], best["summary"] = before, run["summary"]
            if "job" not in best or run["whole"] < best["job"]["whole"]:
                best["job"] = run
    return best


def main():
    options = parse()
    report = Report(options, "spark")
    if report.machine["load"] > 0.5:
        common.say(f"The machine was not idle (load {report.machine['load']}): read the figures with care.")
    import pyspark

    report.note(f"Spark {pyspark.__version__}, recipe {options.recipe}, threshold 0.8; question bank, the best of {options.runs} runs.")
    job = Job(options)
    if set(options.only) - {"hot"}:
        best = measure(options, job)
    if "sketch" in options.only:
        sketch_part(report, job, best)
    if "job" in options.only:
        job_part(report, job, best)
    if "bytes" in options.only:
        bytes_part(report, job, best["before"], best["summary"])
    if "datatrove" in options.only:
        datatrove_part(report, job, best)
    if "hot" in options.only:
        hot_part(report, job)
    job.spark.stop()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
