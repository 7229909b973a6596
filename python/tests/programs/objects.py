"""Prints what a program can ask of the things that hooks wrap: signatures, copies, types."""

from __future__ import annotations

import copy
import inspect
import io
import pickle
import traceback

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
loader = DataLoader(TensorDataset(torch.arange(8.0)), batch_size=2)
scaler = torch.amp.GradScaler("cpu")

for function in (
    torch.autograd.backward,
    torch.nn.utils.clip_grad_norm_,
    torch.nn.utils.clip_grad.clip_grad_value_,
    torch.save,
    torch.utils.data._utils.worker._worker_loop,
    torch.distributed.all_reduce,
    torch.distributed.barrier,
    nn.Module.__call__,
    net.__call__,
    DataLoader.__init__,
    DataLoader.__iter__,
    loader.__iter__,
    optimizer.step,
    torch.optim.SGD.step,
    optimizer.zero_grad,
    scaler.scale,
    scaler.step,
    iter(loader).__next__,
):
    print(inspect.signature(function), function.__name__, function.__qualname__)
    print(function.__module__, len(function.__doc__ or ""), repr(function)[:9])

iterator = iter(loader)
print(type(iterator), len(iterator), iter(iterator) is iterator)
print(sorted(vars(loader)), sorted(vars(optimizer)), sorted(vars(net)))
for thing in (net, optimizer, loader):
    print(len(pickle.dumps(thing)), type(copy.deepcopy(thing)))
net(torch.ones(1, 2)).sum().backward()
optimizer.step()
again = pickle.loads(pickle.dumps(optimizer))
again.step()
stream = io.BytesIO()
torch.save(net, stream)
print(len(stream.getvalue()))
print(pickle.loads(pickle.dumps(torch.utils.data._utils.worker._worker_loop)).__name__)
try:
    net(torch.ones(1, 3))
except RuntimeError:
    print(traceback.format_exc().count(" in forward"))
try:
    torch.ones(2, requires_grad=True).backward()
except RuntimeError as error:
    print(error)
for bad in (lambda: optimizer.zero_grad(1, 2), lambda: DataLoader(), lambda: torch.save()):
    try:
        bad()
    except TypeError as error:
        print(error)
