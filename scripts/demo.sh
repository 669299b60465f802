#!/usr/bin/env bash
# Shows neardup on text that is on every Debian machine: the copyright files of the installed packages, many of which are nearly
# the same licence. Installs what the build needs (not what tests need), builds the program, its library and the dictionary of Chinese words,
# and leaves its results in build/demo. Afterwards `cmake --install build/release` works.
#
# On a machine with fewer than 200 of these files, those of some small packages are added; the packages are downloaded, not installed.
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

installed='/usr/share/doc/*/copyright'
few=200
out=build/demo
more_packages=(libice6 libsm6 libxau6 libxdmcp6 libxcomposite1 libxfixes3 libxres1 libxxf86dga1 libxcb1 libxcb-icccm4 libxcb-image0
  libxcb-keysyms1 libxcb-render-util0 libxcb-shape0 libxcb-shm0 libxcb-util1 libxcb-xfixes0 libxcb-xkb1 libxcb-randr0 zip unzip)

count() { { compgen -G "$1" || true; } | wc -l; }

# Writes build/demo/licences/PACKAGE/copyright for each of more_packages that is not installed.
add_licences() {
  local folder=$1 file package
  mkdir -p "$folder/packages"
  (cd "$folder/packages" && apt-get download -q "${more_packages[@]}" >/dev/null 2>&1) || return 1
  for file in "$folder"/packages/*.deb; do
    package=$(basename "$file" | cut -d_ -f1)
    if [[ -e /usr/share/doc/$package/copyright ]]; then continue; fi
    mkdir -p "$folder/$package"
    dpkg-deb --fsys-tarfile "$file" | tar -xO "./usr/share/doc/$package/copyright" >"$folder/$package/copyright"
  done
  rm -r "$folder/packages"
}

before=$(count "$installed")
scripts/build_program.sh
rm -rf "$out"
mkdir -p "$out"

found=$(count "$installed")
inputs=("$installed")
if [[ $before -lt $few ]]; then
  echo "demo: this machine had only $before copyright files"
  if [[ $found -gt $before ]]; then echo "demo: with those of the packages that the set-up installed they are $found"; fi
  if [[ $found -lt $few ]] && add_licences "$out/licences"; then
    inputs+=("$out/licences/*/copyright")
    more=$(count "$out/licences/*/copyright")
    found=$((found + more))
    echo "demo: with those of $more small packages, downloaded for this, they are $found"
  fi
fi
if [[ $found -eq 0 ]]; then
  echo "demo: there is no $installed on this machine" >&2
  exit 1
fi

echo "== $found copyright files"
printf '$ neardup dedup --format text'
printf " '%s'" "${inputs[@]}"
printf ' \\\n    -o %s/kept.jsonl --verdicts %s/verdicts.jsonl --summary %s/summary.json\n\n' "$out" "$out" "$out"
build/release/apps/cli/neardup dedup --format text "${inputs[@]}" \
  -o "$out/kept.jsonl" --verdicts "$out/verdicts.jsonl" --summary "$out/summary.json"
echo
python3 -B scripts/show_clusters.py "$out/verdicts.jsonl"
echo
echo "The results are in $out: kept.jsonl, verdicts.jsonl, summary.json"
