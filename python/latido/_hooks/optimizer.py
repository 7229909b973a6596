"""Optimizer steps, learning rates and sampled gradient norms."""

from __future__ import annotations

import math

from latido._hooks import clip
from latido._hooks._wrap import RAISED, Records, is_hooked, recorded, replace, wraps
from latido._hooks.compiler import compiling_test
from latido._hooks.progress import progress
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

OPTIMIZER = core.define_site("optimizer", "arg")
LEARNING_RATE = core.define_site("train.lr", "series")
ZERO_GRAD = core.define_site("zero_grad", "zero_grad")

# A norm reads every gradient once; an update reads and writes several times as much.
_STEPS_PER_NORM = 20


class OptimizerRecord:
    """One optimizer of the program."""

    __slots__ = ("learning_rate", "number", "site", "stepping", "steps")

    def __init__(self, number: int, optimizer: object) -> None:
        self.number = number
        self.site = core.define_site(f"{type(optimizer).__name__}.step", "optimizer")
        self.stepping = False
        self.steps = 0
        self.learning_rate: object = None


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
    begin, end = core.begin, core.end
    is_compiling = compiling_test(torch)

    @wraps(original)
    def step(*args: Any, **kwargs: Any) -> Any:
        if is_compiling() or not args:
            return original(*args, **kwargs)
        optimizer = args[0]
        record: OptimizerRecord | None = _optimizers.get(id(optimizer))
        if record is None:
            record = _add(optimizer)
        # stepping: a subclass calls super().step(), both hooked: one step.
        if record is None or record.stepping or not begin(record.site):
            return original(*args, **kwargs)
        record.stepping = True
        try:
            _before(torch, optimizer, record, args[1:], kwargs)
            result = original(*args, **kwargs)
        except BaseException:
            record.stepping = False
            end(record.site, OPTIMIZER, record.number, RAISED, 1)
            raise
        record.stepping = False
        end(record.site, OPTIMIZER, record.number)
        return result

    return step


def _add(optimizer: Any) -> OptimizerRecord | None:
    try:
        record = OptimizerRecord(_optimizers.next_number(), optimizer)
        return _optimizers.add(optimizer, record)  # type: ignore[no-any-return]
    except Exception:
        return None


def _before(torch: ModuleType, optimizer: Any, record: OptimizerRecord, *args: Any) -> None:
    try:
        rate = optimizer.param_groups[0].get("lr")
        # A tensor may live on a device, where reading it waits.
        if type(rate) is float and rate != record.learning_rate:
            record.learning_rate = rate
            core.value(LEARNING_RATE, progress.updates, rate)
        if record.steps % _STEPS_PER_NORM == 0:
            _tell_norm(torch, optimizer, has_closure=any(args))
    except Exception:
        pass  # values only; the step itself is recorded
    record.steps += 1
    progress.updates += 1
    progress.micro_batch = 0


def _tell_norm(torch: ModuleType, optimizer: Any, *, has_closure: bool) -> None:
    # A closure makes the gradients later; a fused step gets them scaled.
    if clip.norm_seen() or has_closure or hasattr(optimizer, "grad_scale"):
        return
    norm = gradient_norm(torch, optimizer)
    if norm is not None:
        core.value(clip.GRAD_NORM, progress.updates, norm)


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
    is_compiling = compiling_test(torch)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        return recorded(ZERO_GRAD, original, lambda _args, _kwargs: is_compiling())

    replace(torch.optim.Optimizer, "zero_grad", make)
    replace(torch.nn.Module, "zero_grad", make)
