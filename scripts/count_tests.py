#!/usr/bin/env python3
"""Adds up the JUnit reports that ctest wrote: prints the end of the output of what failed, the names of what failed, and one closing line.

usage: count_tests.py [--allow TAG]... [--check NAME=passed|failed]... [REPORT.xml]...

A test is named with the folder of its report, which is the preset it was built with.

A test that ctest did not run for want of its program counts as failed. A skipped test, also a method, a subtest or a whole class that a
Python test file skipped inside (unittest -v, pytest -rs), counts as failed too, unless its reason begins with the TAG of an --allow in brackets; it is then named with its reason. The tags:

  [user]     this user cannot run it: permissions do not stop root, and others cannot mount
  [machine]  this machine cannot: its processor or its installed files lack what the test is about
  [shared]   ../shared is missing
  [servers]  a server, browser, library or package that only tests use is missing

The exit code is 1 if anything failed, if a report is missing, or if nothing passed.
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

# As unittest -v prints it. A subtest is indented and has a message or parameters after its name; setUpClass and setUpModule stand for all
# tests of theirs; the first line of a docstring may come next.
SKIPPED_METHOD = re.compile(r"^(?P<subtest> *)(?P<name>\w+) \((?P<id>[\w.]+)\)(?: \[.*\])?(?: \(.*\))?\n?"
                            r".*\.\.\. skipped (?P<quote>['\"])(?P<reason>.*)(?P=quote)$", re.MULTILINE)
RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
REPORTED_SKIPS = re.compile(r"^(?:OK|FAILED) \(.*\bskipped=(\d+)", re.MULTILINE)
CUT_OFF = "[This part of the test output was removed since it exceeds the threshold"
# As pytest -rs prints them, those of the same place and reason as one line.
PYTEST_SKIPS = re.compile(r"^SKIPPED \[(?P<times>\d+)\] (?P<name>[^:\s]+(?::\d+)?): (?P<reason>.*)$", re.MULTILINE)
PYTEST_SUMMARY = re.compile(r"^(?:=+ )?(?:\d+ \w+, )*\d+ \w+ in \d[\d.]*s\b.*$", re.MULTILINE)
PYTEST_COUNT = re.compile(r"(\d+) (passed|skipped)\b")
FIXTURES = ("setUpClass", "setUpModule")
GTEST_REASON = re.compile(r"Skipped\n(.*)")
# What is shown of tests that failed. Where only the end of a log is kept, this has to fit.
MOST_EXCERPTS = 10
MOST_LINES = 30
LONGEST_LINE = 300
UNITTEST_FAILURES = re.compile(r"^={70}\n(?:ERROR|FAIL): ", re.MULTILINE)
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
UNDERLINE = re.compile(r"\s*[\^~]+\s*")  # of the part of a line that a traceback is about


class Count:
    def __init__(self, allowed):
        self.allowed = tuple(f"[{tag}] " for tag in allowed)
        self.passed, self.failed, self.skipped = 0, [], []
        self.excerpts = []  # of failed tests: the name, what ctest says of it, and lines

    def add(self, name, outcome, reason=""):
        if outcome == "passed":
            self.passed += 1
        elif outcome == "skipped" and reason.startswith(self.allowed):
            self.skipped.append((name, reason))
        elif outcome == "skipped":
            self.failed.append(f"{name} (skipped, which is not allowed here: {reason or 'no reason given'})")
        else:
            self.failed.append(name)


def outcome_of(case):
    """ctest writes status run, fail, notrun or disabled; only a notrun that mentions SKIP chose to be skipped."""
    status = case.get("status")
    if status == "run" and case.find("failure") is None:
        return "passed"
    skipped = case.find("skipped")
    if status == "disabled" or (skipped is not None and skipped.get("message", "").upper().startswith("SKIP")):
        return "skipped"
    return "failed"


def excerpt(output):
    """The last lines of an output, which usually say why the test failed. Of unittest's output, the list of tests is left out."""
    failures = UNITTEST_FAILURES.search(output)
    lines = [CONTROL.sub("", line).rstrip() for line in output[failures.start() if failures else 0:].split("\n")]
    lines = [line for line in lines if line and not UNDERLINE.fullmatch(line)]
    return [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…" for line in lines[-MOST_LINES:]]


def read_report(path, count):
    try:
        cases = ET.parse(path).getroot().findall("testcase")
    except (OSError, ET.ParseError) as error:
        count.add(f"{path}: {error}", "failed")
        return
    preset = pathlib.Path(path).parent.name
    for case in cases:
        name = f"{preset}: {case.get('name')}"
        output = case.findtext("system-out") or ""
        reason = GTEST_REASON.search(output)
        outcome = outcome_of(case)
        skips = list(SKIPPED_METHOD.finditer(output))
        ran = RAN.search(output)
        methods = [skip for skip in skips if not skip["subtest"] and skip["name"] not in FIXTURES]
        nothing_left = ran and int(ran[1]) <= len(methods)  # all that the Python file ran was skipped
        pytest = PYTEST_SUMMARY.search(output)
        if pytest:
            outcomes = {word: int(number) for number, word in PYTEST_COUNT.findall(pytest[0])}
            nothing_left = "passed" not in outcomes
        if not (outcome == "passed" and nothing_left):
            count.add(name, outcome, reason[1].strip() if reason else "")
        if outcome == "failed":
            says = next((each.get("message") for each in case if each.tag in ("failure", "skipped") and each.get("message")), "")
            count.excerpts.append((name, says, excerpt(output)))
        for skip in skips:
            what = f"{skip['name']} ({skip['id']})" if skip["name"] in FIXTURES else skip["name"]
            count.add(f"{name}: {what}", "skipped", skip["reason"])
        if pytest:
            named = 0
            for skip in PYTEST_SKIPS.finditer(output):
                named += int(skip["times"])
                for _ in range(int(skip["times"])):
                    count.add(f"{name}: {skip['name']}", "skipped", skip["reason"])
            if named != outcomes.get("skipped", 0):
                count.add(f"{name}: pytest reports {outcomes.get('skipped', 0)} skipped, its output names {named}", "failed")
        if CUT_OFF in output:
            count.add(f"{name}: its output is cut off, and may hide skips: see --test-output-size-passed of ctest", "failed")
        reported = REPORTED_SKIPS.search(output)
        if reported and int(reported[1]) != len(skips):
            count.add(f"{name}: unittest reports {reported[1]} skipped, its output names {len(skips)}", "failed")


def print_excerpts(excerpts):
    for name, says, lines in excerpts[:MOST_EXCERPTS]:
        print(f"the end of the output of {name}{f' ({says})' if says else ''}:")
        for line in lines or ["(it printed nothing)"]:
            print(f"    {line}")
        print()
    if len(excerpts) > MOST_EXCERPTS:
        print(f"the output of {len(excerpts) - MOST_EXCERPTS} more failed tests is in the reports\n")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allow", action="append", default=[], metavar="TAG")
    parser.add_argument("--check", action="append", default=[], metavar="NAME=OUTCOME")
    parser.add_argument("reports", nargs="*", metavar="REPORT.xml")
    options = parser.parse_args(arguments)
    count = Count(options.allow)
    for check in options.check:
        count.add(*check.split("=", 1))
    for path in options.reports:
        read_report(path, count)
    print()
    print_excerpts(count.excerpts)
    for name, reason in count.skipped:
        print(f"skipped: {name} ({reason})")
    for name in count.failed:
        print(f"FAILED: {name}")
    print(f"{count.passed} passed, {len(count.failed)} failed, {len(count.skipped)} skipped")
    return 1 if count.failed or count.passed == 0 else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # excerpts may have any characters
    sys.exit(main(sys.argv[1:]))
