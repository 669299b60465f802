#!/usr/bin/env bash
# Runs clang-tidy 16 over all sources, over the given files, or over those that changed since a commit. Any finding fails the run.
#
#   scripts/tidy.sh [FILE...]
#   scripts/tidy.sh --changed [COMMIT]   default: the parent of the last commit; checks nothing where the history does not reach that far
#
# Configures build/tidy for the compile commands: clang cannot read the precompiled headers of another compiler.
set -euo pipefail
start=$PWD
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

scripts/setup.sh build lint
cmake --preset tidy >/dev/null

list() {
  if [[ ${1:-} == --changed ]]; then
    local base=${2:-HEAD^}
    if ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
      echo "tidy: there is no commit $base here: nothing is checked" >&2
      return
    fi
    git diff -z --name-only --diff-filter=d "$base" -- 'src/*.cc' 'apps/*.cc'
  elif [[ $# -gt 0 ]]; then
    (cd "$start" && realpath -z -- "$@")
  else
    find src apps -name '*.cc' -print0 | sort -z
  fi
}
# How many warnings it suppressed in the headers of others is of no interest.
list "$@" | xargs -0 -r -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-16 --quiet -p build/tidy 2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
