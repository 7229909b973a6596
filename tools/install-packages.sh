#!/usr/bin/env bash
# Installs the Debian packages that Latido is built with. Called by the Makefile, and by hand.
#
#   tools/install-packages.sh            what `make demo` and `make test` need
#   tools/install-packages.sh --checks   also what `make check-all` needs
#   tools/install-packages.sh --list     only prints what is missing; exits 1 when something is
#
# What is already there, from Debian or from elsewhere, is left alone; when nothing is missing nothing
# is downloaded and no root is needed. Debian 12 and 13.
set -euo pipefail

# package and how to see that it is there: command:NAME, header:FILE or python:MODULE.
build_packages="
g++                  command:g++
make                 command:make
cmake                command:cmake
ninja-build          command:ninja
ccache               command:ccache
git                  command:git
python3              command:python3
python3-venv         python:ensurepip
python3-dev          python-header:Python.h
libgtest-dev         header:gtest/gtest.h
libbenchmark-dev     header:benchmark/benchmark.h
libcli11-dev         header:CLI/CLI.hpp
libtomlplusplus-dev  header:toml++/toml.h
libprotozero-dev     header:protozero/pbf_reader.hpp
nlohmann-json3-dev   header:nlohmann/json.hpp
libzstd-dev          header:zstd.h
libdeflate-dev       header:libdeflate.h
libsqlite3-dev       header:sqlite3.h
libdw-dev            header:elfutils/libdw.h
"
check_packages="
clang                command:clang++
clang-tidy           command:clang-tidy
debootstrap          command:debootstrap
"

say() { printf 'install-packages: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

is_there() {
  local kind=${1%%:*} name=${1#*:}
  case $kind in
    command) command -v "$name" >/dev/null ;;
    header) g++ -E -x c++ -include "$name" /dev/null >/dev/null 2>&1 ;;
    python) python3 -c "import $name" 2>/dev/null ;;
    python-header)
      python3 -c "import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path('include'), '$name')))" 2>/dev/null
      ;;
  esac
}

missing_of() {
  local package probe
  while read -r package probe; do
    [[ -z $package ]] || is_there "$probe" || printf '%s\n' "$package"
  done <<<"$1"
}

# Runs apt-get as root. Says how it became root.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  else
    sudo "$@"
  fi
}

check_distribution() {
  command -v apt-get >/dev/null ||
    fail "this is not Debian (no apt-get). Install what these packages hold, then run make again: $*"
  local name version
  name=$(. /etc/os-release && printf '%s' "${PRETTY_NAME:-unknown}")
  version=$(. /etc/os-release && printf '%s' "${ID:-}-${VERSION_ID:-}")
  case $version in
    debian-12 | debian-13) ;;
    *) say "tried on Debian 12 and 13 only; this is $name. Going on with its package names." ;;
  esac
}

check_root() {
  if [[ $(id -u) -eq 0 ]]; then
    say "installing as root: $*"
  elif command -v sudo >/dev/null; then
    say "installing with sudo, which may ask for your password: $*"
  else
    fail "this needs root: you are not root and there is no sudo. Ask for: apt-get install $*"
  fi
}

# Bytes that apt would fetch for the packages, in MB.
download_mb() {
  apt-get install --yes --no-install-recommends --print-uris "$@" 2>/dev/null |
    awk '/^\x27/ { bytes += $3 } END { printf "%.0f", bytes / 1e6 }'
}

main() {
  local wanted=$build_packages list_only=false
  for argument in "$@"; do
    case $argument in
      --checks) wanted+=$check_packages ;;
      --list) list_only=true ;;
      *) fail "unknown argument: $argument" ;;
    esac
  done

  local missing
  mapfile -t missing < <(missing_of "$wanted")
  if [[ ${#missing[@]} -eq 0 ]]; then
    say "all there, nothing to install"
    return 0
  fi
  if $list_only; then
    printf '%s\n' "${missing[@]}"
    return 1
  fi

  check_distribution "${missing[@]}"
  check_root "${missing[@]}"
  as_root apt-get update -qq ||
    say "apt-get update failed (no network?): trying with the package lists that are here"
  say "to download: $(download_mb "${missing[@]}") MB"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends \
    "${missing[@]}" >&2 ||
    fail "apt-get could not install these packages; its message is above"

  mapfile -t missing < <(missing_of "$wanted")
  [[ ${#missing[@]} -eq 0 ]] || fail "installed, but still not found: ${missing[*]}"
  say "done"
}

main "$@"
