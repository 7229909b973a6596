"""Start-up: every interpreter of a run is reached, and none is disturbed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fake_agent import PACKAGE

# Those that the extension was built for.
INTERPRETERS = (PACKAGE / "interpreters.txt").read_text().split()


ZONE = "import latido\nwith latido.zone('work'): pass\nlatido.step(3)"


@pytest.mark.parametrize("python", INTERPRETERS)
def test_zones_need_no_torch(agent, python):
    run = agent.run("-c", ZONE, python=python)
    assert (run.returncode, run.stderr) == (0, "")
    (process,) = agent.processes()
    assert [span.name for span in process.spans] == ["work"]
    assert [(r.category, r.payload) for r in process.records if r.kind == "instant"] == [
        ("step", 3)
    ]


@pytest.mark.parametrize("python", INTERPRETERS)
def test_missing_torch_stays_the_programs_own_error(agent, python):
    code = "try:\n import torch\nexcept ModuleNotFoundError as e: print(e.name)\nimport json"
    run = agent.run("-S", "-c", code, python=python)
    assert (run.returncode, run.stderr, run.stdout) == (0, "", "torch\n")
    run = agent.run("-c", "import tor_ch" if find_spec("torch") else "import torch", python=python)
    assert run.returncode == 1
    assert "latido" not in run.stderr


@pytest.mark.parametrize("flags", [["-I"], ["-S"], ["-E"], ["-s"], ["-I", "-S"], ["-P"]], ids=str)
def test_flags_of_the_interpreter(agent, flags):
    run = agent.run(*flags, "-c", "print(6 * 7)")
    assert (run.returncode, run.stdout, run.stderr) == (0, "42\n", "")


def test_programs_that_record_nothing_open_no_ring(agent):
    agent.run("-c", "import json")
    assert agent.processes() == []


def test_disable_wins(agent):
    run = agent.run("-c", ZONE + "\nprint(latido._core.state())", LATIDO_DISABLE="1")
    assert agent.processes() == []
    assert "latido" in run.stderr  # not found: nothing was installed


def test_nobody_listening_is_no_error(agent):
    run = agent.run("-c", ZONE, LATIDO_SOCKET="/nonexistent/socket")
    assert (run.returncode, run.stderr) == (0, "")


def test_path_is_what_it_would_be_without(agent):
    code = "import sys, os; print(sys.path, sorted(os.listdir('.')) and '')"
    assert (
        agent.run("-c", code).stdout
        == subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
    )


def test_own_sitecustomize_runs_too(agent, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.user_was_here = __file__")
    path = f"{PACKAGE}/latido/_inject{os.pathsep}{tmp_path}"
    code = "import sys, sitecustomize\nprint(sys.user_was_here, sitecustomize.__file__)\n" + ZONE
    run = agent.run("-c", code, PYTHONPATH=path)
    own = str(tmp_path / "sitecustomize.py")
    assert (run.stdout, run.stderr) == (f"{own} {own}\n", "")
    assert len(agent.processes()) == 1


def test_own_sitecustomize_fails_as_it_would(agent, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("raise ValueError('mine')")
    path = f"{PACKAGE}/latido/_inject{os.pathsep}{tmp_path}"
    run = agent.run("-c", "print('on')", PYTHONPATH=path)
    assert run.stdout == "on\n"
    assert "ValueError: mine" in run.stderr


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_record_for_themselves(agent, tmp_path, method):
    program = tmp_path / "program.py"
    program.write_text(
        "import multiprocessing, latido\n"
        "def work(n):\n"
        "    with latido.zone('child', n=n): pass\n"
        "if __name__ == '__main__':\n"
        "    with latido.zone('parent'):\n"
        f"        context = multiprocessing.get_context('{method}')\n"
        "        children = [context.Process(target=work, args=(i,)) for i in range(3)]\n"
        "        for child in children: child.start()\n"
        "        for child in children: child.join()\n"
    )
    run = agent.run(str(program))
    assert (run.returncode, run.stderr) == (0, "")
    parent, *children = agent.processes()
    assert [s.name for s in parent.spans] == ["parent"]
    assert sorted(p.spans[0].args["n"] for p in children) == [0, 1, 2]
    assert {p.spans[0].name for p in children} == {"child"}
    assert len({p.pid for p in [parent, *children]}) == 4


def test_asking_for_torch_before_importing_it(torch_agent):
    code = (
        "import importlib.util\n"
        "spec = importlib.util.find_spec('torch')\n"
        "import torch\n"
        "assert type(torch.__loader__).__name__ == 'SourceFileLoader', torch.__loader__\n"
        "assert 'exec_module' not in vars(torch.__loader__)\n"
        "torch.nn.Linear(1, 1)(torch.ones(1))\n"
    )
    run = torch_agent.run("-c", code)
    assert (run.returncode, run.stderr) == (0, "")
    assert [s.category for s in torch_agent.processes()[0].spans] == ["forward"]


def test_torch_imported_in_a_thread(torch_agent):
    code = (
        "import threading\n"
        "def go():\n"
        "    import torch\n"
        "    torch.nn.Linear(1, 1)(torch.ones(1))\n"
        "t = threading.Thread(target=go); t.start(); t.join()\n"
    )
    run = torch_agent.run("-c", code)
    assert (run.returncode, run.stderr) == (0, "")
    assert [s.category for s in torch_agent.processes()[0].spans] == ["forward"]


def test_start_up_file_of_the_wheel(agent):
    """It works with -I, once, and is silent when the package behind it is gone."""
    line = (Path(__file__).parents[1] / "latido_start.pth").read_text()
    assert line.startswith("import ")
    assert line.count("\n") == 1
    code = f"import sys; sys.path.append({str(PACKAGE)!r})\nexec({line!r})\nexec({line!r})\n"
    run = agent.run("-I", "-c", code + ZONE)
    assert (run.returncode, run.stderr) == (0, "")
    assert len(agent.processes()) == 1
    gone = agent.run("-I", "-c", f"exec({line!r})\nprint('on')")
    assert (gone.stdout, gone.stderr) == ("on\n", "")
