#!/usr/bin/env bash
# Proves the commands of README.md on an empty Debian 12: makes a root with debootstrap (minbase), clones the committed state of this project
# into it and runs README there, in its order but for the tests, which come last: the blocks marked `sh setup` (what to install first, the
# demo, the tests) and those marked `sh test`. Of the tests it requires "0 failed". Needs root, debootstrap, 6 GB of disk, and about 40 minutes
# of CPU time.
#
#   tests/campaigns/fresh_machine.sh [OPTION...] ROOT      ROOT: a folder that does not exist yet; it is kept
#   --ccache DIR       a compiler cache of this machine; without it everything is compiled
#   --without-shared   hides ../shared, so that its tests are skipped
#   --demo-only        stops before the tests
#   --again            ROOT is one of an earlier run: clones into it again, but keeps installed packages
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage() {
  sed -n '2,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

ccache='' shared=$project/../shared demo_only=0 again=0 root=''
while [[ $# -gt 0 ]]; do
  case $1 in
    --ccache)
      ccache=${2:?--ccache needs a folder}
      shift
      ;;
    --without-shared) shared='' ;;
    --demo-only) demo_only=1 ;;
    --again) again=1 ;;
    -*) usage ;;
    *) root=$1 ;;
  esac
  shift
done
[[ -n $root ]] || usage
# shellcheck source=tests/campaigns/debian_root.sh
. "$project/tests/campaigns/debian_root.sh"
check_root

# The blocks of README.md marked `sh WORD`, one after the other.
blocks() {
  awk -v fence="\`\`\`sh $1" '$0 == fence {inside = 1; next} /^```/ {inside = 0} inside' "$project/README.md"
}

say() { echo "fresh_machine: $(date +%H:%M:%S) $*"; }

make_root
rm -rf "$root/work"
mkdir -p "$root/work"
if [[ -n $shared && -d $shared ]]; then bind "$(realpath "$shared")" /work/shared read-only; fi
say "a clone of $(git -C "$project" rev-parse --short HEAD)"
git -C "$project" bundle create -q "$root/work/neardup.bundle" HEAD

# Runs a line of README inside; the clone follows the lines that install what a clone needs.
run_line() {
  local line=$1 log started code=0 folder=/work/neardup last
  log=$root/work/$(tr -c 'a-z.\n' _ <<<"${line%% #*}" | cut -c 1-40).log
  say "\$ $line"
  started=$(date +%s)
  if [[ $line == *apt-get* ]]; then folder=/; fi
  if [[ $folder != / && ! -d $root/work/neardup ]]; then
    inside git clone -q /work/neardup.bundle /work/neardup
    if [[ -n $ccache ]]; then
      inside apt-get install -y -q --no-install-recommends ccache >/dev/null 2>&1
      bind "$(realpath "$ccache")" /var/cache/ccache
      environment+=(CCACHE_DIR=/var/cache/ccache CCACHE_BASEDIR=/work CCACHE_NOHASHDIR=1
        "CCACHE_SLOPPINESS=include_file_ctime,include_file_mtime,time_macros")
    fi
  fi
  inside sh -c "cd $folder && $line" >"$log" 2>&1 </dev/null || code=$?
  last=$(grep . "$log" | tail -n 1)
  say "exit code $code after $(($(date +%s) - started)) s: $last"
  if [[ $code -ne 0 ]] || { [[ $line == scripts/test.sh* ]] && [[ $last != *" 0 failed"* ]]; }; then
    tail -n 60 "$log"
    say "FAILED: $line; the whole log is $log"
    exit 1
  fi
}

say "README: $(blocks setup | grep -c .) lines of set-up"
blocks setup
tests=''
while read -r line; do
  if [[ -z $line ]]; then continue; fi
  if [[ $line == scripts/test.sh* ]]; then
    tests=$line
    continue
  fi
  run_line "$line"
done < <(blocks setup)

say "README: the blocks that use the program"
blocks test >"$root/work/blocks.sh"
mkdir "$root/work/home" # empty, whatever an earlier run left in the other
inside HOME=/work/home bash -euo pipefail -c 'cd /work/neardup && . /work/blocks.sh' >"$root/work/blocks.log" 2>&1 </dev/null || {
  tail -n 20 "$root/work/blocks.log"
  say "FAILED: the blocks of README; the log is $root/work/blocks.log"
  exit 1
}
if [[ $demo_only -eq 0 ]]; then run_line "$tests"; fi
say "passed"
