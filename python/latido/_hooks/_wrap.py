"""What all hooks need: replacing an attribute once, the plain wrapper, records of objects."""

from __future__ import annotations

import functools
import weakref

from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

# Argument of a span that an exception left.
RAISED = core.define_site("raised", "arg")

_MARK = "__latido_hook__"


def is_hooked(function: object) -> bool:
    """Whether a function is one of our wrappers, or another tool's wrapper around one."""
    return bool(getattr(function, _MARK, False))


def wraps(original: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """functools.wraps that also marks the wrapper, so that nothing is wrapped twice."""
    return lambda wrapper: mark(wrapper, original)


def mark(wrapper: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """Makes `wrapper` look like `original`, and known as ours."""
    functools.update_wrapper(wrapper, original)
    setattr(wrapper, _MARK, True)
    return wrapper


def replace(
    owner: object, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> None:
    """Puts make(original) in the place of `owner.name`, once.

    Args:
      owner: A module or class.
      name: One of its own functions.
      make: Gives the wrapper.
    """
    original = vars(owner)[name]
    if not is_hooked(original):
        setattr(owner, name, make(original))


def recorded(
    site: int,
    original: Callable[..., Any],
    passes_by: Callable[[tuple[Any, ...], dict[str, Any]], Any],
) -> Callable[..., Any]:
    """The plain wrapper: a span around each call.

    Args:
      site: The span's site.
      original: What is called.
      passes_by: Says of a call's arguments that it is not to be recorded.
    """
    begin, end = core.begin, core.end

    @wraps(original)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if passes_by(args, kwargs) or not begin(site):
            return original(*args, **kwargs)
        try:
            result = original(*args, **kwargs)
        except BaseException:
            end(site, RAISED, 1)
            raise
        end(site)
        return result

    return wrapper


def tell_torchscript(torch: ModuleType, original: object, wrapper: object) -> None:
    """Lets scripted code call `wrapper` as it may call `original`: TorchScript goes by identity."""
    builtins = torch.jit._builtins
    name = builtins._find_builtin(original)
    if name is not None:
        builtins._register_builtin(wrapper, name)


class Records:
    """A record per live object, by identity: the object's own attributes stay as they are.

    They travel with pickle and deepcopy, and equality may be the user's.
    """

    def __init__(self) -> None:
        self._records: dict[int, Any] = {}
        self._alive: dict[int, weakref.ref[Any]] = {}
        self._last_number = 0
        # The hot path: the record of a known object, by id().
        self.get = self._records.get

    def add(
        self, owner: object, record: Any, on_forget: Callable[[int], None] | None = None
    ) -> Any:
        """Keeps `record` for as long as `owner` lives.

        Args:
          owner: Any object that takes weak references.
          record: What to keep.
          on_forget: Called with id(owner) when the owner is gone.

        Returns:
          The record.
        """
        key = id(owner)

        def forget(_: weakref.ref[Any]) -> None:
            self._records.pop(key, None)
            self._alive.pop(key, None)
            if on_forget is not None:
                on_forget(key)

        self._alive[key] = weakref.ref(owner, forget)
        self._records[key] = record
        return record

    def next_number(self) -> int:
        """A number no other record of this process has: 1, 2, 3 and so on."""
        self._last_number += 1
        return self._last_number

    def clear(self) -> None:
        """Forgets all records, as if no object had been seen."""
        self._records.clear()
        self._alive.clear()
