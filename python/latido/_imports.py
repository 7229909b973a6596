"""Calls back when a module's body has run, however and from wherever it is imported.

One finder at the front of sys.meta_path that stays there: importlib.util.find_spec() asks finders
too, so that one which leaves after its first question would miss the import that follows. It
answers with the spec of the finders behind it and touches that spec's loader for one exec_module().
"""

from __future__ import annotations

import sys
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

_callbacks: dict[str, Callable[[ModuleType], None]] = {}


def watch(name: str, callback: Callable[[ModuleType], None]) -> None:
    """Calls `callback` with the module: now if it is there, else at the end of its import.

    Args:
      name: Full name of the module.
      callback: Must not raise.
    """
    module = sys.modules.get(name)
    if module is not None and not _is_importing(module):
        callback(module)
        return
    _callbacks[name] = callback
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def _is_importing(module: ModuleType) -> bool:
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


class _Finder:
    def __init__(self) -> None:
        self._asking: set[tuple[int, str]] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds what the other finders find."""
        callback = _callbacks.get(name)
        question = (get_ident(), name)
        if callback is None or question in self._asking:
            return None
        self._asking.add(question)
        try:
            spec = _ask_others(self, name, path, target)
        finally:
            self._asking.discard(question)
        if spec is not None and spec.loader is not None:
            _call_after_body(spec, callback)
        return spec


_finder = _Finder()


def _ask_others(
    asker: _Finder, name: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    for finder in list(sys.meta_path):
        find_spec = getattr(finder, "find_spec", None)
        if finder is asker or find_spec is None:
            continue
        spec: ModuleSpec | None = find_spec(name, path, target)
        if spec is not None:
            return spec
    return None


def _call_after_body(spec: ModuleSpec, callback: Callable[[ModuleType], None]) -> None:
    loader: Any = spec.loader
    run_body = getattr(loader, "exec_module", None)
    if run_body is None:
        return

    def exec_module(module: ModuleType) -> None:
        if module.__name__ != spec.name:  # a zip file's modules share one loader
            run_body(module)
            return
        vars(loader).pop("exec_module", None)
        run_body(module)
        callback(module)

    try:
        loader.exec_module = exec_module
    except AttributeError:
        return  # a loader that takes no attributes: the module stays unhooked
