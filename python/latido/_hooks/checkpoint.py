"""torch.save: what it takes to write checkpoints."""

from __future__ import annotations

from latido._hooks._wrap import replace, wraps
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

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
        if not begin(SAVE):
            return original(*args, **kwargs)
        try:
            return original(*args, **kwargs)
        finally:
            end(SAVE)

    return save
