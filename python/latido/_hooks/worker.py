"""DataLoader workers: each batch a worker makes is one task, named as the main process names it."""

from __future__ import annotations

import inspect
import json
import os
import sys

from latido._hooks import loader
from latido._hooks._wrap import replace, wraps
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

TASK = core.define_site("worker.task", "worker_task")
START = core.define_site("worker.start", "mark")
BATCH = core.define_site("batch", "arg")
WORKER = core.define_site("worker", "arg")


def probe(torch: ModuleType) -> str | None:
    """Needs the two queues and the number among the loop's arguments."""
    module = torch.utils.data._utils.worker
    if "_worker_loop" not in vars(module):
        return "no _worker_loop"
    names = inspect.signature(module._worker_loop).parameters
    for name in ("index_queue", "data_queue", "worker_id"):
        if name not in names:
            return f"_worker_loop has no {name}"
    return None


def apply(torch: ModuleType) -> None:
    """Records the tasks of workers; spawned ones find the wrapper by its name."""
    replace(torch.utils.data._utils.worker, "_worker_loop", _make_loop)


def _make_loop(original: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(original)

    @wraps(original)
    def _worker_loop(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
            tasks = Tasks(bound.arguments["worker_id"])
            bound.arguments["index_queue"] = IndexQueue(bound.arguments["index_queue"], tasks)
            bound.arguments["data_queue"] = DataQueue(bound.arguments["data_queue"], tasks)
            args, kwargs = bound.args, bound.kwargs
        except Exception:
            pass  # the worker works on unrecorded
        return original(*args, **kwargs)

    return _worker_loop


class Tasks:
    """The task this worker is at."""

    def __init__(self, worker: int) -> None:
        self._worker = worker
        self._loader = _loader_number()
        self._batch = -1
        self._open = False
        facts = {"worker": worker, "loader": self._loader, "parent": os.getppid()}
        core.text(START, json.dumps(facts))

    def begin(self, batch: int) -> None:
        """A task's index has arrived."""
        self.end()
        self._batch = batch
        self._open = core.begin(TASK)

    def end(self) -> None:
        """The task's batch is made, or the worker asks for the next without having made one."""
        if self._open:
            self._open = False
            loader_args = (loader.LOADER, self._loader) if self._loader else ()
            core.end(TASK, BATCH, self._batch, WORKER, self._worker, *loader_args)


def _loader_number() -> int:
    process = sys.modules["multiprocessing.process"].current_process()
    number = getattr(process, "_config", {}).pop(loader.LOADER_KEY, 0)
    return int(number)


def _is_task(message: object) -> bool:
    return isinstance(message, tuple) and bool(message) and type(message[0]) is int


class IndexQueue:
    """The queue of task indices, seen by its worker."""

    def __init__(self, queue: Any, tasks: Tasks) -> None:
        self._queue = queue
        self._tasks = tasks

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """Ends the task before, waits for the next, begins it."""
        self._tasks.end()
        message = self._queue.get(*args, **kwargs)
        if _is_task(message):
            self._tasks.begin(message[0])
        return message

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)


class DataQueue:
    """The queue of made batches, seen by the worker."""

    def __init__(self, queue: Any, tasks: Tasks) -> None:
        self._queue = queue
        self._tasks = tasks

    def put(self, message: Any, *args: Any, **kwargs: Any) -> Any:
        """Ends the task whose batch this is; the queue's own thread pickles it later."""
        if _is_task(message):
            self._tasks.end()
        return self._queue.put(message, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)
