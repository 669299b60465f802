"""Writes what editors and type checkers read about the extension module: neardup/_core/__init__.pyi, and one file a submodule.

usage: write_stubs.py NANOBIND FOLDER PATTERNS

NANOBIND is the folder with nanobind's stubgen.py; FOLDER contains neardup with the module and receives the stubs; PATTERNS is a pattern file of
stubgen. The module is loaded under its full name, which the stubs import from, but without the package around it: that needs numpy, which
an environment that builds wheels does not have.
"""

import pathlib
import sys
import types


def main(nanobind, folder, patterns):
    package = types.ModuleType("neardup")
    package.__path__ = [str(pathlib.Path(folder, "neardup"))]
    sys.modules["neardup"] = package
    sys.path.insert(0, nanobind)
    import stubgen

    stubgen.main(["-q", "-r", "-m", "neardup._core", "-p", patterns])


if __name__ == "__main__":
    main(*sys.argv[1:])
