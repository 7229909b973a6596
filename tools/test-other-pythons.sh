#!/usr/bin/env bash
# Runs the package's tests with each further Python that the extension was built for. These have no
# PyTorch: what needs it is skipped there, and tested with the interpreter of .venv.
#
#   tools/test-other-pythons.sh BUILD_FOLDER MAIN_PYTHON
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
main_version=$("$2" -c 'import sys; print("%d%d" % sys.version_info[:2])')

for python in $(tools/find-pythons.sh); do
  version=$("$python" -c 'import sys; print("%d%d" % sys.version_info[:2])')
  [[ $version != "$main_version" ]] || continue
  compgen -G "$build/python/latido/_core.cpython-$version-*.so" >/dev/null || continue
  folder=build/venv-$version
  [[ $folder/complete -nt constraints.txt ]] || tools/make-venv.sh "$folder" "$python" pytest
  printf 'with %s:\n' "$("$python" --version)"
  "$folder/bin/python" -m pytest python/tests
done
