"""The overhead budget is kept, and what recording costs is measured, in real trainings."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from conftest import PROGRAMS, Latido

pytestmark = pytest.mark.alone


def record(latido: Latido, *flags: str, seconds: str, calls: str) -> dict[str, Any]:
    """The JSON report of a training whose steps call that many functions."""
    program = (sys.executable, PROGRAMS / "calls_and_steps.py", seconds, calls)
    done = latido("run", *flags, "--", *program)
    assert done.returncode == 0, done.stderr
    return latido.report()


def calls_of(report: dict[str, Any], name: str) -> int:
    return sum(f["calls"] for f in report["ranks"][0]["functions"] if f["name"] == name)


def test_detail_falls_when_the_budget_is_used_up(latido: Latido) -> None:
    report = record(
        latido, *("--functions", "full", "--overhead", "0.001"), seconds="5", calls="2000"
    )
    overhead = report["quality"]["overhead"]
    assert overhead["budget"] == 0.001
    details = [change["detail"] for change in overhead["reductions"]]
    assert details[0] == "adaptive"
    assert details == ["adaptive", "no_rearm", "steps_only"][: len(details)]
    assert 0 < overhead["reductions"][0]["start_ns"] < report["run"]["wall_ns"]
    assert "to stay within the budget" in latido("report", "last").stdout


def test_steps_are_seen_to_the_end_with_little_detail(latido: Latido) -> None:
    program = (sys.executable, PROGRAMS / "calls_and_steps.py", "4", "2000")
    done = latido("run", "--functions", "full", "--overhead", "0.0001", "--", *program)
    steps, calls = map(int, done.stdout.split())
    report = latido.report()
    assert report["ranks"][0]["step_stats"]["count"] > 0
    counted = report["ranks"][0]["steps"]
    assert len(counted) == steps
    assert calls_of(report, "Doubler.double") < calls


def test_full_recording_without_a_budget_gives_nothing_up(latido: Latido) -> None:
    report = record(latido, "--functions", "full", seconds="3", calls="300")
    assert report["quality"]["overhead"]["reductions"] == []
    assert report["quality"]["overhead"]["budget"] == 0.01


def test_turns_measure_what_functions_cost(latido: Latido) -> None:
    report = record(
        latido, *("--functions", "full", "--measure-overhead"), seconds="14", calls="3000"
    )
    overhead = report["quality"]["overhead"]
    assert overhead["how"] == "measured"
    assert overhead["reductions"] == []
    assert 0.1 < overhead["ratio"] < 20, "thousands of calls a step, each recorded"
    assert overhead["low"] <= overhead["ratio"] <= overhead["high"]


def test_a_budget_is_a_share(latido: Latido) -> None:
    for bad in ("0", "2", "-1", "x", "1%"):
        done = latido("run", "--overhead", bad, "--", "true")
        assert done.returncode == 2, bad
        assert "--overhead" in done.stderr
