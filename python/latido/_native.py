"""The extension module, or its stand-in where none fits this interpreter."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from latido import _core as core

    available = True
else:
    try:
        from latido import _core as core

        # Another number: the extension of another version, as while an update is under way.
        available = core.ABI == 6
    except (ImportError, AttributeError):
        available = False
    if available:
        from latido._process import describe

        core.on_first_event(describe)
    else:
        from latido import _absent as core

__all__ = ["available", "core"]
