"""Where the training is, as far as the hooks can tell: the indices of recorded values."""

from __future__ import annotations


class Progress:
    """Counts of one process; several trainings in one process share them."""

    __slots__ = ("micro_batch", "updates")

    def __init__(self) -> None:
        self.micro_batch = 0  # backward passes since the last optimizer step
        self.updates = 0  # optimizer steps


progress = Progress()
