#!/usr/bin/env bash
# The second demo, `scripts/demo.sh chinese`: the Chinese help pages of LibreOffice. Cleans them, removes near-duplicates with the recipe that
# docs/chinese.md recommends and with the recipe that is copied everywhere, and shows what each removed. Leaves its results in
# build/demo-chinese.
#
# The pages are those of the installed package libreoffice-help-zh-cn. Without it the package is downloaded and unpacked, not installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

package=libreoffice-help-zh-cn
folder=usr/share/libreoffice/help/zh-CN/text
few=1000
out=build/demo-chinese
pages=/$folder

count() { { find "$1" -name '*.html' 2>/dev/null || true; } | wc -l; }

scripts/build_program.sh
export NEARDUP_BIN=$root/build/release/apps/cli/neardup
rm -rf "$out"
mkdir -p "$out"

if [[ $(count "$pages") -lt $few ]]; then
  echo "demo: this machine has $(count "$pages") pages in $pages; downloading the package $package"
  if ! (cd "$out" && apt-get download -q "$package" >/dev/null 2>&1); then
    echo "demo: 'apt-get download $package' failed; as root, 'apt-get update' may help" >&2
    exit 1
  fi
  for file in "$out/$package"_*.deb; do dpkg-deb -x "$file" "$out/package"; done
  rm "$out/$package"_*.deb
  pages=$out/package/$folder
fi
found=$(count "$pages")
if [[ $found -eq 0 ]]; then
  echo "demo: there is no page in $pages" >&2
  exit 1
fi
if [[ $found -lt $few ]]; then echo "demo: only $found pages, so there is little to find"; fi

# Markers drop the text before and after the article on every page.
frame='"html_v1",{"cut_before":"🔎︎"},{"cut_after":"Help content debug info:"}'
"$NEARDUP_BIN" recipe chars-5 --json | sed "s/^{/{\"clean\":[$frame],/" >"$out/recommended.json"
# As it is copied: tags out by a regular expression, the 30 best keywords of jieba, the package simhash, distance 3.
"$NEARDUP_BIN" recipe python-simhash-keywords --json | sed 's/^{/{"clean":["tags_v1"],/; s/"top_k":200/"top_k":30/' >"$out/copied.json"

echo "== $found pages"
for name in recommended copied; do
  more=(--threshold 0.8)
  if [[ $name == copied ]]; then more=(--max-distance 3); fi
  printf '$ neardup dedup --format text %s \\\n' "$pages"
  printf '    --recipe %s/%s.json %s %s -o %s/kept-%s.jsonl --verdicts %s/%s.jsonl --report %s/%s.html\n\n' \
    "$out" "$name" "${more[@]}" "$out" "$name" "$out" "$name" "$out" "$name"
  "$NEARDUP_BIN" dedup --format text "$pages" --recipe "$out/$name.json" "${more[@]}" \
    -o "$out/kept-$name.jsonl" --verdicts "$out/$name.jsonl" --report "$out/$name.html"
  echo
done
python3 -B scripts/show_removed.py "$out/recommended.json" "$out/recommended.jsonl" "$out/copied.jsonl"
echo "The results are in $out; open recommended.html and copied.html there in a browser"
