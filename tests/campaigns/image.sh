#!/usr/bin/env bash
# Does what `docker build` and `docker run` would do with packaging/Dockerfile, without Docker: makes a root for each stage with debootstrap,
# runs the RUN steps there as written, then the ENTRYPOINT as the image's user, and asks the HEALTHCHECK. Network, limits and layers are not
# Docker's. Needs root, debootstrap, 3 GB of disk, and about 15 minutes of CPU time.
#
#   tests/campaigns/image.sh [--again] FOLDER      FOLDER: one that does not exist yet; it is kept
#   --again   FOLDER is one of an earlier run: keeps what was installed and built, and runs all steps again
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage() {
  sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
again=0 folder=''
for argument in "$@"; do
  case $argument in
    --again) again=1 ;;
    -*) usage ;;
    *) folder=$argument ;;
  esac
done
[[ -n $folder ]] || usage
# shellcheck source=tests/campaigns/debian_root.sh
. "$project/tests/campaigns/debian_root.sh"
say() { echo "image: $(date +%H:%M:%S) $*"; }
fail() {
  say "FAILED: $*"
  exit 1
}

# Steps of the stage NUMBER, one a line: NAME, a tab, the rest.
steps() {
  python3 - "$project/packaging/Dockerfile" "$1" <<'END'
import sys
lines = "".join(line for line in open(sys.argv[1], encoding="utf-8") if not line.lstrip().startswith("#")).replace("\\\n", "").splitlines()
stage = -1
for line in filter(str.strip, lines):
    name, rest = line.split(None, 1)
    stage += name == "FROM"
    if stage == int(sys.argv[2]):
        print(name, rest, sep="\t")
END
}
# The words of a step that has them as JSON, each ended by a null byte.
words() { steps 1 | python3 -c 'import json, re, sys
[text] = [re.sub(r"^\S+\t[^[]*", "", line) for line in sys.stdin if line.startswith(sys.argv[1] + "\t")]
sys.stdout.write("".join(word + "\0" for word in json.loads(text)))' "$1"; }
# The steps of a stage that make files. COPY is done before: the sources are in /source.
run_steps() { # NUMBER FOLDER
  local name rest started number=0
  while IFS=$'\t' read -r -u 4 name rest; do
    if [[ $name != RUN ]]; then continue; fi
    rest=${rest#--mount=* }
    number=$((number + 1))
    say "RUN ${rest:0:100}"
    started=$SECONDS
    inside DEBIAN_FRONTEND=noninteractive sh -c "cd '$2' && $rest" >"$root/run-$number.log" 2>&1 </dev/null ||
      { tail -n 40 "$root/run-$number.log"; fail "the step; its log is $root/run-$number.log"; }
    say "after $((SECONDS - started)) s"
  done 4< <(steps "$1")
}

root=$folder/build
check_root
mkdir -p "$folder"
make_root
mkdir -p "$root/source"
find "$root/source" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} + # an earlier run's, but for what it compiled
# What .dockerignore lets through: its lines are folders and files of the root, or what is nowhere.
mapfile -t names < <(sed -n 's/^!//p' "$project/.dockerignore")
mapfile -t hidden < <(sed -n 's|^\*\*/|--exclude=|p' "$project/.dockerignore")
tar -C "$project" "${hidden[@]}" -cf - "${names[@]}" | tar -C "$root/source" -xf -
run_steps 0 /source

root=$folder/image
if [[ ! -d $root ]]; then again=0; fi # the earlier run did not come that far
make_root
bind "$folder/build/packages" /packages read-only
run_steps 1 /
umount "$root/packages"
unset "mounted[-1]"

user=$(steps 1 | sed -n 's/^USER\t//p')
mapfile -d '' -t entry < <(words ENTRYPOINT)
mapfile -d '' -t health < <(words HEALTHCHECK)
as_user() { # as exec, so that the process is the program
  exec chroot --userspec="$user" "$root" /usr/bin/env -i HOME=/ PATH=/usr/local/bin:/usr/bin:/bin "$@"
}
say "without a key: ${entry[*]}"
rm -rf "$root/data/"*
if (as_user "${entry[@]}") >"$folder/refused.log" 2>&1; then fail "it runs without keys"; fi
grep -q -e --new-key "$folder/refused.log" || fail "it does not say how to make a key: $(cat "$folder/refused.log")"
(as_user "${entry[@]}" --new-key admin:test) >"$folder/key" || fail "--new-key"
say "with a key"
(as_user "${entry[@]}") >"$folder/served.log" 2>&1 &
server=$!
healthy=0
for ((tries = 0; tries < 50 && healthy == 0; ++tries)); do
  sleep 0.2
  if (as_user "${health[@]}") >"$folder/health.log" 2>&1; then healthy=1; fi
done
kill -s "$(steps 1 | sed -n 's/^STOPSIGNAL\t//p')" "$server"
code=0
wait "$server" || code=$?
cat "$folder/served.log"
[[ $healthy -eq 1 ]] || fail "it is not healthy: $(cat "$folder/health.log")"
[[ $code -eq 0 ]] || fail "exit code $code after the signal"
[[ -d $root/data/stores ]] || fail "no stores in the volume"
if [[ -n $(find "$root/data" ! -uid "${user%:*}" -print -quit) ]]; then fail "a file in the volume is not the user's"; fi
say "$(du -sh --exclude=proc --exclude=dev --exclude=data "$root" 2>/dev/null | cut -f 1) in the root of the image"
say "passed"
