"""Start-up in an interpreter below `latido run`: waits for torch, does nothing else.

Called by _inject/sitecustomize.py and latido_start.pth before the program's first line, and by the
first use of the API. Opens no file, socket or thread: the first recorded event does, so that helper
processes leave no trace.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_installed = False
# What went wrong in Latido itself, by hook name; sent with the process's first event.
failures: dict[str, str] = {}


def in_run() -> bool:
    """Whether this interpreter belongs to a run that wants to hear from it."""
    disabled = os.environ.get("LATIDO_DISABLE", "0") not in ("", "0")
    return bool(os.environ.get("LATIDO_SOCKET")) and not disabled


def install_in_run() -> None:
    """Installs where the start-up files did not (python -S, an emptied PYTHONPATH)."""
    if in_run():
        install()


def install() -> None:
    """Waits for torch and for the program's end. Idempotent; never raises."""
    global _installed
    if _installed or not in_run():
        return
    _installed = True
    try:
        import atexit

        from latido._imports import watch

        atexit.register(_report_exception)
        watch("torch", _hook_torch)
    except Exception as error:
        failures["start"] = f"failed: {error!r}"
    if os.environ.get("LATIDO_RUN_FUNCTIONS", "off") != "off":
        _record_functions()


def _record_functions() -> None:
    try:
        from latido import _functions

        _functions.start()
    except Exception as error:
        failures["functions"] = f"failed: {error!r}"


def _hook_torch(torch: ModuleType) -> None:
    try:
        from latido._native import available

        if not available:
            return
        from latido import _hooks

        _hooks.install(torch)
        _tell_again()
    except Exception as error:
        failures["torch"] = f"failed: {error!r}"


def _tell_again() -> None:
    """What the process has said of itself before torch was there lacks the hooks."""
    process = sys.modules.get("latido._process")
    if process is not None and process.described:
        process.describe()


def _report_exception() -> None:
    """Sends the exception that ended the program; the interpreter has printed it by now."""
    error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if error is None or hasattr(sys, "ps1"):
        return
    try:
        from latido import _process

        _process.report_exception(error)
    except Exception:
        pass  # the program is over: nowhere left to say it
