"""What hooks read out of tensors, losses of every dtype and shapes of batches; what they leave."""

from __future__ import annotations

import pytest

LOSSES = """
import torch
parameter = torch.tensor([1.5, 0.25], requires_grad=True)
for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16):
    parameter.to(dtype).sum().backward()           # 1.75
    parameter.to(dtype)[1:].backward()             # 0.25, one element in a view of more
parameter.sum().reshape(1, 1, 1).backward()        # 1.75
parameter.backward(torch.ones(2))                  # no number
parameter.to_sparse().to_dense().sum().backward()  # 1.75
class Other(torch.Tensor): pass
(parameter * 1).as_subclass(Other).sum().backward()  # may do anything when asked
def inner(x):
    y = (x * x).sum()
    y.backward()                                   # has no storage of its own
    return x
try:
    torch.func.vmap(inner)(parameter.detach().requires_grad_())
except Exception as error:
    print(type(error).__name__)
"""

BATCHES = """
import numpy, torch
from torch.utils.data import DataLoader
image = torch.zeros(5, 3)
nested = {"image": image, "label": 1}
for data, collate in (
    ([image] * 4, None),                               # 2x5x3 float32
    ([image.half()] * 4, None),                        # 2x5x3 float16
    ([nested] * 4, None),                              # 2x5x3 float32
    ([numpy.zeros(3)] * 4, lambda items: numpy.stack(items)),  # 2x3 float64
    ([torch.zeros(1)] * 4, lambda items: torch.zeros([1] * 9)),  # more dimensions than are compared
    ([1] * 4, lambda items: items),                    # no array
):
    for _ in DataLoader(data, batch_size=2, collate_fn=collate):
        pass
"""


def test_losses_are_read_in_every_dtype_and_nothing_else_is(torch_agent):
    run = torch_agent.run("-c", LOSSES)
    plain = torch_agent.run("-c", LOSSES, LATIDO_DISABLE="1")
    assert (run.returncode, run.stdout, run.stderr) == (0, plain.stdout, plain.stderr)
    process = torch_agent.processes()[0]
    assert process.values("train.loss_backward") == pytest.approx([1.75, 0.25] * 4 + [1.75] * 2)


def test_shapes_are_told_once_each_with_their_samples(torch_agent):
    run = torch_agent.run("-c", BATCHES)
    assert (run.returncode, run.stderr) == (0, "")
    process = torch_agent.processes()[0]
    shape = "1x1x1x1x1x1x1x1x1 float32"
    assert process.texts("batch.shape") == [
        "2x5x3 float32", "2x5x3 float16", "2x5x3 float32", "2x3 float64", shape,
    ]  # fmt: skip
    waits = [s for s in process.of("data_wait") if "stop" not in s.args]
    assert [s.args.get("samples") for s in waits] == [2] * 8 + [1] * 2 + [None] * 2
