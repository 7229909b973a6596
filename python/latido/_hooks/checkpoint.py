"""torch.save: what it takes to write checkpoints."""

from __future__ import annotations

from latido._hooks._wrap import replace, wraps
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

_STORAGES = ("UntypedStorage", "TypedStorage")
SAVE = core.define_site("torch.save", "checkpoint")


def probe(torch: ModuleType) -> str | None:
    """Needs the function under both its names."""
    return None if torch.save is torch.serialization.save else "two different torch.save"


def apply(torch: ModuleType) -> None:
    """Records saving."""
    replace(torch.serialization, "save", _make_save)
    torch.save = torch.serialization.save  # type: ignore[attr-defined]


def _make_save(original: Callable[..., Any]) -> Callable[..., Any]:
    begin, end = core.begin, core.end

    @wraps(original)
    def save(*args: Any, **kwargs: Any) -> Any:
        # Pickling a tensor saves its storage this way; only whole objects are checkpoints.
        if (args and type(args[0]).__name__ in _STORAGES) or not begin(SAVE):
            return original(*args, **kwargs)
        try:
            return original(*args, **kwargs)
        finally:
            end(SAVE)

    return save
