"""DataLoader workers: seen as processes of their own, each batch tied to the one that made it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import Latido
from test_loops import only_rank

pytestmark = pytest.mark.alone

SLOW_WORKER = """
import time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Slow(Dataset):
    def __len__(self):
        return 240

    def __getitem__(self, index):
        time.sleep(0.02 if get_worker_info().id == 1 else 0.001)
        return torch.zeros(4)


if __name__ == "__main__":
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in DataLoader(Slow(), batch_size=4, num_workers=2):
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
"""


def test_a_slow_worker_stands_out(latido: Latido, tmp_path: Path) -> None:
    script = tmp_path / "slow_worker.py"
    script.write_text(SLOW_WORKER)
    done = latido.run(sys.executable, script)
    assert done.returncode == 0, done.stderr
    workers = only_rank(latido.report())["workers"]
    assert [worker["number"] for worker in workers] == [0, 1]
    assert workers[1]["batch_mean_ns"] == pytest.approx(80e6, rel=0.25)
    assert workers[0]["batch_mean_ns"] < 30e6
    assert workers[1]["busy_ratio"] > workers[0]["busy_ratio"]
