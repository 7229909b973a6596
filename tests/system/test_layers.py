"""latido run --layers: every training stays the same to the bit, and the layers' times are true."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import Any

import pytest
from conftest import PROGRAMS, Latido, clean_environment, hooks_that_saw, run_plain
from test_frameworks import FRAMEWORKS, torchrun
from test_loops import LOOPS, Loop, loop, only_rank

LONG_ENOUGH = [
    *(case for case in LOOPS if case.program != "lbfgs.py"),
    loop("lbfgs.py", "16", steps=16),
]


def with_layers(latido: Latido, program: str, *arguments: str) -> Any:
    command = [sys.executable, PROGRAMS / program, *arguments]
    done = latido("run", "--layers", "--", *command)
    assert done.returncode == 0, done.stderr
    return done


def layers_of(rank: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {layer["name"]: layer for layer in rank["layers"]["layers"]}


@pytest.mark.parametrize("case", LONG_ENOUGH, ids=lambda case: case.name)
def test_no_bit_of_a_training_changes(latido: Latido, case: Loop) -> None:
    plain = run_plain(case.program, *case.arguments)
    done = with_layers(latido, case.program, *case.arguments)
    assert done.stdout == plain.stdout, "the training changed"
    report = latido.report()
    for rank in report["ranks"]:
        assert len(rank["steps"]) == case.steps
        assert rank["layers"]["timed_steps"] > 0
        assert rank["layers"]["counted_steps"] > 0
        assert rank["layers"]["notes"] == []
        sampled = [step for step in rank["steps"] if "sampled" in step["flags"]]
        assert sampled
        assert any(layer["backward_ns"] > 0 for layer in rank["layers"]["layers"])
        assert any(layer["forward_flops"] > 0 for layer in rank["layers"]["layers"])
    assert hooks_that_saw(report)["layers"] == "ok"
    assert report["quality"]["dropped"] == 0
    assert report["quality"]["malformed"] == 0


@pytest.mark.parametrize(
    ("model", "notes"),
    [
        ("in_place", []),
        ("outputs", []),
        ("shared", []),
        ("checkpoint", ["recomputed"]),
        ("reentrant", ["recomputed"]),
        ("transformed", []),
        ("penalised", []),
        ("offloaded", []),
        ("lstm", []),
    ],
)
def test_odd_layers_stay_as_they_are(latido: Latido, model: str, notes: list[str]) -> None:
    plain = run_plain("odd_layers.py", model)
    done = with_layers(latido, "odd_layers.py", model)
    assert done.stdout == plain.stdout
    layers = only_rank(latido.report())["layers"]
    assert layers["notes"] == notes
    assert layers["timed_steps"] > 0
    assert layers["counted_steps"] > 0


@pytest.mark.parametrize(("program", "package", "_steps"), FRAMEWORKS, ids=lambda v: str(v))
def test_frameworks_stay_the_same(latido: Latido, program: str, package: str, _steps: int) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")

    def unchanged(output: str) -> list[str]:
        return [line for line in output.splitlines() if line.startswith(("losses", "weights"))]

    plain = run_plain(program)
    done = with_layers(latido, program)
    assert unchanged(done.stdout) == unchanged(plain.stdout)
    assert only_rank(latido.report())["layers"]["timed_steps"] > 0


def test_ddp_stays_the_same(latido: Latido) -> None:
    command = torchrun(str(PROGRAMS / "ddp.py"))
    plain = subprocess.run(
        command, env=clean_environment(), capture_output=True, text=True, timeout=120, check=True
    )
    done = latido("run", "--layers", "--", *command)
    assert done.returncode == 0, done.stderr
    assert done.stdout == plain.stdout
    ranks = [rank for rank in latido.report()["ranks"] if rank["steps"]]
    assert len(ranks) == 2
    for rank in ranks:
        assert rank["layers"]["timed_steps"] > 0
        names = layers_of(rank)
        assert "DistributedDataParallel" in names
        assert not any(name.startswith("module.") for name in names)


def test_compiled_layers_are_one_piece(latido: Latido) -> None:
    plain = run_plain("compiled.py")
    done = with_layers(latido, "compiled.py")
    assert done.stdout == plain.stdout
    for rank in latido.report()["ranks"]:
        assert "compiled" in rank["layers"]["notes"]


def near(ns: float) -> Any:
    """2 %; or what a moment lost between the two clocks adds to a short layer."""
    return pytest.approx(ns, rel=0.02, abs=200_000)


def check_times(latido: Latido) -> None:
    """Of one run, against the program's own clock."""
    done = with_layers(latido, "known_layers.py", "60")
    rank = only_rank(latido.report())
    truth = [
        true
        for true, step in zip(json.loads(done.stdout), rank["steps"], strict=True)
        if "sampled" in step["flags"] and "counted" not in step["flags"]
    ]
    assert len(truth) == rank["layers"]["timed_steps"] >= 3
    layers = layers_of(rank)

    def true_ns(*names: str, part: int) -> float:
        return sum(step[name][part] for step in truth for name in names) / len(truth)

    for name in ("outer.first", "outer.second", "outer", "twice"):
        layer = layers[name]
        assert layer["forward_self_ns"] == near(true_ns(name, part=0)), name
        assert layer["backward_self_ns"] == near(true_ns(name, part=1)), name
    assert layers["twice"]["calls_per_step"] == 2
    outer = ("outer.first", "outer.second", "outer")
    assert layers["outer"]["forward_ns"] == near(true_ns(*outer, part=0))
    assert layers["outer"]["backward_ns"] == near(true_ns(*outer, part=1))
    net = layers["Net"]
    assert net["backward_ns"] == near(true_ns(*outer, "twice", part=1))
    assert net["parameters"] == 20
    assert net["own_parameters"] == 0


@pytest.mark.alone
def test_times_are_true(latido: Latido) -> None:
    """In one run of five: on a busy machine a time slice of others falls between the two clocks."""
    for _ in range(4):
        try:
            return check_times(latido)
        except AssertionError as missed:
            print(missed)
    return check_times(latido)


def test_reports_show_the_layers(latido: Latido) -> None:
    with_layers(latido, "plain.py")
    shown = latido("report", "last").stdout
    assert "WHERE THE TIME GOES: LAYERS" in shown
    assert "Sequential" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    page = latido("report", "last", "--format", "html").stdout
    assert "Where the time goes: layers" in page
    text = latido("report", "last", "--format", "md").stdout
    assert "Where the time goes: layers" in text

    latido.run_python("plain.py")
    assert only_rank(latido.report())["layers"] is None
    assert "LAYERS" not in latido("report", "last").stdout
