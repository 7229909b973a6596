"""No DataLoader: a hand-made get_batch, 30 updates."""

import torch
from torch import nn
from training import BATCH, finish, make_data, make_model, setup

setup()
model = make_model()
data_x, data_y = make_data().tensors
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_batch() -> tuple[torch.Tensor, torch.Tensor]:
    rows = torch.randint(len(data_x), (BATCH,))
    return data_x[rows], data_y[rows]


losses = []
for _ in range(30):
    x, y = get_batch()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
finish(losses, model)
