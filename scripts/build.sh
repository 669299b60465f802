#!/usr/bin/env bash
# Configures and builds a preset: scripts/build.sh [--without-tests] [release|debug|asan|tsan|threads|fuzz] [TARGET...]
#
# --without-tests leaves the tests out of a build directory that does not have them yet: it then needs only `scripts/setup.sh build`. The
# result is in build/PRESET; threads is tsan with only the tests of what threads share. JOBS sets the number of compilers that run at once
# (default: one per core). The sanitizers are built with clang 16 if it is installed and CXX is not set, because its checks are the stricter
# ones; ccache is used if it is installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

tests=ON
if [[ ${1:-} == --without-tests ]]; then
  tests=OFF
  shift
fi
preset=${1:-release}
if [[ $# -gt 0 ]]; then shift; fi
case $preset in
  release | debug | asan | tsan | threads | fuzz) ;;
  *)
    echo "usage: scripts/build.sh [--without-tests] [release|debug|asan|tsan|threads|fuzz] [TARGET...]" >&2
    exit 2
    ;;
esac

if [[ $preset =~ ^(asan|tsan|threads)$ && -z ${CXX:-} ]] && command -v clang++-16 >/dev/null; then export CXX=clang++-16; fi
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER:-ccache} CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
fi

options=()
if [[ $preset != fuzz ]] && ! { [[ $tests == OFF ]] && grep -qsx 'NEARDUP_TESTS:BOOL=ON' "build/$preset/CMakeCache.txt"; }; then
  options=("-DNEARDUP_TESTS=$tests")
  # The tests of Release include those of the Python package.
  if [[ $preset == release && $tests == ON && ${NEARDUP_WITHOUT_SERVERS:-} != 1 ]]; then options+=(-DNEARDUP_PYTHON=ON); fi
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --preset "$preset" "${options[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
rm -f "$log"
targets=()
if [[ $# -gt 0 ]]; then targets=(--target "$@"); fi
build=(cmake --build --preset "$preset" --parallel "${JOBS:-$(nproc)}" "${targets[@]}")
# On a terminal ninja overwrites one line; into a file it would write a line for each step.
if [[ -t 1 ]]; then exec "${build[@]}"; fi
seconds=$SECONDS
"${build[@]}" -- --quiet
echo "build: build/$preset is up to date, after $((SECONDS - seconds)) seconds"
