#!/usr/bin/env python3
"""Writes the paragraphs of the licences on this machine as JSON Lines: id (the package or licence, and the number of the paragraph) and text.

They are those of /usr/share/common-licenses and of the copyright files of installed packages: text that is on every Debian machine, and
that packages copy from each other with small changes. Paragraphs of fewer than 10 words are left out, and so are files that are links to
others. Prints how many it wrote.

The files of the folder are licences.jsonl and, of the packages by their first letter, packages-a-k.jsonl, packages-l.jsonl (mostly libraries)
and packages-m-z.jsonl.

usage: licence_paragraphs.py [--root FOLDER] OUTPUT_FOLDER
"""
import argparse
import itertools
import json
import pathlib
import re
import sys

LEAST_WORDS = 10
# An empty line, also as it stands in Debian's copyright files: a dot after a space.
BETWEEN = re.compile(r"\n[ \t]*\.?[ \t]*\n")


def group_of(package):
    letter = package[0].lower()
    return "packages-l" if letter == "l" else "packages-m-z" if letter > "l" else "packages-a-k"


def files_of(root):
    """(group, name, path) of each licence, in a fixed order. The groups are in the order of their names, too."""
    found = [("licences", path.name, path) for path in sorted((root / "usr/share/common-licenses").glob("*"))]
    found += [(group_of(path.parent.name), path.parent.name, path) for path in sorted((root / "usr/share/doc").glob("*/copyright"))]
    return [each for each in found if each[2].is_file() and not each[2].is_symlink() and not each[2].parent.is_symlink()]


def paragraphs_of(text):
    """(number from 1, paragraph on one line) of the paragraphs that are long enough."""
    for number, paragraph in enumerate(BETWEEN.split(text), 1):
        words = paragraph.split()
        if len(words) >= LEAST_WORDS:
            yield number, " ".join(words)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("/"), metavar="FOLDER")
    parser.add_argument("output", type=pathlib.Path, metavar="OUTPUT_FOLDER")
    options = parser.parse_args(arguments)
    files = files_of(options.root)
    options.output.mkdir(exist_ok=True)
    written = 0
    for group, members in itertools.groupby(files, key=lambda each: each[0]):
        with open(options.output / f"{group}.jsonl", "w", encoding="utf-8") as output:
            for _, name, path in members:
                for number, text in paragraphs_of(path.read_text(encoding="utf-8", errors="replace")):
                    output.write(json.dumps({"id": f"{name}:{number}", "text": text}, ensure_ascii=False) + "\n")
                    written += 1
    if written == 0:
        print(f"licence_paragraphs: no licence in {options.root}/usr/share/doc and {options.root}/usr/share/common-licenses", file=sys.stderr)
        return 1
    print(f"{written} paragraphs of {len(files)} licences and copyright files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
