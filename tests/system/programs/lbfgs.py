"""LBFGS with a closure, forward and backward inside optimizer.step: 6 updates or the argument."""

import sys

import torch
from torch import nn
from training import finish, make_data, make_model, setup

setup()
model = make_model()
x, y = make_data(64).tensors
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=5)
loss_of = nn.CrossEntropyLoss()
losses = []


def closure() -> torch.Tensor:
    optimizer.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    losses.append(loss.item())
    return loss


for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 6):
    optimizer.step(closure)
finish(losses, model)
