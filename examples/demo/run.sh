#!/usr/bin/env bash
# The demo: a training that waits for its data, the fix that its verdict names, a repair that goes further,
# the differences, and a killed training.
# `make demo` calls it with LATIDO (the program) and PYTHON (an interpreter with PyTorch and scikit-learn).
#
# Its recordings go to LATIDO_HOME, by default build/demo, which it empties first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
latido=${LATIDO:-$root/build/release/bin/latido}
python=${PYTHON:-$root/.venv/bin/python}
export LATIDO_HOME=${LATIDO_HOME:-$root/build/demo}
started=$SECONDS

bold='' normal=''
if [[ -t 1 ]]; then
  bold=$'\033[1m' normal=$'\033[0m'
fi
say() { printf '\n%s── %s%s\n\n' "$bold" "$*" "$normal"; }
fail() {
  printf 'demo: %s\n' "$*" >&2
  exit 1
}

# Runs a training under Latido, kills the training with SIGKILL in its third epoch, and shows what
# `latido run` says of it.
run_and_kill() {
  local output=$LATIDO_HOME/killed.txt
  "$latido" run -- "$python" train_starved.py > >(tee "$output") &
  local run_pid=$!
  until grep -qs '^epoch  3' "$output"; do
    kill -0 "$run_pid" 2>/dev/null || fail "the training ended before it could be killed"
    sleep 0.1
  done
  kill -KILL $(cat /proc/"$run_pid"/task/*/children)
  # A run ends as its program ended: here by signal 9, which a shell shows as 137.
  local status=0
  { wait "$run_pid" || status=$?; } 2>/dev/null
  [[ $status -eq 137 ]] || fail "expected exit status 137 of the killed run, got $status"
}

# The number of workers that the verdict of the last run asks for; nothing when it asks for something else.
named_workers() {
  "$latido" report last --format json | "$python" -c '
import json, sys
asked = [f["action"]["params"].get("workers_after") for f in json.load(sys.stdin)["findings"]]
print(*[workers for workers in asked if workers][:1])'
}

[[ -x $latido ]] || fail "no program at $latido; run: make build"
case $LATIDO_HOME in
  "$root"/build/*) rm -rf "$LATIDO_HOME" ;;
esac
mkdir -p "$LATIDO_HOME"
cd "$here"

say "1. A training whose images are turned pixel by pixel in Python"
"$latido" run -- "$python" train_starved.py

"$latido" report last --format html -o "$LATIDO_HOME/starved.html"

workers=$(named_workers)
starved=last~1
if [[ -n $workers ]]; then
  say "2. The fix that it named: num_workers=$workers. Was the prediction right?"
  "$latido" run --no-report -- "$python" train_starved.py --workers "$workers"
  "$latido" diff last~1 last
  starved=last~2
else
  say "2. It named no number of workers on this machine"
fi

say "3. The same training, images turned all at once by numpy"
"$latido" run -- "$python" train_healthy.py
"$latido" report last --format html -o "$LATIDO_HOME/healthy.html"

say "4. What that changed"
"$latido" diff "$starved" last

say "5. kill -9 in mid-run: what is left"
run_and_kill 2>&1

say "The demo took $((SECONDS - started)) s"
cat <<END
Its recordings:          LATIDO_HOME=$LATIDO_HOME $latido runs
Try other numbers:       $latido run -- $python $here/train_starved.py --workers N
See it in a browser:     $LATIDO_HOME/starved.html
                         $LATIDO_HOME/healthy.html
END
