"""What all hooks need: replacing an attribute once, small numbers for objects, depth slots."""

from __future__ import annotations

import functools
import weakref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

# Slots of core.enter(): what the current thread is inside of.
FORWARD, BACKWARD, COMM = range(3)

_MARK = "__latido_hook__"


def is_hooked(function: object) -> bool:
    """Whether a function is one of our wrappers, or another tool's wrapper around one."""
    return bool(getattr(function, _MARK, False))


def wraps(original: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """functools.wraps that also marks the wrapper, so that nothing is wrapped twice."""

    def finish(wrapper: Callable[..., Any]) -> Callable[..., Any]:
        functools.update_wrapper(wrapper, original)
        setattr(wrapper, _MARK, True)
        return wrapper

    return finish


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

    def add(self, owner: object, record: Any) -> Any:
        """Keeps `record` for as long as `owner` lives; gives the record."""
        key = id(owner)

        def forget(_: weakref.ref[Any]) -> None:
            self._records.pop(key, None)
            self._alive.pop(key, None)

        self._alive[key] = weakref.ref(owner, forget)
        self._records[key] = record
        return record

    def next_number(self) -> int:
        """A number no other record of this process has: 1, 2, 3 and so on."""
        self._last_number += 1
        return self._last_number
