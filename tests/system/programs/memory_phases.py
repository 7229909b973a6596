"""A training whose forward holds 256 MB and whose backward holds nothing, each for 0.1 s.

Usage: memory_phases.py STEPS BYTES_KEPT_A_STEP
"""

import sys
import time

import torch

HELD_BYTES = 256 << 20


class Holder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(8))

    def forward(self, data: torch.Tensor) -> torch.Tensor:
        held = torch.ones(HELD_BYTES // 4)
        time.sleep(0.1)
        return Slow.apply(data * self.weight + 0 * held[0])


class Slow(torch.autograd.Function):
    @staticmethod
    def forward(_context: object, data: torch.Tensor) -> torch.Tensor:
        return data.clone()

    @staticmethod
    def backward(_context: object, gradient: torch.Tensor) -> torch.Tensor:
        time.sleep(0.1)
        return gradient


def main() -> None:
    steps, kept_bytes = int(sys.argv[1]), int(sys.argv[2])
    model = Holder()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    kept = []
    for _ in range(steps):
        loss = model(torch.ones(4, 8)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append(torch.ones(kept_bytes // 4))
    print(len(kept))


main()
