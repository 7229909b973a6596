"""Fixtures that drive the real `latido` binary on real programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"


def binary() -> Path:
    """The binary under test: LATIDO_BINARY, else the release build."""
    return Path(os.environ.get("LATIDO_BINARY", ROOT / "build/release/bin/latido"))


def clean_environment() -> dict[str, str]:
    """The environment of a user: one math thread, and nothing of a recording around the tests."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LATIDO_")}
    environment.pop("PYTHONPATH", None)
    environment.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", PYTHONHASHSEED="0")
    return environment


@dataclass
class Latido:
    """Runs `latido` with a home of its own."""

    home: Path
    environment: dict[str, str] = field(default_factory=clean_environment)

    def __call__(
        self, *arguments: str | Path, timeout_s: float = 300, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        environment = self.environment | {"LATIDO_HOME": str(self.home)} | options.pop("env", {})
        return subprocess.run(
            [str(binary()), *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            **options,
        )

    def run(self, *command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """`latido run -- command`."""
        return self("run", "--", *command, **options)

    def run_python(self, program: str, *arguments: str, **options: Any) -> Any:
        """`latido run` of one of tests/system/programs with this interpreter."""
        return self.run(sys.executable, PROGRAMS / program, *arguments, **options)

    def report(self, selector: str = "last") -> dict[str, Any]:
        """The JSON report of a run."""
        done = self("report", selector, "--format", "json")
        assert done.returncode == 0, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        return report


@pytest.fixture
def latido(tmp_path: Path) -> Iterator[Latido]:
    assert binary().exists(), f"build first: {binary()} is missing"
    # Runs that another recording had to keep in the user's temporary folder are listed, too. Its
    # path is short, since sockets are made there.
    with tempfile.TemporaryDirectory(prefix="latido-") as temporary:
        environment = clean_environment() | {"TMPDIR": temporary}
        yield Latido(home=tmp_path / "home", environment=environment)


def run_plain(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same program without Latido."""
    return subprocess.run(
        [sys.executable, str(PROGRAMS / program), *arguments],
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )


def phases_present(rank: dict[str, Any]) -> set[str]:
    """The phases that took time in some steady step."""
    return {
        phase
        for step in rank["steps"]
        for phase, time_ns in step["parts"].items()
        if time_ns is not None and time_ns > 0
    }


def hooks_that_saw(report: dict[str, Any]) -> dict[str, str]:
    """Hook name to state."""
    return {hook["name"]: hook["state"] for hook in report["quality"]["hooks"]}
