"""Starts the recording of the program's functions, as `latido run --functions` wants it."""

from __future__ import annotations

import os
import sys

_MODES = ("adaptive", "full")
# The import system itself: every program goes through it, nobody can change it.
_NEVER = ("<frozen importlib*",)

# "ok" or "absent: why"; empty: not asked for. Sent with the process's first event.
status = ""
# Whether only stretches of the run are recorded: then calls are a lower bound.
in_windows = False


def start() -> None:
    """Records functions from here on, where the run asks for it."""
    global status, in_windows
    mode = os.environ.get("LATIDO_RUN_FUNCTIONS", "off")
    if mode not in _MODES:
        return
    from latido._native import available, core

    if not available:
        return
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
    why = core.functions_start(
        mode == "full", _patterns("INCLUDE"), _patterns("EXCLUDE") + _NEVER, own
    )
    status = "ok" if why is None else f"absent: {why}"
    if why is not None:
        return
    in_windows = mode == "adaptive" and sys.version_info < (3, 12)
    import atexit

    atexit.register(_stop)
    if mode == "full" and sys.version_info < (3, 12):
        # The profile function belongs to a thread; this is how CPython tells new ones.
        import threading

        threading.setprofile(core.functions_enter_thread)


def _stop() -> None:
    from latido._native import core

    core.functions_stop()
    core.describe_if_due()


def _patterns(name: str) -> tuple[str, ...]:
    return tuple(filter(None, os.environ.get(f"LATIDO_RUN_{name}", "").split(",")))
