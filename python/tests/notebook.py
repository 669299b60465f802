#!/usr/bin/env python3
"""Runs a notebook without Jupyter: cells in order, in one namespace. As a program it writes the outputs into the notebook.

usage: notebook.py NOTEBOOK
"""

import ast
import contextlib
import io
import json
import pathlib
import sys


def run_cell(source, names):
    """The outputs of a cell: what it prints, and the value of its last expression."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last:
            value = eval(compile(last, "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        outputs.append({"data": data, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(notebook):
    """(cell, its outputs now) for each cell of code."""
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield cell, run_cell("".join(cell["source"]), names)


def main(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(run(notebook), 1):
        cell["execution_count"] = number
        cell["outputs"] = [
            {**output, "execution_count": number} if output["output_type"] == "execute_result" else output for output in outputs
        ]
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
