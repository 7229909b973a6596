"""Backward passes and the loss each starts from."""

from __future__ import annotations

import weakref

from latido._hooks._wrap import BACKWARD, replace, tell_torchscript, wraps
from latido._hooks.compiler import compiling_test
from latido._hooks.progress import progress
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

BACKWARD_SPAN = core.define_site("backward", "backward")
LOSS = core.define_site("train.loss_backward", "series")


class ScaledLoss:
    """The loss that GradScaler.scale() was given last, by the tensor it gave back."""

    def __init__(self) -> None:
        self._scaled: weakref.ref[Any] | None = None
        self._value = 0.0

    def remember(self, scaled: object, value: float) -> None:
        """`scaled` is `value` times the scale."""
        self._scaled = weakref.ref(scaled)
        self._value = value

    def value_of(self, loss: object) -> float | None:
        """The loss before scaling, if `loss` is what it was scaled to."""
        known = self._scaled is not None and self._scaled() is loss
        return self._value if known else None


scaled_loss = ScaledLoss()


def probe(torch: ModuleType) -> str | None:
    """Tensor.backward() calls this function by attribute, so that one hook covers both."""
    return None if "backward" in vars(torch.autograd) else "no torch.autograd.backward"


def apply(torch: ModuleType) -> None:
    """Records backward passes."""
    original = torch.autograd.backward
    is_compiling = compiling_test(torch)
    tensor_type = torch.Tensor

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        begin, end, enter, leave = core.begin, core.end, core.enter, core.leave

        @wraps(original)
        def backward(*args: Any, **kwargs: Any) -> Any:
            if is_compiling():
                return original(*args, **kwargs)
            recorded = begin(BACKWARD_SPAN)
            outermost = enter(BACKWARD)
            try:
                if recorded and outermost:
                    _tell_loss(args[0] if args else kwargs.get("tensors"), tensor_type)
                return original(*args, **kwargs)
            finally:
                leave(BACKWARD)
                if recorded:
                    end(BACKWARD_SPAN)

        return backward

    replace(torch.autograd, "backward", make)
    tell_torchscript(torch, original, torch.autograd.backward)


def loss_value(loss: Any, tensor_type: Any) -> float | None:
    """The number in a loss on the CPU; None for anything that would have to be waited for."""
    if type(loss) is tensor_type and loss.is_cpu and loss.numel() == 1:
        return float(loss.item())
    return None


def _tell_loss(loss: Any, tensor_type: Any) -> None:
    try:
        value = scaled_loss.value_of(loss)
        if value is None:
            value = loss_value(loss, tensor_type)
        if value is not None:
            core.value(LOSS, progress.micro_batch, value)
        progress.micro_batch += 1
    except Exception:
        pass  # a loss under functorch has no number
