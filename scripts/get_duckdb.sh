#!/usr/bin/env bash
# Fetches DuckDB's C library (70 MB), which reads and writes Parquet, CSV and TSV, from the pinned npm package into the cache folder where
# neardup looks for it. Checks the hash of the package. Does nothing if it exists. Prints its path.
#
#   scripts/get_duckdb.sh [FOLDER]      default: ${XDG_CACHE_HOME:-~/.cache}/neardup/duckdb
#   neardup doctor --fetch-duckdb       the same: the program contains this script
set -euo pipefail

version=1.5.6-r.1
case $(uname -m) in
  x86_64)
    package=@duckdb/node-bindings-linux-x64
    integrity=sha512-IXcrZJE6kEqM0Z4wwdVnGBHX/frOS33VPNAwDXQ/Q+Fs84b058Qe94chrCCIcNJlG8Y3UHIUU4eBeCQxW5mN1Q==
    ;;
  *)
    echo "get_duckdb: no package is pinned for $(uname -m); build or install libduckdb.so and name it by NEARDUP_DUCKDB" >&2
    exit 1
    ;;
esac

folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/neardup/duckdb}
library=$folder/libduckdb.so
if [[ -f $library && $(cat "$folder/version" 2>/dev/null) == "$version" ]]; then
  echo "$library"
  exit 0
fi
if ! command -v npm >/dev/null; then
  echo "get_duckdb: npm is not installed (Debian: apt-get install npm); the library is in its package $package $version" >&2
  exit 1
fi

work=$(mktemp -d)
part=$folder/.libduckdb.so.$$
trap 'rm -rf "$work" "$part"' EXIT
if ! (cd "$work" && npm pack --silent "$package@$version") >"$work/name" 2>"$work/log"; then
  cat "$work/log" >&2
  echo "get_duckdb: npm could not fetch $package $version" >&2
  exit 1
fi
archive=$work/$(tail -n 1 "$work/name")
# By coreutils alone, as an installation may have no openssl.
expected=$(base64 -d <<<"${integrity#sha512-}" | od -An -v -tx1 | tr -d ' \n')
got=$(sha512sum <"$archive" | cut -d ' ' -f 1)
if [[ $got != "$expected" ]]; then
  echo "get_duckdb: $package $version has the SHA-512 $got, expected $expected" >&2
  exit 1
fi
tar -xzf "$archive" -C "$work" package/libduckdb.so
mkdir -p "$folder"
# By rename: a program that has the old one loaded keeps it.
mv "$work/package/libduckdb.so" "$part"
mv "$part" "$library"
echo "$version" >"$folder/version"
echo "$library"
