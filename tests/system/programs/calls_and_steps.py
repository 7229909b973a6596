"""A training whose steps call many small functions, so that recording them all costs something.

Usage: calls_and_steps.py SECONDS CALLS_A_STEP
"""

import sys
import time

import torch


class Doubler:
    def __init__(self) -> None:
        self.calls = 0

    def double(self, number: int) -> int:
        self.calls += 1
        return 2 * number


def preprocess(doubler: Doubler, calls: int) -> int:
    return sum(doubler.double(i) for i in range(calls))


def main() -> None:
    seconds, calls = float(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(0)
    model = torch.nn.Linear(8, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(4, 8)
    doubler = Doubler()
    end = time.monotonic() + seconds
    steps = 0
    while time.monotonic() < end:
        preprocess(doubler, calls)
        loss = model(data).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps += 1
    print(steps, doubler.calls)


main()
