"""Backward passes and the loss each starts from."""

from __future__ import annotations

import weakref

from latido._hooks._wrap import BACKWARD, RAISED, replace, tell_torchscript, wraps
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
    """The loss that GradScaler.scale() was given last, for the tensor it gave back."""

    __slots__ = ("scaled", "value")

    def __init__(self) -> None:
        self.scaled: weakref.ref[Any] | None = None
        self.value = 0.0


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
                result = original(*args, **kwargs)
            except BaseException:
                leave(BACKWARD)
                if recorded:
                    end(BACKWARD_SPAN, RAISED, 1)
                raise
            leave(BACKWARD)
            if recorded:
                end(BACKWARD_SPAN)
            return result

        return backward

    replace(torch.autograd, "backward", make)
    tell_torchscript(torch, original, torch.autograd.backward)


def loss_value(loss: Any, tensor_type: Any) -> float | None:
    """The number in a loss on the CPU; None for anything that would have to be waited for.

    Raises:
      RuntimeError: The tensor has more than one element, or is no plain one (under functorch).
    """
    return loss.item() if type(loss) is tensor_type and loss.is_cpu else None


def _tell_loss(loss: Any, tensor_type: Any) -> None:
    index = progress.micro_batch
    progress.micro_batch = index + 1
    try:
        scaled = scaled_loss.scaled
        if scaled is not None and scaled() is loss:
            value: float | None = scaled_loss.value
        else:
            value = loss_value(loss, tensor_type)
        if value is not None:
            core.value(LOSS, index, value)
    except Exception:
        pass  # not a single number
