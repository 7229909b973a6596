"""What torch's allocator holds on the device, sampled every few optimizer steps.

The allocator keeps these numbers itself: asking for them waits for no device and resets nothing.
"""

from __future__ import annotations

from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

# Name of the series, key of torch.cuda.memory_stats().
_SERIES = (
    ("gpu.torch.allocated_bytes", "allocated_bytes.all.current"),
    ("gpu.torch.allocated_peak_bytes", "allocated_bytes.all.peak"),
    ("gpu.torch.reserved_bytes", "reserved_bytes.all.current"),
    ("gpu.torch.alloc_retries", "num_alloc_retries"),
)


def sampler(torch: ModuleType) -> Callable[[int], None] | None:
    """A function that records the allocator's state at an update; None where torch has no device.

    It looks at the device that is current on the training thread, once the program uses one.
    """
    version = getattr(torch, "version", None)
    if not (getattr(version, "cuda", None) or getattr(version, "hip", None)):
        return None
    sites = [(core.define_site(name, "series"), key) for name, key in _SERIES]

    def sample(update: int) -> None:
        try:
            if not torch.cuda.is_initialized() or torch.cuda.is_current_stream_capturing():
                return
            stats = torch.cuda.memory_stats()
            for site, key in sites:
                if key in stats:
                    core.value(site, update, float(stats[key]))
        except Exception:
            pass  # a sample less

    return sample
