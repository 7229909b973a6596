"""Stands in for latido._core where no extension module fits: nothing is recorded."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])


class zone:  # noqa: N801
    """The zone that does nothing."""

    def __init__(self, name: str, /, **args: object) -> None:
        pass

    def __enter__(self) -> zone:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def __call__(self, function: _Function) -> _Function:
        """Gives the decorated function back as it was."""
        return function


def define_site(name: str, category: str, file: str | None = None, line: int = 0) -> int:
    """Any site is as good as another here."""
    return 0


def value(series: int, index: int, number: float, /) -> None:
    """Does nothing."""


def instant(site: int, number: int, /) -> None:
    """Does nothing."""


def text(site: int, text: str, /) -> None:
    """Does nothing."""


def step() -> None:
    """Does nothing."""


def pause(whether: bool, /) -> None:
    """Does nothing."""


def state() -> int:
    """Always off."""
    return 2


def dropped() -> int:
    """Nothing is ever dropped."""
    return 0
