"""The plain loop: 2 epochs of 20 batches."""

import torch
from torch import nn
from training import finish, make_loader, make_model, setup

setup()
model = make_model()
loader = make_loader()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_of = nn.CrossEntropyLoss()
losses = []
for _ in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_of(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
finish(losses, model)
