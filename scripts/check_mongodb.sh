#!/usr/bin/env bash
# Runs the tests of MongoDB against a server of yours, so that you need not believe ours:
#
#   scripts/check_mongodb.sh 'mongodb://user:password@host:27017/?authSource=admin'
#
# The tests make a database named neardup_test_ and random digits, and drop it at the end; they touch no other. The user must be allowed
# to do that. Tests that kill their server are skipped. Needs the program: NEARDUP_BIN, or build/release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ $# -ne 1 || $1 != mongodb* ]]; then
  echo "usage: scripts/check_mongodb.sh mongodb://HOST[:PORT][/?OPTIONS]" >&2
  exit 2
fi
export NEARDUP_MONGODB_URI=$1
export NEARDUP_BIN=${NEARDUP_BIN:-$root/build/release/apps/cli/neardup}
if [[ ! -x $NEARDUP_BIN ]]; then
  echo "check_mongodb: '$NEARDUP_BIN' is not a program: run scripts/build.sh, or name it by NEARDUP_BIN" >&2
  exit 2
fi
python=$("$root/scripts/test_python.sh")
cd "$root/tests/cli"
exec "$python" -B -m unittest -v test_mongodb test_mongodb_pages
