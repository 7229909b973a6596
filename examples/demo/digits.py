"""What the two demo trainings share: the digits, the network and the training loop.

The data are scikit-learn's 8x8 handwritten digits, which come inside its package. Each image is
turned by a small random angle before it is learned from, so that the network cannot learn the
pixels by heart. The angles come from a seed: both trainings see the same images and learn the same.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader

FloatArray = NDArray[np.float32]

SIZE = 24  # pixels a side, after enlarging three times
EPOCHS = 10
BATCH = 32
MAX_ANGLE_RAD = 0.35


@dataclass(frozen=True)
class Digits:
    """Images (n, SIZE, SIZE), values 0..1, with their labels (n)."""

    images: FloatArray
    labels: NDArray[np.int64]


def load(*, training: bool) -> Digits:
    """The first 1,440 digits for training, the other 357 for evaluation."""
    images, labels = load_digits(return_X_y=True)
    chosen = slice(0, 1440) if training else slice(1440, None)
    small = images[chosen].reshape(-1, 8, 8) / 16.0
    large = small.repeat(SIZE // 8, axis=1).repeat(SIZE // 8, axis=2)
    return Digits(large.astype(np.float32), labels[chosen].astype(np.int64))


def angles_of_epoch(epoch: int, count: int) -> NDArray[np.float64]:
    """By how much each image is turned in an epoch, in radians."""
    return np.random.default_rng(epoch).uniform(-MAX_ANGLE_RAD, MAX_ANGLE_RAD, count)


def make_network() -> nn.Module:
    """A small convolutional network with 10 outputs."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * (SIZE // 4) ** 2, 128),
        nn.ReLU(),
        nn.Linear(128, 10),
    )


def accuracy(network: nn.Module, digits: Digits) -> float:
    """Share of the digits that the network names right, 0..1."""
    network.eval()
    with torch.no_grad():
        guesses = network(torch.from_numpy(digits.images).unsqueeze(1)).argmax(dim=1)
    network.train()
    return float((guesses == torch.from_numpy(digits.labels)).float().mean())


class RotatedDigits(torch.utils.data.Dataset[tuple[FloatArray, int]]):
    """Digits that are turned anew in each epoch. The subclasses differ in how they do it."""

    def __init__(self, digits: Digits) -> None:
        self.digits = digits
        self.start_epoch(0)

    def start_epoch(self, epoch: int) -> None:
        """Chooses the angles of the epoch."""
        self.angles = angles_of_epoch(epoch, len(self))

    def __len__(self) -> int:
        return len(self.digits.labels)


def train(dataset: RotatedDigits, loader: DataLoader[tuple[FloatArray, int]]) -> None:
    """Trains a network from scratch and prints loss and accuracy for each epoch."""
    torch.manual_seed(0)
    network = make_network()
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    evaluation = load(training=False)
    for epoch in range(EPOCHS):
        start = time.perf_counter()
        dataset.start_epoch(epoch)
        total = 0.0
        for images, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(network(images), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(
            f"epoch {epoch + 1:2}/{EPOCHS}  loss {total / len(loader):.4f}"
            f"  accuracy {accuracy(network, evaluation):.3f}  {time.perf_counter() - start:.1f} s",
            flush=True,
        )
