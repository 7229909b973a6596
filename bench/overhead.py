"""What `latido run` costs a training: wall time with and without, in turns, an A/A beside it.

Each round starts the program three times: plain (A), under `latido run` with its default settings
(B), plain again (A'). They train in turns of a second or so, one at a time, in an order drawn
anew for each cycle, so that the machine's own changes of speed, which are far larger than what is
to be seen, reach all three alike. While A and A' have their turn the recorder of B is stopped, so
that its work falls into B's time. Reported: the mean over rounds of B/A - 1 with its 95 %
interval by bootstrap, and the same of A'/A, which says what this machine can tell apart at all.

Usage: overhead.py --rounds 30 [--turns 10] [--steps 80] [--binary PATH] [--python PATH]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(__file__).parent / "programs" / "busy_training.py"
RESAMPLES = 10_000


class Training:
    """One running program that waits for its turns."""

    def __init__(self, command: list[str], *, recorded: bool) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("LATIDO_")}
        self._process = subprocess.Popen(
            command,
            env=environment | {"OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._recorded = recorded

    def turn_s(self, steps: int) -> float:
        """Trains `steps` steps; the seconds they took."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self._wake(True)
        stdin.write(f"{steps}\n")
        stdin.flush()
        line = stdout.readline()
        self._wake(False)
        if not line:
            sys.exit(f"the training ended early: exit code {self._process.wait()}")
        return float(line)

    def end(self) -> None:
        """Lets it end by itself."""
        self._wake(True)
        assert self._process.stdin is not None
        self._process.stdin.close()
        if self._process.wait() != 0:
            sys.exit(f"the training ended with exit code {self._process.returncode}")

    def _wake(self, awake: bool) -> None:
        # `latido run` is the parent of the training, which itself goes on.
        if self._recorded:
            self._process.send_signal(signal.SIGCONT if awake else signal.SIGSTOP)


def interval(ratios: list[float], seed: int = 1) -> tuple[float, float, float]:
    """Mean and its 95 % interval by bootstrap."""
    source = random.Random(seed)
    means = sorted(
        statistics.fmean(source.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES)
    )
    return statistics.fmean(ratios), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES)]


def one_round(
    plain: list[str], recorded: list[str], turns: int, steps: int, order: random.Random
) -> dict[str, float]:
    """Seconds each kind took for all its turns."""
    trainings = {
        "A": Training(plain, recorded=False),
        "B": Training(recorded, recorded=True),
        "A'": Training(plain, recorded=False),
    }
    took = dict.fromkeys(trainings, 0.0)
    for name in trainings:  # what happens once: imports, first steps, the worker's start
        trainings[name].turn_s(steps // 4)
    for _ in range(turns):
        for name in order.sample(sorted(trainings), k=3):
            took[name] += trainings[name].turn_s(steps)
    for training in trainings.values():
        training.end()
    return took


def main() -> int:
    """Runs the rounds; 0 pass, 3 too slow, 4 cannot tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--binary", default=str(ROOT / "build/release/bin/latido"))
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()

    plain = [options.python, str(PROGRAM)]
    slow_downs: list[float] = []
    noise: list[float] = []
    order = random.Random(0)
    with tempfile.TemporaryDirectory() as home:
        recorded = [options.binary, "run", "--no-report", "--home", home, "--", *plain]
        for number in range(1, options.rounds + 1):
            took = one_round(plain, recorded, options.turns, options.steps, order)
            again = took["A'"]
            slow_downs.append(took["B"] / took["A"] - 1)
            noise.append(again / took["A"] - 1)
            print(
                f"round {number:2d}: A {took['A']:.3f} s  B {slow_downs[-1]:+.2%}  "
                f"A' {noise[-1]:+.2%}",
                flush=True,
            )
    mean, low, high = interval(slow_downs)
    aa_mean, aa_low, aa_high = interval(noise)
    half_width = (aa_high - aa_low) / 2
    median = statistics.median(slow_downs)
    print(f"slow-down {mean:+.2%} [{low:+.2%}, {high:+.2%}]  median {median:+.2%}")
    print(f"A/A       {aa_mean:+.2%} [{aa_low:+.2%}, {aa_high:+.2%}]  half-width {half_width:.2%}")
    if half_width > 0.007:
        print("cannot tell: this machine is too noisy (A/A half-width above 0.7 %)")
        return 4
    good = mean <= 0.01 and high <= 0.015
    print("pass" if good else "fail: above 1 % mean or 1.5 % upper bound")
    return 0 if good else 3


if __name__ == "__main__":
    start = time.monotonic()
    code = main()
    print(f"took {time.monotonic() - start:.0f} s")
    sys.exit(code)
