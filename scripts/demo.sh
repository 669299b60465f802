#!/usr/bin/env bash
# Shows neardup on text that is on every Debian machine: the copyright files of the installed packages, many of which are nearly
# the same licence. Sets up, builds, and leaves its results in build/demo.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

inputs='/usr/share/doc/*/copyright'
few=200
count_inputs() { { compgen -G "$inputs" || true; } | wc -l; }

found=$(count_inputs)
scripts/setup.sh build test
if [[ $found -lt $few ]]; then
  now=$(count_inputs)
  echo "demo: only $found copyright files were here before the set-up; with the licences of the packages that it installed there are $now"
  found=$now
fi
if [[ $found -eq 0 ]]; then
  echo "demo: there is no $inputs on this machine" >&2
  exit 1
fi

echo "== build"
scripts/build.sh release neardup_cli
neardup=$root/build/release/apps/cli/neardup
out=$root/build/demo
mkdir -p "$out"

echo "== $found copyright files"
command=(dedup --format text "$inputs" -o "$out/kept.jsonl" --verdicts "$out/verdicts.jsonl" --summary "$out/summary.json")
printf '$ neardup dedup --format text %s \\\n    -o kept.jsonl --verdicts verdicts.jsonl --summary summary.json\n\n' "'$inputs'"
"$neardup" "${command[@]}"
echo
python3 -B scripts/show_clusters.py "$out/verdicts.jsonl"
echo
echo "The results are in build/demo: kept.jsonl, verdicts.jsonl, summary.json"
