"""What torch's allocator says of a device. There is none here: a fake stands for torch.cuda."""

from __future__ import annotations

PROGRAM = """
import types
import torch
from latido._hooks import device_memory, optimizer
from latido._native import core

stats = {
    "allocated_bytes.all.current": 1000,
    "allocated_bytes.all.peak": 3000,
    "reserved_bytes.all.current": 4000,
}
state = {"initialized": False, "capturing": False}

def memory_stats():
    stats["allocated_bytes.all.current"] += 1
    if stats["allocated_bytes.all.current"] == 1002:
        raise RuntimeError("CUDA error: out of memory")
    return stats

fake = types.SimpleNamespace(
    version=types.SimpleNamespace(cuda="12.4", hip=None),
    cuda=types.SimpleNamespace(
        is_initialized=lambda: state["initialized"],
        is_current_stream_capturing=lambda: state["capturing"],
        memory_stats=memory_stats,
    ),
)
core.watch_optimizers(
    optimizer.LEARNING_RATE, optimizer.GRAD_NORM, optimizer._introduce,
    lambda optimizer: None, device_memory.sampler(fake), 2,
)
weight = torch.ones(2, requires_grad=True)
sgd = torch.optim.SGD([weight], lr=0.1)
for step in range(12):
    state["initialized"] = step >= 2
    state["capturing"] = step == 8
    weight.sum().backward()
    sgd.step()
print("done")
"""


def test_the_allocator_is_asked_every_few_steps_once_the_device_is_used(torch_agent):
    run = torch_agent.run("-c", PROGRAM)
    assert (run.returncode, run.stdout, run.stderr) == (0, "done\n", "")
    process = torch_agent.processes()[0]
    # Of the updates 0, 2, ... 10: not initialized at 0, an error at 4, capturing at 8.
    assert process.values("gpu.torch.allocated_bytes") == [1001, 1003, 1004]
    assert process.values("gpu.torch.allocated_peak_bytes") == [3000] * 3
    assert process.values("gpu.torch.reserved_bytes") == [4000] * 3
    assert process.values("gpu.torch.alloc_retries") == []


def test_a_torch_without_a_device_is_not_asked(torch_agent):
    code = """
import torch
from latido._hooks import device_memory
print(device_memory.sampler(torch))
"""
    run = torch_agent.run("-c", code)
    assert (run.returncode, run.stdout, run.stderr) == (0, "None\n", "")
