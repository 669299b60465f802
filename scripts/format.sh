#!/usr/bin/env bash
# Formats all C++ files with clang-format 16; --check only names the files that would change, and fails if there are any.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

mode=(-i)
case ${1:-} in
  "") ;;
  --check) mode=(--dry-run --Werror) ;;
  *)
    echo "usage: scripts/format.sh [--check]" >&2
    exit 2
    ;;
esac
if ! command -v clang-format-16 >/dev/null; then
  echo "format: clang-format-16 is not installed: scripts/setup.sh test" >&2
  exit 2
fi
find include src apps tests bench fuzz python -type f \( -name '*.h' -o -name '*.cc' \) -print0 | xargs -0 -r clang-format-16 "${mode[@]}"
