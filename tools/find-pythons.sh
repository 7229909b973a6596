#!/usr/bin/env bash
# Prints the CPython interpreters of this machine that Latido supports, best first, one a line.
#
#   tools/find-pythons.sh           those that can make a virtual environment (3.11 first, then newer)
#   tools/find-pythons.sh --headers those that the extension can be built for
#
# Looks at PATH and at pyenv's versions. Each minor version is printed once.
set -euo pipefail

probe='import os, sys, sysconfig
if sys.argv[1] == "headers":
    ok = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
else:
    import ensurepip, venv
    ok = True
ok = ok and sys.implementation.name == "cpython" and (3, 11) <= sys.version_info[:2] <= (3, 13)
print(*("%d.%d" % sys.version_info[:2], os.path.realpath(sys.executable)) if ok else "")'

need=venv
[[ ${1:-} == --headers ]] && need=headers

candidates() {
  local minor
  for minor in 3.11 3.12 3.13; do
    type -ap "python$minor" || true
    compgen -G "${PYENV_ROOT:-$HOME/.pyenv}/versions/$minor.*/bin/python$minor" || true
  done
  type -ap python3 || true
}

seen=" "
while read -r candidate; do
  # A pyenv shim of a version that is not selected exists and fails.
  read -r minor path < <("$candidate" -c "$probe" "$need" 2>/dev/null) || continue
  [[ -n $minor && $seen != *" $minor "* ]] || continue
  seen+="$minor "
  printf '%s\n' "$path"
done < <(candidates)
