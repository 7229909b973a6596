"""A real training that keeps two cores busy: steps of 5 to 50 ms, one worker prepares batches.

Usage: busy_training.py STEPS. Prints the seconds that the training loop took.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Digits(Dataset[tuple[torch.Tensor, int]]):
    """Each item is turned by a small random angle, on the CPU of the worker."""

    def __init__(self, items: int) -> None:
        digits = load_digits()
        self.images = digits.images.astype(np.float32) / 16.0
        self.labels = digits.target
        self.items = items

    def __len__(self) -> int:
        return self.items

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        image = self.images[index % len(self.images)]
        angle = np.deg2rad((index * 37) % 31 - 15)
        rows, columns = np.mgrid[0:8, 0:8] - 3.5
        y = np.clip(np.rint(rows * np.cos(angle) - columns * np.sin(angle) + 3.5), 0, 7).astype(int)
        x = np.clip(np.rint(rows * np.sin(angle) + columns * np.cos(angle) + 3.5), 0, 7).astype(int)
        return torch.from_numpy(image[y, x][None]), int(self.labels[index % len(self.labels)])


def main() -> None:
    """Trains and prints the time."""
    steps = int(sys.argv[1])
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
        nn.Flatten(), nn.Linear(64 * 64, 10),
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loader = DataLoader(Digits(128 * steps), batch_size=128, num_workers=1)
    start = time.perf_counter()
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
