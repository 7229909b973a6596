"""Every training loop people write: exact steps, phases, and not a bit of the training changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from conftest import Latido, hooks_that_saw, phases_present, run_plain

COMPUTE = {"forward", "backward", "optimizer"}
LOADER = COMPUTE | {"data_wait"}


@dataclass(frozen=True)
class Loop:
    program: str
    arguments: tuple[str, ...]
    steps: int
    phases: frozenset[str]
    skipped: int = 0

    @property
    def name(self) -> str:
        return "-".join((self.program.removesuffix(".py"), *self.arguments))


def loop(
    program: str, *arguments: str, steps: int, phases: set[str] = LOADER, skipped: int = 0
) -> Loop:
    return Loop(program, arguments, steps, frozenset(phases), skipped)


LOOPS = [
    loop("plain.py", steps=40),
    loop("accumulation.py", steps=20),
    loop("grad_scaler.py", steps=40, skipped=4),
    loop("lbfgs.py", steps=6, phases=COMPUTE),
    loop("gan.py", "1", steps=20),
    loop("gan.py", "3", steps=20),
    loop("retain_graph.py", steps=20),
    loop("iterable.py", "0", steps=20),
    loop("iterable.py", "2", steps=20),
    loop("get_batch.py", steps=30, phases=COMPUTE),
    loop("evaluation.py", steps=60),
    loop("super_step.py", steps=20),
    loop("scheduler.py", steps=40),
    loop("workers.py", "fork", "2", "fresh", steps=40),
    loop("workers.py", "spawn", "2", "fresh", steps=40),
    loop("workers.py", "forkserver", "2", "fresh", steps=40),
    loop("workers.py", "fork", "2", "persistent", steps=40),
]


def only_rank(report: dict[str, Any]) -> dict[str, Any]:
    ranks = [rank for rank in report["ranks"] if rank["steps"]]
    assert len(ranks) == 1, [len(rank["steps"]) for rank in report["ranks"]]
    return dict(ranks[0])


@pytest.mark.parametrize("case", LOOPS, ids=lambda case: case.name)
def test_loop_is_understood_and_unchanged(latido: Latido, case: Loop) -> None:
    plain = run_plain(case.program, *case.arguments)
    done = latido.run_python(case.program, *case.arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout == plain.stdout, "the training changed"

    report = latido.report()
    rank = only_rank(report)
    assert len(rank["steps"]) == case.steps
    assert rank["step_source"] == "optimizer"
    assert phases_present(rank) - {"other"} == case.phases
    assert sum("skipped" in step["flags"] for step in rank["steps"]) == case.skipped
    for step in rank["steps"]:
        assert sum(time for time in step["parts"].values() if time is not None) == step["wall_ns"]
    assert all(state == "ok" for state in hooks_that_saw(report).values()), hooks_that_saw(report)
    assert report["quality"]["dropped"] == 0
    assert report["quality"]["malformed"] == 0
    parts = report["run"]["parts"]
    assert abs(sum(parts.values()) - report["run"]["wall_ns"]) <= report["run"]["wall_ns"] * 0.001
