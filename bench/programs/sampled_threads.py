"""Works for as long as it is told, beside many sleeping threads. The target of stack_sampling.py.

Usage: sampled_threads.py native|python COUNT. For each line on its standard input it works one
block and prints the processor time of its working thread in nanoseconds.
"""

import ctypes
import sys
import threading
import time


def fib(n: int) -> int:
    """Two calls for each: a stack that changes 20 million times a second."""
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def start_native_threads(count: int) -> None:
    """Threads that never run Python: what OpenMP and BLAS bring along."""
    libc = ctypes.CDLL(None)
    for _ in range(count):
        thread = ctypes.c_ulong()
        if libc.pthread_create(ctypes.byref(thread), None, libc.pause, None) != 0:
            sys.exit("pthread_create failed")


def start_python_threads(count: int) -> None:
    """Threads that wait in Python."""
    for _ in range(count):
        threading.Thread(target=threading.Event().wait, daemon=True).start()


def main() -> None:
    """One block of work for each line read."""
    kind, count = sys.argv[1], int(sys.argv[2])
    {"native": start_native_threads, "python": start_python_threads}[kind](count)
    print("ready", flush=True)
    for line in sys.stdin:
        begin = time.thread_time_ns()
        for _ in range(int(line)):
            fib(20)
        print(time.thread_time_ns() - begin, flush=True)


main()
