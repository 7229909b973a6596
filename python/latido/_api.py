"""The public functions; `latido` hands them out (see its docstring)."""

from __future__ import annotations

import functools
import inspect
import json

from latido._native import available, core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

zone = core.zone

_UNDECIDED, _OFF = 0, 2
_STEP = core.define_site("latido.step", "step")
_RAISED = core.define_site("raised", "arg")
_STEP_NUMBER_MASK = (1 << 64) - 1
_sites: dict[tuple[str, str], int] = {}
_logged = 0


def _site(name: str, category: str) -> int:
    site = _sites.get((name, category))
    if site is None:
        shown = str(name).encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
        site = _sites[name, category] = core.define_site(shown, category)
    return site


def _text_of(value: object) -> str:
    """What `value` says of itself; recording must not fail where that does."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"


def step(n: int | None = None) -> None:
    """Says that a step of the program ends here, in place of the steps Latido would find by itself.

    Args:
      n: The step's number, if the program counts them.
    """
    if core.state() == _OFF:
        return
    if n is None:
        core.step()
    else:
        core.instant(_STEP, n & _STEP_NUMBER_MASK)


def log(mapping: Mapping[str, object], *, step: int | None = None) -> None:
    """Records one point of each series in `mapping`.

    Args:
      mapping: Names and values. What float() takes becomes a point (a tensor on a device is
        copied to the host for that, as any logger does), other values a text on the timeline.
      step: What the points belong to; by default the number of calls so far.
    """
    global _logged
    if core.state() == _OFF:
        return
    index = _logged if step is None else step
    _logged += 1
    for name, value in mapping.items():
        try:
            number = float(value)  # type: ignore[arg-type]
        except Exception:
            core.text(_site(name, "mark"), _text_of(value))
        else:
            core.value(_site(name, "series"), index, number)


def mark(name: str) -> None:
    """Puts a moment on the timeline.

    Args:
      name: What happened.
    """
    if core.state() != _OFF:
        core.instant(_site(name, "mark"), 0)


def request(id: int | str | None = None) -> zone:  # noqa: A002
    """Records the block it stands before as one request: `with latido.request():`.

    Args:
      id: The request's number or text, if it has one.

    Returns:
      A context manager, also usable as a decorator.
    """
    return zone("request") if id is None else zone("request", id=id)


def stage(name: str) -> zone:
    """Records the block it stands before as one stage of a request.

    Args:
      name: What the stage does.

    Returns:
      A context manager, also usable as a decorator.
    """
    return zone(name)


def start(**options: object) -> None:
    """Records again after stop(). Recording is on from the beginning of a run.

    Args:
      **options: Noted on the timeline beside the start.
    """
    core.pause(False)
    if core.state() != _OFF:
        core.text(_site("latido.start", "mark"), json.dumps(options, default=str))


def stop() -> None:
    """Records nothing more of this process until start(); open zones end where they end."""
    if core.state() != _OFF:
        core.instant(_site("latido.stop", "mark"), 0)
    core.pause(True)


def _decorate(
    function: Callable[..., Any],
    site: int,
    names: tuple[str, ...] | None,
    values: tuple[int | str, ...] | None,
) -> Callable[..., Any]:
    """Gives `function` its zone; what runs in interleaved pieces is given back as it was."""
    if (
        inspect.iscoroutinefunction(function)
        or inspect.isasyncgenfunction(function)
        or inspect.isgeneratorfunction(function)
    ):
        return function
    args = [
        (core.define_site(name, "arg"), value) for name, value in zip(names or (), values or ())
    ]
    begin, end = core.begin, core.end

    @functools.wraps(function)
    def recorded(*positional: Any, **named: Any) -> Any:
        if not begin(site):
            return function(*positional, **named)
        try:
            for name, value in args:
                core.arg(name, value)
            result = function(*positional, **named)
        except BaseException:
            end(site, _RAISED, 1)
            raise
        end(site)
        return result

    return recorded


if available:
    core.set_decorator(_decorate)
