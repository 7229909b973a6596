"""DataLoader: the wait for each batch, the start of workers, and where a batch came from."""

from __future__ import annotations

import json
import sys

from latido._hooks._wrap import RAISED, Records, mark, replace, wraps
from latido._native import core
from latido._process import is_own_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, ModuleType
    from typing import Any

DATA_WAIT = core.define_site("DataLoader.__next__", "data_wait")
LOADER_START = core.define_site("DataLoader.__iter__", "loader_start")
FACTS = core.define_site("loader.facts", "mark")
SHAPE = core.define_site("batch.shape", "mark")
LOADER = core.define_site("loader", "arg")

_ITERABLE = 1  # DataLoader._dataset_kind
# Distinct shapes told per loader: padded text batches would say a new one each step.
_MAX_SHAPES = 32
# Key in a worker process's multiprocessing configuration, the one thing that reaches it by fork,
# spawn and forkserver alike.
LOADER_KEY = "latido_loader"


class Loader:
    """One DataLoader of the program."""

    __slots__ = ("file", "line", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.file = ""
        self.line = 0


_loaders = Records()
_told_shapes: dict[int, set[tuple[object, object]]] = {}  # by number of the loader


def loader_record(loader: object) -> Loader:
    """The record of a DataLoader, made on first use."""
    record: Loader | None = _loaders.get(id(loader))
    if record is None:
        record = _loaders.add(loader, Loader(_loaders.next_number()))
    return record


def probe(torch: ModuleType) -> str | None:
    """Needs the two classes of every version."""
    dataloader = torch.utils.data.dataloader
    if "__next__" not in vars(dataloader._BaseDataLoaderIter):
        return "_BaseDataLoaderIter has no __next__"
    return None if "__iter__" in vars(dataloader.DataLoader) else "DataLoader has no __iter__"


def apply(torch: ModuleType) -> None:
    """Records waits and loader starts."""
    dataloader = torch.utils.data.dataloader
    replace(dataloader._BaseDataLoaderIter, "__next__", _make_next)
    replace(dataloader.DataLoader, "__iter__", _make_iter)


def _make_next(original: Callable[..., Any]) -> Callable[..., Any]:
    wrapper = core.wrap_next(original, DATA_WAIT, _new_wait, _delivered, _tell_shape)
    return mark(wrapper, original)


def _new_wait(iterator: Any) -> object:
    """For an iterator that was made without DataLoader.__iter__."""
    wait = iterator._latido = _wait_for(iterator, _loaders.next_number())
    return wait


def _wait_for(iterator: Any, number: int) -> core.Wait:
    """What the extension keeps of one iterator, with the process ids of its workers."""
    pids = [worker.pid for worker in getattr(iterator, "_workers", ())]
    try:
        descriptor = iterator._data_queue._reader.fileno()
    except Exception:
        descriptor = -1  # no workers, or a thread of this process passes batches on
    return core.Wait(number, pids, descriptor)


def _delivered(iterator: Any, wait: core.Wait) -> tuple[int, int]:
    """Index of the batch that has just come from a worker, and the worker's process id or 0."""
    index = iterator._rcvd_idx - 1 if getattr(iterator, "_in_order", True) else wait.received
    maker = wait.makers.pop(index, None)
    return index, 0 if maker is None else wait.pids[maker]


def _tell_shape(wait: core.Wait, shape: Any, dtype: Any) -> None:
    told = _told_shapes.setdefault(wait.loader, set())
    if (shape, dtype) in told or len(told) >= _MAX_SHAPES:
        return
    told.add((shape, dtype))
    sizes = "x".join(str(size) for size in shape) or "scalar"
    core.text(SHAPE, f"{sizes} {str(dtype).rpartition('.')[2]}")


def probe_provenance(torch: ModuleType) -> str | None:
    """Needs the bookkeeping of the multi-process iterator."""
    methods = vars(torch.utils.data.dataloader._MultiProcessingDataLoaderIter)
    for method, name in (
        ("_get_data", "_try_get_data"),
        ("_try_get_data", "_data_queue"),
        ("_next_data", "_rcvd_idx"),
        ("_next_data", "_task_info"),
        ("__init__", "_workers"),
    ):
        code = getattr(methods.get(method), "__code__", None)
        if code is None or name not in code.co_names:
            return f"_MultiProcessingDataLoaderIter.{method} does not use {name}"
    return None


def apply_provenance(torch: ModuleType) -> None:
    """Ties batches to the workers that made them."""
    replace(torch.utils.data.dataloader._MultiProcessingDataLoaderIter, "_get_data", _make_get_data)


def _make_get_data(original: Callable[..., Any]) -> Callable[..., Any]:
    readable = core.readable

    @wraps(original)
    def _get_data(self: Any) -> Any:
        wait: core.Wait | None = self.__dict__.get("_latido")
        if wait is None:
            return original(self)
        if wait.ready:  # stays so while no message of this wait had to be waited for
            try:
                queue = self._data_queue
                waiting = readable(wait.descriptor) if wait.descriptor >= 0 else bool(queue.queue)
                wait.ready = waiting
            except Exception:
                wait.ready = False
        message = original(self)
        try:
            wait.received = message[0]
            wait.makers[message[0]] = self._task_info[message[0]][0]
        except Exception:
            wait.makers.clear()  # another bookkeeping than the one probed: no maker is told
        return message

    return _get_data


def probe_origin(torch: ModuleType) -> str | None:
    """Needs a constructor."""
    return None if "__init__" in vars(torch.utils.data.DataLoader) else "DataLoader has no __init__"


def apply_origin(torch: ModuleType) -> None:
    """Remembers the line that made each DataLoader."""
    replace(torch.utils.data.DataLoader, "__init__", _make_init)


def _make_init(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        original(self, *args, **kwargs)
        try:
            loader = loader_record(self)
            loader.file, loader.line = _callers_place()
        except Exception:
            pass  # the report then says "unknown"

    return __init__


def _callers_place() -> tuple[str, int]:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if is_own_code(file):
            return file, frame.f_lineno
        frame = frame.f_back
    return "", 0


def _make_iter(original: Callable[..., Any]) -> Callable[..., Any]:
    begin, end = core.begin, core.end

    @wraps(original)
    def __iter__(self: Any) -> Any:  # noqa: N807
        if not begin(LOADER_START):
            return original(self)
        number = 0
        try:
            number = loader_record(self).number
            _announce_to_workers(number)
            iterator = original(self)
        except BaseException:
            _announce_to_workers(None)
            end(LOADER_START, LOADER, number, RAISED, 1)
            raise
        _announce_to_workers(None)
        end(LOADER_START, LOADER, number)
        _tell_facts(self, iterator)
        return iterator

    return __iter__


def _announce_to_workers(number: int | None) -> None:
    multiprocessing = sys.modules.get("multiprocessing.process")
    if multiprocessing is None:
        return
    configuration = getattr(multiprocessing.current_process(), "_config", None)
    if configuration is None:
        return
    if number is None:
        configuration.pop(LOADER_KEY, None)
    else:
        configuration[LOADER_KEY] = number


def _tell_facts(loader: Any, iterator: Any) -> None:
    try:
        record = loader_record(loader)
        wait = iterator._latido = _wait_for(iterator, record.number)
        core.text(FACTS, json.dumps(_facts(loader, record, wait)))
    except Exception:
        pass  # an iterator of another kind: its waits carry no loader


def _facts(loader: Any, record: Loader, wait: core.Wait) -> dict[str, object]:
    return {
        "loader": record.number,
        "workers": loader.num_workers,
        "prefetch_factor": loader.prefetch_factor if loader.num_workers else None,
        "dataset_length": _dataset_length(loader),
        "batch_size": _batch_size(loader),
        "file": record.file,
        "line": record.line,
        "start_method": _start_method(loader) if wait.pids else None,
        "pids": wait.pids,
    }


def _dataset_length(loader: Any) -> int:
    # Of an iterable one it is a guess, and asking runs code that the program does not run.
    return -1 if loader._dataset_kind == _ITERABLE else len(loader.dataset)


def _batch_size(loader: Any) -> int:
    if loader.batch_size is not None:
        return int(loader.batch_size)
    size = getattr(loader.batch_sampler, "batch_size", None)
    return size if isinstance(size, int) else -1


def _start_method(loader: Any) -> str:
    context = loader.multiprocessing_context
    if context is None:
        import multiprocessing

        # Workers have just been started by it, so that asking fixes nothing that was open.
        return str(multiprocessing.get_start_method())
    return str(context.get_start_method())
