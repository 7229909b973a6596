"""Segments as Perfetto's own message classes see them.

An independent reader: it knows Perfetto's published rules (clocks, interning, defaults), nothing of
Latido's extension. Skipped where the `perfetto` package is not installed.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

perfetto_pb2 = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")

FOLDER = Path(__file__).parent / "segments"
STATE_CLEARED, NEEDS_STATE = 1, 2
INCREMENTAL_CLOCK, MONOTONIC = 64, 3
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


@dataclass
class Sequence:
    """Incremental state of one packet sequence."""

    clock_ns: int = 0
    defaults: Any = None
    names: dict[int, str] = field(default_factory=dict)
    categories: dict[int, str] = field(default_factory=dict)
    annotations: dict[int, str] = field(default_factory=dict)
    locations: dict[int, tuple[str, int]] = field(default_factory=dict)


@dataclass
class Shown:
    """What a viewer would show."""

    tracks: dict[int, Any] = field(default_factory=dict)
    events: list[tuple[Any, ...]] = field(default_factory=list)
    snapshots_ns: list[int] = field(default_factory=list)


def packets(data: bytes) -> Any:
    trace = perfetto_pb2.Trace.FromString(data)
    for packet in trace.packet:
        assert packet.HasField("compressed_packets")
        raw = zlib.decompress(packet.compressed_packets)
        assert len(raw) < 512 * 1024
        yield from perfetto_pb2.Trace.FromString(raw).packet


def intern(sequence: Sequence, data: Any) -> None:
    sequence.names.update({entry.iid: entry.name for entry in data.event_names})
    sequence.categories.update({entry.iid: entry.name for entry in data.event_categories})
    sequence.annotations.update({entry.iid: entry.name for entry in data.debug_annotation_names})
    sequence.locations.update(
        {entry.iid: (entry.file_name, entry.line_number) for entry in data.source_locations}
    )


def annotation_value(annotation: Any) -> Any:
    return getattr(annotation, annotation.WhichOneof("value"))


def show_event(sequence: Sequence, ts_ns: int, event: Any) -> tuple[Any, ...]:
    track = event.track_uuid or sequence.defaults.track_event_defaults.track_uuid
    name = sequence.names[event.name_iid] if event.HasField("name_iid") else None
    details: dict[str, Any] = {
        sequence.annotations[a.name_iid]: annotation_value(a) for a in event.debug_annotations
    }
    if event.category_iids:
        details["category"] = sequence.categories[event.category_iids[0]]
    if event.source_location_iid:
        details["at"] = sequence.locations[event.source_location_iid]
    if event.type == COUNTER:
        details["counter"] = event.double_counter_value
    return (track, ts_ns, event.type, name, details)


def show(data: bytes) -> Shown:
    shown = Shown()
    sequences: dict[int, Sequence] = {}
    for packet in packets(data):
        sequence = sequences.setdefault(packet.trusted_packet_sequence_id, Sequence())
        if packet.sequence_flags & STATE_CLEARED:
            sequence = sequences[packet.trusted_packet_sequence_id] = Sequence()
        if packet.HasField("trace_packet_defaults"):
            sequence.defaults = packet.trace_packet_defaults
        intern(sequence, packet.interned_data)
        for clock in packet.clock_snapshot.clocks:
            if clock.clock_id == INCREMENTAL_CLOCK:
                assert clock.is_incremental
                sequence.clock_ns = clock.timestamp
            if clock.clock_id == MONOTONIC:
                shown.snapshots_ns.append(clock.timestamp)
        if packet.HasField("track_descriptor"):
            shown.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if packet.HasField("timestamp"):
            assert packet.sequence_flags & NEEDS_STATE
            clock = packet.timestamp_clock_id or sequence.defaults.timestamp_clock_id
            assert clock in (INCREMENTAL_CLOCK, MONOTONIC)
            if clock == INCREMENTAL_CLOCK:
                sequence.clock_ns += packet.timestamp
            ts_ns = sequence.clock_ns if clock == INCREMENTAL_CLOCK else packet.timestamp
            if packet.HasField("track_event"):
                shown.events.append(show_event(sequence, ts_ns, packet.track_event))
    return shown


@pytest.fixture
def shown() -> Shown:
    """Both segments one after the other, which is how a run is exported."""
    return show(b"".join(path.read_bytes() for path in sorted(FOLDER.glob("v1-*.pftrace"))))


def test_processes_and_threads_have_their_names(shown: Shown) -> None:
    processes = {t.process.pid: t for t in shown.tracks.values() if t.HasField("process")}
    assert processes[100].process.process_name == "python train.py"
    assert list(processes[100].process.process_labels) == ["rank 0"]
    assert list(processes[101].process.process_labels) == ["rank 0", "data loader worker"]
    threads = {t.thread.tid: t for t in shown.tracks.values() if t.HasField("thread")}
    assert (threads[100].thread.thread_name, threads[100].thread.pid) == ("MainThread", 100)
    assert threads[100].parent_uuid == processes[100].uuid


def test_the_value_is_a_counter_of_its_process(shown: Shown) -> None:
    (counter,) = (t for t in shown.tracks.values() if t.HasField("counter"))
    assert counter.name == "loss"
    assert shown.tracks[counter.parent_uuid].process.pid == 100
    first = next(e for e in shown.events if e[2] == COUNTER)
    assert first[0] == counter.uuid
    assert first[1] == 1_108
    assert first[4]["counter"] == 0.25
    assert first[4]["index"] == 17


def test_zones_carry_category_location_and_arguments(shown: Shown) -> None:
    begin = next(e for e in shown.events if e[2] == BEGIN)
    assert begin[1:] == (
        1_000,
        BEGIN,
        "epoch",
        {"category": "zone", "at": ("train.py", 12)},
    )
    forward_end = next(e for e in shown.events if e[1] == 1_107 and e[2] == END)
    assert forward_end[4]["batch"] == 0  # the last of three arguments of that name


def test_texts_and_marks_are_instants(shown: Shown) -> None:
    instants = [e for e in shown.events if e[2] == INSTANT]
    assert [e[3] for e in instants] == ["hook", "mark", "mark", "hook", "hook"]
    assert instants[0][4]["text"] == "absent: no torch"
    assert instants[2][4]["value"] == 99


def test_every_zone_that_begins_ends_on_its_track(shown: Shown) -> None:
    depth: dict[int, int] = {}
    for track, _, kind, _, _ in shown.events:
        if kind in (BEGIN, END):
            depth[track] = depth.get(track, 0) + (1 if kind == BEGIN else -1)
            assert depth[track] >= 0
    assert set(depth.values()) == {0}


def test_clock_snapshots_never_go_back(shown: Shown) -> None:
    assert shown.snapshots_ns == sorted(shown.snapshots_ns)
