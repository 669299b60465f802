#!/usr/bin/env python3
"""Hamming search: queries, memory, building, self-joins and skewed codes, next to rivals and what the machine can do at best.

Parts:
  large   --large codes of 64 bits, radius 3: what a query costs in random reads, batches, bytes a code, building, self-join against
          std::sort, flat scan against the speed of reading
  rivals  --middle codes: faiss MultiHash 4x16 and Hash; --small codes: all pairs by simhash-cpp (SHARED/peers-zh, set up in --rivals)
  skew    1 million codes of which 50,000 share their upper half; --middle codes with 20 constant bits; each next to uniform ones
  wide    --middle codes: radius 6 of 64 bits and radius 16 of 128
  huge    200 million codes (left out unless named)
  billion --codes codes in a segment on the disk, in --folder, built within --memory: the disk that it takes, queries cold and warm; 10^9
          codes want 46 GB of disk (left out unless named)

Codes and queries are those of hamming_set.h, for the rivals as files. Half of the queries are stored codes with 0 to 3 bits flipped, and
the last tenth of the codes are copies with 0 to 6: what is found of both is checked in every run, and queries against a plain loop over all
codes. A random read is one that waits for the one before it, in 256 MB, measured in the same run. Single queries wait for one another too.
A self-join counts with the building of its index, and of simhash-cpp with the building of the set that it wants.
"""
import pathlib
import re
import shutil
import sys

import common
from hamming_runs import Rivals, code_files, json_lines, name_of, own
from report import Report

PARTS = ["large", "rivals", "skew", "wide", "huge", "billion"]
BY_NAME_ONLY = {"huge", "billion"}
STORED = ["codes on the disk", "plan (bits+flips)", "add s", "commit s", "M codes/s", "bytes a code", "anonymous peak MB", "open ms",
          "verify s"]
STORED_QUERY = ["codes on the disk, queries", "mean us", "p50", "p99", "mean in random reads", "p50", "p99", "planted found"]
DISK_BYTES_PER_CODE = 46  # the segment, about 23, and next to it codes, ids and a directory in temporary files
COLUMNS = ["neardup", "radius", "plan (bits/flips)", "query us: mean", "p99", "batched us", "bytes a code", "build M codes/s",
           "self-join s, 1 thread", "all threads"]
DETAILS = ["neardup", "query us: p50", "batched us, all threads", "pairs"]  # for the console
RIVALS = ["rival", "codes", "query us: mean", "p99", "batched us", "bytes a code", "planted found", "all pairs s (set + search)"]
PREDICTED = ["prediction / measurement", "query us", "batched us", "bytes a code", "build s", "self-join s"]


class Measured:
    """The lines of one set of codes, its row of the table, and whether nothing was lost."""

    def __init__(self, options, report, title, codes, *, parts="build,predict,query,batch,join,check", on_page=True, **more):
        self.options, self.lines = options, own(options, codes, parts, **more)
        self.build, self.query = self.lines["build"], self.lines.get("query")
        one, all_ = self.get("batch", 1), self.get("batch", options.threads)
        mean, p50, p99 = [f"{self.query[key]:.2f}" for key in ("mean_us", "p50_us", "p99_us")] if self.query else ["", "", ""]
        batched, batched_all = [f"{each['us']:.2f}" if each else "" for each in (one, all_)]
        joins = [self.get("join", 1), self.get("join", options.threads)]
        report.table(COLUMNS, on_page=on_page).append(
            [title, self.build["radius"], self.build["plan"], mean, p99, batched, f"{self.build['bytes_per_code']:.1f}",
             f"{self.build['Mcodes_per_s']:.1f}", *(f"{each['wall_s']:.2f}" if each else "" for each in joins)])
        report.table(DETAILS, on_page=False).append([title, p50, batched_all, joins[1]["pairs"] if joins[1] else ""])
        if "predict" in self.lines:
            self.predicted(report, title)
        report.bar(f"{title}: nothing lost, nothing invented", self.truth(), self.sound())

    def predicted(self, report, title):
        """Predictions are of one core; building is measured as processor time."""
        said, cells, worst = self.lines["predict"], [], 1.0
        joined, batched = self.get("join", 1), self.get("batch", 1)
        for field, measured in (("query_us", self.query and self.query["mean_us"]), ("batched_us", batched and batched["us"]),
                                ("bytes_per_code", self.build["image_bytes_per_code"]), ("build_s", self.build["cpu_s"]),
                                ("join_s", joined and joined["wall_s"])):
            cells.append(f"{said[field]:.2f} / {measured:.2f}" if measured else "")
            worst = max([worst] + [said[field] / measured, measured / said[field]] if measured else [worst])
        report.table(PREDICTED, on_page=False).append([title, *cells])
        report.bar(f"{title}: predictions within 2x of what is measured", f"at most {worst:.2f}x off", worst <= 2)

    def get(self, part, threads):
        return self.lines.get((part, threads))

    def found(self):
        return [self.lines[key] for key in self.lines if "planted" in self.lines[key]]

    def truth(self):
        parts = [f"{line['part']} {line['found']} of {line['planted']}" for line in self.found()]
        if "check" in self.lines:
            parts.append(f"{self.lines['check']['wrong']} of {self.lines['check']['queries']} queries wrong")
        return ", ".join(dict.fromkeys(parts))

    def sound(self):
        joins = [self.get("join", threads) for threads in (1, self.options.threads)]
        alike = not all(joins) or joins[0]["digest"] == joins[1]["digest"]
        return alike and all(line["found"] == line["planted"] for line in self.found()) and self.lines.get("check", {}).get("wrong", 0) == 0

    def pairs_s(self, threads):
        """From codes to pairs; building is on all threads."""
        return self.build["wall_s"] + self.get("join", threads)["wall_s"]


def large(options, report):
    n, name = options.large, name_of(options.large)
    limits = own(options, n, "limits,sort,flat")
    read_ns, read = limits["limits"]["random_read_ns"], limits["limits"]["read_GBps"]
    sort_s, flat = limits["sort"]["wall_s"], limits["flat"]
    report.note(f"{name}: a random read takes {read_ns:.0f} ns, reading in order {read:.1f} GB/s, std::sort {sort_s:.2f} s.")
    searched = Measured(options, report, f"{name} uniform", n, parts="build,predict,query,batch,check")
    joined = Measured(options, report, f"{name} uniform, planned to join", n, parts="build,predict,join", join=True)
    one = searched.get("batch", 1)["us"]
    for what, us, most in (("single query, mean", searched.query["mean_us"], 15), ("single query, p99", searched.query["p99_us"], 45),
                           ("batched query, one thread", one, 5)):
        reads = us * 1000 / read_ns
        report.bar(f"{name}, radius 3, {what}: <= {most} random reads", f"{reads:.1f} ({us:.2f} us)", reads <= most)
    each = searched.build["bytes_per_code"]
    report.bar(f"{name}: <= 30 bytes a code, resident, with ids", f"{each:.1f}", each <= 30)
    speed = searched.build["Mcodes_per_s"]
    report.bar(f"{name}: built at >= 4 M codes/s on {options.threads} threads", f"{speed:.1f}", speed >= 4)
    total, peak = joined.pairs_s(options.threads), max(joined.build["peak_MB"], joined.get("join", options.threads)["peak_MB"])
    report.bar(f"{name}: self-join with building on {options.threads} threads <= 3x std::sort on one",
               f"{total:.1f} s, {total / sort_s:.2f}x", total <= 3 * sort_s)
    report.bar(f"{name}: self-join in less than 2 GB", f"{peak / 1000:.2f} GB", peak < 2000)
    report.bar(f"{name}: flat scan >= 70 % of the speed of reading", f"{flat['GBps']:.1f} GB/s, {100 * flat['GBps'] / read:.0f} %",
               flat["GBps"] >= 0.7 * read)


def rivals(options, report):
    others = Rivals(options, report)
    rows = report.table(RIVALS)
    name = name_of(options.middle)
    mine = Measured(options, report, f"{name} uniform", options.middle)
    files = code_files(options, options.middle, "uniform")
    for index in ("multihash", "hash16"):
        theirs = others.faiss(index, files)
        if not theirs:
            continue
        title = f"faiss {theirs['faiss']}, {index}"
        rows.append([title, name, f"{theirs['mean_us']:.1f}", f"{theirs['p99_us']:.1f}", f"{theirs['batch_us_per_query']:.1f}",
                     f"{theirs['bytes_per_code']:.1f}", f"{100 * theirs['recall']:.1f} %", ""])
        if index == "multihash":
            for what, own_us, their_us in (("single", mine.query["mean_us"], theirs["mean_us"]),
                                           ("batched", mine.get("batch", 1)["us"], theirs["batch_us_per_query"])):
                ratio = their_us / own_us
                report.bar(f"{name}, {what}: >= 100x faster than faiss MultiHash 4x16", f"{ratio:.0f}x", ratio >= 100)
            share = mine.build["bytes_per_code"] / theirs["bytes_per_code"]
            report.bar(f"{name}: less than half the memory of faiss MultiHash 4x16", f"{100 * share:.0f} %", share < 0.5)
    name = name_of(options.small)
    mine = Measured(options, report, f"{name} uniform, planned to join", options.small, parts="build,predict,join", join=True)
    theirs = others.join(code_files(options, options.small, "uniform"), 3)
    if theirs:
        rows.append([f"simhash-cpp, {theirs['blocks']} blocks", name, "", "", "", "", f"{theirs['planted_found']} of {theirs['planted']}",
                     f"{theirs['set_s']:.2f} + {theirs['wall_s']:.2f}"])
        total, theirs_s = mine.build["cpu_s"] + mine.get("join", 1)["wall_s"], theirs["set_s"] + theirs["wall_s"]
        report.bar(f"{name}: from codes to all pairs on one core: >= 8x simhash-cpp", f"{total:.2f} s, {theirs_s / total:.1f}x",
                   theirs_s >= 8 * total)


def skew(options, report):
    others = Rivals(options, report)
    rows = report.table(RIVALS)
    even = Measured(options, report, "1M uniform", 1_000_000)
    uneven = Measured(options, report, "1M, 50,000 share 32 bits", 1_000_000, parts="flat,build,predict,query,batch,join,check",
                      kind="shared", special=50_000)
    p99, flat = uneven.query["p99_us"], uneven.lines["flat"]["mean_us"]
    report.bar("1M, 50,000 share 32 bits: query p99 below the flat scan's mean", f"{p99:.1f} of {flat:.0f} us", p99 < flat)
    ratio = p99 / even.query["p99_us"]
    report.bar("1M, 50,000 share 32 bits: query p99 within 20x of uniform", f"{ratio:.1f}x", ratio <= 20)
    compare_joins(options, report, "1M, 50,000 share 32 bits", uneven, even, 2)
    files = code_files(options, 1_000_000, "shared", 50_000)
    theirs = others.faiss("multihash", files, 1000, 1000)
    if theirs:
        rows.append([f"faiss {theirs['faiss']}, multihash", "1M, 50,000 share", f"{theirs['mean_us']:.1f}", f"{theirs['p99_us']:.1f}",
                     f"{theirs['batch_us_per_query']:.1f}", f"{theirs['bytes_per_code']:.1f}", f"{100 * theirs['recall']:.1f} %", ""])
    theirs = others.join(files, 3)
    if theirs:
        rows.append([f"simhash-cpp, {theirs['blocks']} blocks", "1M, 50,000 share", "", "", "", "",
                     f"{theirs['planted_found']} of {theirs['planted']}", f"{theirs['set_s']:.2f} + {theirs['wall_s']:.2f}"])
    name = name_of(options.middle)
    even = Measured(options, report, f"{name} uniform", options.middle, on_page=False)  # the page has that of rivals()
    uneven = Measured(options, report, f"{name}, 20 constant bits", options.middle, kind="constant", special=20)
    for what in ("mean_us", "p99_us"):
        ratio = uneven.query[what] / even.query[what]
        report.bar(f"{name}, 20 constant bits: query {what[:-3]} within 3x of uniform", f"{ratio:.2f}x", ratio <= 3)
    compare_joins(options, report, f"{name}, 20 constant bits", uneven, even, 3)


def compare_joins(options, report, title, uneven, even, most):
    """The worse of the join alone and the join with building."""
    key = ("join", options.threads)
    ratio = max(uneven.lines[key]["wall_s"] / even.lines[key]["wall_s"], uneven.pairs_s(options.threads) / even.pairs_s(options.threads))
    report.bar(f"{title}: self-join within {most}x of uniform", f"{ratio:.2f}x", ratio <= most)


def wide(options, report):
    name = name_of(options.middle)
    for bits, radius in ((64, 6), (128, 16)):
        Measured(options, report, f"{name}, {bits} bits, radius {radius}", options.middle, bits=bits, radius=radius, farthest=radius + 3,
                 query_flips=radius, queries=2000)


def huge(options, report):
    n = 200_000_000
    read_ns = own(options, 1_000_000, "limits")["limits"]["random_read_ns"]
    searched = Measured(options, report, f"{name_of(n)} uniform", n, parts="build,predict,query,batch,check")
    reads = searched.query["mean_us"] * 1000 / read_ns
    report.bar(f"{name_of(n)}, radius 3, single query: <= 20 random reads", f"{reads:.1f} ({searched.query['mean_us']:.2f} us)",
               reads <= 20)


def size(text):
    """Bytes, or 64K, 200M, 8G: powers of 1024."""
    found = re.fullmatch(r"(\d+)([KMG]?)", text)
    if not found:
        raise ValueError(text)
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2]]


def room(path):
    """The folder that is there already, and the bytes that are free in it."""
    path = path.resolve()
    while not path.exists():
        path = path.parent
    return path, shutil.disk_usage(path).free


def billion(options, report):
    n, name = options.codes, name_of(options.codes)
    folder = (options.folder or options.work / "billion").resolve()
    program, wanted = common.tool(options, "hamming_store_speed"), DISK_BYTES_PER_CODE * n + (1 << 26)
    where, free = room(folder)
    if folder.exists():
        sys.exit(f"{folder} is there already: remove it, or name another --folder")
    if free < wanted:
        sys.exit(f"{name} codes want {wanted / 1e9:.1f} GB of disk, segment and temporary files; {where} has {free / 1e9:.1f} GB free: "
                 "take fewer --codes or another --folder")
    report.note(f"{name}: wants at most {wanted / 1e9:.1f} GB of disk, {free / 1e9:.1f} GB are free.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [program, folder, "--codes", n, "--memory", options.memory, "--threads", options.threads, "--queries", options.queries,
               "--temp-dir", folder.parent, "--verify"]
    common.say(" ".join(map(str, command[1:])))
    lines = json_lines(command)
    made = {line["part"]: line for line in lines}
    build, passes = made["build"], [line for line in lines if line["part"] == "query"]
    read_ns = made["limits"]["random_read_ns"]
    peak = build["peak_anonymous_bytes"]
    report.table(STORED).append([name, build["plan"], f"{build['add_s']:.1f}", f"{build['commit_s']:.1f}", f"{build['Mcodes_per_s']:.2f}",
                                 f"{build['bytes_per_code']:.1f}", f"{peak / 1e6:.0f}", f"{1000 * made['open']['wall_s']:.2f}",
                                 f"{made['verify']['wall_s']:.1f}"])
    for line, title in zip(passes, ("first pass", "the same again, warm")):
        times = [line[key] for key in ("mean_us", "p50_us", "p99_us")]
        cells = [f"{us:.2f}" for us in times] + [f"{us * 1000 / read_ns:.1f}" for us in times]
        report.table(STORED_QUERY).append([f"{name}, {title}", *cells, f"{line['found']} of {line['planted']}"])
    report.note(f"{name}: a random read takes {read_ns:.0f} ns. The peak is of anonymous memory, without pages of mapped files.")
    warm = passes[1]["mean_us"] * 1000 / read_ns
    report.bar(f"{name} on the disk: warm query <= 50 random reads", f"{warm:.1f} ({passes[1]['mean_us']:.2f} us)", warm <= 50)
    report.bar(f"{name} on the disk: built within {options.memory / 1e6:.0f} MB", f"{peak / 1e6:.0f} MB", peak <= options.memory)
    report.bar(f"{name} on the disk: all planted codes found", f"{passes[0]['found']} of {passes[0]['planted']}",
               all(line["found"] == line["planted"] for line in passes))


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--large", type=int, default=50_000_000)
    parser.add_argument("--middle", type=int, default=10_000_000)
    parser.add_argument("--small", type=int, default=4_000_000)
    parser.add_argument("--threads", type=int, default=2, help="'all threads' [%(default)s]")
    parser.add_argument("--rivals", type=pathlib.Path, default=pathlib.Path("rivals"), help="folder made by SHARED/peers-zh/setup.sh")
    parser.add_argument("--codes", type=int, default=1_000_000_000, help="of the part billion [%(default)s]")
    parser.add_argument("--folder", type=pathlib.Path, help="that the part billion makes, and removes [WORK/billion]")
    parser.add_argument("--memory", type=size, default="8G", help="of building the part billion [%(default)s]")
    parser.add_argument("--queries", type=int, default=10_000, help="of the part billion [%(default)s]")
    parser.add_argument("--only", default=",".join(part for part in PARTS if part not in BY_NAME_ONLY),
                        help=f"parts of {', '.join(PARTS)}, comma separated [%(default)s]")
    options = common.parse(parser)
    options.rivals = options.rivals.resolve()
    wanted = options.only.split(",")
    if set(wanted) - set(PARTS):
        parser.error(f"--only: {options.only} is not of {', '.join(PARTS)}")
    report = Report(options, "hamming")
    if report.machine["load"] > 0.5:
        common.say(f"The machine was not idle (load {report.machine['load']}): read the figures with care.")
    for part in wanted:
        globals()[part](options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
