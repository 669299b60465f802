#!/usr/bin/env bash
# Proves the packages of scripts/package.sh on an empty Debian 12: makes a root with debootstrap (minbase), runs the archive there, installs
# the program by apt-get, times it from there to the first result (at most 20 s), runs the commands of README.md that use the program, lets
# `neardup serve` of neardup-server answer, builds README's C++ example with neardup-dev, and purges all, after which no file may be left.
# Needs root, debootstrap and 1.5 GB of disk.
#
#   tests/campaigns/packages.sh [--again] ROOT      ROOT: a folder that does not exist yet; it is kept
#   --again   ROOT is one of an earlier run
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage() {
  sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
again=0 root=''
for argument in "$@"; do
  case $argument in
    --again) again=1 ;;
    -*) usage ;;
    *) root=$argument ;;
  esac
done
[[ -n $root ]] || usage
# shellcheck source=tests/campaigns/debian_root.sh
. "$project/tests/campaigns/debian_root.sh"
say() { echo "packages: $(date +%H:%M:%S) $*"; }
fail() {
  say "FAILED: $*"
  exit 1
}
check_root
"$project/scripts/package.sh"
make_root
rm -rf "$root/work"
mkdir -p "$root/work/tour"
cp "$project"/build/packages/*.deb "$root/work"
archive=$(basename "$project"/build/packages/neardup-*.tar.zst)
tar --zstd -xf "$project/build/packages/$archive" -C "$root/work"

# The blocks of README.md marked WORD that need no clone.
blocks() {
  python3 - "$project/README.md" "$1" <<'END'
import re, sys
blocks = re.findall(rf"^```{re.escape(sys.argv[2])}\n(.*?)^```", open(sys.argv[1], encoding="utf-8").read(), re.MULTILINE | re.DOTALL)
print("".join(block for block in blocks if not re.search(r"cmake|scripts/|apt-get|build/", block)))
END
}
blocks "sh test" >"$root/work/tour.sh"
blocks "cpp test" >"$root/work/example.cc"
tour() { # NAME=VALUE...
  rm -rf "$root/work/tour"
  mkdir "$root/work/tour"
  inside HOME=/work/tour "$@" bash -euo pipefail -c 'cd /work/tour && . /work/tour.sh' >"$root/work/tour.log" 2>&1 </dev/null ||
    { tail -n 20 "$root/work/tour.log"; fail "the commands of README.md; the log is $root/work/tour.log"; }
}
# All files but those of apt, dpkg, logs and caches, which any installation changes.
files() {
  (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./work -o -path ./tmp -o -path ./var/cache -o -path ./var/lib/apt \
    -o -path ./var/lib/dpkg -o -path ./var/log \) -prune -o -print | sort)
}
apt() {
  inside DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$root/work/apt.log" 2>&1 ||
    { tail -n 20 "$root/work/apt.log"; fail "apt-get $*"; }
}
compiled() { # NAME: compiles NAME.cc with neardup-dev and runs it
  # shellcheck disable=SC2016  # expanded inside
  inside bash -euo pipefail -c 'cd /work && g++ -std=c++20 $0.cc -o $0 $(pkg-config --cflags --libs --static neardup) && ./$0' "$1" \
    >"$root/work/$1.log" 2>&1 || { cat "$root/work/$1.log"; fail "the program $1.cc"; }
}

say "the archive, with nothing installed"
tour PATH="/work/${archive%.tar.zst}/bin:/usr/bin:/bin"
say "apt-get update"
apt update
inside dpkg --purge neardup-server neardup neardup-dev >/dev/null 2>&1 # of an earlier run
apt autoremove --purge
files >"$root/work/before"
say "apt-get install neardup, with what it depends on and recommends"
started=$(date +%s%N)
apt install "/work/$(basename "$project"/build/packages/neardup_*.deb)"
installed=$(date +%s%N)
printf '{"text": "one two three four five six"}\n{"text": "One, two, three, four, five, six!"}\n' >"$root/work/first.jsonl"
inside neardup dedup /work/first.jsonl -o /work/kept.jsonl 2>"$root/work/first.log"
ended=$(date +%s%N)
milliseconds=$(((ended - started) / 1000000))
say "first result after $milliseconds ms, $(((ended - installed) / 1000000)) ms of them in neardup"
grep -E '^Need to get' "$root/work/apt.log" || true
grep -q 'kept 1 + removed 1' "$root/work/first.log" || fail "the first result: $(cat "$root/work/first.log")"
say "the commands of README.md"
tour PATH=/usr/bin:/bin
say "neardup-server"
apt install --no-install-recommends "/work/$(basename "$project"/build/packages/neardup-server_*.deb)"
# shellcheck disable=SC2016  # expanded inside
inside bash -euo pipefail -c '
  cd /work && rm -rf keys stores served.log
  neardup serve --keys keys --new-key admin:test >/dev/null
  neardup serve --data stores --keys keys --listen 127.0.0.1:18099 2>served.log &
  for ((tries = 0; tries < 100; ++tries)); do
    if grep -q listening served.log; then break; fi
    sleep 0.1
  done
  exec 3<>/dev/tcp/127.0.0.1/18099
  printf "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" >&3
  read -r _ status _ <&3
  [[ $status == 200 ]]
  kill %1
  wait %1' >"$root/work/server.log" 2>&1 || { cat "$root/work/server.log" "$root/work/served.log"; fail "neardup serve"; }
say "neardup-dev and the example"
apt install --no-install-recommends g++ "/work/$(basename "$project"/build/packages/neardup-dev_*.deb)"
cat >"$root/work/words.cc" <<'END'
#include <neardup/jieba.h>
#include <cstdio>
int main() { std::puts(neardup::jieba_dictionary_info("").path.c_str()); }
END
compiled words
grep -qx /usr/share/neardup/jieba.dict "$root/work/words.log" || fail "the library found no dictionary: $(cat "$root/work/words.log")"
compiled example
say "purge"
apt purge neardup-server neardup neardup-dev g++
apt autoremove --purge
files >"$root/work/after"
if left=$(comm -13 "$root/work/before" "$root/work/after" | grep .); then fail "left behind: $left"; fi
if [[ $milliseconds -gt 20000 ]]; then fail "more than 20 s from the installation to the first result"; fi
say "passed"
