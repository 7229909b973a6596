"""An optimizer whose step calls super().step(), both classes instantiated: 20 updates."""

from typing import Any

import torch
from torch import nn
from training import finish, make_loader, make_model, setup


class Shrinking(torch.optim.SGD):
    def step(self, closure: Any = None) -> Any:
        result = super().step(closure)
        with torch.no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    parameter.mul_(0.9999)
        return result


setup()
model = make_model()
torch.optim.SGD(make_model().parameters(), lr=1.0)
optimizer = Shrinking(model.parameters(), lr=0.05)
losses = []
for x, y in make_loader():
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
finish(losses, model)
