#!/usr/bin/env bash
# Makes the virtual environment that tests in Python run in, with the packages that a file of requirements pins, and prints the path of its
# interpreter. Does nothing if it is up to date. The python3 of the machine may be any, and is not changed.
#
#   scripts/test_python.sh [FOLDER [REQUIREMENTS]]   default: build/release/tests/python and tests/requirements.txt
#
# PYTHON names the interpreter to start from (python3).
#
# With NEARDUP_WITHOUT_SERVERS=1 packages that cannot be downloaded are left out with a warning; tests that use them are then skipped.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$root/build/release/tests/python}
base=${PYTHON:-python3}
requirements=$root/${2:-tests/requirements.txt}

# What the environment was made from: another interpreter or other pins make it again.
made_from="$("$base" -c 'import sys; print(sys.version, sys.prefix)') $(sha256sum <"$requirements")"
if [[ -x $folder/bin/python3 && $(cat "$folder/made-from" 2>/dev/null) == "$made_from" ]]; then
  echo "$folder/bin/python3"
  exit 0
fi

rm -rf "$folder"
if ! "$base" -m venv "$folder" >&2; then
  echo "test_python: '$base -m venv' failed (Debian: apt-get install python3-venv)" >&2
  exit 1
fi
options=(--prefer-binary)
if grep -q -- --hash= "$requirements"; then options=(--require-hashes --only-binary :all:); fi
if "$folder/bin/python3" -m pip install --quiet --disable-pip-version-check "${options[@]}" -r "$requirements" >&2; then
  echo "$made_from" >"$folder/made-from"
elif [[ ${NEARDUP_WITHOUT_SERVERS:-} == 1 ]]; then
  echo "test_python: warning: pip could not install $requirements; tests that need these packages are skipped" >&2
else
  echo "test_python: pip could not install $requirements; scripts/test.sh --without-servers does without" >&2
  exit 1
fi
echo "$folder/bin/python3"
