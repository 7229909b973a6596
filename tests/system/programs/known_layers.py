"""Layers that take a known time in forward and backward, by the program's own clock.

Usage: known_layers.py STEPS. Prints a list with an object for each step: nanoseconds of forward and
backward by layer. The time is spent computing, so that it is nearly what it should be.
"""

import json
import sys
import time
from typing import Any

import torch
from torch import nn

MS = 5_000_000  # longer than a millisecond, so that calling a layer does not count


steps: list[dict[str, list[int]]] = []


def note(name: str, backward: bool, start_ns: int) -> None:
    steps[-1].setdefault(name, [0, 0])[backward] += time.monotonic_ns() - start_ns


def spend(ns: int) -> None:
    end = time.monotonic_ns() + ns
    while time.monotonic_ns() < end:
        pass


class Spending(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: torch.Tensor, name: str, forward_ns: int, backward_ns: int
    ) -> torch.Tensor:
        ctx.times = (name, backward_ns)
        spend(forward_ns)
        return x * 1.0

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        start_ns = time.monotonic_ns()
        name, backward_ns = ctx.times
        spend(backward_ns)
        note(name, True, start_ns)
        return gradient, None, None, None


def spending(x: torch.Tensor, name: str, forward_ns: int, backward_ns: int) -> torch.Tensor:
    """Its call belongs to the layer too: out of the caches it takes a tenth of a millisecond."""
    start_ns = time.monotonic_ns()
    x = Spending.apply(x, name, forward_ns, backward_ns)
    note(name, False, start_ns)
    return x


class Layer(nn.Module):
    def __init__(self, name: str, forward_ns: int, backward_ns: int) -> None:
        super().__init__()
        self.times = (name, forward_ns, backward_ns)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return spending(x, *self.times)


class Outer(nn.Module):
    """Spends time by itself, before, between and after its layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first = Layer("outer.first", 2 * MS, 6 * MS)
        self.second = Layer("outer.second", 4 * MS, 3 * MS)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = spending(x, "outer", 1 * MS, 2 * MS)
        x = self.first(x)
        x = spending(x, "outer", 3 * MS, 1 * MS)
        x = self.second(x)
        return spending(x, "outer", 2 * MS, 5 * MS)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inputs = nn.Linear(4, 4)
        self.outer = Outer()
        self.twice = Layer("twice", 1 * MS, 2 * MS)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.outer(self.inputs(x))
        return self.twice(self.twice(x))


torch.set_num_threads(1)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(int(sys.argv[1])):
    steps.append({})
    optimizer.zero_grad()
    model(torch.ones(2, 4)).mean().backward()
    optimizer.step()
print(json.dumps(steps))
