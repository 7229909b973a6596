"""What sampling stacks from outside takes: of a core, of the target, and until the first sample.

The target works in blocks, beside 200 threads that sleep; native ones, and once more Python ones.
In each round come one block without sampler, one at 100 Hz and one at 1 kHz, in changing order.
Waking up so often costs processor time before anything is sampled, on a virtual machine more than
sampling does; both are printed, and the budget is for what sampling adds.

Usage: stack_sampling.py --sampler build/bench/bench/stack_sampler [--rounds 7] [--python PATH]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

PROGRAM = Path(__file__).parent / "programs" / "sampled_threads.py"
THREADS = 200
BLOCK_S = 1.0
RATES = (0, 100, 1000)  # 0: no sampler
MOST_CORE_RATIO = {100: 0.004, 1000: 0.03}
MOST_SLOWDOWN = {100: 1.01, 1000: 1.01}
MOST_INVALID_RATIO = 0.001
MOST_FIRST_NS = 200_000_000


@dataclass
class Measured:
    """All blocks at one rate."""

    target_ns: list[int] = field(default_factory=list)
    cpu_ns: int = 0
    wall_ns: int = 0
    samples: int = 0
    invalid_samples: int = 0
    first_ns: list[int] = field(default_factory=list)
    idle_beat_ns: list[int] = field(default_factory=list)


class Target:
    """The working program."""

    def __init__(self, python: str, kind: str) -> None:
        self.process = subprocess.Popen(
            [python, PROGRAM, kind, str(THREADS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input: IO[str] = self.process.stdin
        self.output: IO[str] = self.process.stdout
        if self.output.readline() != "ready\n":
            sys.exit("the target did not start")

    def work(self, loops: int) -> int:
        """One block; its processor time in ns."""
        self.input.write(f"{loops}\n")
        self.input.flush()
        return int(self.output.readline())

    def end(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.wait()


def work_sampled(target: Target, sampler: str, hertz: int, loops: int, into: Measured) -> None:
    """One block of the target at one rate."""
    if hertz == 0:
        into.target_ns.append(target.work(loops))
        return
    process = subprocess.Popen(
        [sampler, str(target.process.pid), str(hertz)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        sys.exit("the sampler did not start")
    into.target_ns.append(target.work(loops))
    report = json.loads(process.communicate()[0])
    into.cpu_ns += report["cpu_ns"]
    into.wall_ns += report["wall_ns"]
    into.samples += report["samples"]
    into.invalid_samples += report["invalid_samples"]
    into.first_ns.append(report["first_sample_ns"])
    into.idle_beat_ns.append(report["idle_beat_ns"])


def measure(python: str, sampler: str, kind: str, rounds: int) -> dict[int, Measured]:
    """Blocks at every rate, interleaved."""
    target = Target(python, kind)
    loops = max(1, int(20 * BLOCK_S * 1e9 / target.work(20)))
    measured = {hertz: Measured() for hertz in RATES}
    for number in range(rounds):
        for k in range(len(RATES)):
            hertz = RATES[(k + number) % len(RATES)]
            work_sampled(target, sampler, hertz, loops, measured[hertz])
    target.end()
    return measured


def report(kind: str, measured: dict[int, Measured], *, judge: bool) -> bool:
    """Prints one line a rate; whether all is within the budgets."""
    good = True
    base = statistics.median(measured[0].target_ns)
    for hertz, found in measured.items():
        if hertz == 0:
            continue
        core = found.cpu_ns / found.wall_ns
        waking = statistics.median(found.idle_beat_ns) * found.samples / found.wall_ns
        slowdown = statistics.median(found.target_ns) / base
        least = min(found.target_ns) / min(measured[0].target_ns)
        invalid = found.invalid_samples / found.samples
        first_ns = max(found.first_ns)
        within = (
            core - waking <= MOST_CORE_RATIO[hertz]
            and min(slowdown, least) <= MOST_SLOWDOWN[hertz]
            and invalid <= MOST_INVALID_RATIO
            and first_ns <= MOST_FIRST_NS
        )
        good = good and (within or not judge)
        print(
            f"{THREADS} {kind} threads, {hertz} Hz: {100 * core:.2f} % of a core "
            f"({100 * waking:.2f} % for waking up), "
            f"target {slowdown:.3f}x (least {least:.3f}x), "
            f"{100 * invalid:.3f} % of {found.samples} samples invalid, "
            f"first sample after {first_ns / 1e6:.1f} ms{'' if within else ': TOO MUCH'}"
        )
    return good


def main() -> int:
    """Measures once; 0 within the budgets, 3 above one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sampler", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    native = measure(options.python, options.sampler, "native", options.rounds)
    good = report("native", native, judge=True)
    # No budget of its own: how much sleeping Python threads add.
    python = measure(options.python, options.sampler, "python", options.rounds)
    report("Python", python, judge=False)
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main())
