#!/usr/bin/env bash
# Sets up, builds and tests. The last line is the count of all runs together: "N passed, N failed, N skipped".
#
#   scripts/test.sh            Release: all tests and checks; then the unit tests under AddressSanitizer and UBSan
#   scripts/test.sh --release  only the first
#   scripts/test.sh --asan     only the second
#   scripts/test.sh --tsan     the unit tests under ThreadSanitizer
#   scripts/test.sh --threads  of these only the tests of what threads share
#   scripts/test.sh --tidy     clang-tidy over the sources that the last commit changed; may be added to the others
#   scripts/test.sh --all      Release, both sanitizer builds and clang-tidy
#   --without-servers          installs no servers and no browser, and skips the tests whose server, browser, library or package is not here;
#                              leaves out the Python package
#
# Exit code 0 only if every build succeeded and no test failed. A skipped test counts as failed unless this user or this machine cannot run
# it, ../shared is missing, or --without-servers was given. JOBS: tests and compilers that run at once.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

presets=()
servers=1
tidy=0
for argument in "$@"; do
  case $argument in
    --release | --asan | --tsan | --threads) presets+=("${argument#--}") ;;
    --tidy) tidy=1 ;;
    --all) presets=(release asan tsan) tidy=1 ;;
    --without-servers) servers=0 ;;
    *)
      sed -n '2,15s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
      exit 2
      ;;
  esac
done
if [[ ${#presets[@]} -eq 0 && $tidy -eq 0 ]]; then presets=(release asan); fi

# The end-to-end tests, which use the servers, are part of Release only.
if [[ " ${presets[*]} " != *" release "* ]]; then servers=0; fi

echo "test: installs what is missing of the Debian packages that build and tests need (scripts/setup.sh --list build test)"
if [[ $servers -eq 1 ]]; then
  echo "test: and the servers that tests start in folders of their own: MariaDB, PostgreSQL, and a Java server for MongoDB's protocol,"
  echo "test: with a JDK, Maven and npm where this machine has none; Chromium with Chinese fonts, which opens the pages; and systemd and strace,"
  echo "test: which judge the unit of the server and are not started"
  echo "test: (scripts/setup.sh --list servers). --without-servers does without."
  echo "test: downloads DuckDB's library (70 MB) and that Java server (20 MB) into ${XDG_CACHE_HOME:-$HOME/.cache}/neardup,"
  echo "test: and packages from PyPI: what end-to-end tests import (50 MB) into build/release/tests/python, and what the tests of the Python"
  echo "test: package import, such as pandas, Polars, PyArrow and datasets (850 MB unpacked), into build/release/python/tests, and PySpark with"
  echo "test: the jars of Spark (900 MB unpacked), into build/release/python/spark-tests"
fi
echo "test: then builds and tests ${presets[*]}: about 25 minutes on 2 cores; this machine has $(nproc)"

checks=()
check() { # NAME COMMAND...
  local outcome=passed
  "${@:2}" || outcome=failed
  checks+=(--check "$1=$outcome")
}
allowed=(--allow user --allow machine)
groups=(build test)
if [[ $servers -eq 1 ]]; then
  groups+=(servers)
else
  export NEARDUP_WITHOUT_SERVERS=1
  allowed+=(--allow servers)
fi
if ! scripts/setup.sh "${groups[@]}"; then
  if [[ $servers -eq 1 ]]; then echo "test: scripts/test.sh --without-servers needs no servers" >&2; fi
  exit 1
fi
if [[ $servers -eq 1 ]]; then check "DuckDB's library" scripts/get_duckdb.sh; fi
if [[ ! -d ../shared/data ]]; then
  echo "note: there is no ../shared/data; the tests that compare with its text sets are skipped"
  allowed+=(--allow shared)
fi
check formatting scripts/format.sh --check
if [[ $tidy -eq 1 ]]; then check clang-tidy scripts/tidy.sh --changed; fi

output_bytes=10000000
reports=()
for preset in "${presets[@]}"; do
  echo "== build $preset"
  if ! scripts/build.sh "$preset"; then
    checks+=(--check "build $preset=failed")
    continue
  fi
  echo "== test $preset"
  report=$root/build/$preset/tests.xml
  rm -f "$report"
  # Which tests failed is read from the report; a missing report counts as a failure. By default it has 1 KiB of the output of a test that
  # passed, which hides what a Python file skipped.
  ctest --preset "$preset" --parallel "${JOBS:-$(nproc)}" --output-junit "$report" --progress \
    --test-output-size-passed "$output_bytes" --test-output-size-failed "$output_bytes" || true
  reports+=("$report")
done

python3 -B scripts/count_tests.py "${allowed[@]}" "${checks[@]}" "${reports[@]}"
