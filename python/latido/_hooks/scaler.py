"""GradScaler: attempts at a step, some of which it skips, and the loss before scaling."""

from __future__ import annotations

import sys

from latido._hooks._wrap import replace, wraps
from latido._hooks.backward import loss_value, scaled_loss
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
        replace(scaler, "step", _make_step)
        replace(scaler, "scale", lambda original: _make_scale(torch, original))


def _make_step(original: Callable[..., Any]) -> Callable[..., Any]:
    begin, end = core.begin, core.end

    @wraps(original)
    def step(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not begin(SCALER_STEP):
            return original(self, *args, **kwargs)
        try:
            return original(self, *args, **kwargs)
        finally:
            end(SCALER_STEP)

    return step


def _make_scale(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    tensor_type = torch.Tensor
    is_compiling = compiling_test(torch)

    @wraps(original)
    def scale(self: Any, outputs: Any) -> Any:
        scaled = original(self, outputs)
        if not is_compiling() and scaled is not outputs:
            try:
                value = loss_value(outputs, tensor_type)
                if value is not None:
                    scaled_loss.remember(scaled, value)
            except Exception:
                pass  # backward then tells the scaled value's own number
        return scaled

    return scale
