"""The hooks into PyTorch, as a table of (name, probe, apply).

Installed when the body of the torch package has run, before the program's own code sees it. A hook
whose probe finds something else than it knows, or whose installation fails, is left out alone;
`status` says so and is sent with the process's first event. Hooks record begin and end of what
happens; what the events mean (steps, phases) is found by the analysis afterwards.

Rules for every hook: arguments and results pass untouched, functools.wraps keeps signatures,
exceptions of the wrapped function pass, an exception of ours never does, no random number is drawn,
no device is waited for, and while torch.compile traces, the wrapper is not there.
"""

from __future__ import annotations

import os

from latido._hooks import (
    backward,
    checkpoint,
    clip,
    comm,
    forward,
    loader,
    optimizer,
    scaler,
    worker,
)
from latido._hooks.compiler import hide_latido
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    # Why this torch cannot be hooked, or None.
    Probe = Callable[[ModuleType], "str | None"]

TABLE: list[tuple[str, Probe, Callable[[ModuleType], None]]] = [
    ("DataLoader", loader.probe, loader.apply),
    ("DataLoader.provenance", loader.probe_provenance, loader.apply_provenance),
    ("DataLoader.origin", loader.probe_origin, loader.apply_origin),
    ("DataLoader.worker", worker.probe, worker.apply),
    ("backward", backward.probe, backward.apply),
    ("optimizer", optimizer.probe, optimizer.apply),
    ("zero_grad", optimizer.probe_zero_grad, optimizer.apply_zero_grad),
    ("forward", forward.probe, forward.apply),
    ("GradScaler", scaler.probe, scaler.apply),
    ("clip_grad", clip.probe, clip.apply),
    ("torch.save", checkpoint.probe, checkpoint.apply),
    ("distributed", comm.probe, comm.apply),
]

if os.environ.get("LATIDO_RUN_LAYERS", "false") not in ("", "0", "false"):
    from latido._hooks import layers

    TABLE.append(("layers", layers.probe, layers.apply))

# Hook name to "ok", "absent: why" or "failed: why".
status: dict[str, str] = {}


def install(torch: ModuleType) -> None:
    """Puts every hook in place that fits this torch.

    Args:
      torch: The package, its body run to the end.
    """
    core.watch_tensors(torch.Tensor)
    for name, probe, apply in TABLE:
        try:
            reason = probe(torch)
            if reason is None:
                apply(torch)
            status[name] = "ok" if reason is None else f"absent: {reason}"
        except Exception as error:
            status[name] = f"failed: {error!r}"
    hide_latido(torch)
