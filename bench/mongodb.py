#!/usr/bin/env python3
"""How much of the speed of its parts a run from MongoDB to MongoDB has.

Measures, in documents a second, best of --runs:
  source alone   the collection read as often as a run reads it, with a sketch that costs next to nothing, written to /dev/null
  engine alone   the same documents from JSON Lines, with the recipe, written to /dev/null
  to a file      from the collection, with the recipe, written to /dev/null
  to MongoDB     from the collection, with the recipe, into another collection of the same server
and prints the share that the last two have of the slower one of the first two. The server is that of NEARDUP_MONGODB_URI, or
mongo-java-server, which then shares the processors with the program; its processor time for each part is printed, too: a server that
is busy with reading all the time writes at the expense of it.
"""
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import uuid

import common

sys.path.insert(0, str(common.ROOT / "tests/cli"))
import mongo_server  # noqa: E402

NOTHING = {"normalizer": "none_v1", "tokenizer": "chars_v1", "shingle": {"size": 64, "short_text": "none"}, "min_features": 65535,
           "feature_hash": "xxh3_64_v1", "sketch": {"kind": "minhash_v1", "lanes": 1, "seed": 1}}


def documents(count, length, seed=1):
    source = random.Random(seed)
    letters = [chr(code) for code in range(0x4E00, 0x4E00 + 2500)]
    words = ["".join(source.choices(letters, k=source.randint(1, 3))) for _ in range(5000)]
    text = ""
    for i in range(count):
        if i % 4 != 3:
            text = "，".join(source.choices(words, k=length))
        yield {"_id": i, "data": f"<p>{text}</p><p>{i}</p>", "title": words[i % 5000]}


def cpu_seconds(server):
    if server is None:
        return 0.0
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(runs, commands, folder, server):
    """{part: seconds, and processor seconds of the server, of the fastest run}; the parts take turns, after one that does not count."""
    times = {part: [] for part in commands}
    for turn in range(runs + 1):
        for part, command in commands.items():
            busy = cpu_seconds(server)
            begin = time.monotonic()
            subprocess.run([str(word) for word in command], cwd=folder, check=True, stderr=subprocess.DEVNULL)
            if turn > 0:
                times[part].append((time.monotonic() - begin, cpu_seconds(server) - busy))
    return {part: min(each) for part, each in times.items()}


def machine():
    name = next((line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                 if line.startswith("model name")), "unknown processor")
    return f"{os.cpu_count()} x {name}, load {os.getloadavg()[0]:.1f}"


def main():
    made = common.parser(__doc__)
    made.add_argument("--documents", type=int, default=100_000)
    made.add_argument("--words", type=int, default=100, help="of a document [%(default)s]")
    made.add_argument("--recipe", default="simhash-jieba-30")
    made.add_argument("--runs", type=int, default=3)
    options = common.parse(made)
    why_not = mongo_server.unavailable()
    if why_not:
        sys.exit(f"no MongoDB to measure with: {why_not}")
    import pymongo

    given = os.environ.get("NEARDUP_MONGODB_URI")
    server = None if given else mongo_server.MongoServer()
    base, _, query = (given or server.uri).partition("?")
    client = pymongo.MongoClient(given or server.uri)
    name = f"neardup_bench_{uuid.uuid4().hex[:8]}"

    def uri(collection):
        return f"{base.rstrip('/')}/{name}.{collection}" + (f"?{query}" if query else "")

    try:
        with tempfile.TemporaryDirectory(dir=options.work) as folder:
            folder = pathlib.Path(folder)
            (folder / "nothing.json").write_text(json.dumps(NOTHING))
            batch = []
            with open(folder / "in.jsonl", "w", encoding="utf-8") as lines:
                for document in documents(options.documents, options.words):
                    lines.write(json.dumps(document, ensure_ascii=False) + "\n")
                    batch.append(document)
                    if len(batch) == 5000:
                        client[name].pages.insert_many(batch)
                        batch = []
            if batch:
                client[name].pages.insert_many(batch)
            size = (folder / "in.jsonl").stat().st_size
            dedup = [options.neardup, "dedup", "--text-field", "data", "--id-field", "_id", "-q"]
            recipe = ["--recipe", options.recipe]
            seconds = measure(options.runs, {
                "source alone": [*dedup, uri("pages"), "--recipe", "nothing.json", "-o", "/dev/null"],
                "engine alone": [*dedup, "in.jsonl", *recipe, "-o", "/dev/null"],
                "to a file": [*dedup, uri("pages"), *recipe, "-o", "/dev/null"],
                "to MongoDB": [*dedup, uri("pages"), *recipe, "-o", uri("kept"), "--replace"],
            }, folder, server)
    finally:
        client.drop_database(name)
        if server:
            server.stop()
    rates = {part: options.documents / value for part, (value, _) in seconds.items()}
    slower = min(rates["source alone"], rates["engine alone"])
    share = {part: rates[part] / slower for part in ("to a file", "to MongoDB")}
    if options.json:
        print(json.dumps({"documents": options.documents, "bytes": size, "per_second": rates, "share": share}))
        return
    print(f"{options.documents:,} documents, {size / 1e6:.0f} MB of JSON Lines, recipe {options.recipe}, best of {options.runs};")
    print(f"server: {'NEARDUP_MONGODB_URI' if given else 'mongo-java-server ' + mongo_server.VERSION + ' on the same machine'};")
    print(f"{machine()}; {datetime.date.today().isoformat()}\n")
    print("| part | documents/s | of the slower part | server busy, s |\n|---|---|---|---|")
    for part, rate in rates.items():
        print(f"| {part} | {rate:,.0f} | {f'{share[part]:.0%}' if part in share else ''} | {seconds[part][1]:.1f} |")


if __name__ == "__main__":
    main()
