#!/usr/bin/env bash
# Runs clang-tidy on every source file under src/ but the tests. A finding is an error.
#
#   tools/run-clang-tidy.sh BUILD_FOLDER     a folder with compile_commands.json
set -euo pipefail
cd "$(dirname "$0")/.."
tidy=$(tools/find-clang.sh clang-tidy)

# The compile commands are GCC's, which has warnings that Clang does not know.
find src -name '*.cc' ! -name '*_test.cc' -print0 | sort -z |
  xargs -0 -P "$(nproc)" -n 4 "$tidy" --quiet -p "$1" --extra-arg=-Wno-unknown-warning-option
