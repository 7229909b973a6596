"""What `latido run` itself takes beside a training: its processor time and memory while it records.

Once with what every run has, host telemetry once a second and live analysis, and once with the
default settings, which add functions and sampled stacks. Read from /proc after the training has
warmed up and what a start may cost was spent, so that neither start nor final report are in it.

Usage: agent_cost.py [--seconds 15] [--rounds 3] [--binary PATH] [--python PATH]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(__file__).parent / "programs" / "busy_training.py"
WARM_UP_STEPS = 100
SETTLE_S = 30  # of training, for the stack sampler's purse (src/agent/look_budget.h)
MOST_BYTES = 40_000_000
# Sampling may add 0.4 % to the 0.5 %.
SETTINGS: dict[str, tuple[tuple[str, ...], float]] = {
    "telemetry and live analysis": (("--functions", "off", "--sample", "0"), 0.005),
    "default, with functions and stacks": ((), 0.009),
}


def cpu_s(pid: int) -> float:
    """User and system time of one process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int:
    """Resident memory, the pages of the program's file included."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    sys.exit("no VmRSS: the recorder has ended")


def measure(flags: tuple[str, ...], options: argparse.Namespace) -> tuple[float, int]:
    """Share of a core and resident bytes of a recorder with these flags."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LATIDO_")}
    with tempfile.TemporaryDirectory() as home:
        command = [options.binary, "run", "--no-report", "--home", home, *flags, "--"]
        recorder = subprocess.Popen(
            [*command, options.python, PROGRAM],
            env=environment | {"OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        stdin, stdout = recorder.stdin, recorder.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{WARM_UP_STEPS}\n")
        stdin.flush()
        took_s = float(stdout.readline())
        per_s = WARM_UP_STEPS / took_s
        stdin.write(f"{round(SETTLE_S * per_s)}\n")
        stdin.flush()
        stdout.readline()
        begun, before_s = time.monotonic(), cpu_s(recorder.pid)
        stdin.write(f"{round(options.seconds * per_s)}\n")
        stdin.flush()
        stdout.readline()
        core_ratio = (cpu_s(recorder.pid) - before_s) / (time.monotonic() - begun)
        resident = resident_bytes(recorder.pid)
        stdin.close()
        recorder.wait()
    return core_ratio, resident


def main() -> int:
    """Measures in turn; 0 when the medians are within the budgets, 3 when one is above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--binary", default=str(ROOT / "build/release/bin/latido"))
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()

    measured: dict[str, list[tuple[float, int]]] = {name: [] for name in SETTINGS}
    for _ in range(options.rounds):
        for name, (flags, _most) in SETTINGS.items():
            measured[name].append(measure(flags, options))
    good = True
    for name, (_flags, most_ratio) in SETTINGS.items():
        ratios, sizes = zip(*measured[name], strict=True)
        ratio = statistics.median(ratios)
        within = ratio <= most_ratio and max(sizes) <= MOST_BYTES
        good = good and within
        print(
            f"{name}: {ratio:.2%} of a core [{min(ratios):.2%}, {max(ratios):.2%}], "
            f"{max(sizes) / 1e6:.1f} MB resident{'' if within else ': TOO MUCH'}"
        )
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main())
