#!/usr/bin/env python3
"""Draws the pictures of README.md and README.zh.md: what `neardup dedup` decides about the documents of their first run.

The documents are those that the page writes to corpus.jsonl. Each kept document stands above the documents removed for it, with their
similarity; the words in which a removed document differs from the kept one are marked. Needs NEARDUP_BIN, which names the program.

usage: draw_pictures.py [--check]      --check: writes nothing; exit code 1 if a picture is not what would be drawn
"""
import difflib
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = {"README.md": "docs/pictures/first-run.svg", "README.zh.md": "docs/pictures/first-run.zh.svg"}
WORDS = {
    "README.md": {"keep": "kept", "remove": "removed", "exact_copy": "exact copy", "near_duplicate": "similarity {:.2f}",
                  "short": "too short to compare", "unique": "nothing similar", "keeper": ""},
    "README.zh.md": {"keep": "保留", "remove": "删除", "exact_copy": "完全相同", "near_duplicate": "相似度 {:.2f}", "short": "太短，不比较",
                     "unique": "没有相似的", "keeper": ""},
}
CORPUS = re.compile(r"^cat >corpus\.jsonl <<'END'\n(.*?)^END$", re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"\s+|[A-Za-z0-9]+|.")

WIDTH, LABEL, INDENT, LINE, GAP, SIZE = 880, 190, 28, 20, 14, 13
COLOURS = {"keep": "#1a7f37", "remove": "#8c959f", "text": "#1f2328", "mark": "#cf222e"}


def decide(corpus):
    """[(document, verdict)] of a run over `corpus`, lines of JSON, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "corpus.jsonl").write_text(corpus, encoding="utf-8")
        program = pathlib.Path(os.environ["NEARDUP_BIN"]).resolve()
        subprocess.run([program, "dedup", "corpus.jsonl", "--verdicts", "verdicts.jsonl", "-q"], cwd=folder, check=True)
        verdicts = pathlib.Path(folder, "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return list(zip(map(json.loads, corpus.splitlines()), map(json.loads, verdicts), strict=True))


def in_groups(decided):
    """The same, each kept document followed by those removed for it."""
    for document, verdict in decided:
        if verdict["verdict"] == "keep":
            yield document, verdict
            yield from (pair for pair in decided if pair[1]["keeper_id"] == document["id"] and pair[1]["verdict"] == "remove")


def marked(keeper, text):
    """`text` as [(token, whether `keeper` has another one in its place or none)]; white space that differs is shown as ␣."""
    a, b = TOKEN.findall(keeper), TOKEN.findall(text)
    pieces = []
    for kind, _, _, start, end in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        pieces += [(re.sub(r"\s", "␣", token), True) if kind != "equal" else (re.sub(r"\s+", " ", token), False) for token in b[start:end]]
    return pieces


def width_of(text):
    return sum(SIZE if unicodedata.east_asian_width(character) in "WF" else 0.6 * SIZE for character in text)


def wrapped(pieces, width):
    """The pieces in lines of at most `width`."""
    lines, used = [[]], 0.0
    for piece in pieces:
        if used + width_of(piece[0]) > width and lines[-1]:
            lines.append([])
            used = 0.0
        if piece[0].strip() or lines[-1]:
            lines[-1].append(piece)
            used += width_of(piece[0])
    return lines


def spans(line):
    return "".join(f'<tspan fill="{COLOURS["mark"]}" font-weight="bold">{html.escape(text)}</tspan>' if differs else html.escape(text)
                   for text, differs in line)


def draw(decided, words):
    """The picture as SVG."""
    texts = {document["id"]: document["text"] for document, _ in decided}
    rows, y = [], GAP
    for document, verdict in in_groups(decided):
        removed = verdict["verdict"] == "remove"
        x = GAP + (INDENT if removed else 0)
        pieces = marked(texts[verdict["keeper_id"]], document["text"]) if removed else [(token, False) for token in TOKEN.findall(document["text"])]
        lines = wrapped(pieces, WIDTH - x - LABEL - GAP)
        height = max(2, len(lines)) * LINE
        rows.append(f'<rect x="{x}" y="{y}" width="4" height="{height}" rx="2" fill="{COLOURS[verdict["verdict"]]}"/>')
        label = f"{document['id']}  {words[verdict['verdict']]}"
        rows.append(f'<text x="{x + 14}" y="{y + 15}" font-weight="bold" fill="{COLOURS["text"]}">{html.escape(label)}</text>')
        reason = words[verdict["reason"]].format(verdict["similarity"] or 0)
        rows.append(f'<text x="{x + 14}" y="{y + 15 + LINE}" fill="#59636e">{html.escape(reason)}</text>')
        rows += [f'<text x="{x + LABEL}" y="{y + 15 + i * LINE}" fill="{COLOURS["text"]}">{spans(line)}</text>' for i, line in enumerate(lines)]
        y += height + GAP
    style = f"font-family:ui-monospace,Menlo,Consolas,'Noto Sans Mono CJK SC',monospace;font-size:{SIZE}px;white-space:pre"
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}">',
                      f'<rect width="{WIDTH}" height="{y}" rx="6" fill="#ffffff"/>', f'<g style="{style}" xml:space="preserve">', *rows, "</g>", "</svg>"]) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print("usage: draw_pictures.py [--check]", file=sys.stderr)
        return 2
    code = 0
    for page, name in PICTURES.items():
        corpus = CORPUS.search((ROOT / page).read_text(encoding="utf-8"))[1]
        picture, path = draw(decide(corpus), WORDS[page]), ROOT / name
        if arguments == ["--check"]:
            if not path.is_file() or path.read_text(encoding="utf-8") != picture:
                print(f"{name}: not what the documents of {page} give; run scripts/draw_pictures.py")
                code = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(picture, encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
