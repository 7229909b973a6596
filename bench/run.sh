#!/usr/bin/env bash
# The figures of docs/benchmarks.md: bench/run.sh BUILD_FOLDER, with PYTHON naming the interpreter.
# Ends with the training, which takes several minutes; ROUNDS=0 leaves it out.
set -euo pipefail
build=$1
python=${PYTHON:-python3}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
say() { printf '\n── %s\n' "$*"; }

say "machine"
printf '%s, %s cores, commit %s\n' "$(awk -F ': ' '/model name/ {print $2; exit}' /proc/cpuinfo)" \
  "$(nproc)" "$(git -C "$root" rev-parse --short HEAD)"
uptime
say "C++ zones (ns)"
"$build/bench/capture_bench" --benchmark_repetitions="${REPETITIONS:-7}" \
  --benchmark_report_aggregates_only=true --benchmark_enable_random_interleaving=true
export LATIDO_PYTHON_PATH=$build/python
say "Python zones above an empty context manager in C"
"$python" "$root/python/bench/zone_bench.py"
say "hooks of a training step, and start-up"
"$python" "$root/python/bench/hook_bench.py"
if [[ ${ROUNDS:-30} -gt 0 ]]; then
  say "a training with and without latido run"
  "$python" "$here/overhead.py" --rounds "${ROUNDS:-30}" --binary "$build/bin/latido"
fi
