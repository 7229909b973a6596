"""A GAN: 20 generator updates, argv[1] discriminator updates before each."""

import sys

import torch
from torch import nn
from training import BATCH, finish, make_data, setup

setup()
ratio = int(sys.argv[1])
generator = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 16))
discriminator = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer_g = torch.optim.Adam(generator.parameters(), lr=1e-3)
optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
loss_of = nn.BCEWithLogitsLoss()
data = make_data(BATCH * 20 * ratio)
loader = iter(torch.utils.data.DataLoader(data, batch_size=BATCH))
real, fake = torch.ones(BATCH, 1), torch.zeros(BATCH, 1)
losses = []
for _ in range(20):
    for _ in range(ratio):
        x, _y = next(loader)
        optimizer_d.zero_grad()
        loss_d = loss_of(discriminator(x), real)
        loss_d = loss_d + loss_of(discriminator(generator(torch.randn(BATCH, 8)).detach()), fake)
        loss_d.backward()
        optimizer_d.step()
    optimizer_g.zero_grad()
    loss_g = loss_of(discriminator(generator(torch.randn(BATCH, 8))), real)
    loss_g.backward()
    optimizer_g.step()
    losses += [loss_d.item(), loss_g.item()]
finish(losses, generator, discriminator)
