"""DistributedDataParallel over gloo, 20 updates a rank; rank 0 prints."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from training import BATCH, finish, make_data, make_model, setup

setup()
dist.init_process_group("gloo")
model = DistributedDataParallel(make_model())
data = make_data(2 * 20 * BATCH)
loader = DataLoader(data, batch_size=BATCH, sampler=DistributedSampler(data, shuffle=False))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
losses = []
for x, y in loader:
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    dist.barrier()
if dist.get_rank() == 0:
    finish(losses, model.module)
# The model holds its process group, whose threads must have ended before the interpreter does:
# one that still lets go of a barrier's Python object then aborts the process (torch 2.13).
del model
dist.destroy_process_group()
