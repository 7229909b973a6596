"""What the hooks cost a training step, and what Latido adds to `import torch`.

    LATIDO_PYTHON_PATH=build/bench/python python python/bench/hook_bench.py [--json]

A small training (five modules, Adam, a DataLoader without workers, clipping) runs in processes of
its own, in turn with Latido and without. CPU time of the training thread, best block of each
process: other programs then hardly matter. Prints median, lowest and highest over the
pairs, and the same for pairs that both run without Latido (A/A).
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

PACKAGE = Path(os.environ.get("LATIDO_PYTHON_PATH", "build/bench/python")).resolve()
PAIRS = int(os.environ.get("LATIDO_BENCH_PAIRS", "12"))
BLOCKS = 20
STEPS = 100

TRAINING = """
import sys, time
begun = time.process_time_ns()
import torch
imported = time.process_time_ns() - begun
torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 32),
                          torch.nn.ReLU(), torch.nn.Linear(32, 2))
optimizer = torch.optim.Adam(net.parameters())
blocks, steps = int(sys.argv[1]), int(sys.argv[2])
data = torch.utils.data.TensorDataset(torch.randn(steps, 16), torch.randint(0, 2, (steps,)))
loader = torch.utils.data.DataLoader(data, batch_size=1)
loss_of = torch.nn.functional.cross_entropy
def block(clock=time.thread_time_ns):
    iterator = iter(loader)
    start = clock()
    for _ in range(steps):
        x, y = next(iterator)
        optimizer.zero_grad()
        loss_of(net(x), y).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
    return (clock() - start) / steps
block()
print(imported, min(block() for _ in range(blocks)))
"""


def serve(listener: socket.socket) -> None:
    """Takes rings, as the agent does."""
    while True:
        peer, _ = listener.accept()
        _, descriptors, _, _ = socket.recv_fds(peer, 64, 1)
        peer.close()
        for descriptor in descriptors:
            os.close(descriptor)


def run(agent: str | None) -> tuple[float, float]:
    """CPU ns of `import torch` and of a step."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    for name in ("LATIDO_SOCKET", "PYTHONPATH"):
        environment.pop(name, None)
    if agent is not None:
        environment["LATIDO_SOCKET"] = agent
        environment["PYTHONPATH"] = str(PACKAGE / "latido" / "_inject")
    done = subprocess.run(
        [sys.executable, "-c", TRAINING, str(BLOCKS), str(STEPS)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    imported, step = done.stdout.split()
    return float(imported), float(step)


def main() -> None:
    """Runs the pairs."""
    differences: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        agent = f"{folder}/agent"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(agent)
        listener.listen()
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        for _ in range(PAIRS):
            without, again, recorded = run(None), run(None), run(agent)
            for name, other in (("A/A", again), ("with Latido", recorded)):
                differences.setdefault(f"import torch, ms, {name}", []).append(
                    (other[0] - without[0]) / 1e6
                )
                differences.setdefault(f"a step, us, {name}", []).append(
                    (other[1] - without[1]) / 1e3
                )
            differences.setdefault("a step itself, us", []).append(without[1] / 1e3)
    report = {
        name: [statistics.median(values), min(values), max(values)]
        for name, values in differences.items()
    }
    if "--json" in sys.argv:
        print(json.dumps(report))
        return
    for name, (median, low, high) in report.items():
        print(f"{name:32} {median:8.2f}  [{low:.2f}, {high:.2f}]")


if __name__ == "__main__":
    main()
