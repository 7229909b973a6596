"""A training fed by workers: `python workers.py METHOD [iterable] [persistent] [unordered]`."""

from __future__ import annotations

import os
import sys
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, IterableDataset


class Slow(Dataset):
    """Says which process made a sample; worker 1 is the slow one."""

    def __len__(self) -> int:
        return 24

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        if torch.utils.data.get_worker_info().id == 1:
            time.sleep(0.01)
        return torch.full((4,), float(index)), os.getpid()


class Stream(IterableDataset):
    def __iter__(self):
        worker = torch.utils.data.get_worker_info().id
        for i in range((12, 4)[worker]):
            yield torch.full((4,), float(i)), os.getpid()


def main() -> None:
    torch.manual_seed(3)
    torch.set_num_threads(1)
    flags = sys.argv[2:]
    loader = DataLoader(
        Stream() if "iterable" in flags else Slow(),
        batch_size=4,
        num_workers=2,
        multiprocessing_context=sys.argv[1],
        persistent_workers="persistent" in flags,
        in_order="unordered" not in flags,
    )
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), 1e-4)
    for _ in range(2):
        for x, makers in loader:
            optimizer.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            optimizer.step()
            if "unordered" not in flags:
                print(loss.item())
            print("maker", makers[0].item(), file=sys.stderr)


if __name__ == "__main__":
    main()
