"""The outermost forward pass: one span per call of a model, none for the layers inside it."""

from __future__ import annotations

import sys

from latido._hooks._wrap import Records, replace, wraps
from latido._hooks.compiler import compiling_test, skipper
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any


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
    is_outermost = core.is_outermost
    is_compiling = compiling_test(torch)
    record = core.wrap_outermost(original, torch.is_grad_enabled, _introduce)
    only_chooses = _only_chooses(original)

    # Dynamo folds the first test when it inlines this function, and then sees nothing of the rest.
    @wraps(original)
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N807
        if is_compiling():
            return original(self, *args, **kwargs)
        if is_outermost(self):
            return record(self, *args, **kwargs)
        # Every layer of a model comes this way: one frame instead of two.
        if not only_chooses:
            return original(self, *args, **kwargs)
        compiled = self._compiled_call_impl
        if compiled is None:
            return self._call_impl(*args, **kwargs)
        return compiled(*args, **kwargs)

    return __call__


def _only_chooses(original: Any) -> bool:
    """Whether Module.__call__ is the function known to do no more than this.

    It calls `_compiled_call_impl`, if there is one, else `_call_impl`; other tools put more in its
    place.
    """
    code = getattr(original, "__code__", None)
    return (
        code is not None
        and code.co_names == ("_compiled_call_impl", "_call_impl")
        and code.co_varnames == ("self", "args", "kwargs")
        and code.co_consts in ((None,), ())
        and not code.co_freevars
    )


def _introduce(model: Any) -> None:
    """Tells the extension of a model it does not remember."""
    try:
        known: Model | None = _models.get(id(model))
        if known is None:
            known = Model(_models.next_number(), model)
            _models.add(model, known, core.forget_model)
        core.remember_model(model, known.number, known.site, known.site_nograd)
    except Exception:
        pass  # a module that takes no weak references
