"""What a process says about itself: who it is, which hooks are in place, how it ended."""

from __future__ import annotations

import json
import os
import sys

from latido import _core, _start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

_MAX_MESSAGE = 500
_RANK = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "JOB_COMPLETION_INDEX")
_WORLD_SIZE = ("WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE")
_LOCAL_RANK = ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK")

_FACTS = _core.define_site("process.facts", "mark")
_hook_sites: dict[str, int] = {}
# Whether this process has said who it is.
described = False


def describe() -> None:
    """Sends the process's facts and the state of each hook; runs right before its first event."""
    global described
    described = True
    hooks = sys.modules.get("latido._hooks")
    status: dict[str, str] = {**(hooks.status if hooks is not None else {}), **_start.failures}
    functions = sys.modules.get("latido._functions")
    if functions is not None and functions.status:
        status["functions"] = functions.status
    for name, text in status.items():
        if name not in _hook_sites:
            _hook_sites[name] = _core.define_site(name, "hook")
        _core.text(_hook_sites[name], text)
    _core.text(_FACTS, json.dumps(_facts()))


def _facts() -> dict[str, object]:
    torch = sys.modules.get("torch")
    functions = sys.modules.get("latido._functions")
    argv = getattr(sys, "argv", None) or [""]
    return {
        "python": sys.version.split()[0],
        "torch": str(getattr(torch, "__version__", "")) or None,
        "rank": _number_from(_RANK),
        "local_rank": _number_from(_LOCAL_RANK),
        "world_size": _number_from(_WORLD_SIZE),
        "argv0": argv[0],
        "functions_in_windows": int(functions is not None and functions.in_windows),
    }


def _number_from(variables: tuple[str, ...]) -> int | None:
    for variable in variables:
        text = os.environ.get(variable, "")
        if text.isdecimal():
            return int(text)
    return None


def report_exception(error: BaseException) -> None:
    """Sends the exception that ended the program.

    Args:
      error: What the interpreter has just printed.
    """
    from latido._native import core  # lets the first event describe the process

    message = _message(error)
    original = _in_worker(message)
    file, line = original[1:] if original and original[1] else _place(error)
    facts = {
        "type": type(error).__name__,
        "message": (original[0] if original else message)[:_MAX_MESSAGE],
        "file": file,
        "line": line,
    }
    core.text(core.define_site("exception", "exception"), json.dumps(facts))


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""  # a __str__ that raises


def _in_worker(message: str) -> tuple[str, str, int] | None:
    """What really happened where an error only carries the text of one in another process.

    A DataLoader raises its workers' errors again, with their traceback as the message.

    Returns:
      The message, file and line of the original error; None where it is an error of this process.
    """
    head, separator, traceback = message.partition(
        "\nOriginal Traceback (most recent call last):\n"
    )
    if not separator or not head.startswith("Caught "):
        return None
    lines = traceback.splitlines()
    frames = [i for i, line in enumerate(lines) if line.startswith('  File "')]
    if not frames:
        return None
    # Below the innermost frame: its source, which is indented, and then what was raised.
    told = frames[-1] + 1
    while told < len(lines) and lines[told].startswith(" "):
        told += 1
    what = "\n".join(lines[told:]).strip().partition(": ")[2]
    place = own_place = ("", 0)
    for i in frames:
        file, _, rest = lines[i].removeprefix('  File "').partition('", line ')
        number = rest.partition(",")[0]
        place = (file, int(number) if number.isdecimal() else 0)
        if is_own_code(file):
            own_place = place
    return what, *(own_place if own_place[0] else place)


def _place(error: BaseException) -> tuple[str, int]:
    """The innermost line of the user's own code, else the innermost line."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    place = own_place = ("", 0)
    step: TracebackType | None = error.__traceback__
    while step is not None:
        place = (step.tb_frame.f_code.co_filename, step.tb_lineno)
        if is_own_code(place[0]):
            own_place = place
        step = step.tb_next
    return own_place if own_place[0] else place


_LIBRARIES = ("/site-packages/", "/dist-packages/", os.path.dirname(os.__file__) + "/")
_LATIDO = os.path.dirname(__file__) + "/"


def is_own_code(file: str) -> bool:
    """Whether a file is the user's rather than a library's, the interpreter's or Latido's."""
    if file.startswith(("<frozen ", _LATIDO)):
        return False
    return not any(part in file for part in _LIBRARIES)
