"""torch.compile: 20 updates; prints the compiler's counts, which must not change."""

import torch
import torch._dynamo.utils
from torch import nn
from training import finish, make_loader, make_model, setup

setup()
model = make_model()
compiled = torch.compile(model, backend="eager")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
losses = []
for x, y in make_loader():
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(compiled(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
finish(losses, model)
counters = torch._dynamo.utils.counters
print("graphs", dict(counters["stats"]), "breaks", dict(counters["graph_break"]))
print("recompiles", dict(counters["recompiles"]) if "recompiles" in counters else {})
