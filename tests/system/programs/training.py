"""What the training programs share: a small model, data, and a print-out that shows any change.

Every program prints its losses with all digits and a hash of its final weights: the same with and
without Latido, or Latido changed the training.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH = 8


def setup() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)


def make_model() -> nn.Module:
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


def make_data(samples: int = 160) -> TensorDataset:
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(samples, 16, generator=generator)
    return TensorDataset(x, x[:, :4].argmax(dim=1))


def make_loader(samples: int = 160, **options: object) -> DataLoader[tuple[torch.Tensor, ...]]:
    return DataLoader(make_data(samples), batch_size=BATCH, shuffle=True, **options)  # type: ignore[arg-type]


def finish(losses: Iterable[float], *models: nn.Module) -> None:
    """Prints what must not change."""
    digest = hashlib.sha256()
    for model in models:
        for name, tensor in sorted(model.state_dict().items()):
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().numpy().tobytes())
    print("losses", [float(loss).hex() for loss in losses])
    print("weights", digest.hexdigest())
