"""Optimizer steps, learning rates and sampled gradient norms."""

from __future__ import annotations

import math
from functools import partial

from latido._hooks import device_memory
from latido._hooks._wrap import Records, is_hooked, replace, wraps
from latido._hooks.compiler import compiling_test
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

LEARNING_RATE = core.define_site("train.lr", "series")
GRAD_NORM = core.define_site("train.grad_norm", "series")
ZERO_GRAD = core.define_site("zero_grad", "zero_grad")

# A norm reads every gradient once; an update reads and writes several times as much.
_STEPS_BETWEEN_SAMPLES = 20


class Optimizer:
    """One optimizer of the program."""

    __slots__ = ("number", "site")

    def __init__(self, number: int, optimizer: object) -> None:
        self.number = number
        self.site = core.define_site(f"{type(optimizer).__name__}.step", "optimizer")


_optimizers = Records()


def probe(torch: ModuleType) -> str | None:
    """Needs the one function that wraps the step of each optimizer class at its first instance."""
    optimizer = vars(torch.optim.Optimizer)
    for name in ("profile_hook_step", "_patch_step_function"):
        if name not in optimizer:
            return f"Optimizer has no {name}"
    return None


def apply(torch: ModuleType) -> None:
    """Records the step of every optimizer class.

    torch's own step hooks would do, but the one after the step is not called when the step raises.
    """
    hook_step = torch.optim.Optimizer.profile_hook_step

    @wraps(hook_step)
    def profile_hook_step(step: Callable[..., Any]) -> Callable[..., Any]:
        return _make_step(torch, hook_step(step))

    if is_hooked(hook_step):
        return
    sample_norm = partial(_sample_norm, torch)
    core.watch_optimizers(
        LEARNING_RATE,
        GRAD_NORM,
        _introduce,
        sample_norm,
        device_memory.sampler(torch),
        _STEPS_BETWEEN_SAMPLES,
    )
    torch.optim.Optimizer.profile_hook_step = staticmethod(profile_hook_step)
    for kind in _subclasses(torch.optim.Optimizer):  # those that have had an instance already
        step = vars(kind).get("step")
        if getattr(step, "hooked", False) and not is_hooked(step):
            kind.step = _make_step(torch, step)


def _subclasses(kind: Any) -> list[Any]:
    found = list(kind.__subclasses__())
    for sub in kind.__subclasses__():
        found += _subclasses(sub)
    return found


def _make_step(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    is_compiling = compiling_test(torch)
    record = core.wrap_step(original)

    @wraps(original)
    def step(*args: Any, **kwargs: Any) -> Any:
        if is_compiling():
            return original(*args, **kwargs)
        return record(*args, **kwargs)

    return step


def _introduce(optimizer: Any) -> None:
    """Tells the extension of an optimizer it does not remember."""
    try:
        known: Optimizer | None = _optimizers.get(id(optimizer))
        if known is None:
            known = Optimizer(_optimizers.next_number(), optimizer)
            _optimizers.add(optimizer, known, core.forget_optimizer)
        core.remember_optimizer(optimizer, known.number, known.site)
    except Exception:
        pass  # one that takes no weak references


def _sample_norm(torch: ModuleType, optimizer: Any) -> float | None:
    try:
        # A fused step gets the gradients scaled.
        return None if hasattr(optimizer, "grad_scale") else gradient_norm(torch, optimizer)
    except Exception:
        return None  # a sample less


def gradient_norm(torch: ModuleType, optimizer: Any) -> float | None:
    """The 2-norm of all gradients; None when one is not a plain dense tensor on the CPU."""
    gradients = []
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            gradient = parameter.grad
            if gradient is None:
                continue
            if type(gradient) is not torch.Tensor or not gradient.is_cpu or gradient.is_sparse:
                return None
            gradients.append(gradient)
    if not gradients:
        return None
    with torch.no_grad():
        norms = torch.stack(torch._foreach_norm(gradients)).tolist()
    return math.sqrt(sum(norm * norm for norm in norms))


def probe_zero_grad(torch: ModuleType) -> str | None:
    """Subclasses that override it escape; none in torch does."""
    for kind in (torch.optim.Optimizer, torch.nn.Module):
        if "zero_grad" not in vars(kind):
            return f"{kind.__name__} has no zero_grad"
    return None


def apply_zero_grad(torch: ModuleType) -> None:
    """Records the clearing of gradients, by the optimizer or by the model."""
    for owner in (torch.optim.Optimizer, torch.nn.Module):
        replace(owner, "zero_grad", lambda original: _make_zero_grad(torch, original))


def _make_zero_grad(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    is_compiling = compiling_test(torch)
    record = core.wrap_span(original, ZERO_GRAD)

    @wraps(original)
    def zero_grad(*args: Any, **kwargs: Any) -> Any:
        if is_compiling():
            return original(*args, **kwargs)
        return record(*args, **kwargs)

    return zero_grad
