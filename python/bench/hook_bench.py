"""What the hooks cost a training step, and what Latido adds to `import torch`.

    LATIDO_PYTHON_PATH=build/release/python python python/bench/hook_bench.py [--json]

A difference of some microseconds drowns in the noise of whole steps. So the training (five
modules, Adam, a DataLoader without workers, clipping) runs without hooks, and behind each
function that has one, in the caches as the step leaves them, a call of the hook around an empty
function is timed in turn with a call of the empty function alone. The cost of a hook is the
difference of the medians over all steps of a round, that of a step their sum, the inner modules
counted as often as there are. A round is a process. Prints median, lowest and highest over the
rounds.
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

PACKAGE = Path(os.environ.get("LATIDO_PYTHON_PATH", "build/release/python")).resolve()
ROUNDS = int(os.environ.get("LATIDO_BENCH_ROUNDS", "7"))
EPOCHS = 30
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
    global hooking
    begun = cpu()
    hook(torch)
    hooking = cpu() - begun
latido._imports._callbacks["torch"] = timed_hook
import torch

from functools import partial
from statistics import median
from latido import _core as core
from latido._hooks import backward, clip, forward, loader as loaders, optimizer as optimizers

torch.set_num_threads(1)
net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 32),
                          torch.nn.ReLU(), torch.nn.Linear(32, 2))
optimizer = torch.optim.Adam(net.parameters())
epochs, steps = int(sys.argv[2]), int(sys.argv[3])
data = torch.utils.data.TensorDataset(torch.randn(steps, 16), torch.randint(0, 2, (steps,)))
loader = torch.utils.data.DataLoader(data, batch_size=1)
loss_of = torch.nn.functional.cross_entropy
clip_grad = torch.nn.utils.clip_grad

# The training itself runs without hooks.
owners = {"__next__": torch.utils.data.dataloader._BaseDataLoaderIter,
          "__call__": torch.nn.Module, "backward": torch.autograd,
          "clip_grad_norm_": clip_grad, "step": torch.optim.Adam,
          "zero_grad": torch.optim.Optimizer}
hooked = {name: vars(owner)[name] for name, owner in owners.items()}
assert all(getattr(hook, "__latido_hook__", False) for hook in hooked.values())
for name, owner in owners.items():
    setattr(owner, name, hooked[name].__wrapped__)

# Of the kinds that are hooked, and empty.
def __next__(self): return batch
def __call__(self, *args, **kwargs): return None
def backward_(tensors, gradient=None, retain_graph=None, create_graph=False, inputs=None): pass
def clip_grad_norm_(parameters, max_norm): return norm
def step(self, closure=None): return None
def zero_grad(self, set_to_none=True): return None
class Layer(torch.nn.Module):
    _call_impl = __call__

layer = Layer()
make_call = partial(forward._make_call, torch)
empty = {
    "next": (loaders._make_next, __next__),
    "zero_grad": (partial(optimizers._make_zero_grad, torch), zero_grad),
    "forward": (make_call, __call__),
    "inner module": (make_call, hooked["__call__"].__wrapped__),
    "backward": (backward._make_backward, backward_),
    "clip": (partial(clip._make_clip, torch), clip_grad_norm_),
    "step": (partial(optimizers._make_step, torch), step),
}
pairs = {name: (function, make(function)) for name, (make, function) in empty.items()}
took = {name: ([], []) for name in pairs}
now = time.perf_counter_ns
which = 0

def visit(name, *args):
    function = pairs[name][which]
    begun = now()
    function(*args)
    took[name][which].append(now() - begun)

@make_call
def inside(self): visit("inner module", layer)

for epoch in range(epochs):
    iterator = iter(loader)
    for _ in range(steps):
        which = 1 - which
        batch = next(iterator)
        visit("next", iterator)
        optimizer.zero_grad()
        visit("zero_grad", optimizer)
        out = net(batch[0])
        visit("forward", net)
        inside(net)
        loss = loss_of(out, batch[1])
        loss.backward()
        visit("backward", loss)
        norm = clip_grad.clip_grad_norm_(net.parameters(), 1.0)
        visit("clip", None, 1.0)
        optimizer.step()
        visit("step", optimizer)
assert core.state() == 1 and core.dropped() == 0
# The first epoch makes records and adapts the interpreter.
cost = {name: (median(with_[steps:]) - median(without[steps:])) / 1e3
        for name, (without, with_) in took.items()}
inner = len(net)
total = sum(cost.values()) + (inner - 1) * cost["inner module"]
report = {f"hook of {name}, us": value for name, value in cost.items()}
report["all hooks of a step, us"] = total
report["start-up of an interpreter, ms CPU"] = started / 1e6
report["on top of import torch, ms CPU"] = hooking / 1e6
print(json.dumps(report))
"""


def serve(listener: socket.socket) -> None:
    """Takes rings, as the agent does."""
    while True:
        peer, _ = listener.accept()
        _, descriptors, _, _ = socket.recv_fds(peer, 64, 1)
        peer.close()
        for descriptor in descriptors:
            # RingHeader::control: all 240 chunks may be used.
            os.pwrite(descriptor, (240 << 16).to_bytes(4, "little"), 32)
            os.close(descriptor)


def one_round(agent: str) -> dict[str, float]:
    """Times everything in a process of its own."""
    start = PACKAGE / "latido" / "_inject" / "sitecustomize.py"
    done = subprocess.run(
        [sys.executable, "-I", "-c", TRAINING, str(start), str(EPOCHS), str(STEPS)],
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
        print(f"{name:36} {median:8.2f}  [{low:.2f}, {high:.2f}]")


if __name__ == "__main__":
    main()
