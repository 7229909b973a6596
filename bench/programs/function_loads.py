"""The programs of bench/functions.py.

`function_loads.py NAME SIZE` prints the CPU and the wall seconds of one, from the first line of
its work to the last, taken in the process itself: neither start-up nor what a profiler does at the
end is in them. CPU time is that of all threads of the process.
"""

from __future__ import annotations

import hashlib
import json.encoder
import sys
import time
import zlib
from collections.abc import Callable


def fib(size: int) -> None:
    """Calls that do nothing but call: the worst that can happen to a tracer."""

    def fibonacci(n: int) -> int:
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    fibonacci(size)


class Vector:
    """A small object with methods, one of millions."""

    __slots__ = ("x", "y", "z")

    def __init__(self, x: float, y: float, z: float) -> None:
        self.x, self.y, self.z = x, y, z

    def minus(self, other: Vector) -> Vector:
        """A new one."""
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def square(self) -> float:
        """Of its length."""
        return self.x * self.x + self.y * self.y + self.z * self.z

    def add_scaled(self, other: Vector, factor: float) -> None:
        """Changes this one."""
        self.x += other.x * factor
        self.y += other.y * factor
        self.z += other.z * factor


class Body:
    """A mass that moves."""

    def __init__(self, place: Vector, speed: Vector, mass: float) -> None:
        self.place, self.speed, self.mass = place, speed, mass

    def move(self, time_step: float) -> None:
        """Changes its place."""
        self.place.add_scaled(self.speed, time_step)


def pull(one: Body, other: Body, time_step: float) -> None:
    """Both change their speed by the other's gravity."""
    between = one.place.minus(other.place)
    square = between.square() + 0.01
    strength = time_step / (square * square**0.5)
    one.speed.add_scaled(between, -other.mass * strength)
    other.speed.add_scaled(between, one.mass * strength)


def nbody(size: int) -> None:
    """Five bodies, small objects and small methods."""
    bodies = [Body(Vector(i, i * 0.5, -i), Vector(0.1 * i, 0.2, 0.0), 1.0 + i) for i in range(5)]
    for _ in range(size):
        for i, body in enumerate(bodies):
            for other in bodies[i + 1 :]:
                pull(body, other, 0.001)
        for body in bodies:
            body.move(0.001)


def json_encoder(size: int) -> None:
    """The standard library's encoder in Python: nested generators that resume each other."""
    json.encoder.c_make_encoder = None  # type: ignore[attr-defined]
    orders = [
        {
            "id": 1000 + i,
            "customer": {"name": f"Customer {i}", "city": "Torino", "since": 2001.5 + i},
            "lines": [{"article": f"A-{i}-{j}", "count": j, "price": j * 1.25} for j in range(4)],
            "paid": i % 2 == 0,
            "note": "delivered\tto the neighbour",
        }
        for i in range(50)
    ]
    for _ in range(size):
        json.dumps(orders)


def total(count: int) -> int:
    """Lasts some 50 ns for each of `count`."""
    sum_so_far = 0
    for i in range(count):
        sum_so_far += i * i
    return sum_so_far


def short_calls(size: int) -> None:
    """Functions that last 1 to 20 microseconds, evenly spread."""
    for i in range(size):
        total(15 + i % 20 * 18)


def loops(size: int) -> None:
    """A loop of Python that calls nothing for milliseconds, as in hand-made preprocessing."""
    for _ in range(size):
        total(40_000)


def numeric(size: int) -> None:
    """What is done in C: numpy, zlib and a hash."""
    import numpy

    data = bytes(range(256)) * 256
    for _ in range(size):
        digest = hashlib.sha256(zlib.compress(data, 6)).digest()
        square = numpy.frombuffer(digest * 32, dtype=numpy.uint8).reshape(32, 32) / 255.0
        for _ in range(20):
            square = numpy.tanh(square @ square)


def training(size: int) -> None:
    """A small network in PyTorch, on one thread."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Linear(64, 256),
        torch.nn.ReLU(),
        torch.nn.Linear(256, 256),
        torch.nn.ReLU(),
        torch.nn.Linear(256, 10),
    )
    optimizer = torch.optim.Adam(model.parameters())
    inputs, wanted = torch.randn(128, 64), torch.randint(0, 10, (128,))
    for step in range(20 + size):
        if step == 20:  # what happens once is behind it
            mark_begin()
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs), wanted).backward()
        optimizer.step()


LOADS: dict[str, Callable[[int], None]] = {
    "fib": fib,
    "nbody": nbody,
    "json": json_encoder,
    "short": short_calls,
    "loops": loops,
    "numeric": numeric,
    "training": training,
}

begin_s = (0.0, 0.0)


def mark_begin() -> None:
    """The work begins here."""
    global begin_s
    begin_s = time.process_time(), time.perf_counter()


def main() -> None:
    """Runs the one that was asked for."""
    load, size = LOADS[sys.argv[1]], int(sys.argv[2])
    mark_begin()
    load(size)
    cpu_s, wall_s = time.process_time() - begin_s[0], time.perf_counter() - begin_s[1]
    print(f"{cpu_s:.6f} {wall_s:.6f}", flush=True)


if __name__ == "__main__":
    main()
