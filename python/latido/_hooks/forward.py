"""The outermost forward pass: one span per call of a model, none for the layers inside it."""

from __future__ import annotations

import sys

from latido._hooks._wrap import FORWARD, Records, replace, wraps
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType
    from typing import Any

MODEL = core.define_site("model", "arg")


class Model:
    """One module that has been called from outside any other."""

    __slots__ = ("number", "site", "site_nograd")

    def __init__(self, number: int, model: object) -> None:
        name = f"{type(model).__name__}.forward"
        self.number = number
        self.site = core.define_site(name, "forward")
        self.site_nograd = core.define_site(name, "forward_nograd")


_models = Records()


def probe(torch: ModuleType) -> str | None:
    """Needs to come before torch._dynamo, and to be able to step out of its way.

    Dynamo remembers `Module.__call__` when it is imported and takes a short cut through the one it
    remembers; one that comes later would be traced into every compiled model.
    """
    if "torch._dynamo" in sys.modules:
        return "torch._dynamo was imported first"
    if not hasattr(torch.compiler, "is_dynamo_compiling"):
        return "no torch.compiler.is_dynamo_compiling"
    if _skipper(torch) is None:
        return "no way to keep torch.compile out of the wrapper"
    return None if "__call__" in vars(torch.nn.Module) else "Module has no __call__"


def apply(torch: ModuleType) -> None:
    """Records outermost module calls."""
    replace(torch.nn.Module, "__call__", lambda original: _make_call(torch, original))
    skip = _skipper(torch)
    assert skip is not None  # probed
    skip(torch.nn.Module.__call__.__code__)


def _skipper(torch: ModuleType) -> Callable[[CodeType], None] | None:
    """Dynamo's way to run a frame as it is and still trace what it calls, as with torch's own."""
    frames = torch._C._dynamo.eval_frame
    if hasattr(frames, "skip_code"):
        return frames.skip_code  # type: ignore[no-any-return]
    if hasattr(frames, "set_code_exec_strategy"):
        action = frames._FrameAction
        strategy = frames._FrameExecStrategy(action.SKIP, action.DEFAULT)
        return lambda code: frames.set_code_exec_strategy(code, strategy)
    return None


def _make_call(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    begin, end, inside, enter, leave = core.begin, core.end, core.inside, core.enter, core.leave
    is_compiling = torch.compiler.is_dynamo_compiling
    with_gradients = torch.is_grad_enabled
    known = _models.get

    # Dynamo folds the first test when it inlines this function, and then sees nothing of the rest.
    @wraps(original)
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N807
        if is_compiling() or inside(FORWARD):
            return original(self, *args, **kwargs)
        model: Model | None = known(id(self)) or _add(self)
        if model is None:
            return original(self, *args, **kwargs)
        site = model.site if with_gradients() else model.site_nograd
        recorded = begin(site)
        enter(FORWARD)
        try:
            return original(self, *args, **kwargs)
        finally:
            leave(FORWARD)
            if recorded:
                end(site, MODEL, model.number)

    return __call__


def _add(model: Any) -> Model | None:
    try:
        return _models.add(model, Model(_models.next_number(), model))  # type: ignore[no-any-return]
    except Exception:
        return None
