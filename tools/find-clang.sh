#!/usr/bin/env bash
# Prints the Clang to use: version 14 where it is there, the oldest that must work, else the default.
#
#   tools/find-clang.sh clang-tidy   the name of that program
#   tools/find-clang.sh --cmake      as arguments for cmake
set -euo pipefail

find_program() {
  command -v "$1-14" || command -v "$1" || {
    printf 'find-clang: no %s; run: tools/install-packages.sh --checks\n' "$1" >&2
    return 1
  }
}

if [[ $1 == --cmake ]]; then
  printf -- '-DCMAKE_C_COMPILER=%s -DCMAKE_CXX_COMPILER=%s\n' \
    "$(find_program clang)" "$(find_program clang++)"
else
  find_program "$1"
fi
