"""Gradient clipping: its time, and the norm it computes anyway."""

from __future__ import annotations

from latido._hooks._wrap import RAISED, replace, wraps
from latido._hooks.compiler import compiling_test
from latido._hooks.progress import progress
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

GRAD_NORM = core.define_site("train.grad_norm", "series")
_seen = False


def norm_seen() -> bool:
    """Whether the program computes gradient norms itself, so that none need be sampled."""
    return _seen


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
    begin, end = core.begin, core.end
    is_compiling = compiling_test(torch)
    tensor_type = torch.Tensor
    site = core.define_site(original.__name__, "clip_grad")

    @wraps(original)
    def clip(*args: Any, **kwargs: Any) -> Any:
        if is_compiling() or not begin(site):
            return original(*args, **kwargs)
        try:
            result = original(*args, **kwargs)
        except BaseException:
            end(site, RAISED, 1)
            raise
        if result is not None:
            _tell_norm(result, tensor_type)
        end(site)
        return result

    return clip


def _tell_norm(norm: Any, tensor_type: Any) -> None:
    global _seen
    _seen = True
    try:
        if type(norm) is tensor_type and norm.is_cpu:
            core.value(GRAD_NORM, progress.updates, norm.item())
    except Exception:
        pass  # the time is recorded without it
