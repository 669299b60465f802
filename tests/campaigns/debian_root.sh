# shellcheck shell=bash disable=SC2154
# A root of Debian 12 that debootstrap made: sourced by the campaigns that need a machine with nothing on it. Expects `root`, its folder, and
# `say`, which prints a line.
#
# How this machine reaches package registries (apt sources, proxies, certificates, settings of pip, npm and Maven) is copied into the root;
# nothing else is: no package, no cache, no variable.

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

# Exits unless the root can be made; `again` is 1 if it may exist.
check_root() {
  local name
  name=$(basename "$0" .sh)
  if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
    echo "$name: needs root and debootstrap" >&2
    exit 2
  fi
  if grep -qF " $(realpath -m "$root")/" /proc/mounts; then
    echo "$name: something is mounted below '$root': another run, or one that was killed; unmount it first" >&2
    exit 2
  fi
  if [[ $again -eq 0 && -e $root ]]; then
    echo "$name: '$root' already exists; --again uses it" >&2
    exit 2
  fi
}

# Makes it, or takes the one of an earlier run if `again` is 1, and mounts what programs inside need.
make_root() {
  if [[ $again -eq 0 ]]; then
    say "debootstrap into $root"
    debootstrap --variant=minbase bookworm "$root" >"$root.debootstrap.log" 2>&1 || { cat "$root.debootstrap.log"; exit 1; }
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
  fi
  copy_network_settings
  mount -t proc proc "$root/proc"
  mounted+=("$root/proc")
  bind /dev /dev
  bind /dev/pts /dev/pts
  mount -t tmpfs tmpfs "$root/dev/shm"
  mounted+=("$root/dev/shm")
}
