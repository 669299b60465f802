#!/usr/bin/env python3
"""Growth of Hamming search from 1 to 100 million codes: building, self-join, memory and queries; writes a plot to docs/hamming-growth.svg.

64 bits, radius 3, uniform codes with planted neighbours, all of which must be found; one index that is planned for queries, one for a
self-join. Time is that of the processor, of all threads, so that it matters less what else the machine does; the median of --runs counts.
Linear means: from the least to the greatest number of codes, time per code grows no more than --most times, caches and longer directories
included.
"""
import statistics
import sys

import common
import plot
from hamming_runs import name_of, own
from report import Report

SIZES = [1, 2, 5, 10, 20, 50, 100]


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--millions", default=",".join(map(str, SIZES)), help="comma separated [%(default)s]")
    parser.add_argument("--runs", type=int, default=3, help="of each up to 20 million codes; above, one [%(default)s]")
    parser.add_argument("--threads", type=int, default=1, help="of building and self-join [%(default)s]")
    parser.add_argument("--most", type=float, default=2.0, help="growth of time per code that is still linear [%(default)s]")
    parser.add_argument("--svg", default=common.ROOT / "docs/hamming-growth.svg", help="where the plot goes [%(default)s]")
    options = common.parse(parser)
    report = Report(options, "hamming_growth")
    rows = report.table(["codes", "plan for queries", "build s", "single query us", "batched us", "bytes a code", "plan for the join",
                         "build s", "self-join s", "planted pairs found"], on_page=False)  # the page has the plot
    build, both, join = [], [], []
    for size in options.millions.split(","):
        codes = round(float(size) * 1e6)
        turns = options.runs if codes <= 20_000_000 else 1
        searched = [own(options, codes, "build,query,batch") for _ in range(turns)]
        joined = [own(options, codes, "build,join", join=True) for _ in range(turns)]
        one, pairs = searched[-1]["build"], joined[-1]["join", options.threads]

        def median(runs, part, field):
            return statistics.median(run[part][field] for run in runs)

        build.append((codes, median(searched, "build", "cpu_s")))
        join.append((codes, median(joined, ("join", options.threads), "cpu_s")))
        to_join = median(joined, "build", "cpu_s")
        both.append((codes, to_join + join[-1][1]))
        rows.append([name_of(codes), one["plan"], f"{build[-1][1]:.2f}", f"{median(searched, 'query', 'mean_us'):.2f}",
                     f"{median(searched, ('batch', 1), 'us'):.2f}", f"{one['bytes_per_code']:.1f}", joined[-1]["build"]["plan"],
                     f"{to_join:.2f}", f"{join[-1][1]:.2f}", f"{pairs['found']} of {pairs['planted']}"])
        if pairs["found"] != pairs["planted"] or searched[-1]["query"]["found"] != searched[-1]["query"]["planted"]:
            report.bar(f"{name_of(codes)}: nothing lost", rows[-1][-1], False)
    series = {"build for queries": build, "self-join": join, "with its build": both}
    for name, points in series.items():
        (n0, t0), (n1, t1) = points[0], points[-1]
        growth = t1 / n1 / (t0 / n0)
        report.bar(f"{name}: time per code at {name_of(n1)} within {options.most:g}x of that at {name_of(n0)}", f"{growth:.2f}x",
                   growth <= options.most)
    with open(options.svg, "w", encoding="utf-8") as to:
        to.write(plot.log_log("64-bit codes, radius 3: processor time of building and self-join", "codes", "seconds", series))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
