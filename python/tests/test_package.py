"""The package as a whole: its version, the parts it was built with, and the dictionary inside it."""

import ast
import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import neardup
import neardup._core

PACKAGE = pathlib.Path(neardup.__file__).parent
ASK = "import neardup; print(neardup.library_versions()['jieba dictionary'])"


def ask(code, folder=PACKAGE.parent, **environment):
    """What a new interpreter prints that has nothing of this one's environment but what loads the module."""
    kept = {name: value for name, value in os.environ.items() if name in ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS")}
    done = subprocess.run([sys.executable, "-s", "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); {code}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=120, check=False, cwd="/", env=kept | {"HOME": "/nonexistent"} | environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", neardup.__version__)


def test_every_part_is_built_in():
    versions = neardup.library_versions()
    assert versions["HTML"] == "lexbor"
    for name in ("ICU", "Unicode", "xxHash", "simdjson", "Boost", "zstd", "zlib", "bzip2"):
        assert re.fullmatch(r"\d+(\.\d+)+", versions[name]), name


def test_dictionary_is_the_one_of_the_recipe_page():
    """The id that docs/recipe.md has for the dictionary of jieba 0.42.1."""
    assert ask(ASK) == "e03dad2845a6a3b3"


@pytest.fixture
def moved(tmp_path):
    """A copy of the package elsewhere: links become files."""
    shutil.copytree(PACKAGE, tmp_path / "neardup", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_dictionary_is_found_in_a_package_that_was_moved(moved):
    place = moved / "neardup" / "jieba.dict"
    assert ask(ASK, moved) == "e03dad2845a6a3b3"
    place.write_bytes(b"not a dictionary")
    assert ask(ASK, moved).startswith("none: "), "the copy reads its own file"


def test_named_dictionary_is_never_replaced(moved):
    assert ask(ASK, moved, NEARDUP_DICT="/nonexistent/jieba.dict").startswith("none: ")
    named = moved / "named.dict"
    (moved / "neardup" / "jieba.dict").rename(named)
    assert ask(ASK, moved, NEARDUP_DICT=str(named)) == "e03dad2845a6a3b3"


def test_import_needs_only_numpy(moved):
    """Nothing else that the tests' environment has is imported by the package itself."""
    loaded = ask("import neardup; print(*sorted({name.partition('.')[0] for name in sys.modules}))", moved).split()
    assert not set(loaded) & {"pandas", "polars", "pyarrow", "datasets", "tqdm", "duckdb"}


def declared(path):
    """The names that a stub declares or imports."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
    return names


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="[machine] a build with sanitizers makes no stub")
@pytest.mark.parametrize(
    "module, file",
    [(neardup._core, "__init__.pyi"), (neardup._core.datasketch, "datasketch.pyi"), (neardup._core.spark, "spark.pyi")],
)
def test_types_are_declared(module, file):
    assert (PACKAGE / "py.typed").is_file()
    stub = PACKAGE / "_core" / file
    missing = {name for name in vars(module) if not name.startswith("_")} - declared(stub)
    assert not missing
    imported = re.findall(r"^(?:import|from) (\S+)", stub.read_text(encoding="utf-8"), re.MULTILINE)
    for name in imported:
        importlib.import_module(name)
    assert "neardup" not in imported, "it declares what the package takes from it"


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="[machine] a build with sanitizers makes no stub")
def test_stub_has_what_the_generator_cannot_see():
    stub = (PACKAGE / "_core" / "__init__.pyi").read_text(encoding="utf-8")
    for text in ("class UsageError(Error, ValueError)", "def library_versions() -> dict[str, str]", "__version__: str"):
        assert text in stub
