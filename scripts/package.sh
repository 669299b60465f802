#!/usr/bin/env bash
# Builds the program and packs it: scripts/package.sh [FOLDER]      default: build/packages
#
# Makes neardup_VERSION_amd64.deb, neardup-server_VERSION_amd64.deb, neardup-dev_VERSION_amd64.deb and
# neardup-VERSION-linux-x86_64.tar.zst (docs/install.md), and prints a line for each: size and path. Removes packages of earlier calls, of
# any version, from the folder. Needs Debian, whose dpkg knows the packages to depend on and the licences of what is bundled.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ ${1:-} == -* || $# -gt 1 ]]; then
  echo "usage: scripts/package.sh [FOLDER]" >&2
  exit 2
fi
folder=$(realpath -m "${1:-$root/build/packages}")
cd "$root"
for tool in cpack dpkg-query dpkg-shlibdeps file gzip; do
  if ! command -v "$tool" >/dev/null; then
    echo "package: $tool is not installed (Debian: apt-get install cmake dpkg-dev file gzip)" >&2
    exit 1
  fi
done

if ! command -v npm >/dev/null; then echo "package: npm is not installed (Debian: apt-get install npm): neardup-server will have no page" >&2; fi
scripts/build_program.sh
scripts/build.sh --without-tests release neardup_portable
mkdir -p "$folder"
rm -f "$folder"/neardup_*.deb "$folder"/neardup-*.deb "$folder"/neardup-*.tar.zst
# All files get the time of the commit, so that packing a build again makes the same packages.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]] && time=$(git log -1 --format=%ct 2>/dev/null); then export SOURCE_DATE_EPOCH=$time; fi
log=$(mktemp)
trap 'rm -rf "$log" "$folder/_CPack_Packages"' EXIT
if ! cpack --config build/release/CPackConfig.cmake -B "$folder" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
for file in "$folder"/neardup_*.deb "$folder"/neardup-*.deb "$folder"/neardup-*.tar.zst; do
  echo "package: $(du -h --apparent-size "$file" | cut -f 1) $(realpath --relative-base="$root" "$file")"
done
