#!/usr/bin/env bash
# Builds the wheel of the Python package, checks it, and tests it in an empty virtual environment.
#
#   scripts/test_wheel.sh [PYTHON...]         interpreters of 3.11 or newer; default: python3
#   scripts/test_wheel.sh --asan [PYTHON]     instead builds the module with AddressSanitizer and UBSan (build/python-asan), and tests that
#
# Wheels are in build/wheels. From 3.12 on one wheel serves all interpreters and is built once. Needs `scripts/setup.sh wheel` and the
# headers of each interpreter; pip downloads what python/tests/requirements.txt pins, and datasketch 1.10. Tests compare with the command line
# that NEARDUP_BIN names, by default that of the release build. NEARDUP_WHEEL_ARGUMENTS: more arguments of `pip wheel`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# The packages that tests import, in a virtual environment of their own; prints its interpreter.
environment() { PYTHON=$2 scripts/test_python.sh "$root/build/$1" python/tests/requirements.txt; } # NAME PYTHON

# Those of neardup.spark have an environment of their own (python/CMakeLists.txt).
tests=(python/tests --ignore python/tests/spark)

# Processor time of what this script has run to its end.
children_ticks() { awk '{print $16 + $17}' "/proc/$$/stat"; }
tag_of() { "$1" -c 'import sys; print(f"{sys.version_info[0]}{sys.version_info[1]}")'; }

if [[ ${1:-} == --asan ]]; then
  python=$(environment "python-asan-tests" "${2:-python3}")
  preloaded=$(for name in libasan.so libubsan.so libstdc++.so; do realpath "$(g++ -print-file-name=$name)"; done | paste -sd :)
  cmake --preset python-asan -DPython_EXECUTABLE="$python" >/dev/null
  cmake --build build/python-asan --parallel "${JOBS:-$(nproc)}" --target neardup_python -- --quiet
  # Python and other packages do not free everything at exit. PYTHONMALLOC: AddressSanitizer sees only what malloc() gives. --capture=sys:
  # pytest would keep the report of a sanitizer, which ends the process, to itself.
  LD_PRELOAD=$preloaded ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
    PYTHONPATH=$root/build/python-asan/python "$python" -B -m pytest -q -rs --capture=sys -p no:cacheprovider "${tests[@]}"
  exit 0
fi
if [[ ${1:-} == -* ]]; then
  sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi

wheels=$root/build/wheels
rm -rf "$wheels"
read -r -a more <<<"${NEARDUP_WHEEL_ARGUMENTS:-}"
if [[ $# -eq 0 ]]; then set -- python3; fi
for interpreter in "$@"; do
  tag=$(tag_of "$interpreter")
  python=$(environment "wheel-tests-$tag" "$interpreter")
  pattern="$wheels/neardup-*-cp312-abi3-*.whl"
  if [[ $tag -lt 312 ]]; then pattern="$wheels/neardup-*-cp$tag-*.whl"; fi
  if ! compgen -G "$pattern" >/dev/null; then
    ticks=$(children_ticks)
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$wheels" "${more[@]}" .
    echo "test_wheel: $interpreter: built in $((($(children_ticks) - ticks) / $(getconf CLK_TCK))) seconds of processor time"
    scripts/check_wheel.py "$(compgen -G "$pattern")"
  fi
  wheel=$(compgen -G "$pattern")
  # In an empty environment, with nothing but what the wheel names.
  empty=$root/build/wheel-empty-$tag
  rm -rf "$empty"
  "$interpreter" -m venv "$empty"
  "$empty/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "$wheel"
  (cd / && "$empty/bin/python" -c 'import neardup; print("test_wheel:", neardup.__version__, neardup.library_versions())')
  # And in one with what the tests need.
  "$python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
  "$python" -m auditwheel show "$wheel"
  "$python" -B -m pytest -q -rs -p no:cacheprovider "${tests[@]}"
done
