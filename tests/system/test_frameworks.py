"""Trainings that a framework drives: exact steps, nothing of the training changed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest
from conftest import PROGRAMS, Latido, clean_environment, hooks_that_saw, phases_present, run_plain
from test_loops import LOADER, only_rank

FRAMEWORKS = [
    ("accelerated.py", "accelerate", 10),
    ("trainer.py", "transformers", 20),
    ("lightning_loop.py", "lightning", 40),
]


@pytest.mark.parametrize(("program", "package", "steps"), FRAMEWORKS, ids=lambda v: str(v))
def test_framework_is_understood_and_unchanged(
    latido: Latido, program: str, package: str, steps: int
) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    plain = run_plain(program)
    done = latido.run_python(program)
    assert done.returncode == 0, done.stderr
    unchanged = [
        line for line in plain.stdout.splitlines() if line.startswith(("losses", "weights"))
    ]
    assert [
        line for line in done.stdout.splitlines() if line.startswith(("losses", "weights"))
    ] == unchanged
    assert len(unchanged) == 2
    rank = only_rank(latido.report())
    assert len(rank["steps"]) == steps
    assert phases_present(rank) >= LOADER


def test_compiled_graphs_breaks_and_recompiles_stay_the_same(latido: Latido) -> None:
    plain = run_plain("compiled.py")
    done = latido.run_python("compiled.py")
    assert done.stdout == plain.stdout, done.stderr
    assert len(only_rank(latido.report())["steps"]) == 20


def torchrun(*arguments: str) -> list[str]:
    return [
        sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
        *arguments,
    ]  # fmt: skip


def test_ddp_on_two_ranks(latido: Latido) -> None:
    command = torchrun(str(PROGRAMS / "ddp.py"))
    plain = subprocess.run(
        command, env=clean_environment(), capture_output=True, text=True, timeout=120, check=True
    )
    done = latido.run(*command)
    assert done.returncode == 0, done.stderr
    assert done.stdout == plain.stdout
    report = latido.report()
    ranks = {rank["rank"]: rank for rank in report["ranks"] if rank["steps"]}
    assert set(ranks) == {0, 1}
    for rank in ranks.values():
        assert len(rank["steps"]) == 20
        assert phases_present(rank) >= LOADER | {"comm_wait"}
    assert all(state == "ok" for state in hooks_that_saw(report).values())
