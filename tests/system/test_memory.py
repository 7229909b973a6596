"""Resident memory by phase, its peak and its growth a step, in trainings whose memory is known."""

from __future__ import annotations

from conftest import Latido

MB = 1 << 20


def test_memory_is_told_by_phase(latido: Latido) -> None:
    done = latido.run_python("memory_phases.py", "40", "0")
    assert done.returncode == 0, done.stderr
    report = latido.report()
    (rank,) = report["ranks"]
    phases = rank["memory"]["phases"]
    forward, backward = phases["forward"], phases["backward"]
    assert forward["samples"] >= 10
    assert backward["samples"] >= 10
    # Filling the memory takes a part of the forward.
    assert 150 * MB < forward["mean_bytes"] - backward["mean_bytes"] < 280 * MB
    assert 230 * MB < forward["peak_bytes"] - backward["mean_bytes"] < 280 * MB
    (process,) = (p for p in report["processes"] if p["pid"] == rank["pid"])
    assert process["rss_peak_bytes"] >= forward["peak_bytes"] - 8 * MB
    shown = latido("report", "last").stdout
    assert "memory" in shown
    assert "forward" in shown.split("memory", 1)[1]


def test_growth_a_step_is_told_with_its_interval(latido: Latido) -> None:
    kept_bytes = 4 * MB
    done = latido.run_python("memory_phases.py", "40", str(kept_bytes))
    assert done.returncode == 0, done.stderr
    use = latido.report()["resources"]
    low, high = use["rss_growth_low_bytes_per_step"], use["rss_growth_high_bytes_per_step"]
    assert low <= use["rss_growth_bytes_per_step"] <= high
    assert 0.5 * kept_bytes < use["rss_growth_bytes_per_step"] < 1.5 * kept_bytes
