"""Evaluation between epochs, broken off early once: 3 epochs of 20 updates."""

import torch
from torch import nn
from training import finish, make_loader, make_model, setup

setup()
model = make_model()
train = make_loader()
held_out = make_loader(80)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
losses = []
for epoch in range(3):
    model.train()
    for x, y in train:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        for i, (x, y) in enumerate(held_out):
            losses.append(nn.functional.cross_entropy(model(x), y).item())
            if epoch == 1 and i == 2:
                break
finish(losses, model)
