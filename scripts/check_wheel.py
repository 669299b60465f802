#!/usr/bin/env python3
"""Checks wheels of neardup: size, contents, licences, the libraries they need, what they export, and that they name no folder of this machine.

usage: check_wheel.py WHEEL...          prints a line for each; exit code 1 if anything is wrong
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MAX_BYTES = 12_000_000
FILES = ("neardup/__init__.py", "neardup/py.typed", "neardup/_core/__init__.pyi", "neardup/_core/datasketch.pyi", "neardup/_core/spark.pyi",
         "neardup/jieba.dict", "neardup/service/__init__.py", "neardup/spark/__init__.py")
LICENCES = ("LICENSE", "boost/copyright", "bzip2/copyright", "fmt/copyright", "icu/copyright", "jieba/copyright", "lexbor/LICENSE", "lexbor/NOTICE",
            "libstdc++/copyright", "nanobind/LICENSE", "re2/copyright", "robin-map/LICENSE", "simdjson/LICENSE", "snowball/copyright",
            "xxhash/copyright", "zlib/copyright", "zstd/copyright")
# Of glibc, which every Linux has that the wheel's tag names.
LIBRARIES = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def problems(wheel):
    """Yields what is wrong with a wheel."""
    if wheel.stat().st_size > MAX_BYTES:
        yield f"has {wheel.stat().st_size} bytes, more than {MAX_BYTES}"
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        modules = [name for name in names if re.fullmatch(r"neardup/_core\.[^/]*so", name)]
        yield from (f"lacks {name}" for name in FILES if name not in names)
        yield from (f"lacks the licence {name}" for name in LICENCES if not any(found.endswith(f".dist-info/licenses/{name}") for found in names))
        yield from (f"has {name}" for name in names if not re.match(r"neardup/|neardup-[0-9.]+\.dist-info/", name) or "__pycache__" in name)
        if len(modules) != 1:
            yield f"has {len(modules)} modules"
            return
        module = pathlib.Path(archive.extract(modules[0], folder))
        needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", "--wide", module)))
        yield from (f"needs {name}" for name in sorted(needed - LIBRARIES))
        exported = {line.split()[-1] for line in output("nm", "--dynamic", "--defined-only", module).splitlines()}
        if exported != {"PyInit__core"}:
            yield f"exports {', '.join(sorted(exported)[:5])} ({len(exported)} symbols)"
        # A shared object links without them. They are missing if NEARDUP_TOOLS=OFF leaves out a source that the module needs.
        missing = {line.split()[-1] for line in output("nm", "--dynamic", "--undefined-only", module).splitlines()}
        yield from (f"lacks the function {name}" for name in sorted(missing) if "neardup" in name)
        data = module.read_bytes()
        yield from (f"names the folder {place}" for place in (ROOT, pathlib.Path(tempfile.gettempdir()) / "") if f"{place}/".encode() in data)


def main():
    failed = False
    if len(sys.argv) < 2:
        print(__doc__.rstrip(), file=sys.stderr)
        return 2
    for name in sys.argv[1:]:
        wheel = pathlib.Path(name)
        found = list(problems(wheel))
        failed = failed or bool(found)
        print(f"{wheel.name}: {wheel.stat().st_size} bytes" + "".join(f"\n  {problem}" for problem in found))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
