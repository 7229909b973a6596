#!/usr/bin/env bash
# Runs every fuzz target for a while, from its seeds, and fails on the first crash.
#
#   tools/fuzz-smoke.sh BUILD_FOLDER SECONDS
#
# A target is a program <name>_fuzz in BUILD_FOLDER. Its seeds are what a program <prefix>_seeds writes,
# for names that begin with the prefix. What a target learns stays in BUILD_FOLDER, and so does the
# input that made it crash, whose name it prints.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 seconds=$2

mapfile -t targets < <(find "$build" -name '*_fuzz' -type f -executable | sort)
if [[ ${#targets[@]} -eq 0 ]]; then
  printf 'fuzz: no target in %s\n' "$build" >&2
  exit 1
fi

while read -r maker; do
  seeds=$build/seeds/$(basename "$maker" _seeds)
  mkdir -p "$seeds"
  "$maker" "$seeds"
done < <(find "$build" -name '*_seeds' -type f -executable)

for target in "${targets[@]}"; do
  name=$(basename "$target" _fuzz)
  learned=$build/learned/$name
  mkdir -p "$learned"
  folders=("$learned")
  for seeds in "$build"/seeds/*; do
    [[ -d $seeds && $name == "$(basename "$seeds")"* ]] && folders+=("$seeds")
  done
  printf 'fuzz: %s for %s s\n' "$name" "$seconds"
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="$build/crash-$name-" "${folders[@]}"
done
