"""Calls whose number is known and that mostly sleep."""

import sys
import time


def sleep_a_little() -> None:
    time.sleep(0.002)


class Model:
    def forward(self) -> int:
        sleep_a_little()
        return sum(range(200))


def main() -> None:
    print("started", flush=True)
    model = Model()
    for _ in range(int(sys.argv[1])):
        model.forward()


main()
