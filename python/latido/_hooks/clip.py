"""Gradient clipping: its time, and the norm it computes anyway."""

from __future__ import annotations

from latido._hooks._wrap import replace, wraps
from latido._hooks.compiler import compiling_test
from latido._hooks.optimizer import GRAD_NORM
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any


def probe(torch: ModuleType) -> str | None:
    """Needs the function under both its names."""
    if not hasattr(torch.nn.utils.clip_grad, "clip_grad_norm_"):
        return "no clip_grad_norm_"
    same = torch.nn.utils.clip_grad_norm_ is torch.nn.utils.clip_grad.clip_grad_norm_
    return None if same else "two different clip_grad_norm_"


def apply(torch: ModuleType) -> None:
    """Records clipping by norm and by value."""
    for name in ("clip_grad_norm_", "clip_grad_value_"):
        replace(torch.nn.utils.clip_grad, name, lambda original: _make_clip(torch, original))
        setattr(torch.nn.utils, name, getattr(torch.nn.utils.clip_grad, name))


def _make_clip(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    is_compiling = compiling_test(torch)
    site = core.define_site(original.__name__, "clip_grad")
    record = core.wrap_clip(original, site, GRAD_NORM)

    @wraps(original)
    def clip(*args: Any, **kwargs: Any) -> Any:
        if is_compiling():
            return original(*args, **kwargs)
        return record(*args, **kwargs)

    return clip
