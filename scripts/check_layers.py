#!/usr/bin/env python3
"""Checks that every #include names a layer and a room on the left of its own. Prints file:line for each that does not; exit code 1 then.

    base <- text <- features <- sketch <- index <- store <- dedup <- jobs <- jobs/files <- apps
                                                     store <- io <- jobs/files
                                                     store <- search <- jobs
                                                     store <- online <- jobs/files
    kernels: includes nothing of ours; included by text, features, sketch, index
    include/neardup: each header belongs to a layer; includes only headers of that layer or of one on its left, and of tools/ only the
    stable ones unless it is in tools/ itself

With --objects BUILD it also reads the symbols of the built objects: none may need one that is defined in a layer on its right.

usage: check_layers.py [--objects BUILD] [ROOT]
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

LEFT = {
    "base": [],
    "text": ["base", "kernels"],
    "features": ["base", "text", "kernels"],
    "sketch": ["base", "text", "features", "kernels"],
    "index": ["base", "text", "features", "sketch", "kernels"],
    "store": ["base", "text", "features", "sketch", "index"],
    "dedup": ["base", "text", "features", "sketch", "index", "store"],
    "io": ["base", "text", "features", "sketch", "index", "store"],
    "search": ["base", "text", "features", "sketch", "index", "store"],
    "online": ["base", "text", "features", "sketch", "index", "store"],
    "jobs": ["base", "text", "features", "sketch", "index", "store", "dedup", "search"],
    "jobs/files": ["base", "text", "features", "sketch", "index", "store", "dedup", "search", "io", "online", "jobs"],
    "apps": [],  # a program sees the public headers and its own files, as PROGRAM/FILE; the server also those of the command line
    "kernels": [],
}
# The rooms of a layer from left to right; "" is the layer's folder itself. A file includes from its own room and from those on its left.
ROOMS = {
    "text": ["utf8", "normalize", "align", "clue", "html", "clean", "tokens", "jieba/dictionary", "jieba"],
    "sketch": ["", "compat"],
    "index": ["hamming_plan", "hamming", "lsh", "prefix", "anchors", "compat"],
    "store": ["", "hamming", "clue", "tables"],
    "search": ["", "quotes", "find", "answer", "scan"],
    "dedup": ["pass", "corpus", "options", "checkpoint", "match/candidates", "match", "match/containment", "fit", "report", "record", "", "run", "stages"],
    "io": ["bytes", "json", "port", "files", "warc", "fingerprints", "table", "mongo", "sql", "sql/mysql", "sql/postgres", "sql/sqlite", ""],
    "online": ["log", ""],
    "jobs": ["", "generate", "evaluate", "tune", "report/tally", "report/passages", "report"],
}
# The layer of each public header: the leftmost that may include it.
PUBLIC = {
    "base": "document error options sink source stop tools/machine tools/mapped_files tools/nearest_names tools/printable tools/readable "
            "tools/reject_limit tools/rejects tools/run_hooks tools/threshold",
    "text": "jieba tools/align tools/aligned_excerpt tools/recipe_kinds",
    "features": "tools/weighted_feature",
    "sketch": "fingerprint recipe sketcher tools/datasketch_minhash tools/fingerprint_text tools/instruction_sets tools/python_simhash "
              "tools/sketch_sink",
    "index": "hamming_index tools/band_index tools/band_parameters tools/fingerprint_blocks tools/hamming_plan tools/hamming_prediction "
             "tools/hamming_statistics",
    "store": "hamming_store tools/index_folder",
    "search": "clue_index tools/clue_scan",
    "online": "online_store",
    "dedup": "dedup tools/frequency_stages tools/index_recipe tools/rank_filter tools/run_recipe tools/run_record tools/run_sketcher tools/run_weights tools/stages tools/summary",
    "io": "io tools/block_rows tools/fingerprint_files tools/input_kinds tools/json_lines tools/library_versions tools/neighbours "
          "tools/remove_documents tools/result_file tools/secrets",
    "jobs": "compare pairs texts tools/cluster_scores tools/evaluate tools/frequencies tools/generate tools/index_clues "
            "tools/index_documents tools/line_lists tools/map_documents tools/meeting tools/missed_pairs tools/neighbour_sample "
            "tools/plan tools/run_command tools/run_prediction tools/run_report tools/sample_removals tools/sketch_all tools/tune",
    "jobs/files": "neardup tools/clean_all tools/find_document tools/index_fingerprints tools/match_rows tools/option_effects tools/quotes "
            "tools/online_answer tools/run_texts tools/source_texts tools/store_documents tools/tokenize_all tools/truth_files tools/verdict_file",
}
# The headers in tools/ that are as stable as those outside, because these include them (docs/library.md). They include no other of tools/.
STABLE_TOOLS = ("fingerprint_text", "hamming_plan", "hamming_statistics", "recipe_kinds", "reject_limit", "rejects", "run_hooks", "sketch_sink",
                "summary", "threshold", "weighted_feature")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"[a-z_]+")


def layer_of_header(name):
    """Of a name such as neardup/tools/plan.h, or None."""
    stem = name.removeprefix("neardup/").removesuffix(".h")
    return next((layer for layer, stems in PUBLIC.items() if stem in stems.split()), None)


def room_of(path):
    """Of a path below src/, as (layer, room)."""
    folder = path.rpartition("/")[0]
    if folder in LEFT:
        return folder, ""
    layer, _, room = folder.partition("/")
    return layer, room


def problem_of_public(layer, name):
    wanted = layer_of_header(name)
    if layer == "apps":
        return None
    if wanted is None:
        return f"{name} has no layer: name it in PUBLIC of scripts/check_layers.py"
    if wanted == layer or wanted in LEFT[layer]:
        return None
    return f"it belongs to {wanted}"


def problem_of(place, quoted, name, program=None):
    """Why a file may not include `name`, or None. `place` is its (layer, room), `program` its folder below apps/."""
    layer, room = place
    first = name.split("/")[0] if "/" in name else ""
    if first == "neardup" and quoted:
        return "no other layer" if layer == "kernels" else problem_of_public(layer, name)
    if quoted and first in LEFT and first != "apps":
        target, target_room = room_of(name)
    elif quoted and layer == "apps" and first in (program, {"server": "cli"}.get(program)):
        return None
    elif quoted:
        return "quotes are for files of this repository, written as LAYER/FILE"
    elif first in LEFT or first == "neardup":
        return f'files of this repository are included in quotes: "{name}"'
    elif layer == "neardup" and not STANDARD.fullmatch(name):
        return "a public header includes only the standard library and neardup/"
    else:
        return None
    if target == layer:
        order = ROOMS.get(layer)
        if order is None or room == target_room or order.index(target_room) < order.index(room):
            return None
        return f"the room {room or layer} may include {', '.join(order[:order.index(room)]) or 'no other room'}"
    if target in LEFT.get(layer, ()):
        return None
    return f"{layer} may include {', '.join(LEFT[layer]) or 'no other layer'}" if layer in LEFT else "not a public header"


def problem_of_public_header(name, quoted, included):
    """The same for include/neardup."""
    tool = included.removeprefix("neardup/tools/").removesuffix(".h")
    stable = not name.startswith("tools/") or name.removeprefix("tools/").removesuffix(".h") in STABLE_TOOLS
    if quoted and stable and included.startswith("neardup/tools/") and tool not in STABLE_TOOLS:
        return "it may change between minor versions, and this header may not: move it up, or name it in STABLE_TOOLS and docs/library.md"
    if quoted and included.startswith("neardup/"):
        layer = layer_of_header(f"neardup/{name}")
        return problem_of_public(layer, included) if layer else None
    return problem_of(("neardup", ""), quoted, included)


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cc"))


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == '"', match[2]


def check(root):
    """All problems below `root`, as lines "path:line: text"."""
    problems = []
    for path in sources(root / "src"):
        name = path.relative_to(root / "src").as_posix()
        layer, room = room_of(name)
        if layer not in LEFT or layer == "apps":
            problems.append(f"src/{name}:1: not in a layer: put it into one, or add the layer to this check")
            continue
        if room not in ROOMS.get(layer, [""]):
            problems.append(f"src/{name}:1: not in a room of {layer}: put it into one, or add the room to this check")
            continue
        for number, quoted, included in includes(path):
            if reason := problem_of((layer, room), quoted, included):
                problems.append(f"src/{name}:{number}: includes {included}: {reason}")
    for path in sources(root / "apps"):
        for number, quoted, included in includes(path):
            if reason := problem_of(("apps", ""), quoted, included, program=path.relative_to(root / "apps").parts[0]):
                problems.append(f"{path.relative_to(root)}:{number}: includes {included}: {reason}")
    public = root / "include" / "neardup"
    for path in sources(public):
        name = path.relative_to(public).as_posix()
        if layer_of_header(f"neardup/{name}") is None:
            problems.append(f"include/neardup/{name}:1: has no layer: name it in PUBLIC of scripts/check_layers.py")
        for number, quoted, included in includes(path):
            if reason := problem_of_public_header(name, quoted, included):
                problems.append(f"include/neardup/{name}:{number}: includes {included}: {reason}")
    return problems


def layer_of_object(path):
    """Of DIR/src/io/sql/sql_row.cc.o, or of DIR/Unity/unity_io-sql_cxx.cxx.o, which has all of a folder; None if it is not of src/."""
    if match := re.search(r"\.dir/(?:[^/]+/)?(?:src/(?P<source>.+)|Unity/unity_(?P<group>.+)_\d*_?cxx\.cxx)\.o$", path):
        return room_of(match["source"] or match["group"].replace("-", "/") + "/")[0]
    return None


def symbols(objects):
    """(defined, needed): symbol -> set of layers, and (layer, object, symbol) triples, of the object files of the library."""
    defined, needed = collections.defaultdict(set), []
    listing = subprocess.run(["nm", "--format=posix", "-A", *objects], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        place, _, rest = line.partition(": ")
        symbol, kind = rest.split()[:2]
        layer = layer_of_object(place.split(":")[0])
        if kind in "TDBRC":
            defined[symbol].add(layer)
        elif kind == "U":
            needed.append((layer, place, symbol))
    return defined, needed


def check_objects(build):
    """Objects that need a symbol of a layer on their right. Only objects in build.ninja count: objects of earlier sources remain in the folder."""
    rules = build / "build.ninja"
    if not rules.exists():
        return [f"{rules} does not exist: only the objects of a Ninja build can be checked"]
    made = re.findall(r"^build (CMakeFiles/\S+\.o):", rules.read_text(encoding="utf-8"), re.MULTILINE)
    objects = [str(build / path) for path in made if layer_of_object(path) in LEFT and (build / path).exists()]
    if not objects:
        return [f"{build}: there are no objects of the library here"]
    defined, needed = symbols(objects)
    problems = set()
    for layer, place, symbol in needed:
        homes = defined.get(symbol)
        if homes == {"kernels"}:
            continue  # by a template of a layer that may use them; the includes say which do
        if homes and layer not in homes and not any(home in LEFT[layer] for home in homes):
            problems.add(f"{place.split('.dir/', 1)[1].rstrip(':')}: needs {symbol}, which is defined in {', '.join(sorted(homes))}")
    return sorted(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--objects", type=pathlib.Path, help="a build directory whose objects are checked, too")
    given = parser.parse_args()
    problems = check(given.root) + (check_objects(given.objects) if given.objects else [])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
