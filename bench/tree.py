#!/usr/bin/env python3
"""What the repository is made of, before and after a change: files and lines, documentation, the cost of a build, libraries at start.

Compares the checkout with an earlier commit (--before). Both are exported into the work folder, so that uncommitted changes do not count.
Without further options it only counts; --programs compiles the program of both from nothing, without a compiler cache, and reports the
processor time, which a busy machine changes less than the time by the clock, and the shared libraries that the program loads at start.
--ci runs .ci/run of the checkout in its export and reports the time by the clock.

usage: bench/tree.py --before COMMIT [--programs] [--ci]
"""
import importlib.util
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

import common
import report

CODE = ("src", "include", "apps")


def export(commit, folder):
    """The tree of `commit` in `folder`, without a repository."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = subprocess.Popen(["git", "-C", common.ROOT, "archive", commit], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
    if archive.wait() != 0:
        sys.exit(f"{commit}: git archive failed")
    return folder


def lines_of(path):
    return len(path.read_bytes().splitlines())


def code_files(root):
    return [path for folder in CODE for path in sorted((root / folder).rglob("*")) if path.suffix in (".h", ".cc")]


def words_of(path):
    return len(path.read_text(encoding="utf-8").split())


def documentation(root):
    """The pages that users read; records of decisions and the log of changes grow with time and do not count."""
    return [*root.glob("*.md"), *(root / "docs").glob("*.md"), root / "bench/README.md"]


def banned_phrases(root):
    """How many findings the word check of the checkout has in a tree."""
    script = common.ROOT / "scripts/check_words.py"
    spec = importlib.util.spec_from_file_location("check_words", script)
    check_words = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check_words)
    return sum(1 for _ in check_words.check(root))


def count(root):
    """The figures of a tree that need no build, as (name, value)."""
    files = code_files(root)
    sources = [path for path in files if path.suffix == ".cc"]
    lines = [lines_of(path) for path in files]
    headers = {path.stem for path in files if path.suffix == ".h"}
    folders = {}
    for path in files:
        folders[path.parent] = folders.get(path.parent, 0) + 1
    public = root / "include/neardup"
    pages = [path for path in documentation(root) if path.name != "CHANGELOG.md"]
    return [
        ("files of code", len(files)),
        ("lines of code", sum(lines)),
        ("median lines of a file", round(statistics.median(lines))),
        ("90 % of files have at most", sorted(lines)[len(lines) * 9 // 10]),
        ("source files", len(sources)),
        ("of these without a header of their name", sum(path.stem not in headers for path in sources)),
        ("most files in one folder", max(folders.values())),
        ("public headers", len(list(public.glob("*.h")))),
        ("headers for tools", len(list((public / "tools").glob("*.h")))),
        ("words of documentation", sum(words_of(path) for path in pages)),
        ("phrases that the word check rejects", banned_phrases(root)),
    ]


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def build(root):
    """Compiles the program from nothing. Returns (processor seconds, shared libraries that the program loads at start)."""
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    common.say(f"building {root}")
    before = children_seconds()
    script = root / "scripts/build.sh"
    without_tests = ["--without-tests"] if "--without-tests" in script.read_text(encoding="utf-8") else []  # earlier commits lack it
    subprocess.run([script, *without_tests, "release", "neardup_cli"], check=True, env=environment,
                   stdout=subprocess.DEVNULL)
    seconds = children_seconds() - before
    listing = subprocess.run(["ldd", root / "build/release/apps/cli/neardup"], check=True, capture_output=True, text=True).stdout
    return round(seconds), len(re.findall(r"=>", listing))


def continuous_integration(root):
    common.say(f"running {root}/.ci/run")
    start = time.monotonic()
    subprocess.run([root / ".ci/run"], check=True, env={**os.environ, "CCACHE_DISABLE": "1"}, stdout=subprocess.DEVNULL)
    return round(time.monotonic() - start)


def main():
    made = common.parser(__doc__)
    made.add_argument("--before", required=True, help="the commit to compare with")
    made.add_argument("--after", default="HEAD", help="[%(default)s]")
    made.add_argument("--programs", action="store_true", help="compile the program of both")
    made.add_argument("--ci", action="store_true", help="run .ci/run of the later one")
    options = common.parse(made)
    page = report.Report(options, "tree")
    rows = page.table(["what", "before", "after"])
    trees = [export(commit, options.work / "trees" / name) for name, commit in (("before", options.before), ("after", options.after))]
    for (name, before), (_, after) in zip(*map(count, trees)):
        rows.append([name, before, after])
    if options.programs:
        (seconds_before, libraries_before), (seconds_after, libraries_after) = map(build, trees)
        rows.append(["processor seconds of a clean build of the program", seconds_before, seconds_after])
        rows.append(["shared libraries loaded at start", libraries_before, libraries_after])
        page.bar("a clean build of the program: at most 300 s of processor time", f"{seconds_after} s", seconds_after <= 300)
        page.bar("at most 20 shared libraries at start", libraries_after, libraries_after <= 20)
    if options.ci:
        seconds = continuous_integration(trees[1])
        rows.append(["seconds of .ci/run", "", seconds])
        page.bar(".ci/run: at most 20 minutes", f"{seconds / 60:.1f} min", seconds <= 1200)
    return page.finish()


if __name__ == "__main__":
    sys.exit(main())
