"""What the hooks cost a training step, and what Latido adds to `import torch`, in CPU time.

    LATIDO_PYTHON_PATH=build/bench/python python python/bench/hook_bench.py [--json]

The training (five modules, Adam, a DataLoader without workers, clipping) takes turns inside one
process: a block with the hooks in place, one with the functions they wrap put back, one more with
the hooks (A/A). A round is a process; the best block of each kind counts, so that other programs on
the machine matter less. Prints median, lowest and highest over the rounds.
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
ROUNDS = int(os.environ.get("LATIDO_BENCH_ROUNDS", "7"))
BLOCKS = 60
STEPS = 40

# Run with -I: start-up is then ours to time.
TRAINING = """
import json, sys, time
cpu = time.thread_time_ns
begun = cpu()
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), {"__file__": sys.argv[1]})
started = cpu() - begun
import latido._imports
hook = latido._imports._callbacks["torch"]
def timed_hook(torch):
    global hooked
    begun = cpu()
    hook(torch)
    hooked = cpu() - begun
latido._imports._callbacks["torch"] = timed_hook
import torch

torch.set_num_threads(1)
net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 32),
                          torch.nn.ReLU(), torch.nn.Linear(32, 2))
optimizer = torch.optim.Adam(net.parameters())
blocks, steps = int(sys.argv[2]), int(sys.argv[3])
data = torch.utils.data.TensorDataset(torch.randn(steps, 16), torch.randint(0, 2, (steps,)))
loader = torch.utils.data.DataLoader(data, batch_size=1)
loss_of = torch.nn.functional.cross_entropy

def block():
    iterator = iter(loader)
    for i in range(steps):
        if i == 10:  # the interpreter has adapted to the functions put in place
            begun = cpu()
        x, y = next(iterator)
        optimizer.zero_grad()
        loss_of(net(x), y).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
    return (cpu() - begun) / (steps - 10)

places = [(torch.utils.data.dataloader._BaseDataLoaderIter, "__next__"),
          (torch.nn.Module, "__call__"), (torch.autograd, "backward"),
          (torch.nn.utils, "clip_grad_norm_"),
          (torch.optim.Adam, "step"), (torch.optim.Optimizer, "zero_grad")]
wrappers = [vars(owner)[name] for owner, name in places]
def put(functions):
    for (owner, name), function in zip(places, functions):
        setattr(owner, name, function)

block()
kinds = {"hooks": wrappers, "none": [w.__wrapped__ for w in wrappers], "again": wrappers}
assert all(getattr(w, "__latido_hook__", False) for w in wrappers)
best = {}
for _ in range(blocks):
    for kind, functions in kinds.items():
        put(functions)
        best[kind] = min(best.get(kind, 1e18), block())
from latido import _core
assert _core.state() == 1 and _core.dropped() == 0
print(json.dumps({
    "a step itself, us": best["none"] / 1e3,
    "hooks in a step, us": (best["hooks"] - best["none"]) / 1e3,
    "hooks in a step, us, A/A": (best["hooks"] - best["again"]) / 1e3,
    "start-up of an interpreter, ms": started / 1e6,
    "on top of import torch, ms": hooked / 1e6,
}))
"""


def serve(listener: socket.socket) -> None:
    """Takes rings, as the agent does."""
    while True:
        peer, _ = listener.accept()
        _, descriptors, _, _ = socket.recv_fds(peer, 64, 1)
        peer.close()
        for descriptor in descriptors:
            os.close(descriptor)


def one_round(agent: str) -> dict[str, float]:
    """Times everything in a process of its own."""
    start = PACKAGE / "latido" / "_inject" / "sitecustomize.py"
    done = subprocess.run(
        [sys.executable, "-I", "-c", TRAINING, str(start), str(BLOCKS), str(STEPS)],
        env={**os.environ, "OMP_NUM_THREADS": "1", "LATIDO_SOCKET": agent},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    """Runs the rounds."""
    with tempfile.TemporaryDirectory() as folder:
        agent = f"{folder}/agent"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(agent)
        listener.listen()
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        rounds = [one_round(agent) for _ in range(ROUNDS)]
    report = {
        name: [f([r[name] for r in rounds]) for f in (statistics.median, min, max)]
        for name in rounds[0]
    }
    if "--json" in sys.argv:
        print(json.dumps(report))
        return
    for name, (median, low, high) in report.items():
        print(f"{name:32} {median:8.2f}  [{low:.2f}, {high:.2f}]")


if __name__ == "__main__":
    main()
