#!/usr/bin/env bash
# Compiles each header under src/ by itself, so that none leans on what was included before it.
set -euo pipefail
cd "$(dirname "$0")/.."

compile_alone() {
  g++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Isrc -Isrc/capture/include \
    -Ibuild/release/generated -include "$1" -x c++ /dev/null
}
export -f compile_alone

find src -name '*.h' -print0 | sort -z | xargs -0 -P "$(nproc)" -I {} bash -c 'compile_alone {}'
printf 'headers: %d, each compiles by itself\n' "$(find src -name '*.h' | wc -l)"
