"""GradScaler: attempts at a step, some of which it skips, and the loss before scaling."""

from __future__ import annotations

import sys

from latido._hooks._wrap import recorded, replace, wraps
from latido._hooks.compiler import compiling_test
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

SCALER_STEP = core.define_site("GradScaler.step", "scaler_step")

# Newer versions derive the second from the first, which has the methods.
_MODULES = ("torch.amp.grad_scaler", "torch.cuda.amp.grad_scaler")


def _classes() -> list[Any]:
    scalers = [getattr(sys.modules.get(name), "GradScaler", None) for name in _MODULES]
    return [scaler for scaler in scalers if scaler is not None and "step" in vars(scaler)]


def probe(torch: ModuleType) -> str | None:  # noqa: ARG001
    """Needs a class with the two methods."""
    classes = _classes()
    if not classes:
        return "no GradScaler"
    return None if all("scale" in vars(scaler) for scaler in classes) else "no GradScaler.scale"


def apply(torch: ModuleType) -> None:
    """Records attempts, and remembers what is scaled."""
    for scaler in _classes():
        replace(scaler, "step", lambda original: recorded(SCALER_STEP, original, _never))
        replace(scaler, "scale", lambda original: _make_scale(torch, original))


def _never(_args: tuple[Any, ...], _kwargs: dict[str, Any]) -> bool:
    return False


def _make_scale(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    is_compiling = compiling_test(torch)

    @wraps(original)
    def scale(self: Any, outputs: Any) -> Any:
        scaled = original(self, outputs)
        if not is_compiling() and scaled is not outputs:
            try:
                core.remember_scaled(outputs, scaled)
            except TypeError:
                pass  # several losses: backward tells the scaled ones
        return scaled

    return scale
