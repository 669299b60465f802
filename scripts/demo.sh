#!/usr/bin/env bash
# Shows neardup on text that is on every Debian machine: the paragraphs of the licences in /usr/share/common-licenses and of the copyright
# files of packages, which copy them from each other with small changes. Installs what the build needs (not what tests need), builds the
# program, its library and the dictionary of Chinese words, and leaves its results in build/demo. Afterwards `cmake --install build/release`
# works.
#
# `scripts/demo.sh chinese` is another demo: scripts/demo_chinese.sh.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
case ${1:-} in
  "") ;;
  chinese) exec scripts/demo_chinese.sh ;;
  *)
    echo "usage: scripts/demo.sh [chinese]" >&2
    exit 2
    ;;
esac

out=build/demo
scripts/build_program.sh
rm -rf "$out"
mkdir -p "$out"
echo "== $(scripts/licence_paragraphs.py "$out/paragraphs")"
command=(neardup dedup "$out/paragraphs" -o "$out/kept.jsonl" --verdicts "$out/verdicts.jsonl" --report "$out/report.html")
printf '$ %s\n\n' "${command[*]}"
PATH=$root/build/release/apps/cli:$PATH "${command[@]}"
echo
python3 -B scripts/show_clusters.py "$out/verdicts.jsonl"
echo
echo "The results are in $out: kept.jsonl, verdicts.jsonl. To see them all, open $out/report.html in a browser."
