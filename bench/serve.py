#!/usr/bin/env python3
"""`neardup serve`: what checks over HTTP cost, every answer on the disk.

Parts:
  batches  bodies of 100 lines from 8 connections; the processor time of the server for each check
  single   one check a request from 64 connections (wrk, Debian's package), which pause between requests, or do not: then wrk and the server
           share all cores, and waits are those for a core; the 99th percentile of its time, next to that of a bare loop that writes as many
           bytes and calls fdatasync, which runs before and after
"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import common
from report import Report

PARTS = ("batches", "single")
SETS = {"en-proc-codes": "words-5", "en-licenses": "words-5", "zh-wiki": "chars-5"}
LINES, CONNECTIONS = 100, 8
SINGLE_CONNECTIONS, SINGLE_S = 64, 15
# How long a connection waits between requests: together they send about 4,500 a second, or as many as are answered.
PACES = {"paced": "function delay() return math.random(0, 26) end\n", "without a pause": ""}
MOST_CPU_US, MOST_P99 = 30, 3

# Sends another text each time: words of a small vocabulary, of which no five in a row are likely to come again. Every thread has its own ids.
WRK = r"""
local id = 0
local threads = 0
function setup(thread) thread:set("number", threads); threads = threads + 1 end
local words = {}
function init()
  math.randomseed(number + os.time())
  for i = 1, 4096 do words[i] = "word" .. i end
end
function request()
  id = id + 1
  local text = {}
  for i = 1, 80 do text[i] = words[math.random(4096)] end
  local body = string.format('{"id":"%d-%d","text":"%s"}', number, id, table.concat(text, " "))
  return wrk.format("POST", "/v1/stores/seen/check", {["Content-Type"] = "application/json"}, body)
end
"""


class Server:
    """`neardup serve` with an empty store named seen."""

    def __init__(self, options, recipe):
        self.options, self.recipe = options, recipe

    def __enter__(self):
        self.folder = self.options.work / "serve"
        shutil.rmtree(self.folder, ignore_errors=True)
        subprocess.run([self.options.neardup, "store", "build", self.folder / "seen", "--recipe", self.recipe, "-q"], check=True)
        self.process = subprocess.Popen([self.options.neardup, "serve", self.folder / "seen", "--listen", "127.0.0.1:0", "--log-format", "json"],
                                        stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if (event := json.loads(line))["event"] == "listening":
                self.url = event["url"]
                self.port = int(self.url.rsplit(":", 1)[1])
                return self
        sys.exit("the server does not listen")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stats(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/v1/stores/seen/stats")
        return json.load(connection.getresponse())


def post_all(port, bodies):
    """The answers' count of one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    answered = 0
    for body in bodies:
        connection.request("POST", "/v1/stores/seen/check-batch", body, {"Content-Type": "application/x-ndjson"})
        response = connection.getresponse()
        data = response.read()
        if response.status != 200:
            sys.exit(f"status {response.status}: {data[:300]}")
        answered += data.count(b"\n")
    return answered


def measure_batches(options, report):
    rows = report.table(["texts", "recipe", "checks over HTTP, in bodies of 100 lines", "removed", "checks a second", "us of processor a check"])
    worst = 0
    for name, recipe in SETS.items():
        lines = common.plain(options, f"{name}.jsonl").read_bytes().splitlines(keepends=True)
        bodies = [b"".join(lines[at:at + LINES]) for at in range(0, len(lines), LINES)]
        parts = [bodies[at::CONNECTIONS] for at in range(CONNECTIONS)]
        best = None
        for _ in range(options.runs):
            with Server(options, recipe) as server, concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
                before, start = server.cpu_seconds(), time.perf_counter()
                answered = sum(pool.map(post_all, [server.port] * CONNECTIONS, parts))
                wall, cpu = time.perf_counter() - start, server.cpu_seconds() - before
                stats = server.stats()
            if answered != len(lines):
                sys.exit(f"{answered} answers to {len(lines)} lines")
            best = min(best or (cpu, wall, stats), (cpu, wall, stats), key=lambda run: run[0])
        cpu, wall, stats = best
        removed = sum(stats["removed"].values())
        rows.append([name, recipe, f"{len(lines):,}", f"{removed:,}", f"{len(lines) / wall:,.0f}", f"{cpu / len(lines) * 1e6:.1f}"])
        worst = max(worst, cpu / len(lines) * 1e6)
    report.bar(f"at most {MOST_CPU_US} us of processor a check in bodies of {LINES} lines", f"{worst:.1f} us", worst <= MOST_CPU_US)


def sync_loop(options, seconds):
    """Milliseconds of each fdatasync after an append of what 32 checks write."""
    path, data, took = options.work / "sync-loop", os.urandom(32 * 700), []
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    end = time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        os.write(file, data)
        os.fdatasync(file)
        took.append((time.perf_counter() - start) * 1000)
    os.close(file)
    path.unlink()
    return took


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def milliseconds(text):
    value, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def measure_single(options, report):
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed (Debian: apt-get install wrk)")
    script = options.work / "single.lua"
    rows = report.table(["single checks from 64 connections", "a second", "syncs a second", "p50, ms", "p99, ms", "us of processor a check",
                         "p50 of a bare fdatasync, ms", "p99, ms"])
    for pace, code in PACES.items():
        script.write_text(WRK + code, encoding="utf-8")
        loop = sync_loop(options, 5)
        with Server(options, "words-5") as server:
            before = server.cpu_seconds()
            done = subprocess.run(["wrk", "-t1", f"-c{SINGLE_CONNECTIONS}", f"-d{SINGLE_S}s", "--latency", "-s", script, server.url], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
            cpu, stats = server.cpu_seconds() - before, server.stats()
        loop += sync_loop(options, 5)
        found = {share: milliseconds(text) for share, text in re.findall(r"^\s+(50|99)%\s+(\S+)$", done, re.MULTILINE)}
        requests = int(re.search(r"(\d+) requests in", done)[1])
        if "Non-2xx" in done or stats["checked"] < requests:
            sys.exit(done)
        loop_p50, loop_p99 = quantile(loop, 0.5), quantile(loop, 0.99)
        rows.append([pace, f"{requests / SINGLE_S:,.0f}", f"{stats['syncs'] / SINGLE_S:,.0f}", f"{found['50']:.1f}", f"{found['99']:.1f}",
                     f"{cpu / requests * 1e6:.1f}", f"{loop_p50:.1f}", f"{loop_p99:.1f}"])
        report.bar(f"the 99th percentile at most {MOST_P99} times that of a bare fdatasync, {pace}", f"{found['99'] / loop_p99:.1f}x",
                   found["99"] <= MOST_P99 * loop_p99)


def main():
    made = common.parser(__doc__)
    made.add_argument("--runs", type=int, default=3, help="of batches [%(default)s]")
    common.add_parts(made, PARTS)
    options = common.parse(made)
    report = Report(options, "serve")
    for part in common.chosen_parts(made, options, PARTS):
        {"batches": measure_batches, "single": measure_single}[part](options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
