"""Learns digits, with each image turned pixel by pixel in Python while the training step waits.

    latido run -- python train_starved.py [--workers N]

This is how such code often starts: correct, easy to read, and so slow that the network mostly
waits. train_healthy.py does the same work in another way.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
import torch
from digits import BATCH, SIZE, FloatArray, RotatedDigits, load, train
from torch.utils.data import DataLoader


def rotate(image: FloatArray, angle_rad: float) -> FloatArray:
    """`image` turned about its centre; each pixel is a mean of the four that it comes from."""
    turned = np.zeros_like(image)
    pixels = image.tolist()
    sine, cosine = math.sin(angle_rad), math.cos(angle_rad)
    centre = (SIZE - 1) / 2
    for row in range(SIZE):
        for column in range(SIZE):
            y = cosine * (row - centre) - sine * (column - centre) + centre
            x = sine * (row - centre) + cosine * (column - centre) + centre
            top, left = math.floor(y), math.floor(x)
            if 0 <= top < SIZE - 1 and 0 <= left < SIZE - 1:
                down, right = y - top, x - left
                above = (1 - right) * pixels[top][left] + right * pixels[top][left + 1]
                below = (1 - right) * pixels[top + 1][left] + right * pixels[top + 1][left + 1]
                turned[row, column] = (1 - down) * above + down * below
    return turned


class SlowlyRotatedDigits(RotatedDigits):
    """Turns an image at the moment when it is asked for."""

    def __getitem__(self, index: int) -> tuple[FloatArray, int]:
        turned = rotate(self.digits.images[index], self.angles[index])
        return turned[np.newaxis], int(self.digits.labels[index])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=0, help="processes that make batches")
    workers = parser.parse_args().workers
    torch.set_num_threads(1)
    dataset = SlowlyRotatedDigits(load(training=True))
    order = torch.Generator().manual_seed(0)
    train(dataset, DataLoader(dataset, BATCH, shuffle=True, generator=order, num_workers=workers))
