"""Functions and sampled stacks of real programs, in reports; and programs watched from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from conftest import PROGRAMS, Latido, clean_environment

pytestmark = pytest.mark.alone


def by_name(functions: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Of the functions of the tested program itself."""
    return {f["name"]: f for f in functions if (f["file"] or "").startswith(str(PROGRAMS))}


def own_ns(function: dict[str, Any]) -> int:
    sampled: int | None = function["sampled_self_ns"]
    return function["self_ns"] if sampled is None else sampled


def test_every_call_is_in_the_report(latido: Latido) -> None:
    done = latido(
        "run", "--functions", "full", "--", sys.executable, PROGRAMS / "known_calls.py", "40"
    )
    assert done.returncode == 0, done.stderr
    (rank,) = latido.report()["ranks"]
    functions = by_name(rank["functions"])
    assert functions["Model.forward"]["calls"] == 40
    assert functions["sleep_a_little"]["calls"] == 40
    assert functions["main"]["calls"] == 1
    assert functions["sleep_a_little"]["total_ns"] >= 40 * 2_000_000
    assert functions["Model.forward"]["self_ns"] < functions["Model.forward"]["total_ns"]
    assert functions["main"]["total_ns"] >= functions["Model.forward"]["total_ns"]
    shown = latido("report", "last").stdout
    assert "WHERE THE TIME GOES: FUNCTIONS" in shown
    assert "sleep_a_little" in shown


def test_sampling_finds_the_function_that_takes_the_time(latido: Latido) -> None:
    done = latido(
        *("run", "--functions", "off", "--sample", "200", "--", sys.executable),
        PROGRAMS / "known_calls.py",
        "400",
    )
    assert done.returncode == 0, done.stderr
    report = latido.report()
    (rank,) = report["ranks"]
    functions = by_name(rank["functions"])
    assert functions["sleep_a_little"]["calls"] == 0
    assert own_ns(functions["sleep_a_little"]) > own_ns(functions["Model.forward"])
    assert functions["main"]["sampled_total_ns"] >= functions["Model.forward"]["sampled_total_ns"]


def test_a_tiny_function_called_all_the_time_comes_out(latido: Latido) -> None:
    """It is elided, or recorded in windows; its share of the time is seen all the same."""
    done = latido(
        "run",
        *("--functions", "adaptive", "--sample", "200"),
        *("--", sys.executable, PROGRAMS / "tiny_calls.py"),
    )
    assert done.returncode == 0, done.stderr
    (rank,) = latido.report()["ranks"]
    functions = by_name(rank["functions"])
    ranked = sorted(rank["functions"], key=own_ns, reverse=True)
    assert {function["name"] for function in ranked[:2]} == {"tiny", "loop"}
    if sys.version_info >= (3, 12):
        assert functions["tiny"]["elided"]


def test_a_child_that_lives_shortly_is_sampled(latido: Latido) -> None:
    done = latido("run", "--sample", "200", "--", sys.executable, PROGRAMS / "short_children.py")
    assert done.returncode == 0, done.stderr
    (rank,) = latido.report()["ranks"]
    functions = by_name(rank["functions"])
    assert functions["spin_in_child"]["sampled_total_ns"] > 600_000_000, "of two times 0.6 s"
    assert functions["spin_after_exec"]["sampled_total_ns"] > 300_000_000, "of 0.6 s"


def test_samples_go_to_other_tools(latido: Latido) -> None:
    done = latido(
        "run", "--sample", "200", "--", sys.executable, PROGRAMS / "known_calls.py", "300"
    )
    assert done.returncode == 0, done.stderr
    folded = latido("report", "last", "--export", "collapsed")
    assert folded.returncode == 0, folded.stderr
    assert any(";sleep_a_little" in line for line in folded.stdout.splitlines())
    scope = json.loads(latido("report", "last", "--export", "speedscope").stdout)
    names = {frame["name"] for frame in scope["shared"]["frames"]}
    assert {"main", "Model.forward", "sleep_a_little"} <= names or sys.version_info < (3, 11)
    page = latido("report", "last", "--format", "html").stdout
    assert "<canvas" in page
    assert "script-src 'sha256-" in page

    plain = latido("run", "--no-report", "--sample", "0", "--", sys.executable, "-c", "pass")
    assert plain.returncode == 0
    none = latido("report", "last", "--export", "collapsed")
    assert none.returncode == 1
    assert "latido run --sample 100" in none.stderr
    page = latido("report", "last", "--format", "html").stdout
    assert "<script" not in page


def test_training_is_the_same_with_functions_and_sampling(latido: Latido) -> None:
    plain = subprocess.run(
        [sys.executable, str(PROGRAMS / "plain.py")],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    done = latido(
        "run",
        *("--functions", "adaptive", "--sample", "100"),
        *("--", sys.executable, PROGRAMS / "plain.py"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == plain.stdout
    report = latido.report()
    (rank,) = report["ranks"]
    hooks = {hook["name"]: hook["state"] for hook in report["quality"]["hooks"]}
    assert hooks["functions"] == "ok"
    assert hooks["optimizer"] == "ok", "told again when torch is there"
    assert rank["step_source"] == "optimizer"
    assert rank["functions"]


def test_attach_watches_and_leaves_the_process_alone(latido: Latido) -> None:
    program = subprocess.Popen(
        [sys.executable, str(PROGRAMS / "known_calls.py"), "1000000"],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        assert program.stdout.readline() == "started\n"
        done = latido("attach", str(program.pid), "--duration", "2s", "--sample", "200")
        assert done.returncode == 0, done.stderr
        assert program.poll() is None
        assert "watched from outside" in done.stderr
        report = latido.report()
        assert report["run"]["end"]["kind"] == "detached"
        functions = by_name(report["ranks"][0]["functions"])
        assert "sleep_a_little" in functions
        assert functions["main"]["sampled_total_ns"] > 1_000_000_000
    finally:
        program.kill()
        program.wait()


def test_attach_ends_with_the_process(latido: Latido) -> None:
    program = subprocess.Popen(
        [sys.executable, str(PROGRAMS / "known_calls.py"), "300"],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "started\n"
    done = latido("attach", str(program.pid))
    assert done.returncode == 0, done.stderr
    assert program.wait() == 0


def test_attach_says_what_is_in_the_way(latido: Latido) -> None:
    sleeper = subprocess.Popen(["sleep", "60"])
    gone = subprocess.Popen(["true"])
    gone.wait()
    try:
        cases = [
            ((str(sleeper.pid),), 1, "Python"),
            ((str(gone.pid),), 1, f"process {gone.pid} does not exist"),
            (("abc",), 2, "pid"),
            ((str(sleeper.pid), "--duration", "3q"), 2, "--duration wants a time like 30s"),
            ((str(sleeper.pid), "--sample", "-1"), 2, "--sample"),
        ]
        for arguments, code, text in cases:
            done = latido("attach", *arguments)
            assert done.returncode == code, (arguments, done.stderr)
            assert text in done.stderr, (arguments, done.stderr)
        assert sleeper.poll() is None
        assert not (latido.home / "runs").exists() or not os.listdir(latido.home / "runs")
    finally:
        sleeper.send_signal(signal.SIGKILL)
        sleeper.wait()
