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
#
# How this machine reaches package registries (apt sources, proxies, certificates, settings of pip, npm and Maven) is copied into the root;
# nothing else is: no package, no cache, no variable.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage() {
  sed -n '2,15s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
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
if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
  echo "fresh_machine: needs root and debootstrap" >&2
  exit 2
fi
if grep -qF " $(realpath -m "$root")/" /proc/mounts; then
  echo "fresh_machine: something is mounted below '$root': another run, or one that was killed; unmount it first" >&2
  exit 2
fi
if [[ $again -eq 0 && -e $root ]]; then
  echo "fresh_machine: '$root' already exists; --again uses it" >&2
  exit 2
fi

# The names and values that lead programs to package registries.
network_environment() {
  local name
  for name in {http,https,no}_proxy {HTTP,HTTPS,NO}_PROXY PIP_{INDEX_URL,EXTRA_INDEX_URL,TRUSTED_HOST,CERT,DEFAULT_TIMEOUT} \
    npm_config_{registry,cafile} SSL_CERT_{FILE,DIR} {REQUESTS,CURL}_CA_BUNDLE NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO; do
    if [[ -n ${!name:-} ]]; then echo "$name=${!name}"; fi
  done
}

copy_network_settings() {
  local file target
  mkdir -p "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d" "$root/usr/local/share/ca-certificates" "$root/usr/share/keyrings"
  rm -f "$root/etc/apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
    if [[ -f $file ]]; then cp "$file" "$root$file"; fi
  done
  # Of apt's settings only those about fetching: others call programs that the root does not have.
  grep -hsE '^Acquire::' /etc/apt/apt.conf /etc/apt/apt.conf.d/* >"$root/etc/apt/apt.conf.d/90network" || true
  cp -n /usr/share/keyrings/*.gpg "$root/usr/share/keyrings/" 2>/dev/null || true
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  for file in /etc/pip.conf /etc/npmrc "${HOME:-/root}/.m2/settings.xml"; do
    if [[ ! -f $file ]]; then continue; fi
    target=$root/etc/$(basename "$file")
    if [[ $file == *settings.xml ]]; then
      mkdir -p "$root/root/.m2"
      target=$root/root/.m2/settings.xml
    fi
    cp "$file" "$target"
  done
  # Certificates that this machine trusts beyond Debian's: ca-certificates, when it is installed, adds them for every program.
  if [[ -f /etc/ssl/certs/ca-certificates.crt ]]; then
    csplit -s -z -f "$root/usr/local/share/ca-certificates/host-" -b '%03d.crt' /etc/ssl/certs/ca-certificates.crt \
      '/-----BEGIN CERTIFICATE-----/' '{*}'
  fi
}

mounted=()
unmount() {
  local at
  for ((at = ${#mounted[@]} - 1; at >= 0; --at)); do umount -l "${mounted[at]}" || true; done
}
trap unmount EXIT
bind() { # FROM TO [read-only]
  mkdir -p "$root$2"
  mount --bind "$1" "$root$2"
  mounted+=("$root$2")
  if [[ ${3:-} == read-only ]]; then mount -o remount,bind,ro "$root$2"; fi
}

mapfile -t environment < <(network_environment)
inside() { # [NAME=VALUE...] COMMAND..., in an environment of nothing else but the network's
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    "${environment[@]}" "$@"
}

# The blocks of README.md marked `sh WORD`, one after the other.
blocks() {
  awk -v fence="\`\`\`sh $1" '$0 == fence {inside = 1; next} /^```/ {inside = 0} inside' "$project/README.md"
}

say() { echo "fresh_machine: $(date +%H:%M:%S) $*"; }

if [[ $again -eq 0 ]]; then
  say "debootstrap into $root"
  debootstrap --variant=minbase bookworm "$root" >"$root.debootstrap.log" 2>&1 || { cat "$root.debootstrap.log"; exit 1; }
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
fi
copy_network_settings
mount -t proc proc "$root/proc" && mounted+=("$root/proc")
bind /dev /dev
bind /dev/pts /dev/pts
mount -t tmpfs tmpfs "$root/dev/shm" && mounted+=("$root/dev/shm")
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
