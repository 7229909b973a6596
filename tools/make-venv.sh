#!/usr/bin/env bash
# Makes .venv with the pinned Python packages of the demo and the tests. Called by the Makefile.
#
#   tools/make-venv.sh FOLDER PACKAGE...     the packages' versions come from constraints.txt
#
# Run again it only installs what is missing, and needs no network when nothing is.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'make-venv: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

folder=$1
shift

make_environment() {
  local python
  read -r python < <(tools/find-pythons.sh) || true
  [[ -n $python ]] || fail "no Python 3.11 to 3.13 with the venv module found"
  say "making $folder with $("$python" --version) ($python)"
  "$python" -m venv --clear "$folder" || fail "could not make the virtual environment $folder"
}

# PyTorch is nearly all of the download, and its size hangs on where pip finds it.
say_size() {
  if [[ -d $folder/lib/$("$folder/bin/python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')/site-packages/torch ]]; then
    return
  fi
  say "to download: about 200 MB, and PyTorch: 200 MB for a CPU build, about 3 GB for the CUDA build"
  say "that PyPI serves on x86-64. PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS can name a place with CPU builds."
}

"$folder/bin/python" -c '' 2>/dev/null || make_environment
say_size
# Only the lines that show progress; errors go to stderr and are all shown.
"$folder/bin/python" -m pip install --disable-pip-version-check --constraint constraints.txt "$@" |
  { grep --line-buffered -E '^ *(Downloading|Installing) ' | grep --line-buffered -v metadata || true; } ||
  fail "pip could not install the packages; its message is above. Run make again to go on"
"$folder/bin/python" -c 'import numpy, sklearn, torch' ||
  fail "the packages are installed but cannot be imported; delete $folder and run make again"
say "done: $("$folder/bin/python" -c 'import sys, torch; print("Python %d.%d.%d, PyTorch" % sys.version_info[:3], torch.__version__)')"
