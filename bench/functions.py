"""What recording functions and sampling stacks costs a program, beside other tools.

One interleaved run: for each Python and each program of bench/programs/function_loads.py, each
round runs the program once plain, once more plain (A/A), and once under each tool, in an order
drawn anew. Compared are CPU seconds of the program itself, taken inside it around its work.
Reported: the lowest by the lowest of the plain ones, which other work on the machine disturbs
least; and of the ratios to the plain one of the same round the median, the lowest and the highest.

A tracer's bytes are those it leaves on disk, by the calls in them; a sampler's share of a core is
read from /proc while it samples a program of some seconds. What a tool does after the program has
ended is not in it.

The peers of bench/functions_peers.txt are installed into environments of their own,
build/peers-3.x; what cannot be installed or does not run is left out and said. Prints Markdown
for docs/benchmarks.md.

Usage: functions.py [--quick] [--rounds 7] [--pythons 3.12 ...] [--loads fib ...] [--no-shares]
                    [--binary PATH] [--torch-python PATH] [--save FILE] [--table FILE ...]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from functions_tools import TOOLS, Bench, Python, Run, find_pythons, versions_of

ROUNDS = 7
QUICK_ROUNDS = 2
SIZES = {
    "fib": 32,
    "nbody": 12_000,
    "json": 50,
    "short": 20_000,
    "loops": 60,
    "numeric": 60,
    "training": 150,
}
# A tracer writes each call: 635,621 of them, not 7 million, in fib.
TRACED_SIZES = SIZES | {"fib": 27, "nbody": 6000, "json": 25}
TITLES = {
    "fib": "fib(32), traced 27",
    "nbody": "n-body",
    "json": "JSON encoder",
    "short": "1 to 20 µs",
    "loops": "long loops",
    "numeric": "numpy, zlib",
    "training": "PyTorch",
}
SHARE_ROUNDS = 3
MANY_CALLS = 100_000  # fewer say how large an empty recording is


@dataclass
class Cell:
    """One tool on one program: a value a round."""

    cpu_s: list[float] = field(default_factory=list)
    wall_s: list[float] = field(default_factory=list)
    plain_cpu_s: list[float] = field(default_factory=list)
    plain_wall_s: list[float] = field(default_factory=list)
    bytes_per_call: list[float] = field(default_factory=list)
    lost_ratios: list[float] = field(default_factory=list)

    def add(self, run: Run, base: Run) -> None:
        """One more round."""
        self.cpu_s.append(run.cpu_s)
        self.wall_s.append(run.wall_s)
        self.plain_cpu_s.append(base.cpu_s)
        self.plain_wall_s.append(base.wall_s)
        if run.calls >= MANY_CALLS:
            self.bytes_per_call.append(run.bytes / run.calls)
        if run.lost_ratio is not None:
            self.lost_ratios.append(run.lost_ratio)

    def extend(self, other: Cell) -> None:
        """The rounds of another run of this benchmark."""
        for name, values in asdict(other).items():
            getattr(self, name).extend(values)


@dataclass
class Results:
    """Of one Python: cells by "load tool", the samplers' shares of a core, what was left out."""

    python: str
    cells: dict[str, Cell] = field(default_factory=dict)
    core_ratios: dict[str, list[float]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # "load tool": why


def measure_round(
    bench: Bench, python: Python, load: str, order: random.Random, results: Results
) -> None:
    """Each tool once on one program. One that fails the first time is not tried again."""
    hopeless = results.failed.keys() - results.cells.keys()
    tools = [t for t in TOOLS if t.can_run(python, load) and f"{load} {t.name}" not in hopeless]
    sizes = {tool.name: (TRACED_SIZES if tool.traces else SIZES)[load] for tool in tools}
    plain = {size: bench.run(TOOLS[0], python, load, size) for size in set(sizes.values())}
    for tool in order.sample(tools, len(tools)):
        run = bench.run(tool, python, load, sizes[tool.name])
        base = plain[sizes[tool.name]]
        if run is None or base is None:
            results.failed[f"{load} {tool.name}"] = bench.why
        else:
            results.cells.setdefault(f"{load} {tool.name}", Cell()).add(run, base)


def measure_shares(bench: Bench, python: Python, rounds: int, results: Results) -> None:
    """The samplers' own CPU time while a program runs for a few seconds."""
    for _ in range(rounds):
        for tool in random.sample(TOOLS, len(TOOLS)):
            if not tool.samples_from_outside or not tool.can_run(python, "fib"):
                continue
            ratio = bench.core_ratio(tool, python)
            if ratio is not None:
                results.core_ratios.setdefault(tool.name, []).append(ratio)


# ---- tables --------------------------------------------------------------------------------------


def ratio(values: list[float], plain: list[float]) -> str:
    """Lowest by lowest (median [lowest, highest] of the rounds)."""
    if not values:
        return ""
    rounds = [value / base for value, base in zip(values, plain, strict=True)]
    spread = f"{statistics.median(rounds):.2f} [{min(rounds):.2f}, {max(rounds):.2f}]"
    return f"{min(values) / min(plain):.2f} ({spread})"


def percent(values: list[float]) -> str:
    """Median."""
    return f"{statistics.median(values):.1%}" if values else ""


def markdown(header: list[str], rows: list[list[str]]) -> str:
    """A table; rows of which only the first cell says something are left out."""
    lines = [header, ["---"] * len(header), *(row for row in rows if any(row[1:]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines) + "\n"


def tables(results: Results) -> str:
    """All that was measured with one Python."""
    loads = [load for load in SIZES if any(key.startswith(f"{load} ") for key in results.cells)]
    cells = results.cells

    def cell(load: str, tool: str) -> Cell:
        return cells.get(f"{load} {tool}", Cell())

    titles = [TITLES[load] for load in loads]
    parts = [
        f"### CPython {results.python}\n\nCPU time, ratio to the same without, "
        "lowest by lowest (median [lowest, highest] of the rounds):\n"
    ]
    parts.append(
        markdown(
            ["", *titles],
            [
                [
                    tool.name,
                    *(
                        ratio(c.cpu_s, c.plain_cpu_s)
                        for c in (cell(load, tool.name) for load in loads)
                    ),
                ]
                for tool in TOOLS
            ],
        )
    )
    parts.append("Wall time, lowest by lowest, and what else was counted:\n")
    rows = []
    for tool in TOOLS:
        row = [tool.name]
        for c in (cell(load, tool.name) for load in loads):
            row.append(f"{min(c.wall_s) / min(c.plain_wall_s):.2f}" if c.wall_s else "")
        sizes = [v for load in loads for v in cell(load, tool.name).bytes_per_call[:1]]
        row.append(f"{min(sizes):.1f} to {max(sizes):.1f}" if sizes else "")
        lost = [v for load in loads for v in cell(load, tool.name).lost_ratios]
        row.append(f"{max(lost):.1%}" if lost else "")
        row.append(percent(results.core_ratios.get(tool.name, [])))
        rows.append(row)
    columns = ["", *titles, "bytes a call", "most records lost", "own share of a core"]
    parts.append(markdown(columns, rows))
    rounds = max((len(cell.cpu_s) for cell in cells.values()), default=0)
    parts.append(
        f"{rounds} rounds. Versions: "
        + ", ".join(f"{k} {v}" for k, v in results.versions.items())
        + ".\n"
    )
    left_out = {*results.left_out, *(f"{key} once ({why})" for key, why in results.failed.items())}
    if left_out:
        parts.append("Left out: " + "; ".join(sorted(left_out)) + ".\n")
    return "\n".join(parts)


def merged(files: list[Path]) -> list[Results]:
    """What several calls have saved, by Python."""
    by_python: dict[str, Results] = {}
    for file in files:
        for saved in json.loads(file.read_text()):
            saved["cells"] = {key: Cell(**cell) for key, cell in saved["cells"].items()}
            part = Results(**saved)
            whole = by_python.setdefault(part.python, Results(part.python))
            for key, cell in part.cells.items():
                whole.cells.setdefault(key, Cell()).extend(cell)
            for name, ratios in part.core_ratios.items():
                whole.core_ratios.setdefault(name, []).extend(ratios)
            whole.versions |= part.versions
            whole.failed |= part.failed
            whole.left_out += part.left_out
    return [by_python[python] for python in sorted(by_python)]


def measure(options: argparse.Namespace) -> list[Results]:
    """Everything that was asked for."""
    rounds = QUICK_ROUNDS if options.quick else options.rounds
    order = random.Random()
    measured = []
    for python in find_pythons(options.pythons, options.torch_python):
        results = Results(python.minor, left_out=list(python.left_out))
        results.versions = versions_of(python)
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(Path(folder), options.binary)
            for number in range(1, rounds + 1):
                begun = time.monotonic()
                for load in options.loads:
                    measure_round(bench, python, load, order, results)
                took_s = time.monotonic() - begun
                print(f"{python.minor} round {number}: {took_s:.0f} s", file=sys.stderr, flush=True)
            if options.shares:
                measure_shares(bench, python, min(rounds, SHARE_ROUNDS), results)
        measured.append(results)
    return measured


def main() -> int:
    """Measures, or puts together what was measured before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two rounds, to see that all works")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--pythons", nargs="+", default=["3.11", "3.12", "3.13"])
    parser.add_argument("--loads", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--no-shares", dest="shares", action="store_false")
    parser.add_argument("--binary", type=Path, default=Path("build/release/bin/latido"))
    parser.add_argument("--torch-python", type=Path, default=Path(sys.executable))
    parser.add_argument("--save", type=Path, help="keep what was measured, for --table")
    parser.add_argument("--table", type=Path, nargs="+", help="measure nothing")
    options = parser.parse_args()
    options.binary = options.binary.resolve()
    results = merged(options.table) if options.table else measure(options)
    if options.save:
        options.save.write_text(json.dumps([asdict(result) for result in results]))
    for result in results:
        print(tables(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
