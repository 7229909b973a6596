"""Trainings under torch.compile: prints, per case, losses, graphs, breaks and recompilations.

Graphs run as they are (no code generator): what counts is what Dynamo sees.
"""

from __future__ import annotations

import json

import torch
import torch._dynamo
from torch import nn
from torch._dynamo.utils import counters

graphs: list[int] = []
ONES = torch.ones(4, 8)


def backend(graph: torch.fx.GraphModule, _inputs: list) -> object:
    graphs.append(len(graph.graph.nodes))
    return graph.forward


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.norm = nn.LayerNorm(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.norm(torch.relu(self.linear(x)))


class Net(nn.Module):
    def __init__(self, *, breaks: bool = False) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.head = nn.Linear(8, 2)
        self.breaks = breaks

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.blocks[0](x)
        if self.breaks:
            torch._dynamo.graph_break()
        return self.head(self.blocks[2](self.blocks[1](x)))


def loss_of(net: object, rows: int = 4) -> torch.Tensor:
    target = torch.zeros(rows, dtype=torch.long)
    return nn.functional.cross_entropy(net(torch.randn(rows, 8)), target)


def train(net: nn.Module, call: object) -> list[float]:
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    losses = []
    for rows in (4, 4, 6):  # another shape: recompiled
        optimizer.zero_grad()
        loss = loss_of(call, rows)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def model() -> list[float]:
    net = Net()
    return train(net, torch.compile(net, backend=backend))


def model_fullgraph() -> list[float]:
    net = Net()
    return train(net, torch.compile(net, backend=backend, fullgraph=True))


def model_in_place() -> list[float]:
    net = Net()
    net.compile(backend=backend)
    return train(net, net)


def model_of_torch() -> list[float]:
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    return train(net, torch.compile(net, backend=backend))


def model_with_break() -> list[float]:
    net = Net(breaks=True)
    return train(net, torch.compile(net, backend=backend))


def model_with_hook() -> list[float]:
    net = Net()
    net.blocks[0].register_forward_hook(lambda _module, _args, out: out * 1.0)
    return train(net, torch.compile(net, backend=backend))


def function_of_models() -> list[float]:
    net = Net(breaks=True)

    @torch.compile(backend=backend)
    def function(x: torch.Tensor) -> torch.Tensor:
        return net(x).sum() + net.blocks[0](x).sum()

    class Outer(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return function(x)

    return [function(ONES).item(), Outer()(ONES).item(), function(ONES).item()]


def whole_step() -> list[float]:
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)

    @torch.compile(backend=backend)
    def step() -> torch.Tensor:
        optimizer.zero_grad()
        loss = loss_of(net)
        loss.backward()
        optimizer.step()
        return loss

    return [step().item() for _ in range(3)]


def backward_by_name() -> list[float]:
    net = Net()

    @torch.compile(backend=backend)
    def passes() -> torch.Tensor:
        loss = loss_of(net)
        torch.autograd.backward([loss], retain_graph=False)
        return loss * 2

    return [passes().item() for _ in range(2)] + [net.head.weight.grad.sum().item()]


def optimizer_step() -> list[float]:
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), 1e-2)
    step = torch.compile(optimizer.step, backend=backend)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = loss_of(net)
        loss.backward()
        step()
        losses.append(loss.item())
    return losses


def clipping() -> list[float]:
    net = Net()
    loss_of(net).backward()

    @torch.compile(backend=backend)
    def clip() -> torch.Tensor:
        return nn.utils.clip_grad_norm_(net.parameters(), 1.0)

    return [clip().item()]


def exported() -> list[float]:
    net = Net()
    program = torch.export.export(net, (ONES,))
    graphs.append(len(program.graph.nodes))
    return [program.module()(ONES).sum().item()]


def traced() -> list[float]:
    net = Net()
    symbolic = torch.fx.symbolic_trace(net)
    graphs.append(len(symbolic.graph.nodes))
    return [symbolic(ONES).sum().item(), torch.jit.trace(net, ONES)(ONES).sum().item()]


def scripted() -> list[float]:
    @torch.jit.script
    def passes_back(x: torch.Tensor) -> torch.Tensor:
        torch.autograd.backward([x.sum()])
        return x

    x = torch.ones(3, requires_grad=True)
    passes_back(x)
    net = torch.jit.script(nn.Sequential(nn.Linear(8, 2)))
    return [x.grad.sum().item(), net(ONES).sum().item()]


def transformed() -> list[float]:
    net = Net()
    parameters = dict(net.named_parameters())

    def function(parameters: dict, x: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(net, parameters, (x,)).sum()

    gradients = torch.func.vmap(torch.func.grad(function), in_dims=(None, 0))(parameters, ONES)
    return [sum(gradient.sum().item() for gradient in gradients.values())]


CASES = (
    model,
    model_fullgraph,
    model_in_place,
    model_of_torch,
    model_with_break,
    model_with_hook,
    function_of_models,
    whole_step,
    backward_by_name,
    optimizer_step,
    clipping,
    exported,
    traced,
    scripted,
    transformed,
)


def main() -> None:
    torch.set_num_threads(1)
    for case in CASES:
        torch._dynamo.reset()
        counters.clear()
        graphs.clear()
        torch.manual_seed(0)
        losses = case()
        # The sentence that describes a break may name our wrapper; how many there are counts.
        breaks = sum(counters["graph_break"].values())
        seen = {name: dict(counters[name]) for name in ("frames", "stats")}
        print(case.__name__, json.dumps([losses, graphs, breaks, seen]))


if __name__ == "__main__":
    main()
