#!/usr/bin/env python3
"""Checks that every #include goes to a layer on the left of its own. Prints file:line for each that does not; exit code 1 then.

    base <- text <- features <- sketch <- index <- store <- dedup <- io <- apps
    kernels: includes nothing of ours; included by text, features, sketch, index
    include/neardup: included by all but kernels; includes only itself and the standard library

usage: check_layers.py [ROOT]
"""
import pathlib
import re
import sys

LEFT = {
    "base": [],
    "text": ["base", "kernels"],
    "features": ["base", "text", "kernels"],
    "sketch": ["base", "text", "features", "kernels"],
    "index": ["base", "text", "features", "sketch", "kernels"],
    "store": ["base", "text", "features", "sketch", "index"],
    "dedup": ["base", "text", "features", "sketch", "index", "store"],
    "io": ["base", "text", "features", "sketch", "index", "store", "dedup"],
    "apps": ["base", "text", "features", "sketch", "index", "store", "dedup", "io"],
    "kernels": [],
    "neardup": [],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"[a-z_]+")


def problem_of(layer, own_folder, quoted, name):
    """Why a file of `layer` may not include `name`, or None."""
    first = name.split("/")[0] if "/" in name else ""
    if quoted and first in LEFT and first != "apps":
        target = first
    elif quoted and layer == "apps" and (own_folder / pathlib.PurePosixPath(name).name).is_file():
        return None  # a file of the same program
    elif quoted:
        return "quotes are for files of this repository, written as LAYER/FILE"
    elif first in LEFT:
        return f'files of this repository are included in quotes: "{name}"'
    elif layer == "neardup" and not STANDARD.fullmatch(name):
        return "a public header includes only the standard library and neardup/"
    else:
        return None
    if target == layer or target in LEFT[layer] or (target == "neardup" and layer != "kernels"):
        return None
    return f"{layer} may include {', '.join(LEFT[layer] + ['neardup']) if layer not in ('kernels', 'neardup') else 'no other layer'}"


def check(root):
    """All problems below `root`, as lines "path:line: text"."""
    problems = []
    folders = [(layer, root / "src" / layer) for layer in LEFT if layer not in ("apps", "neardup")]
    folders += [("apps", root / "apps"), ("neardup", root / "include" / "neardup")]
    known = {folder for _, folder in folders}
    for folder in sorted((root / "src").iterdir()) if (root / "src").is_dir() else []:
        if folder not in known:
            problems.append(f"{folder.relative_to(root)}:1: not a layer: put the file into one, or add the layer to this check")
    for layer, folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                reason = match and problem_of(layer, path.parent, match[1] == '"', match[2])
                if reason:
                    problems.append(f"{path.relative_to(root)}:{number}: includes {match[2]}: {reason}")
    return problems


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
