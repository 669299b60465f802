#!/usr/bin/env bash
# Runs clang-tidy 16 over the sources, or over the given files: scripts/tidy.sh [FILE...]
#
# Uses the compile commands of build/release and configures it if need be. Any finding fails the run.
set -euo pipefail
start=$PWD
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

scripts/setup.sh build lint
if [[ ! -f build/release/compile_commands.json ]]; then cmake --preset release >/dev/null; fi
if [[ $# -gt 0 ]]; then
  cd "$start"
  realpath -z -- "$@"
else
  find "$root/src" "$root/apps" -name '*.cc' -print0 | sort -z
fi | xargs -0 -r -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-16 --quiet -p "$root/build/release"
