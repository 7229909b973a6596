"""The extension module, or its stand-in where none fits this interpreter."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from latido import _core as core

    available = True
else:
    try:
        from latido import _core as core
    except ImportError:
        from latido import _absent as core

        available = False
    else:
        from latido._process import describe

        core.on_first_event(describe)
        available = True

__all__ = ["available", "core"]
