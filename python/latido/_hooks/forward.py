"""The outermost forward pass: one span per call of a model, none for the layers inside it."""

from __future__ import annotations

import sys

from latido._hooks._wrap import FORWARD, RAISED, Records, replace, wraps
from latido._hooks.compiler import compiling_test, skipper
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
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
    if skipper(torch) is None:
        return "no way to keep torch.compile out of the wrapper"
    return None if "__call__" in vars(torch.nn.Module) else "Module has no __call__"


def apply(torch: ModuleType) -> None:
    """Records outermost module calls."""
    replace(torch.nn.Module, "__call__", lambda original: _make_call(torch, original))
    skip = skipper(torch)
    assert skip is not None  # probed
    skip(torch.nn.Module.__call__.__code__)


def _make_call(torch: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    begin, end, inside, enter, leave = core.begin, core.end, core.inside, core.enter, core.leave
    is_compiling = compiling_test(torch)
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
            result = original(self, *args, **kwargs)
        except BaseException:
            leave(FORWARD)
            if recorded:
                end(site, MODEL, model.number, RAISED, 1)
            raise
        leave(FORWARD)
        if recorded:
            end(site, MODEL, model.number)
        return result

    return __call__


def _add(model: Any) -> Model | None:
    try:
        return _models.add(model, Model(_models.next_number(), model))  # type: ignore[no-any-return]
    except Exception:
        return None
