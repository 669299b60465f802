#!/usr/bin/env bash
# Sets up, builds and tests. The last line is the count of all runs together: "N passed, N failed, N skipped".
#
#   scripts/test.sh            Release: all tests and checks; then the unit tests under AddressSanitizer and UBSan
#   scripts/test.sh --release  only the first
#   scripts/test.sh --asan     only the second
#   scripts/test.sh --tsan     the unit tests under ThreadSanitizer
#   scripts/test.sh --all      all three
#
# Exit code 0 only if every build succeeded and no test failed. JOBS: tests and compilers that run at once.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

presets=()
for argument in "$@"; do
  case $argument in
    --release | --asan | --tsan) presets+=("${argument#--}") ;;
    --all) presets=(release asan tsan) ;;
    *)
      sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
      exit 2
      ;;
  esac
done
if [[ ${#presets[@]} -eq 0 ]]; then presets=(release asan); fi

scripts/setup.sh build test
# Servers and a library that tests of databases and tables talk to. Without them these tests say that they are skipped.
if ! scripts/setup.sh servers || ! scripts/get_duckdb.sh; then
  echo "note: not all servers are here; the tests that need the missing ones are skipped"
fi

if [[ ! -d ../shared/data ]]; then
  echo "note: there is no ../shared/data; the tests that compare with its text sets are skipped"
fi
if command -v clang-format-16 >/dev/null; then
  scripts/format.sh --check && format=passed || format=failed
else
  echo "note: clang-format-16 is not installed; the formatting check is skipped (scripts/setup.sh lint)"
  format=skipped
fi

checks=(--check "formatting=$format")
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
  # Which tests failed is read from the report; a missing report counts as a failure.
  ctest --preset "$preset" --parallel "${JOBS:-$(nproc)}" --output-junit "$report" --progress || true
  reports+=("$report")
done

python3 -B scripts/count_tests.py "${checks[@]}" "${reports[@]}"
