"""Backward passes and the loss each starts from; the wrapper itself is in C."""

from __future__ import annotations

from latido._hooks._wrap import mark, replace, tell_torchscript
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

BACKWARD = core.define_site("backward", "backward")
LOSS = core.define_site("train.loss_backward", "series")


def probe(torch: ModuleType) -> str | None:
    """Tensor.backward() calls this function by attribute, so that one hook covers both."""
    return None if "backward" in vars(torch.autograd) else "no torch.autograd.backward"


def apply(torch: ModuleType) -> None:
    """Records backward passes."""
    original = torch.autograd.backward
    replace(torch.autograd, "backward", _make_backward)
    tell_torchscript(torch, original, torch.autograd.backward)


def _make_backward(original: Callable[..., Any]) -> Callable[..., Any]:
    return mark(core.wrap_backward(original, BACKWARD, LOSS), original)
