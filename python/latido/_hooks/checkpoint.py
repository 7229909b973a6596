"""torch.save: what it takes to write checkpoints."""

from __future__ import annotations

from latido._hooks._wrap import recorded, replace
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_STORAGES = ("UntypedStorage", "TypedStorage")
SAVE = core.define_site("torch.save", "checkpoint")


def probe(torch: ModuleType) -> str | None:
    """Needs the function under both its names."""
    return None if torch.save is torch.serialization.save else "two different torch.save"


def apply(torch: ModuleType) -> None:
    """Records saving."""
    replace(torch.serialization, "save", lambda original: recorded(SAVE, original, _is_storage))
    torch.save = torch.serialization.save  # type: ignore[attr-defined]


def _is_storage(args: tuple[Any, ...], _kwargs: dict[str, Any]) -> bool:
    """Pickling a tensor saves its storage this way; only whole objects are checkpoints."""
    return bool(args) and type(args[0]).__name__ in _STORAGES
