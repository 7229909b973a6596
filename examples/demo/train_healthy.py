"""Learns digits, with all images of an epoch turned at once by numpy before its first step.

    latido run -- python train_healthy.py

The same images, network and losses as in train_starved.py; only the waiting is gone.
"""

from __future__ import annotations

import numpy as np
import torch
from digits import BATCH, SIZE, FloatArray, RotatedDigits, load, train
from numpy.typing import NDArray
from torch.utils.data import DataLoader


def rotate_all(images: FloatArray, angles_rad: NDArray[np.float64]) -> FloatArray:
    """Each image turned about its centre; each pixel is a mean of the four that it comes from."""
    sine = np.sin(angles_rad)[:, np.newaxis, np.newaxis]
    cosine = np.cos(angles_rad)[:, np.newaxis, np.newaxis]
    centre = (SIZE - 1) / 2
    row, column = np.mgrid[0:SIZE, 0:SIZE] - centre
    y = cosine * row - sine * column + centre
    x = sine * row + cosine * column + centre
    top, left = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    inside = (top >= 0) & (top < SIZE - 1) & (left >= 0) & (left < SIZE - 1)
    down, right = y - top, x - left
    top, left = np.where(inside, top, 0), np.where(inside, left, 0)
    image = np.arange(len(images))[:, np.newaxis, np.newaxis]
    above = (1 - right) * images[image, top, left] + right * images[image, top, left + 1]
    below = (1 - right) * images[image, top + 1, left] + right * images[image, top + 1, left + 1]
    return np.where(inside, (1 - down) * above + down * below, 0).astype(np.float32)


class QuicklyRotatedDigits(RotatedDigits):
    """Turns the whole set once an epoch, and then only hands the images out."""

    def start_epoch(self, epoch: int) -> None:
        """Turns every image by its angle of the epoch."""
        super().start_epoch(epoch)
        self.turned = rotate_all(self.digits.images, self.angles)

    def __getitem__(self, index: int) -> tuple[FloatArray, int]:
        return self.turned[index][np.newaxis], int(self.digits.labels[index])


if __name__ == "__main__":
    torch.set_num_threads(1)
    dataset = QuicklyRotatedDigits(load(training=True))
    order = torch.Generator().manual_seed(0)
    train(dataset, DataLoader(dataset, BATCH, shuffle=True, generator=order))
