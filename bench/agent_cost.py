"""What `latido run` itself takes beside a training: its processor time and memory while it records.

Default settings: host telemetry once a second, live analysis on. Read from /proc after the training
has warmed up, so that neither start nor final report are in it.

Usage: agent_cost.py [--seconds 25] [--binary PATH] [--python PATH]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(__file__).parent / "programs" / "busy_training.py"
WARM_UP_STEPS = 100
MOST_CORE_RATIO = 0.005
MOST_BYTES = 40_000_000


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


def main() -> int:
    """Measures once; 0 within the budgets, 3 above one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=25)
    parser.add_argument("--binary", default=str(ROOT / "build/release/bin/latido"))
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()

    environment = {k: v for k, v in os.environ.items() if not k.startswith("LATIDO_")}
    with tempfile.TemporaryDirectory() as home:
        recorder = subprocess.Popen(
            [options.binary, "run", "--no-report", "--home", home, "--", options.python, PROGRAM],
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
        steps = round(options.seconds / took_s * WARM_UP_STEPS)
        begun, before_s = time.monotonic(), cpu_s(recorder.pid)
        stdin.write(f"{steps}\n")
        stdin.flush()
        stdout.readline()
        core_ratio = (cpu_s(recorder.pid) - before_s) / (time.monotonic() - begun)
        resident = resident_bytes(recorder.pid)
        stdin.close()
        recorder.wait()
    print(f"{steps} steps: {core_ratio:.2%} of a core, {resident / 1e6:.1f} MB resident")
    good = core_ratio <= MOST_CORE_RATIO and resident <= MOST_BYTES
    print("pass" if good else "fail: above 0.5 % of a core or 40 MB")
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main())
