#!/usr/bin/env python3
"""Shows that two builds write the same bytes: bench/same_outputs.py --before OLD_PROGRAM

Every data set is processed by both programs: dedup and pairs under several recipes, sketches as lines and as an array, an index and queries of
it, tokens, cleaned texts. Prints one row a job with the SHA-256 over all of its outputs, and fails if two differ. Recipe ids are compared too.
Messages and summaries are not: their wording may change. --ignore leaves out columns of verdicts that one of the programs does not have.
"""
import concurrent.futures
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import common

RECIPES = ["words-5", "chars-5", "minhash-jieba-3", "simhash-words-3", "simhash-jieba-200"]
OUTPUTS = ["-o", "kept.jsonl", "--removed", "removed.jsonl", "--verdicts", "verdicts.tsv", "--annotate", "annotated.jsonl"]
JOBS = {f"dedup {recipe}": [["dedup", "IN", "--recipe", recipe, *OUTPUTS]] for recipe in RECIPES}
JOBS |= {
    "dedup words-5, slices": [["dedup", "IN", "--recipe", "words-5", "--batch", "500", *OUTPUTS]],
    "dedup chars-5, components": [["dedup", "IN", "--recipe", "chars-5", "--cluster", "components", "--keep", "longest", *OUTPUTS]],
    "pairs words-5": [["pairs", "IN", "--recipe", "words-5", "-o", "pairs.jsonl"]],
    "pairs simhash-words-3": [["pairs", "IN", "--recipe", "simhash-words-3", "-o", "pairs.tsv"]],
    "sketch": [["sketch", "IN", "--recipe", "words-5", "-o", "s.jsonl"], ["sketch", "IN", "--recipe", "simhash-jieba-200", "-o", "s.npy"]],
    "index and queries": [["index", "build", "x.index", "IN", "--recipe", "simhash-words-3"],
                          ["query", "x.index", "IN", "-o", "neighbours.jsonl"]],
    "tokenize": [["tokenize", "IN", "-o", "tokens.jsonl"]],
}


def without(path, ignored):
    """The bytes of a file without the ignored columns of a table of verdicts, or members of annotated documents."""
    data = path.read_bytes()
    if not ignored or path.name not in ("verdicts.tsv", "annotated.jsonl"):
        return data
    if path.name == "annotated.jsonl":
        return re.sub(rb',"neardup_(?:%s)":(?:"(?:[^"\\]|\\.)*"|[0-9]+)' % "|".join(ignored).encode(), b"", data)
    rows = [line.split(b"\t") for line in data.splitlines()]
    kept = [column for column, name in enumerate(rows[0]) if name.decode() not in ignored]
    return b"".join(b"\t".join(row[column] for column in kept) + b"\n" for row in rows)


def outputs_of(program, commands, text_field, data, folder, ignored):
    """SHA-256 over the names and bytes of all files that the commands leave."""
    (folder / "in.jsonl").symlink_to(data)
    for command in commands:
        words = [word if word != "IN" else "in.jsonl" for word in command]
        run = subprocess.run([program, *words, "--text-field", text_field, "-q"], cwd=folder, capture_output=True, check=False)
        if run.returncode != 0:
            sys.exit(f"{program} {' '.join(words)} on {data.name}: {run.returncode} {run.stderr.decode()[-400:]}")
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("in.jsonl", "LOCK"):
            content = without(path, ignored)
            digest.update(f"{path.relative_to(folder)}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def recipe_ids(program):
    listed = subprocess.run([program, "recipe", "--list"], capture_output=True, check=True, text=True).stdout
    return dict(line.split()[:2] for line in listed.splitlines())


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--before", type=pathlib.Path, required=True, help="the program to compare with")
    parser.add_argument("--sets", nargs="*", help="data sets [all]")
    parser.add_argument("--ignore", nargs="*", default=[], help="columns of verdicts, such as cluster_id")
    options = common.parse(parser)
    programs = [options.before.resolve(), options.neardup]
    files = sorted(path for path in options.data.glob("*.jsonl.zst") if ".pairs" not in path.name)
    if options.sets:
        files = [path for path in files if path.name.removesuffix(".jsonl.zst") in options.sets]
    different = compared = 0
    before, after = map(recipe_ids, programs)
    if not before.items() <= after.items():  # new presets are fine
        print("the recipes differ")
        different += 1
    with tempfile.TemporaryDirectory(dir=options.work) as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for file in files:
            name = file.name.removesuffix(".jsonl.zst")
            data = pathlib.Path(top) / f"{name}.jsonl"
            subprocess.run(["zstd", "-dqf", file, "-o", data], check=True)
            field = common.TEXT_FIELDS.get(name, "text")
            for job, commands in JOBS.items():
                folders = [pathlib.Path(top) / side for side in ("before", "after")]
                for folder in folders:
                    folder.mkdir()
                before, after = pool.map(lambda pair: outputs_of(pair[0], commands, field, data, pair[1], options.ignore), zip(programs, folders))
                for folder in folders:
                    shutil.rmtree(folder)
                compared += 1
                different += before != after
                print(f"{name:24} {job:32} {after[:16]} {'same' if before == after else 'DIFFERENT'}", flush=True)
            data.unlink()
    print(f"{compared} jobs, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
