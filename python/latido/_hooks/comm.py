"""Collectives that the training loop itself calls and waits for; those in backward are its own."""

from __future__ import annotations

import inspect
import sys
from threading import get_ident, main_thread

from latido._hooks._wrap import recorded, replace
from latido._hooks.compiler import compiling_test
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

_MODULE = "torch.distributed.distributed_c10d"
_COLLECTIVES = (
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "broadcast",
    "broadcast_object_list",
    "gather",
    "gather_object",
    "monitored_barrier",
    "recv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "scatter",
    "scatter_object_list",
    "send",
)


def probe(torch: ModuleType) -> str | None:
    """Needs a torch built with torch.distributed."""
    if not torch.distributed.is_available():
        return "torch built without torch.distributed"
    return None if _MODULE in sys.modules else f"{_MODULE} not imported by torch"


def apply(torch: ModuleType) -> None:
    """Records the blocking collectives, under both names they have."""
    module = sys.modules[_MODULE]
    for name in _COLLECTIVES:
        original = vars(module).get(name)
        if original is None:
            continue
        replace(module, name, lambda original: _make_collective(torch, original))
        if vars(torch.distributed).get(name) is original:
            setattr(torch.distributed, name, vars(module)[name])


def _make_collective(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    is_compiling = compiling_test(torch)
    parameters = list(inspect.signature(original).parameters)
    async_place = parameters.index("async_op") if "async_op" in parameters else len(parameters)

    def passes_by(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return (
            is_compiling()
            or (args[async_place] if len(args) > async_place else kwargs.get("async_op"))
            or core.inside_backward()
            or get_ident() != main_thread().ident
        )

    return recorded(core.define_site(original.__name__, "comm_wait"), original, passes_by)
