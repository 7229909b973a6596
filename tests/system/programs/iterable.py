"""An IterableDataset: 20 updates; argv[1] workers that share the data."""

import sys
from collections.abc import Iterator

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
from training import BATCH, finish, make_data, make_model, setup


class Stream(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    def __init__(self) -> None:
        self.data = make_data()

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        info = get_worker_info()
        start, jump = (0, 1) if info is None else (info.id, info.num_workers)
        for i in range(start, len(self.data), jump):
            yield self.data[i]


def main() -> None:
    setup()
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    losses = []
    for x, y in DataLoader(Stream(), batch_size=BATCH, num_workers=int(sys.argv[1])):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    finish(losses, model)


if __name__ == "__main__":
    main()
