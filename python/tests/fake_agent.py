"""A stand-in for the agent: takes the rings of a program and decodes them when it has ended.

Written from ring_format.h alone, so that the recorder and this reader check each other. It never
drains: a test's records fit the 15 MiB of a ring.
"""

from __future__ import annotations

import array
import json
import mmap
import os
import socket
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = Path(os.environ.get("LATIDO_PYTHON_PATH", "build/release/python")).resolve()

_MAGIC = 0x31474E495254414C
_PAGE = 4096
_CHUNK_BYTES = 64 * 1024
_FIRST_CHUNK = 4 * _PAGE
_CHUNK_COUNT = 240
_CONTROL = 32  # where it is in the header
_BEGIN, _END, _EXTENDED = 1, 2, 3
_ARG, _VALUE, _INSTANT, _TEXT, _SITE = 1, 2, 3, 4, 5


@dataclass
class Span:
    name: str
    category: str
    begin: int
    end: int | None = None
    args: dict = field(default_factory=dict)
    depth: int = 0
    parent: Span | None = None
    file: str = ""


@dataclass
class Record:
    """A value, an instant or a text."""

    name: str
    category: str
    kind: str
    payload: object
    index: int = 0
    ticks: int = 0
    inside: Span | None = None


@dataclass
class Process:
    pid: int
    dropped: int
    spans: list[Span]
    records: list[Record]
    sites: dict

    def of(self, category: str) -> list[Span]:
        return [span for span in self.spans if span.category == category]

    def texts(self, name: str) -> list[str]:
        return [r.payload for r in self.records if r.kind == "text" and r.name == name]

    def json(self, name: str) -> list[dict]:
        return [json.loads(text) for text in self.texts(name)]

    def values(self, name: str) -> list[float]:
        return [r.payload for r in self.records if r.kind == "value" and r.name == name]

    def hooks(self) -> dict[str, str]:
        return {r.name: r.payload for r in self.records if r.category == "hook"}


def decode(ring: bytes) -> Process:
    magic, version, chunk_count, _clock, pid = struct.unpack_from("<QIIII", ring, 0)
    assert (magic, version) == (_MAGIC, 1)
    dropped = struct.unpack_from("<Q", ring, 40)[0]
    chunks = []
    for i in range(chunk_count):
        state, tid, _base, lease, _ = struct.unpack_from("<IIQQQ", ring, _PAGE + 32 * i)
        if state:
            chunks.append((lease, tid, ring[_FIRST_CHUNK + i * _CHUNK_BYTES :][:_CHUNK_BYTES]))
    process = Process(pid, dropped, [], [], {})
    chunks.sort(key=lambda chunk: chunk[0])
    for _, _, words in chunks:
        _collect_sites(words, process.sites)
    stacks: dict[int, list[Span]] = {}
    for _, tid, words in chunks:
        _decode_chunk(words, process, stacks.setdefault(tid, []))
    return process


def _records(words: bytes):
    """Yields (head, word 1, word 2, text)."""
    at = 0
    while at + 8 <= len(words):
        head = struct.unpack_from("<Q", words, at)[0]
        if head == 0:
            return
        at += 8
        if head & 3 != _EXTENDED:
            yield head, 0, 0, b""
            continue
        one, two = struct.unpack_from("<QQ", words, at)
        at += 16
        text = b""
        if one & 0xFF in (_TEXT, _SITE):
            size = one >> 8
            text = words[at : at + size]
            at += (size + 7) // 8 * 8
        yield head, one, two, text


def _collect_sites(words: bytes, sites: dict) -> None:
    for head, one, line, text in _records(words):
        if head & 3 == _EXTENDED and one & 0xFF == _SITE:
            name, category, file = text.decode(errors="replace").split("\0")
            sites[head >> 2 & 0x3FFFF] = (name, category, file, line)


def _decode_chunk(words: bytes, process: Process, stack: list[Span]) -> None:
    for head, one, two, text in _records(words):
        ticks = head >> 20
        site = head >> 2 & 0x3FFFF
        name, category, file = process.sites.get(site, ("?", "?", ""))[:3]
        kind = head & 3
        if kind == _BEGIN:
            span = Span(name, category, ticks, depth=len(stack), file=file)
            span.parent = stack[-1] if stack else None
            stack.append(span)
            process.spans.append(span)
        elif kind == _END:
            assert stack, f"lone end of {name}"
            assert stack[-1].name == name, f"end of {name} inside {stack[-1].name}"
            stack.pop().end = ticks
        elif one & 0xFF == _ARG:
            stack[-1].args[name] = two
        elif one & 0xFF == _VALUE:
            value = struct.unpack("<d", struct.pack("<Q", two))[0]
            _add(process, name, category, "value", value, ticks, stack, one >> 8 & 0xFFFFFFFF)
        elif one & 0xFF == _INSTANT:
            _add(process, name, category, "instant", two, ticks, stack)
        elif one & 0xFF == _TEXT:
            _add(process, name, category, "text", text.decode(), ticks, stack)


def _add(process, name, category, kind, payload, ticks, stack, index=0) -> None:
    inside = stack[-1] if stack else None
    process.records.append(Record(name, category, kind, payload, index, ticks, inside))


class Agent:
    """Listens while programs run; `processes()` tells what they recorded."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "s")
        self._rings: list[mmap.mmap] = []
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listener.bind(self.path)
        self._listener.listen(64)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            with peer:
                _, ancillary, _, _ = peer.recvmsg(64, socket.CMSG_SPACE(4))
                for _, _, data in ancillary:
                    descriptor = array.array("i", data)[0]
                    ring = mmap.mmap(descriptor, 0)
                    struct.pack_into("<I", ring, _CONTROL, _CHUNK_COUNT << 16)  # all may be used
                    self._rings.append(ring)
                    os.close(descriptor)

    def environment(self, **extra: str) -> dict[str, str]:
        environment = {**os.environ, "LATIDO_SOCKET": self.path}
        environment["PYTHONPATH"] = str(PACKAGE / "latido" / "_inject")
        environment.pop("LATIDO_DISABLE", None)
        environment.update(extra)
        return environment

    def run(
        self, *command: str, python: str = sys.executable, **environment: str
    ) -> subprocess.CompletedProcess:
        return subprocess.run(
            [python, *command],
            env=self.environment(**environment),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def processes(self) -> list[Process]:
        """In the order of their first events."""
        probe = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        probe.connect(self.path)  # served after all that came before
        probe.close()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)
        return [decode(ring[:]) for ring in self._rings]
