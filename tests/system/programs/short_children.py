"""Two children that live for 0.6 s each, then another program in this one's place."""

import os
import sys
import time


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def spin_in_child() -> None:
    spin(0.6)


def spin_after_exec() -> None:
    spin(0.6)


if len(sys.argv) > 1:
    spin_after_exec()
else:
    for _ in range(2):
        child = os.fork()
        if child == 0:
            spin_in_child()
            os._exit(0)
        os.waitpid(child, 0)
    os.execv(sys.executable, [sys.executable, __file__, "after"])
