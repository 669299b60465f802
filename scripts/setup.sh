#!/usr/bin/env bash
# Installs what neardup is built with, from the packages of Debian 12.
#
#   scripts/setup.sh [GROUP...]      groups: build test servers bench lint fuzz; default: build test
#   scripts/setup.sh --list [GROUP...]  only prints the packages
#
# Does nothing when all are there. As root it installs the missing ones; otherwise it prints the line to run and exits with 2.
# NEARDUP_SKIP_SETUP=1 skips it, for machines whose libraries come from somewhere else.
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build python3 libicu-dev libzstd-dev zlib1g-dev libbz2-dev libsimdjson-dev libboost1.81-dev
    libboost-json1.81-dev libmongoc-dev libfmt-dev libxxhash-dev libstemmer-dev libre2-dev libcli11-dev python3-pip
    pkg-config libsqlite3-dev libpq-dev libmariadb-dev
    python3-jieba"
  [test]="libgtest-dev libgmock-dev librapidcheck-dev libgumbo-dev libssl-dev zstd snowball-data"
  [servers]="mariadb-server postgresql default-jdk-headless maven python3-pymongo npm"
  [bench]="libbenchmark-dev zstd"
  [lint]="clang-16 clang-format-16 clang-tidy-16 shellcheck"
  [fuzz]="clang-16 libclang-rt-16-dev llvm-16"
)

list_only=0
if [[ ${1:-} == --list ]]; then
  list_only=1
  shift
fi
if [[ $# -eq 0 ]]; then set -- build test; fi

wanted=()
for group in "$@"; do
  if [[ -z ${packages[$group]:-} ]]; then
    echo "setup: no group '$group'; groups are: build test bench lint fuzz" >&2
    exit 2
  fi
  read -r -d '' -a members <<<"${packages[$group]}" || true
  wanted+=("${members[@]}")
done

if [[ $list_only -eq 1 ]]; then
  printf '%s\n' "${wanted[@]}" | sort -u
  exit 0
fi
if [[ ${NEARDUP_SKIP_SETUP:-} == 1 ]]; then exit 0; fi
if ! grep -qsx VERSION_CODENAME=bookworm /etc/os-release || ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian 12. Install what matches these packages, then set NEARDUP_SKIP_SETUP=1:" >&2
  echo "  ${wanted[*]}" >&2
  exit 2
fi

missing=()
for package in "${wanted[@]}"; do
  # shellcheck disable=SC2016  # the format is dpkg's
  status=$(dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null || true)
  grep -qx installed <<<"$status" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then exit 0; fi

if [[ $(id -u) -ne 0 ]]; then
  echo "setup: packages are missing. Run this line, then start again:" >&2
  echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 2
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  cat "$log" >&2
  echo "setup: the packages could not be installed" >&2
  exit 1
fi
