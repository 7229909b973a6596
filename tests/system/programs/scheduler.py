"""Learning-rate schedulers, one each update and one each epoch: 2 epochs of 20 updates."""

import torch
from torch import nn
from training import finish, make_loader, make_model, setup

setup()
model = make_model()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
warm_up = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=10)
decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
losses = []
for _ in range(2):
    for x, y in make_loader():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        warm_up.step()
        losses.append(loss.item())
    decay.step()
finish(losses, model)
