#!/usr/bin/env bash
# Installs the packages of Debian 12 that neardup is built and tested with.
#
#   scripts/setup.sh [GROUP...]      groups: build test servers bench lint fuzz wheel; default: build test
#   scripts/setup.sh --list [GROUP...]     only prints the packages
#   scripts/setup.sh --missing [GROUP...]  only prints those that are not installed
#
# build is all that the programs need, but for the page of the server, which npm builds: without it the server has no page. test adds what the
# tests use; servers npm, the databases and the browser that some tests start, and the tools that judge the server's packages (systemd is not
# started); wheel is what `pip install .` needs with Debian's Python.
# Does nothing if all packages are installed. As root it installs the missing ones, after printing their names and sizes; if that fails,
# it installs each package on its own, so that one conflict does not cost the others, and names those that failed. Otherwise it prints the
# line to run and exits with 2. Services that a package brings along are not started.
# NEARDUP_SKIP_SETUP=1 skips everything, for machines whose libraries come from somewhere else.
set -euo pipefail

# PACKAGE:COMMAND is needed only if the machine has no COMMAND: a Node.js or Java from elsewhere often conflicts with Debian's.
declare -A packages=(
  [build]="g++ cmake ninja-build python3 libicu-dev libzstd-dev zlib1g-dev libbz2-dev libsimdjson-dev libboost1.81-dev
    libboost-json1.81-dev libmongoc-dev libfmt-dev libxxhash-dev libstemmer-dev libre2-dev libcli11-dev libtomlplusplus-dev python3-pip
    pkg-config libsqlite3-dev libpq-dev libmariadb-dev libssl-dev
    python3-jieba"
  [test]="libgtest-dev libgmock-dev librapidcheck-dev libgumbo-dev zstd snowball-data python3-venv python3-dev
    clang-16 libclang-rt-16-dev llvm-16 clang-format-16"
  [servers]="mariadb-server-core mariadb-client-core postgresql default-jdk-headless:javac maven:mvn npm:npm openssl
    chromium chromium-driver fonts-noto-cjk strace systemd"
  [bench]="libbenchmark-dev zstd"
  [lint]="clang-16 clang-format-16 clang-tidy-16 shellcheck"
  [fuzz]="clang-16 libclang-rt-16-dev llvm-16"
  [wheel]="g++ cmake ninja-build python3-dev python3-pip python3-venv icu-devtools binutils pkg-config libicu-dev libzstd-dev zlib1g-dev
    libbz2-dev libboost1.81-dev libboost-json1.81-dev libfmt-dev libxxhash-dev libstemmer-dev libre2-dev python3-jieba"
)

only=
if [[ ${1:-} == --list || ${1:-} == --missing ]]; then
  only=$1
  shift
fi
if [[ $# -eq 0 ]]; then set -- build test; fi

entries=()
for group in "$@"; do
  if [[ -z ${packages[$group]:-} ]]; then
    echo "setup: no group '$group'; groups are: build test servers bench lint fuzz wheel" >&2
    exit 2
  fi
  read -r -d '' -a members <<<"${packages[$group]}" || true
  entries+=("${members[@]}")
done
mapfile -t entries < <(printf '%s\n' "${entries[@]}" | sort -u)
wanted=("${entries[@]%%:*}")

if [[ $only == --list ]]; then
  printf '%s\n' "${wanted[@]}"
  exit 0
fi
if [[ ${NEARDUP_SKIP_SETUP:-} == 1 ]]; then exit 0; fi
if ! grep -qsx VERSION_CODENAME=bookworm /etc/os-release || ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian 12. Install the equivalents of these packages, then set NEARDUP_SKIP_SETUP=1:" >&2
  echo "  ${wanted[*]}" >&2
  exit 2
fi

installed() {
  local status
  # shellcheck disable=SC2016  # the format is dpkg's
  status=$(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null || true)
  grep -qx installed <<<"$status"
}

missing=()
for entry in "${entries[@]}"; do
  if installed "${entry%%:*}"; then continue; fi
  if [[ $entry == *:* ]] && command -v "${entry#*:}" >/dev/null; then continue; fi
  missing+=("${entry%%:*}")
done
if [[ ${#missing[@]} -eq 0 ]]; then exit 0; fi
if [[ $only == --missing ]]; then
  printf '%s\n' "${missing[@]}"
  exit 0
fi

if [[ $(id -u) -ne 0 ]]; then
  echo "setup: packages are missing. Run this line, then start again:" >&2
  echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 2
fi

export DEBIAN_FRONTEND=noninteractive LC_ALL=C
log=$(mktemp)
policy=/usr/sbin/policy-rc.d
own_policy=0
cleanup() {
  rm -f "$log"
  if [[ $own_policy -eq 1 ]]; then rm -f "$policy"; fi
}
trap cleanup EXIT

echo "setup: installing $* (${#missing[@]} packages of Debian): ${missing[*]}"
if ! apt-get update -q >"$log" 2>&1; then
  cat "$log" >&2
  echo "setup: 'apt-get update' failed" >&2
  exit 1
fi
apt-get install --assume-no --no-install-recommends "${missing[@]}" 2>/dev/null |
  sed -n -e 's/^[0-9]* upgraded, \([0-9]* newly installed\).*/setup: with dependencies \1/p' -e 's/^Need to get/setup: downloads/p' \
    -e 's/^After this operation, \(.*\) will be used\.$/setup: takes \1/p' || true

# invoke-rc.d and systemd ask this script before they start a service.
if [[ ! -e $policy ]]; then
  own_policy=1
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
# One sync at the end instead of one after each of 30,000 files, which takes minutes on some disks.
install() { apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "$@" >"$log" 2>&1 && sync; }
if install "${missing[@]}"; then exit 0; fi

echo "setup: the packages cannot be installed together; installing one after the other"
failed=()
for package in "${missing[@]}"; do
  if ! install "$package"; then
    failed+=("$package")
    grep -E '^( .*(Conflicts|Depends|Breaks):|E:|dpkg: error)' "$log" | sed "s/^ */setup: $package: /" >&2 || true
  fi
done
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "setup: ${#failed[@]} of ${#missing[@]} packages could not be installed: ${failed[*]}; the others are installed" >&2
  exit 1
fi
