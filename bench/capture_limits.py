"""What recording costs on disk and in memory at its limits, through `latido run` and its report.

Prints a table: zones recorded and dropped, bytes on disk a zone, memory of the rings and of
`latido run` itself. The loads are bench/programs/zone_load.cc and a training with zones of its own.
Fails when a budget of docs/benchmarks.md is missed or a count is wrong.

Usage: capture_limits.py [--binary PATH] [--load PATH] [--python PATH]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TRAININGS = Path(__file__).parent / "programs"
MAX_BYTES_A_ZONE = 12
MAX_RING_BYTES = 16_000_000
MAX_RUN_BYTES = 256_000_000
# Field numbers of Perfetto and of our extension.
COMPRESSED_PACKETS, TRACK_EVENT, EXTENSION = 50, 11, 1900
TYPE, BEGIN, CONTINUED_NS = 9, 1, 6


@dataclass
class Outcome:
    """One load under `latido run`."""

    zones: int  # also those of the hooks
    dropped: int
    malformed: int
    stored_bytes: int
    most_ring_bytes: int  # of one process
    most_run_bytes: int  # of all rings together
    most_own_bytes: int  # anonymous memory of `latido run`
    stdout: str


def ring_bytes(recorder: int) -> list[int]:
    """Resident bytes of each ring that `latido run` holds."""
    folder = Path(f"/proc/{recorder}/fd")
    found = []
    for entry in os.listdir(folder):
        try:
            if "latido-ring" in os.readlink(folder / entry):
                found.append(os.stat(folder / entry).st_blocks * 512)
        except OSError:  # closed meanwhile
            continue
    return found


def own_bytes(recorder: int) -> int:
    """Anonymous memory: that of the rings is counted apart."""
    for line in Path(f"/proc/{recorder}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def fields(message: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Number, integer value and bytes of each field of a protobuf message."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint(), b""
            continue
        size = {1: 8, 5: 4}[key & 7] if key & 7 != 2 else varint()
        yield key >> 3, 0, message[at : at + size]
        at += size


def begins_in(segment: bytes) -> int:
    """Zones that begin in a segment (docs/formats/segments.md), not those that go on in it."""
    begins = 0
    for number, _, block in fields(segment):
        packets = (
            [body for n, _, body in fields(block) if n == COMPRESSED_PACKETS] if number == 1 else []
        )
        for _, _, packet in fields(b"".join(map(zlib.decompress, packets))):
            parts = list(fields(packet))
            continued = any(
                n == EXTENSION and any(m == CONTINUED_NS for m, _, _ in fields(body))
                for n, _, body in parts
            )
            is_begin = any(
                n == TRACK_EVENT and (TYPE, BEGIN, b"") in fields(body) for n, _, body in parts
            )
            begins += is_begin and not continued
    return begins


def record(binary: str, command: list[str], stdin: str) -> Outcome:
    """Runs the command, which reads `stdin`, under `latido run` and reads the recording back."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LATIDO_")}
    environment |= {"OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as home:
        environment["LATIDO_HOME"] = home
        started = [binary, "run", "--no-report", "--", *command]
        child = subprocess.Popen(
            started, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert child.stdin is not None
        child.stdin.write(stdin)
        child.stdin.close()
        rings, run, own = [0], [0], [0]
        while child.poll() is None:
            try:
                now = ring_bytes(child.pid)
                own.append(own_bytes(child.pid))
            except OSError:  # it has just ended
                break
            rings.append(max(now, default=0))
            run.append(sum(now))
            time.sleep(0.02)
        assert child.stdout is not None
        stdout = child.stdout.read()
        child.wait()
        shown = [binary, "report", "last", "--format", "json"]
        done = subprocess.run(shown, env=environment, capture_output=True, text=True, check=True)
        report = json.loads(done.stdout)
        segments = [path.read_bytes() for path in Path(home).rglob("*.pftrace")]
    quality = report["quality"]
    zones = [zone for rank in report["ranks"] for zone in rank["zones"]]
    calls = sum(zone["calls"] for zone in zones if zone["name"] == "load")  # those of zone_load
    return Outcome(
        zones=calls or sum(map(begins_in, segments)),
        dropped=quality["dropped"],
        malformed=quality["malformed"],
        stored_bytes=sum(map(len, segments)),
        most_ring_bytes=max(rings),
        most_run_bytes=max(run),
        most_own_bytes=max(own),
        stdout=stdout,
    )


def broken(name: str, outcome: Outcome) -> list[str]:
    """Sentences about what this load shows to be wrong."""
    wrong = []
    if outcome.malformed:
        wrong.append(f"{outcome.malformed} malformed records")
    if outcome.most_ring_bytes > MAX_RING_BYTES or outcome.most_run_bytes > MAX_RUN_BYTES:
        wrong.append("the rings take more memory than they may")
    # What hooks record is half values and texts: shown, but no measure of a zone.
    if "hooks only" not in name and outcome.stored_bytes > MAX_BYTES_A_ZONE * outcome.zones:
        wrong.append(f"more than {MAX_BYTES_A_ZONE} bytes a zone on disk")
    if outcome.stdout.startswith("{"):
        said = json.loads(outcome.stdout)
        if (
            said["dropped"] != outcome.dropped
            or said["recorded"] + said["dropped"] != said["emitted"]
        ):
            wrong.append("drops are not counted exactly")
        if said["recorded"] != outcome.zones:
            wrong.append("the recording does not have what the program recorded")
        if "without loss" in name and said["recorded"] != said["emitted"]:
            wrong.append("zones were lost")
    return wrong


def main() -> int:
    """0 when all budgets are kept, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=str(ROOT / "build/release/bin/latido"))
    parser.add_argument("--load", default=str(ROOT / "build/release/bench/zone_load"))
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()

    load = options.load
    loads = {
        "10^7 zones at 1 M/s, without loss": [load, "--zones", "10000000", "--rate", "1000000"],
        "20 M/s, 2 threads": [load, "--zones", "100000000", "--threads", "2", "--rate", "20000000"],
        "flood, 4 threads": [load, "--zones", "100000000", "--threads", "4"],
        "200 threads": [load, "--zones", "20000000", "--threads", "200"],
        "flood, 40 processes": [load, "--zones", "5000000", "--processes", "40"],
        "training, 1,000 steps, hooks only": [options.python, str(TRAININGS / "busy_training.py")],
        "training, 1,000 steps, hooks and 27,000 zones": [
            options.python,
            str(TRAININGS / "zoned_training.py"),
            "1000",
        ],
    }
    print("| load | recorded | dropped | bytes/zone | a ring, MB | all rings, MB | latido, MB |")
    print("|---|---|---|---|---|---|---|")
    failures = []
    for name, command in loads.items():
        outcome = record(options.binary, command, stdin="1000\n")  # steps of busy_training.py
        print(
            f"| {name} | {outcome.zones:,} | {outcome.dropped:,}"
            f" | {outcome.stored_bytes / max(outcome.zones, 1):.1f}"
            f" | {outcome.most_ring_bytes / 1e6:.1f} | {outcome.most_run_bytes / 1e6:.1f}"
            f" | {outcome.most_own_bytes / 1e6:.1f} |",
            flush=True,
        )
        failures += [f"{name}: {sentence}" for sentence in broken(name, outcome)]
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
