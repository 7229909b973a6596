"""Small trainings, one a function: `python loops.py NAME|all`. Prints losses and a weights hash."""

from __future__ import annotations

import hashlib
import sys

import torch
from torch import nn
from torch.optim import SGD, Adam
from torch.utils.data import DataLoader, IterableDataset, TensorDataset


def dataset(samples: int = 64) -> TensorDataset:
    return TensorDataset(torch.randn(samples, 8), torch.randint(0, 2, (samples,)))


def model() -> nn.Module:
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))


def loss_of(net: nn.Module, batch: list) -> torch.Tensor:
    return nn.functional.cross_entropy(net(batch[0]), batch[1])


def finish(*nets: nn.Module) -> None:
    weights = b"".join(p.detach().numpy().tobytes() for net in nets for p in net.parameters())
    print(hashlib.sha256(weights).hexdigest(), torch.rand(1).item())


def plain() -> None:
    """2 epochs of 8 steps, evaluation in between."""
    net = model()
    optimizer = Adam(net.parameters(), 1e-2)
    for _ in range(2):
        for batch in DataLoader(dataset(), batch_size=8, shuffle=True):
            optimizer.zero_grad()
            loss = loss_of(net, batch)
            loss.backward()
            optimizer.step()
            print(loss.item())
        net.eval()
        with torch.no_grad():
            print(sum(loss_of(net, b).item() for b in DataLoader(dataset(16), batch_size=8)))
        net.train()
    finish(net)


def accumulation() -> None:
    """4 steps of 4 micro-batches, clipped, with a schedule."""
    net = model()
    optimizer = SGD(net.parameters(), 0.1, momentum=0.9)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    for i, batch in enumerate(DataLoader(dataset(128), batch_size=8)):
        (loss_of(net, batch) / 4).backward()
        if i % 4 == 3:
            print(nn.utils.clip_grad_norm_(net.parameters(), 0.5).item())
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
    finish(net)


def scaler() -> None:
    """8 attempts, of which 2 overflow and are skipped."""
    net = model()
    optimizer = SGD(net.parameters(), 0.1)
    grad_scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for i, batch in enumerate(DataLoader(dataset(), batch_size=8)):
        optimizer.zero_grad()
        loss = loss_of(net, batch) * (float("inf") if i in (2, 5) else 1.0)
        grad_scaler.scale(loss).backward()
        grad_scaler.step(optimizer)
        grad_scaler.update()
        print(loss.item(), grad_scaler.get_scale())
    finish(net)


def lbfgs() -> None:
    """4 steps with several passes each, inside the step."""
    net = nn.Linear(8, 2)
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=3)
    for batch in DataLoader(dataset(32), batch_size=8):

        def closure(batch: list = batch) -> torch.Tensor:
            optimizer.zero_grad()
            loss = loss_of(net, batch)
            loss.backward()
            return loss

        print(optimizer.step(closure).item())
    finish(net)


def gan() -> None:
    """8 updates of each of two optimizers."""
    maker, judge = nn.Linear(4, 8), nn.Linear(8, 1)
    maker_optimizer, judge_optimizer = Adam(maker.parameters()), Adam(judge.parameters())
    for real, _ in DataLoader(dataset(), batch_size=8):
        judge_loss = (judge(maker(torch.randn(8, 4)).detach()) - judge(real)).mean()
        judge_optimizer.zero_grad()
        judge_loss.backward(retain_graph=True)
        judge_optimizer.step()
        maker_loss = -judge(maker(torch.randn(8, 4))).mean()
        maker_optimizer.zero_grad()
        maker_loss.backward()
        maker_optimizer.step()
        print(judge_loss.item(), maker_loss.item())
    finish(maker, judge)


class Louder(SGD):
    """A step that calls the step it overrides."""

    def step(self, closure: None = None) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.grad.mul_(1.5)
        super().step(closure)


def super_step() -> None:
    """8 steps; both classes have had an instance, so that both are hooked by torch."""
    net = model()
    SGD(net.parameters(), 0.1)
    optimizer = Louder(net.parameters(), 0.1)
    for batch in DataLoader(dataset(), batch_size=8):
        optimizer.zero_grad()
        loss_of(net, batch).backward()
        optimizer.step()
    finish(net)


def checkpointed() -> None:
    """4 steps that recompute their forward pass inside the backward pass."""
    from torch.utils.checkpoint import checkpoint

    net = model()
    optimizer = SGD(net.parameters(), 0.1)
    for batch in DataLoader(dataset(32), batch_size=8):
        optimizer.zero_grad()
        out = checkpoint(net, batch[0], use_reentrant=False)
        loss = nn.functional.cross_entropy(out, batch[1])
        loss.backward()
        optimizer.step()
        print(loss.item())
    finish(net)


def failing_step() -> None:
    """A step that raises and is survived, then 3 good ones."""
    net = model()
    optimizer = SGD(net.parameters(), 0.1)
    loss_of(net, next(iter(DataLoader(dataset(8), batch_size=8)))).backward()

    def closure() -> float:
        raise ValueError("no")

    try:
        optimizer.step(closure)
    except ValueError:
        print("survived")
    for _ in range(3):
        optimizer.step()
    finish(net)


class Numbers(IterableDataset):
    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        count = 12 if info is None else (8, 4)[info.id]
        for i in range(count):
            yield torch.full((8,), float(i)), i % 2


def iterable() -> None:
    """3 batches of 4 without workers."""
    net = model()
    optimizer = SGD(net.parameters(), 0.1)
    for batch in DataLoader(Numbers(), batch_size=4):
        optimizer.zero_grad()
        loss_of(net, batch).backward()
        optimizer.step()
    finish(net)


def two_threads() -> None:
    """Two trainings of 8 steps at the same time; their losses are not printed: one generator."""
    import threading

    def train() -> None:
        net = nn.Linear(8, 2)
        optimizer = SGD(net.parameters(), 0.1)
        for batch in DataLoader(dataset(), batch_size=8):
            optimizer.zero_grad()
            loss_of(net, batch).backward()
            optimizer.step()

    threads = [threading.Thread(target=train) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def save() -> None:
    """A checkpoint, read back."""
    import io

    net = model()
    stream = io.BytesIO()
    torch.save({"model": net.state_dict()}, stream)
    stream.seek(0)
    net.load_state_dict(torch.load(stream)["model"])
    finish(net)


LOOPS = (
    plain,
    accumulation,
    scaler,
    lbfgs,
    gan,
    super_step,
    checkpointed,
    failing_step,
    iterable,
    two_threads,
    save,
)

if __name__ == "__main__":
    torch.set_num_threads(1)
    for loop in LOOPS:
        if sys.argv[1] == "all":
            print("==", loop.__name__)
        if sys.argv[1] in ("all", loop.__name__):
            torch.manual_seed(7)
            loop()
