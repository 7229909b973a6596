"""What layers do that a tool may stumble over: 24 steps, a different model by the argument."""

from __future__ import annotations

import sys

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint
from training import finish, make_loader, setup


class InPlace(nn.Module):
    """In-place activations, in-place functions on a view, a layer whose output is its input."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 32)
        self.act = nn.ReLU(inplace=True)
        self.same = nn.Identity()
        self.flat = nn.Flatten()
        self.last = nn.Linear(32, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.same(self.act(self.first(x)))
        x = self.flat((x * 1.0).view(-1, 4, 8))
        x.mul_(0.5)
        return self.last(x).add_(1.0)


class Outputs(nn.Module):
    """Tuples, dictionaries, None, tensors without a graph, a list of inputs."""

    class Pair(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(16, 16)

        def forward(self, xs: list[torch.Tensor]) -> dict[str, object]:
            y = self.linear(xs[0])
            return {"both": (y, xs[0].detach()), "none": None, "deep": [[y * 2]]}

    class Quiet(nn.Module):
        def forward(self, _x: torch.Tensor) -> None:
            return None

    def __init__(self) -> None:
        super().__init__()
        self.pair = self.Pair()
        self.quiet = self.Quiet()
        self.last = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found = self.pair(xs=[x])
        self.quiet(x)
        return self.last(found["both"][0] + found["deep"][0][0])


class Shared(nn.Module):
    """One layer used several times, under two names; one that is made while running."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(16, 16)
        self.again = self.inner
        self.last = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(3):
            x = torch.tanh(self.again(self.inner(x)))
        return self.last(nn.Softplus()(x))


class Checkpointed(nn.Module):
    """Layers that run again inside backward, with a random number in them."""

    def __init__(self, reentrant: bool) -> None:
        super().__init__()
        self.reentrant = reentrant
        self.first = nn.Linear(16, 32)
        self.block = nn.Sequential(nn.Linear(32, 64), nn.Dropout(0.3), nn.Linear(64, 32))
        self.last = nn.Linear(32, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = checkpoint(self.block, self.first(x), use_reentrant=self.reentrant)
        return self.last(F.relu(x))


class Transformed(nn.Module):
    """A function transform and a part without gradients inside forward."""

    def __init__(self) -> None:
        super().__init__()
        self.frozen = nn.Linear(16, 16).requires_grad_(False)
        self.last = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            y = self.frozen(x)
        slope = torch.func.vmap(torch.func.grad(lambda v: (v**2).sum()))(y)
        return self.last(x + 0.1 * slope)


class Penalised(nn.Module):
    """The gradient of the gradient; half of the batch through the model, each by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.detach().requires_grad_()
        y = self.body(x)
        (slope,) = torch.autograd.grad(y.square().sum(), x, create_graph=True)
        return y + slope.square().mean()


class Offloaded(nn.Module):
    """Tensors kept for backward go through hooks of the program."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autograd.graph.save_on_cpu():
            return self.body(x)


MODELS = {
    "in_place": InPlace,
    "outputs": Outputs,
    "shared": Shared,
    "checkpoint": lambda: Checkpointed(False),
    "reentrant": lambda: Checkpointed(True),
    "transformed": Transformed,
    "penalised": Penalised,
    "offloaded": Offloaded,
    "lstm": lambda: nn.Sequential(nn.Unflatten(1, (4, 4)), Last(4, 8), nn.Linear(8, 4)),
}


class Last(nn.Module):
    """The last output of an LSTM."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.rnn = nn.LSTM(inputs, hidden, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.rnn(x)[0][:, -1]


setup()
model = MODELS[sys.argv[1]]()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
losses = []
for x, y in make_loader(192):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward(retain_graph=True)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
finish(losses, model)
for name, module in model.named_modules():
    left = [
        key
        for key in (
            "_forward_hooks",
            "_forward_pre_hooks",
            "_backward_hooks",
            "_backward_pre_hooks",
        )
        if vars(module)[key]
    ]
    assert not left, (name, left)
    assert not hasattr(module, "_latido"), name
hooks = torch.autograd.graph.saved_tensors_hooks
print("hooks", hooks.__enter__.__qualname__, hooks.__exit__.__qualname__)
