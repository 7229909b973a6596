"""What `with latido.zone("x")` costs above an empty context manager written in C, interleaved.

    LATIDO_PYTHON_PATH=build/release/python python python/bench/zone_bench.py [--json]

Recording goes to an agent that only takes the ring: every round is a process of its own, short
enough to fit it. CPU time of the thread, best block of each. Prints, per case, the median over
the rounds and the lowest and highest: nanoseconds above the empty manager.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = Path(os.environ.get("LATIDO_PYTHON_PATH", "build/release/python")).resolve()
ROUNDS = 15
LOOPS = 240_000
BLOCKS = 40  # the cases are timed in turn, so that all meet the same machine; the best block counts

ROUND = """
import json, sys, time
from empty import empty
import latido
from latido import _core
if sys.argv[1] == "recording":
    with latido.zone("first"): pass
zone = latido.zone
site = _core.define_site("hook", "hook")
begin, end = _core.begin, _core.end
def time_empty(n, clock=time.thread_time_ns):
    start = clock()
    for _ in range(n):
        with empty("x"): pass
    return clock() - start
def time_zone(n, clock=time.thread_time_ns):
    start = clock()
    for _ in range(n):
        with zone("x"): pass
    return clock() - start
def time_zone_args(n, clock=time.thread_time_ns):
    start = clock()
    for _ in range(n):
        with zone("x", n=3): pass
    return clock() - start
def time_pair(n, clock=time.thread_time_ns):
    start = clock()
    for _ in range(n):
        if begin(site): end(site)
    return clock() - start
def time_loop(n, clock=time.thread_time_ns):
    start = clock()
    for _ in range(n):
        pass
    return clock() - start
loops, blocks = int(sys.argv[2]), int(sys.argv[3])
totals = {}
for _ in range(blocks):
    for f in (time_empty, time_zone, time_loop, time_pair, time_zone_args):
        n = loops // blocks if f is not time_zone_args else loops // blocks // 4
        totals.setdefault(f.__name__, []).append(f(n) / n)
best = {name: min(times) for name, times in totals.items()}
print(json.dumps({"zone": best["time_zone"] - best["time_empty"],
                  "zone with an argument": best["time_zone_args"] - best["time_empty"],
                  "begin+end from Python": best["time_pair"] - best["time_loop"],
                  "empty": best["time_empty"] - best["time_loop"],
                  "state": _core.state(), "dropped": _core.dropped()}))
"""


def build_empty(folder: Path) -> None:
    """Compiles the yardstick for this interpreter."""
    include = sysconfig.get_paths()["include"]
    target = folder / f"empty{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", f"-I{include}", HERE / "empty.c", "-o", target],
        check=True,
    )


def serve(listener: socket.socket, kept: list[int]) -> None:
    """Takes rings, as the agent does."""
    while True:
        peer, _ = listener.accept()
        _, descriptors, _, _ = socket.recv_fds(peer, 64, 1)
        for descriptor in descriptors:
            # RingHeader::control: all 240 chunks may be used.
            os.pwrite(descriptor, (240 << 16).to_bytes(4, "little"), 32)
        kept.extend(descriptors)
        peer.close()


def one_round(folder: Path, mode: str, agent: str) -> dict[str, float]:
    """Times every case in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{PACKAGE}"}
    environment.pop("LATIDO_SOCKET", None)
    if mode == "recording":
        environment["LATIDO_SOCKET"] = agent
    done = subprocess.run(
        [sys.executable, "-c", ROUND, mode, str(LOOPS), str(BLOCKS)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    result = json.loads(done.stdout)
    assert result.pop("dropped") == 0
    assert result.pop("state") == (1 if mode == "recording" else 2)
    return result


def main() -> None:
    """Runs the rounds, recording and off in turn."""
    results: dict[str, list[dict[str, float]]] = {"recording": [], "off": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build_empty(folder)
        agent = str(folder / "agent")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(agent)
        listener.listen()
        kept: list[int] = []
        threading.Thread(target=serve, args=(listener, kept), daemon=True).start()
        for _ in range(ROUNDS):
            for mode, rounds in results.items():
                rounds.append(one_round(folder, mode, agent))
                for descriptor in kept:
                    os.close(descriptor)
                kept.clear()
    report = {
        f"{case}, {mode}": [
            statistics.median(r[case] for r in rounds),
            min(r[case] for r in rounds),
            max(r[case] for r in rounds),
        ]
        for mode, rounds in results.items()
        for case in rounds[0]
    }
    if "--json" in sys.argv:
        print(json.dumps(report))
        return
    for case, (median, low, high) in report.items():
        print(f"{case:36} {median:7.1f} ns  [{low:.1f}, {high:.1f}]")


if __name__ == "__main__":
    main()
