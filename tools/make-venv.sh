#!/usr/bin/env bash
# Makes a virtual environment with pinned Python packages. Called by the Makefile and by other tools.
#
#   tools/make-venv.sh FOLDER PYTHON PACKAGE...   PYTHON "any": the best one of this machine
#
# The packages' versions come from constraints.txt. Run again it only installs what is missing, and
# needs no network when nothing is. FOLDER/complete then says that all is there.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'make-venv: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

folder=$1 python=$2
shift 2

make_environment() {
  [[ $python != any ]] || read -r python < <(tools/find-pythons.sh) ||
    fail "no Python 3.11 to 3.13 with the venv module found"
  say "making $folder with $("$python" --version) ($python)"
  "$python" -m venv --clear "$folder" || fail "could not make the virtual environment $folder"
}

has_torch() { compgen -G "$folder/lib/python*/site-packages/torch" >/dev/null; }

# PyTorch is most of the download, and its size hangs on where pip finds it.
say_size() {
  [[ " $* " == *" torch "* ]] || return 0
  has_torch && return 0
  say "to download: 130 MB of packages, and PyTorch: 190 MB for a CPU build, 2.7 GB for the CUDA"
  say "build that PyPI serves on x86-64. PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS can name a place with"
  say "CPU builds."
}

"$folder/bin/python" -c '' 2>/dev/null || make_environment
say_size "$@"
# Only the lines that show progress; errors go to stderr and are all shown.
"$folder/bin/python" -m pip install --disable-pip-version-check --constraint constraints.txt "$@" |
  { grep --line-buffered -E '^ *(Downloading|Installing) ' | grep --line-buffered -v metadata || true; } ||
  fail "pip could not install the packages; its message is above. Run make again to go on"
if [[ " $* " == *" torch "* ]]; then
  "$folder/bin/python" -c 'import numpy, sklearn, torch' ||
    fail "PyTorch is installed but cannot be imported; delete $folder and run make again"
fi
touch "$folder/complete"
say "$folder is complete: $("$folder/bin/python" --version)"
