"""Sleeps of known length in every phase, timed by the script's own clock: prints the true times.

Usage: sleeping_phases.py STEPS. Prints one JSON object: nanoseconds per phase, summed over the
steps after the first 10.
"""

import json
import sys
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WARM_UP = 10
SLEEP_S = {"data_wait": 0.12, "forward": 0.09, "backward": 0.1, "optimizer": 0.08, "other": 0.07}
true_ns = dict.fromkeys(SLEEP_S, 0)
step = -1


def nap(phase: str) -> None:
    start = time.monotonic_ns()
    time.sleep(SLEEP_S[phase])
    if step >= WARM_UP:
        true_ns[phase] += time.monotonic_ns() - start


class Slow(Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return int(sys.argv[1])

    def __getitem__(self, index: int) -> torch.Tensor:
        global step
        step += 1
        nap("data_wait")
        return torch.full((4,), float(index))


class SleepingFunction(torch.autograd.Function):
    @staticmethod
    def forward(_ctx: object, x: torch.Tensor) -> torch.Tensor:
        nap("forward")
        return x * 1.0

    @staticmethod
    def backward(_ctx: object, gradient: torch.Tensor) -> torch.Tensor:
        nap("backward")
        return gradient


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return SleepingFunction.apply(self.linear(x))


class SleepingSGD(torch.optim.SGD):
    def step(self, _closure: object = None) -> None:  # type: ignore[override]
        nap("optimizer")
        super().step()


torch.set_num_threads(1)
model = Model()
optimizer = SleepingSGD(model.parameters(), lr=1e-3)
for x in DataLoader(Slow(), batch_size=1):
    optimizer.zero_grad()
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    nap("other")
print(json.dumps(true_ns))
