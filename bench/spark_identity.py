#!/usr/bin/env python3
"""neardup.spark against the command line: the same verdicts, byte for byte, whatever Spark does with the rows and its executors.

Every set of SHARED/data (or --sets), and a question bank of --bank documents, in each combination of --masters, --partitions and --aqe.
Rows are shuffled, with another seed for each number of partitions; `--ids key` takes strings as ids, so that ranks come from a sort.
--kill adds runs in which one executor of a local-cluster is killed, each over the bank:

  shuffle   while tasks read what the first exchange moved
  decision  while groups are decided

Prints a line for each run: set, recipe, master, partitions, AQE, ids, what was killed, seconds, equal or not. Exit code 1 if any differs,
or an executor was not killed in time. With --log FILE, lines are added to it, and runs that it has as equal are left out.

Run it with a Python that can import neardup and pyspark. The programs of bench/ make the bank.
"""
import sys
import threading
import time

import common
import spark_runs

PREFIXES = {"zh": "chars-5", "code": "code-5"}
STAGES = {"shuffle": "links.py", "decision": "decide.py"}
POLL_S = 0.02


def parse():
    made = common.parser(__doc__)
    made.add_argument("--sets", nargs="*", help="names; none: only the bank [all]")
    made.add_argument("--bank", type=int, nargs="*", default=[], help="documents of question banks [none]")
    made.add_argument("--masters", nargs="+", default=["local[2]", "local-cluster[2,1,1024]"], help="[%(default)s]")
    made.add_argument("--partitions", type=int, nargs="+", default=[1, 7, 64], help="[%(default)s]")
    made.add_argument("--aqe", nargs="+", choices=["on", "off"], default=["on", "off"], help="[%(default)s]")
    made.add_argument("--ids", nargs="+", choices=["id", "key"], default=["id"], help="[%(default)s]")
    made.add_argument("--recipe", nargs="+", default=["auto"], help="auto: by the language of the set [%(default)s]")
    made.add_argument("--kill", nargs="+", choices=list(STAGES), default=[], help="runs in which an executor is killed [none]")
    made.add_argument("--task-memory", default="256M", help="[%(default)s]")
    made.add_argument("--log", type=common.pathlib.Path)
    return common.parse(made)


# --- killing an executor ------------------------------------------------------------------------------------------------------------


class Killer(threading.Thread):
    """Kills one executor when a stage of the named job reads an exchange and has finished tasks."""

    def __init__(self, spark, what):
        super().__init__(daemon=True)
        self.spark, self.file = spark, STAGES[what]
        self.killed = None  # (process, stage)
        self.over = threading.Event()

    def run(self):
        tracker = self.spark.sparkContext.statusTracker()
        while not self.over.wait(POLL_S):
            for job in tracker.getActiveJobsIds():
                stages = getattr(tracker.getJobInfo(job), "stageIds", ())
                for stage in sorted(stages)[1:]:
                    info = tracker.getStageInfo(stage)
                    # A task that has finished on it leaves shuffle files, which are lost with it.
                    if info is None or self.file not in info.name or info.numActiveTasks == 0:
                        continue
                    found = spark_runs.executors(self.spark)
                    if len(found) > 1:
                        spark_runs.os.kill(found[0], 9)
                        self.killed = (found[0], stage)
                        return


# --- runs ---------------------------------------------------------------------------------------------------------------------------


class Campaign:
    def __init__(self, options):
        self.options = options
        self.failures = 0
        self.runs = 0
        self.expected = {}  # the table of the command line by (set, recipe)
        known = options.log.read_text(encoding="utf-8").splitlines() if options.log and options.log.exists() else []
        self.done = {tuple(line.split("\t")[:-2]) for line in known if line.endswith("\tequal")}

    def judge(self, spark, corpus, recipe, partitions, aqe, ids, kill, master):
        import neardup.spark

        name, (path, field) = corpus
        key = (name, recipe, master, str(partitions), f"AQE {aqe}", ids, f"kill {kill}" if kill else "-")
        if key in self.done:
            return
        lines, table = spark_runs.write_corpus(self.options, name, path, field, seed=partitions)
        if (name, recipe) not in self.expected:
            self.expected = {(name, recipe): spark_runs.by_command_line(self.options, lines, recipe=recipe)}
        spark.conf.set("spark.sql.adaptive.enabled", "true" if aqe == "on" else "false")
        documents = spark.read.parquet(str(table))
        killer = Killer(spark, kill) if kill else None
        if killer:
            killer.start()  # the first exchange is that of the run
        else:
            documents = documents.repartition(partitions)
        begin = time.perf_counter()
        given = {"recipe": recipe, "partitions": partitions, "task_memory": self.options.task_memory, "max_rejects": "100%"}
        result = neardup.spark.dedup(documents, id=ids, **given)
        if killer:
            killer.over.set()
            killer.join()
        found = spark_runs.by_spark(self.options, result, ids)
        seconds = time.perf_counter() - begin
        result.release()
        different = spark_runs.difference(self.expected[name, recipe], found)
        if killer and killer.killed is None:
            different = different or "no executor was killed: the job was over before"
        self.say(key, seconds, different)

    def say(self, key, seconds, different):
        line = "\t".join([*key, f"{seconds:.1f} s", "equal" if different is None else f"DIFFERENT: {different}"])
        print(line, flush=True)
        self.runs += 1
        self.failures += different is not None
        if self.options.log:
            with self.options.log.open("a", encoding="utf-8") as log:
                log.write(line + "\n")


def recipes_of(options, name):
    return [PREFIXES.get(name.split("-")[0], "words-5") if recipe == "auto" else recipe for recipe in options.recipe]


def corpora(options):
    known = spark_runs.sets(options)
    unknown = set(options.sets or ()) - set(known)
    if unknown:
        sys.exit(f"no sets {', '.join(sorted(unknown))} in {options.data}")
    chosen = [(name, known[name]) for name in known if options.sets is None or name in options.sets]
    return chosen + [(f"bank-{size}", (common.bank(options, size), "text")) for size in options.bank]


def main():
    options = parse()
    if options.kill and not options.bank:
        sys.exit("--kill needs --bank: small sets are over before an executor can be killed")
    campaign = Campaign(options)
    found = corpora(options)
    for master in options.masters:
        spark = spark_runs.session(options, master)
        for corpus in found:
            for recipe in recipes_of(options, corpus[0]):
                for partitions in options.partitions:
                    for aqe in options.aqe:
                        for ids in options.ids:
                            campaign.judge(spark, corpus, recipe, partitions, aqe, ids, None, master)
        spark.stop()
    for kill in options.kill:
        for corpus in found[len(found) - len(options.bank):]:
            # One application for each: a cluster that has lost executors before is another cluster.
            master = next((each for each in options.masters if each.startswith("local-cluster")), "local-cluster[2,1,1024]")
            spark = spark_runs.session(options, master)
            for recipe in recipes_of(options, corpus[0]):
                campaign.judge(spark, corpus, recipe, max(options.partitions), options.aqe[0], options.ids[0], kill, master)
            spark.stop()
    print(f"{campaign.runs} runs, {campaign.failures} failed", flush=True)
    return 1 if campaign.failures else 0


if __name__ == "__main__":
    sys.exit(main())
