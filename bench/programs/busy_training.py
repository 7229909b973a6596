"""A real training that keeps two cores busy: steps of about 10 ms, one worker prepares batches.

For each line on standard input it trains as many steps as the line says, and prints the seconds
that they took. The first two of a turn are not timed: their batches were made before it.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset

_BATCH = 64
_UNTIMED_STEPS = 2
_MOST_STEPS = 1_000_000


class Digits(Dataset[tuple[torch.Tensor, int]]):
    """Each item is turned by a small angle, on the CPU of the worker."""

    def __init__(self) -> None:
        digits = load_digits()
        self.images = digits.images.astype(np.float32) / 16.0
        self.labels = digits.target

    def __len__(self) -> int:
        return _BATCH * _MOST_STEPS

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        image = self.images[index % len(self.images)]
        angle = np.deg2rad((index * 37) % 31 - 15)
        rows, columns = np.mgrid[0:8, 0:8] - 3.5
        y = np.clip(np.rint(rows * np.cos(angle) - columns * np.sin(angle) + 3.5), 0, 7).astype(int)
        x = np.clip(np.rint(rows * np.sin(angle) + columns * np.cos(angle) + 3.5), 0, 7).astype(int)
        return torch.from_numpy(image[y, x][None]), int(self.labels[index % len(self.labels)])


def main() -> None:
    """Trains in turns."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
        nn.Flatten(), nn.Linear(64 * 64, 10),
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    batches = iter(DataLoader(Digits(), batch_size=_BATCH, num_workers=1))

    def step() -> None:
        images, labels = next(batches)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()

    for line in sys.stdin:
        for _ in range(_UNTIMED_STEPS):
            step()
        begun = time.perf_counter()
        for _ in range(int(line)):
            step()
        print(time.perf_counter() - begun, flush=True)


if __name__ == "__main__":
    main()
