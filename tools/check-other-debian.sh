#!/usr/bin/env bash
# Builds Latido and runs its unit tests in the other Debian than this one (13 on 12, 12 on 13), in a
# folder made with debootstrap; without precompiled headers, which hide a missing include. Needs root
# for chroot, and the network the first time.
#
#   tools/check-other-debian.sh FOLDER       kept, so that a second run only builds what changed
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $(id -u) -eq 0 ]] || exec sudo "$0" "$@"

mkdir -p "$1"
root=$(cd "$1" && pwd)/root
version=$(. /etc/os-release && printf '%s' "${VERSION_ID:-}")
other=trixie
[[ $version == 13 ]] && other=bookworm

if [[ ! -e $root/complete ]]; then
  printf 'other Debian: making a small %s in %s (about 100 MB, then 160 MB of packages)\n' "$other" "$root"
  rm -rf "$root"
  debootstrap --variant=minbase "$other" "$root" >"$1/debootstrap.log" 2>&1 ||
    { tail -n 5 "$1/debootstrap.log" >&2; exit 1; }
  # Proxies and the like, as this machine has them.
  apt-config dump Acquire | grep -E '::(Proxy|Check-)' >"$root/etc/apt/apt.conf.d/90host" || true
  mkdir -p "$root/src"
  touch "$root/complete"
fi

# The mounts live in a namespace of their own and vanish with it.
export root
unshare --mount --pid --fork bash -euo pipefail -c '
  mount --make-rprivate /
  mount --bind "$PWD" "$root/src"
  mount --rbind /dev "$root/dev"
  mount -t proc proc "$root/proc"
  exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    /bin/bash -euo pipefail -c "
      cd /src
      tools/install-packages.sh
      cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DLATIDO_PRECOMPILE=OFF -DLATIDO_PYTHONS=/usr/bin/python3 >/configure.log ||
        { cat /configure.log; exit 1; }
      cmake --build /build
      ctest --test-dir /build --output-on-failure -j \$(nproc)"
'
printf 'other Debian: %s builds and passes the unit tests\n' "$other"
