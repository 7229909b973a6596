"""The tools of bench/functions.py: how each is started, and one run under one of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PathDistribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(__file__).parent / "programs" / "function_loads.py"
PEERS = Path(__file__).parent / "functions_peers.txt"
TIMEOUT_S = 120


@dataclass(frozen=True)
class Python:
    """An interpreter with the peers beside it."""

    minor: str
    environment: Path
    torch_path: str = ""  # where PyTorch is, for this interpreter; "": nowhere
    left_out: tuple[str, ...] = ()

    @property
    def executable(self) -> str:
        """The interpreter itself."""
        return str(self.environment / "bin" / "python")

    def has(self, program: str) -> bool:
        """Whether a peer of this name is there."""
        return (self.environment / "bin" / program).exists()


@dataclass(frozen=True)
class Run:
    """One run: seconds inside the program, and what the tool left."""

    cpu_s: float
    wall_s: float
    bytes: int = 0
    calls: int = 0
    lost_ratio: float | None = None


# From the words that can stand in it to a command's beginning.
Command = Callable[[dict[str, str]], list[str]]


@dataclass(frozen=True)
class Tool:
    """One row of the tables."""

    name: str
    command: Command
    program: str = "python"  # must be there
    separator: tuple[str, ...] = ()  # between the program and its arguments
    traces: bool = False
    samples_from_outside: bool = False

    def can_run(self, python: Python, load: str) -> bool:
        """Whether all is there that it takes."""
        return python.has(self.program) and (load != "training" or python.torch_path != "")


def command(*words: str) -> Command:
    """{bin}, {python}, {out} and {latido} stand for what they say."""
    return lambda places: [word.format(**places) for word in words]


def latido(*options: str) -> Command:
    """The default settings but for `options`."""
    run = ("{latido}", "run", "--no-report", "--home", "{out}/home")
    return command(*run, *options, "--", "{python}")


TOOLS = [
    Tool("plain again (A/A)", command("{python}")),
    Tool("latido adaptive", latido("--functions", "adaptive")),
    Tool("latido full", latido("--functions", "full"), traces=True),
    Tool("latido sample 100 Hz", latido("--sample", "100"), samples_from_outside=True),
    Tool("latido sample 1 kHz", latido("--sample", "1000"), samples_from_outside=True),
    Tool("cProfile", command("{python}", "-m", "cProfile", "-o", "{out}/profile"), traces=True),
    Tool(
        "VizTracer",
        command(
            "{bin}/viztracer", "--quiet", "--tracer_entries", "2000000", "-o", "{out}/trace.json"
        ),
        "viztracer",
        ("--",),
        traces=True,
    ),
    Tool(
        "py-spy 100 Hz",
        command(
            "{bin}/py-spy", "record", "-r", "100", "-f", "raw", "-o", "{out}/spy", "--", "{python}"
        ),
        "py-spy",
        samples_from_outside=True,
    ),
    Tool(
        "py-spy 1 kHz",
        command(
            "{bin}/py-spy", "record", "-r", "1000", "-f", "raw", "-o", "{out}/spy", "--", "{python}"
        ),
        "py-spy",
        samples_from_outside=True,
    ),
    Tool(
        "Austin 100 Hz",
        command("{bin}/austin", "-i", "10ms", "-o", "{out}/austin", "{python}"),
        "austin",
        samples_from_outside=True,
    ),
    Tool(
        "Austin 1 kHz",
        command("{bin}/austin", "-i", "1ms", "-o", "{out}/austin", "{python}"),
        "austin",
        samples_from_outside=True,
    ),
    Tool(
        "pyinstrument (1 kHz)",
        command("{bin}/pyinstrument", "-r", "json", "-o", "{out}/instrument"),
        "pyinstrument",
    ),
    Tool(
        "Scalene (CPU, 100 Hz)",
        command("{bin}/scalene", "run", "--cpu-only", "-o", "{out}/scalene.json"),
        "scalene",
        ("---",),
    ),
]


def bytes_in(folder: Path) -> int:
    """Of all files."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def calls_in_trace(file: Path) -> int:
    """Of VizTracer: one entry a call."""
    return sum(chunk.count(b'"ph": "X"') for chunk in file.read_bytes().splitlines())


@dataclass
class Bench:
    """Runs programs under tools, in a folder that is emptied each time."""

    folder: Path
    binary: Path
    why: str = field(default="", init=False)  # the last run failed

    def run(self, tool: Tool, python: Python, load: str, size: int) -> Run | None:
        """None when it fails."""
        out = self._fresh()
        done = subprocess.run(
            self._command(tool, python, out, load, size),
            env=self._environment(python, load),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            cwd=out,
            check=False,
        )
        seconds = re.search(r"^(\d+\.\d{6}) (\d+\.\d{6})$", done.stdout, re.MULTILINE)
        if seconds is None:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
            self.why = lines[-1][:200]
            return None
        run = Run(float(seconds[1]), float(seconds[2]))
        if tool.name == "latido full":
            return self._recorded(run, out)
        if tool.name == "VizTracer":
            trace = out / "trace.json"
            return Run(run.cpu_s, run.wall_s, trace.stat().st_size, calls_in_trace(trace))
        return run

    def core_ratio(self, tool: Tool, python: Python) -> float | None:
        """The tool's own share of a core while the program runs, without start and end."""
        out = self._fresh()
        process = subprocess.Popen(
            self._command(tool, python, out, "short", 260_000),
            env=self._environment(python, "short"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=out,
        )
        time.sleep(0.6)
        begun, before_s = time.monotonic(), cpu_s(process.pid)
        time.sleep(1.0)
        after_s, passed_s = cpu_s(process.pid), time.monotonic() - begun
        ended_early = process.poll() is not None
        process.wait()
        return None if ended_early else (after_s - before_s) / passed_s

    def _recorded(self, run: Run, out: Path) -> Run:
        told = subprocess.run(
            [self.binary, "report", "last", "--home", out / "home", "--format", "json"],
            capture_output=True,
            text=True,
            check=True,
        )
        report = json.loads(told.stdout)
        calls = sum(f["calls"] for rank in report["ranks"] for f in rank["functions"] or ())
        quality = report["quality"]
        # A call that finds no room is one dropped record, one that finds it is two.
        lost = quality["dropped"] / max(1, quality["dropped"] + quality["accepted"] / 2)
        return Run(run.cpu_s, run.wall_s, bytes_in(out), calls, lost)

    def _command(self, tool: Tool, python: Python, out: Path, load: str, size: int) -> list[str]:
        places = {
            "bin": str(python.environment / "bin"),
            "python": python.executable,
            "out": str(out),
            "latido": str(self.binary),
        }
        return [*tool.command(places), *tool_program(tool), load, str(size)]

    def _fresh(self) -> Path:
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        return out

    def _environment(self, python: Python, load: str) -> dict[str, str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("LATIDO_", "PYTHON"))}
        clean["OMP_NUM_THREADS"] = clean["OPENBLAS_NUM_THREADS"] = "1"
        if load == "training":
            clean["PYTHONPATH"] = python.torch_path
        return clean


def tool_program(tool: Tool) -> list[str]:
    """The program and what separates it from its arguments: before it or behind it."""
    if tool.separator == ("--",):
        return ["--", str(PROGRAM)]
    return [str(PROGRAM), *tool.separator]


def cpu_s(pid: int) -> float:
    """Of one process so far, in scheduler's nanoseconds: all threads."""
    total_ns = 0
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            total_ns += int((task / "schedstat").read_text().split()[0])
    except OSError:
        pass  # it ends just now
    return total_ns * 1e-9


# ---- interpreters and environments ---------------------------------------------------------------


def find_pythons(minors: list[str], torch_python: Path) -> list[Python]:
    """Those of this machine that were asked for, each with an environment that has the peers."""
    found = subprocess.run(
        [ROOT / "tools" / "find-pythons.sh"], capture_output=True, text=True, check=True
    )
    pythons = []
    for executable in found.stdout.split():
        minor = ask(executable, "import sys; print('%d.%d' % sys.version_info[:2])")
        if minor in minors:
            pythons.append(with_peers(minor, executable, torch_path(minor, torch_python)))
    return pythons


def with_peers(minor: str, executable: str, torch: str) -> Python:
    """Makes the environment where it is not there yet.

    One peer at a time: some may have no build for this Python.
    """
    environment = ROOT / "build" / f"peers-{minor}"
    failures = environment / "failures"
    if not failures.exists() or failures.stat().st_mtime < PEERS.stat().st_mtime:
        subprocess.run([executable, "-m", "venv", "--clear", environment], check=True)
        failed = [line for line in peers() if not install(environment, line)]
        failures.write_text("\n".join(failed))
    left_out = tuple(f"{peer}: cannot be installed" for peer in failures.read_text().split())
    return Python(minor, environment, torch, left_out)


def peers() -> list[str]:
    """Names with versions."""
    lines = PEERS.read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def install(environment: Path, requirement: str) -> bool:
    """False where that fails."""
    python = str(environment / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install"]
    done = subprocess.run(
        [*pip, "--quiet", "--only-binary", ":all:", requirement], capture_output=True, check=False
    )
    return done.returncode == 0


def torch_path(minor: str, python: Path) -> str:
    """Its folder of packages, if it is of this version and has PyTorch."""
    code = (
        "import sys, sysconfig, importlib.util as u\n"
        "torch = u.find_spec('torch') is not None\n"
        "print('%d.%d' % sys.version_info[:2], sysconfig.get_path('purelib') if torch else '')"
    )
    has, _, folder = ask(str(python), code).partition(" ")
    return folder if has == minor else ""


def ask(python: str, code: str) -> str:
    """What `code` prints."""
    return subprocess.run(
        [python, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def versions_of(python: Python) -> dict[str, str]:
    """Of Python, Latido's commit, and all peers that are there."""
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%h"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    told = {
        "Python": ask(python.executable, "import platform; print(platform.python_version())"),
        "latido": commit.stdout.strip() or "without git",
    }
    names = [re.split("[=<>]", line)[0] for line in peers()]
    (packages,) = python.environment.glob("lib/python*/site-packages")
    for info in sorted(packages.glob("*.dist-info")):
        distribution = PathDistribution(info)
        name = distribution.metadata["Name"].lower().replace("_", "-")
        if name in names:
            told[name] = distribution.version
    return told


if __name__ == "__main__":
    sys.exit("a part of bench/functions.py")
