#!/usr/bin/env bash
# Sets up and builds the product without its tests: all that `cmake --install build/release` copies. Says beforehand what that takes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

echo "build_program: 1. installs the packages that the build needs, if any are missing (scripts/setup.sh --list build: \
$(scripts/setup.sh --list build | wc -l) packages; about a minute)"
echo "build_program: 2. downloads the sources of lexbor, an HTML parser (2 MB), and of uPlot, which draws charts (50 KB), by pip, into \
${XDG_CACHE_HOME:-$HOME/.cache}/neardup"
echo "build_program: 3. compiles into build/release: about 2 minutes on 2 idle cores; this machine has $(nproc)"
scripts/setup.sh build
echo "== build"
scripts/build.sh --without-tests release neardup_product
