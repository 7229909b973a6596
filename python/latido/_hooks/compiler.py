"""How hooks keep out of torch.compile's way.

Two cases. A wrapper inlined into a function that is traced: its first test is one that Dynamo folds
to true, and leads straight to the original. A wrapper or helper that runs as a frame of its own
while Dynamo watches: Dynamo is told to run that code as it is and to look at what it calls, as it
does with torch's own `Module.__call__`. So graphs, breaks and recompilations are the same.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType


def compiling_test(torch: ModuleType) -> Callable[[], bool]:
    """The function that torch.compile takes for true in what it traces, and Python for false."""
    compiler = getattr(torch, "compiler", None)
    return getattr(compiler, "is_dynamo_compiling", None) or (lambda: False)


def skipper(torch: ModuleType) -> Callable[[CodeType], None] | None:
    """Tells Dynamo to run a piece of code as it is; None where this torch has no such way."""
    frames = getattr(getattr(torch._C, "_dynamo", None), "eval_frame", None)
    if hasattr(frames, "skip_code"):
        return frames.skip_code  # type: ignore[union-attr, no-any-return]
    if hasattr(frames, "set_code_exec_strategy") and hasattr(frames, "_FrameExecStrategy"):
        action = frames._FrameAction  # type: ignore[union-attr]
        strategy = frames._FrameExecStrategy(action.SKIP, action.DEFAULT)  # type: ignore[union-attr]
        return lambda code: frames.set_code_exec_strategy(code, strategy)  # type: ignore[union-attr]
    return None


def hide_latido(torch: ModuleType) -> None:
    """Applies it to all code of the package that may run while Dynamo watches."""
    skip = skipper(torch)
    if skip is None:
        return
    for name, module in list(sys.modules.items()):
        if name.startswith("latido.") and hasattr(module, "__file__"):
            for code in _codes_of(module):
                skip(code)


def _codes_of(module: ModuleType) -> Iterator[CodeType]:
    for value in vars(module).values():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        functions = vars(value).values() if isinstance(value, type) else (value,)
        for function in functions:
            if isinstance(function, FunctionType):
                yield from _with_nested(function.__code__)


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_nested(constant)
