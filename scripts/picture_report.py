#!/usr/bin/env python3
"""Takes the pictures of docs/pictures that show a report: report.png, report.zh.png and report-differences.png, in Chromium.

REPORT is a page that `neardup dedup --report` wrote; by default that of scripts/demo.sh. Needs chromium, chromium-driver and, for the Chinese
picture, a Chinese font (Debian: fonts-wqy-microhei or fonts-noto-cjk). The pictures show the paragraphs of this machine's licences, so they
differ from machine to machine, and no test compares them.

usage: picture_report.py [REPORT]
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "web"))
import small_png  # noqa: E402
from browser import Browser, missing  # noqa: E402

WIDTH, SCALE = 960, 1.5
MARGIN = 14
# What a picture shows: from the top of one element to the bottom of another one.
PICTURES = {
    "report.png": ("en", "header", "#similarity .chart"),
    "report.zh.png": ("zh", "header", "#similarity .chart"),
    "report-differences.png": ("en", "#least", "#removal-3"),
}


def take(report, folder):
    with Browser(WIDTH, 1000, SCALE) as browser:
        for name, (language, first, last) in PICTURES.items():
            browser.open(f"{report.resolve().as_uri()}?lang={language}&theme=light")
            browser.settle()
            box = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.top + scrollY, box.bottom + scrollY]"
            top, _ = browser.run(box, first)
            _, bottom = browser.run(box, last)
            top = max(top - MARGIN, 0)
            path = folder / name
            browser.picture(path, clip=(0, top, WIDTH, bottom + MARGIN - top))
            small_png.shrink(path)
            print(f"{path}: {path.stat().st_size // 1000} KB")


def main(arguments):
    report = pathlib.Path(arguments[0]) if arguments else ROOT / "build" / "demo" / "report.html"
    problem = missing() or (None if report.is_file() else f"{report}: no such file; scripts/demo.sh writes it")
    if problem:
        print(f"picture_report: {problem}", file=sys.stderr)
        return 1
    take(report, ROOT / "docs" / "pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
