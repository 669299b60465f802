"""The test vectors of a page of docs/."""
import json
import os
import pathlib
import re

ROOT = pathlib.Path(os.environ.get("NEARDUP_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[3])


def vectors_of(page):
    blocks = re.findall(r"^```json vectors\n(.*?)^```$", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [json.loads(line) for block in blocks for line in block.splitlines()]
