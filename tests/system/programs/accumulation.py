"""Gradient accumulation: 20 updates of 4 micro-batches; loss divided, gradients clipped."""

import torch
from torch import nn
from training import finish, make_loader, make_model, setup

setup()
model = make_model()
loader = make_loader(640)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.5)
loss_of = nn.CrossEntropyLoss()
losses = []
for i, (x, y) in enumerate(loader):
    loss = loss_of(model(x), y) / 4
    loss.backward()
    losses.append(loss.item())
    if i % 4 == 3:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
finish(losses, model)
