"""A real training on digits whose author marked zones: what a recording of one takes on disk.

Usage: zoned_training.py STEPS. A step has 1 + 3 x 8 + 2 zones, one of them with an argument, beside
what Latido's own hooks record.
"""

from __future__ import annotations

import sys

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn

import latido

MICRO_BATCHES = 8


def main() -> None:
    """Trains."""
    steps = int(sys.argv[1])
    torch.manual_seed(0)
    torch.set_num_threads(1)
    digits = load_digits()
    images = torch.from_numpy(digits.images.astype(np.float32) / 16.0).reshape(-1, 64)
    labels = torch.from_numpy(digits.target)
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loss_of = nn.CrossEntropyLoss()
    for step in range(steps):
        with latido.zone("zero gradients"):
            optimizer.zero_grad()
        for micro_batch in range(MICRO_BATCHES):
            with latido.zone("get batch", number=micro_batch):
                chosen = torch.randint(0, len(images), (32,))
                batch, target = images[chosen], labels[chosen]
            with latido.zone("augment"):
                batch = batch + 0.01 * torch.randn_like(batch)
            with latido.zone("accumulate"):
                loss_of(model(batch), target).backward()
        with latido.zone("update"):
            optimizer.step()
        with latido.zone("accuracy"), torch.no_grad():
            accuracy = (model(images[:256]).argmax(1) == labels[:256]).float().mean()
        latido.log({"accuracy": float(accuracy)}, step=step)


if __name__ == "__main__":
    main()
