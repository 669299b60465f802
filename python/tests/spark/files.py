"""What the command line makes of files."""

from program import run


def by_command_line(folder, inputs, *options):
    run(
        "dedup",
        *inputs,
        "-o",
        folder / "kept.jsonl",
        "--verdicts",
        folder / "verdicts.tsv",
        "--threshold",
        "0.5",
        "--max-rejects",
        "100%",
        "-q",
        *options,
    )
    head, *lines = (folder / "verdicts.tsv").read_text(encoding="utf-8").splitlines()
    kept = sorted((folder / "kept.jsonl").read_bytes().split(b"\n"))
    return head.split("\t"), sorted(lines), [line for line in kept if line]
