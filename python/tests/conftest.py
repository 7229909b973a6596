from __future__ import annotations

import functools
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fake_agent import PACKAGE, Agent

PROGRAMS = Path(__file__).parent / "programs"


def pytest_configure() -> None:
    if not (PACKAGE / "latido" / "_inject" / "sitecustomize.py").exists():
        pytest.exit(f"no package in {PACKAGE}: build it, or name it in LATIDO_PYTHON_PATH", 2)


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


@pytest.fixture
def torch_agent(agent: Agent) -> Agent:
    if find_spec("torch") is None:
        pytest.skip("this interpreter has no torch")
    return agent


class Compared:
    """A program run with Latido and without: same output, and what was recorded."""

    def __init__(self, agent: Agent, command: list[str], expected: str) -> None:
        self.result = agent.run(*command)
        assert self.result.returncode == 0, self.result.stderr
        assert self.result.stdout == expected
        self.processes = agent.processes()
        for process in self.processes:
            assert process.dropped == 0
            assert set(process.hooks().values()) == {"ok"}
        self.main = self.processes[0]


@pytest.fixture(scope="session")
def compare(tmp_path_factory: pytest.TempPathFactory):
    """compare(program, argument…) -> Compared; each is run once, importing torch takes its time."""
    if find_spec("torch") is None:
        pytest.skip("this interpreter has no torch")

    @functools.cache
    def without(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, timeout=300, check=True
        )
        return done.stdout

    @functools.cache
    def run(program: str, *arguments: str) -> Compared:
        path = str(PROGRAMS / program)
        if program == "loops.py":  # all of them in one process
            expected = without(path, "all").split(f"== {arguments[0]}\n")[1].split("==")[0]
        else:
            expected = without(path, *arguments)
        agent = Agent(tmp_path_factory.mktemp("agent"))
        return Compared(agent, [path, *arguments], expected)

    return run
