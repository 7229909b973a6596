"""Accelerate with accumulation of 2: 20 micro-batches, 10 updates."""

import torch
from accelerate import Accelerator
from torch import nn
from training import finish, make_loader, make_model, setup

setup()
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
model = make_model()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
model, optimizer, loader = accelerator.prepare(model, optimizer, make_loader())
losses = []
for x, y in loader:
    with accelerator.accumulate(model):
        loss = nn.functional.cross_entropy(model(x), y)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
finish(losses, accelerator.unwrap_model(model))
