"""What the recorder promises at its limits, through the whole path: run, recording, report.

Everything here is counted, nothing is timed: `zone_load` says how many zones it emitted, how many
found room and how many were dropped, and the recorded run must say the same.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Latido, binary

pytestmark = pytest.mark.alone

MAX_PROCESS_BYTES = 16_000_000
MAX_RUN_BYTES = 256_000_000


def zone_load() -> Path:
    """Built beside the binary under test (bench/programs/zone_load.cc)."""
    program = binary().parents[1] / "bench" / "zone_load"
    assert program.exists(), f"build first: {program} is missing"
    return program


def said(output: str) -> dict[str, int]:
    """What zone_load says became of its zones."""
    counts: dict[str, int] = json.loads(output.splitlines()[-1])
    assert counts["recorded"] + counts["dropped"] == counts["emitted"]
    return counts


def zones_in(report: dict[str, Any], name: str = "load") -> int:
    """Calls of the zone in all processes of the run."""
    ranks = report["ranks"]
    return sum(zone["calls"] for rank in ranks for zone in rank["zones"] if zone["name"] == name)


def check_report(report: dict[str, Any], counts: dict[str, int]) -> None:
    """The recorded run says the same as the program."""
    assert zones_in(report) == counts["recorded"]
    assert report["quality"]["dropped"] == counts["dropped"]
    assert report["quality"]["malformed"] == 0


def test_ten_million_zones_at_a_million_a_second_are_all_there(latido: Latido) -> None:
    """One of three runs must be whole, and all of them exact.

    Where other programs keep the recorder from running for half a second, the ring is full.
    """
    for _ in range(3):
        done = latido.run(zone_load(), "--zones", "10000000", "--rate", "1000000")
        assert done.returncode == 0, done.stderr
        counts = said(done.stdout)
        check_report(latido.report(), counts)
        if counts["recorded"] == 10_000_000:
            return
    pytest.fail(f"each run lost zones, the last one {counts['dropped']}")


def test_a_flood_is_recorded_or_counted(latido: Latido) -> None:
    """Several times the ring, as fast as four threads can: far above 20 M zones a second."""
    done = latido.run(zone_load(), "--zones", "20000000", "--threads", "4")
    counts = said(done.stdout)
    assert counts["dropped"] > 0
    check_report(latido.report(), counts)


def test_a_flood_at_20_million_a_second_is_counted_exactly(latido: Latido) -> None:
    done = latido.run(zone_load(), "--zones", "40000000", "--threads", "2", "--rate", "20000000")
    check_report(latido.report(), said(done.stdout))


def test_200_threads_are_exact(latido: Latido) -> None:
    """All of them come to a process that has not decided yet whether it records."""
    done = latido.run(zone_load(), "--zones", "2000000", "--threads", "200")
    check_report(latido.report(), said(done.stdout))


def ring_bytes(recorder: int) -> list[int]:
    """Resident bytes of each ring that `latido run` holds: blocks of the memory files."""
    found = []
    folder = Path(f"/proc/{recorder}/fd")
    for entry in os.listdir(folder):
        try:
            if "latido-ring" in os.readlink(folder / entry):
                found.append(os.stat(folder / entry).st_blocks * 512)
        except OSError:  # closed meanwhile
            continue
    return found


def start(latido: Latido, *arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """`latido run -- zone_load arguments` in the background."""
    return subprocess.Popen(
        [str(binary()), "run", "--no-report", "--", str(zone_load()), *map(str, arguments)],
        env=latido.environment | {"LATIDO_HOME": str(latido.home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.mark.parametrize("processes", [1, 40])
def test_the_memory_of_rings_is_bounded(latido: Latido, processes: int) -> None:
    """Processes that flood at once share what a run may take."""
    zones = 100_000_000 // processes
    child = start(latido, "--processes", str(processes), "--zones", str(zones))
    most_rings = 0
    while child.poll() is None:
        try:
            rings = ring_bytes(child.pid)
        except OSError:  # it has just ended
            break
        assert max(rings, default=0) <= MAX_PROCESS_BYTES
        assert sum(rings) <= MAX_RUN_BYTES
        most_rings = max(most_rings, len(rings))
        time.sleep(0.01)
    stdout, stderr = child.communicate()
    assert child.returncode == 0, stderr
    assert most_rings >= min(processes, 2), "the rings were seen"
    check_report(latido.report(), said(stdout))


def test_idle_chunks_go_back(latido: Latido) -> None:
    """After a flood a process that only waits keeps a small part of its ring."""
    script = (
        "import latido, sys\n"
        "for _ in range(3_000_000):\n"
        "    with latido.zone('z'): pass\n"
        "print('flooded', flush=True)\n"
        "sys.stdin.read()\n"
    )
    child = subprocess.Popen(
        [str(binary()), "run", "--no-report", "--", sys.executable, "-c", script],
        env=latido.environment | {"LATIDO_HOME": str(latido.home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "flooded\n"
    limit = time.monotonic() + 60
    while sum(ring_bytes(child.pid)) > 3_000_000:
        assert time.monotonic() < limit, "the memory never went back"
        time.sleep(0.05)
    child.stdin.close()
    assert child.wait() == 0


def test_a_full_dev_shm_does_no_harm(latido: Latido) -> None:
    """With 1 MiB of it, all used: as in a container without --shm-size."""
    inside = (
        "mount -t tmpfs -o size=1M tmpfs /dev/shm || exit 99\n"
        "head -c 2M /dev/zero > /dev/shm/full 2>/dev/null\n"
        f"exec {binary()} run --no-report -- {zone_load()} --zones 3000000 --threads 2\n"
    )
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no unshare here")
    for flags in (["-m"], ["-r", "-m"]):
        done = subprocess.run(
            [unshare, *flags, "sh", "-c", inside],
            env=latido.environment | {"LATIDO_HOME": str(latido.home)},
            capture_output=True,
            text=True,
        )
        if done.returncode not in (1, 99):
            break
    else:
        pytest.skip(f"a mount of one's own is not allowed here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    check_report(latido.report(), said(done.stdout))


def test_a_program_that_can_make_no_ring_runs_and_is_reported(latido: Latido) -> None:
    """Files limited to 1 MiB stand in for a system that refuses the memory."""
    script = f"ulimit -f 1024; exec {zone_load()} --zones 1000"
    done = latido.run("bash", "-c", script)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["recorded"] == 0
    assert "processes_not_recorded: 1" in latido.report()["quality"]["notes"]


def test_a_socket_that_nobody_listens_on_turns_capture_off(tmp_path: Path, latido: Latido) -> None:
    done = subprocess.run(
        [zone_load(), "--zones", "1000"],
        env=latido.environment | {"LATIDO_SOCKET": str(tmp_path / "gone")},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["recorded"] == 0
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


@pytest.mark.parametrize("threads", [1, 8])
def test_a_killed_program_loses_nothing_before_its_death(latido: Latido, threads: int) -> None:
    """SIGKILL right after the last zone, within an open one: all of it is in the recording.

    At a rate that leaves the recorder 40 ms to take the ring over, on a busy machine: until then
    there is room for half a megabyte.
    """
    load = ("--zones", "100000", "--threads", str(threads), "--rate", "500000")
    done = latido.run(zone_load(), *load, "--die")
    assert done.returncode == -signal.SIGKILL
    report = latido.report()
    assert report["run"]["end"]["signal"] == signal.SIGKILL
    assert report["run"]["end"]["open_zone"] == "fatal"
    assert zones_in(report) + report["quality"]["dropped"] == 100_000
    assert zones_in(report, "fatal") == 1


def test_a_program_killed_in_mid_stride_has_all_but_the_last_record(
    latido: Latido, tmp_path: Path
) -> None:
    """A file holds the number of finished zones at every moment: the recording must know them."""
    progress = tmp_path / "progress"
    child = start(latido, "--zones", "100000000", "--rate", "200000", "--progress", progress)
    wait_for_progress(progress, 100_000)
    (program,) = children_of(child.pid)
    os.kill(program, signal.SIGKILL)
    child.communicate()
    emitted = read_progress(progress)
    report = latido.report()
    assert report["quality"]["dropped"] == 0
    assert zones_in(report) - emitted in (0, 1), "the one that it died in may be there already"


def children_of(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def read_progress(path: Path) -> int:
    return int.from_bytes(path.read_bytes(), sys.byteorder) if path.exists() else 0


def wait_for_progress(path: Path, zones: int, limit_s: float = 60) -> None:
    limit = time.monotonic() + limit_s
    while read_progress(path) < zones:
        assert time.monotonic() < limit, "the program does not go on"
        time.sleep(0.02)


def test_a_killed_recorder_keeps_what_it_had_flushed(latido: Latido, tmp_path: Path) -> None:
    progress = tmp_path / "progress"
    child = start(latido, "--zones", "1000000", "--rate", "200000", "--progress", progress)
    # Seen from outside while it records: so much has been flushed.
    wait_for_progress(progress, 1)
    limit = time.monotonic() + 60
    flushed = 0
    while flushed < 100_000:
        assert time.monotonic() < limit, "nothing is flushed"
        time.sleep(0.2)
        flushed = zones_in(latido.report())
    child.kill()
    child.wait()
    at_kill = read_progress(progress)
    report = latido.report()
    assert report["run"]["end"]["kind"] == "running"
    assert report["quality"]["malformed"] == 0
    assert flushed <= zones_in(report) <= at_kill + 1
    # The program does not notice: it goes on to its end, long after its ring is full.
    wait_for_progress(progress, 1_000_000)
    assert child.stdout is not None
    counts = said(child.stdout.read())
    assert counts["emitted"] == 1_000_000
