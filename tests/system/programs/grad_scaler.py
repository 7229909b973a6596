"""torch.amp.GradScaler on the CPU with a forced overflow: 40 attempts, 4 of them skipped."""

import torch
from torch import nn
from training import finish, make_loader, make_model, setup

setup()
model = make_model()
loader = make_loader(320)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)
loss_of = nn.CrossEntropyLoss()
losses = []
for i, (x, y) in enumerate(loader):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = loss_of(model(x), y)
    if i % 10 == 5:
        loss = loss * float("inf")
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    losses.append(loss.item())
finish(losses, model)
