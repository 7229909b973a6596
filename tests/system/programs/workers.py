"""DataLoader workers: 2 epochs of 20 batches; argv: start method, workers, persistent or not."""

import sys

import torch
from torch import nn
from training import finish, make_loader, make_model, setup


def main() -> None:
    method, workers, life = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    setup()
    model = make_model()
    loader = make_loader(
        num_workers=workers,
        multiprocessing_context=method,
        persistent_workers=life == "persistent",
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    finish(losses, model)


if __name__ == "__main__":
    main()
