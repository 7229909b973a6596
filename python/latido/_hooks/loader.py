"""DataLoader: the wait for each batch, the start of workers, and where a batch came from."""

from __future__ import annotations

import json
import sys

from latido._hooks._wrap import RAISED, Records, replace, wraps
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
BATCH = core.define_site("batch", "arg")
WORKER_PID = core.define_site("worker_pid", "arg")
QUEUE_READY = core.define_site("queue_ready", "arg")
STOP = core.define_site("stop", "arg")
SAMPLES = core.define_site("samples", "arg")

_ITERABLE = 1  # DataLoader._dataset_kind
# Distinct shapes told per loader: padded text batches would say a new one each step.
_MAX_SHAPES = 32
# Key in a worker process's multiprocessing configuration, the one thing that reaches it by fork,
# spawn and forkserver alike.
LOADER_KEY = "latido_loader"


class Loader:
    """One DataLoader of the program."""

    __slots__ = ("dtype", "file", "line", "number", "shape", "told_shapes")

    def __init__(self, number: int, file: str = "", line: int = 0) -> None:
        self.number = number
        self.file = file
        self.line = line
        self.shape: object = None  # of the last batch
        self.dtype: object = None
        self.told_shapes: set[tuple[object, object]] = set()


class Wait:
    """What an iterator is about to deliver; one object per iterator, reused by each wait."""

    __slots__ = ("descriptor", "loader", "makers", "pids", "ready", "received")

    def __init__(self, loader: Loader, iterator: Any) -> None:
        self.loader = loader
        self.pids = [worker.pid for worker in getattr(iterator, "_workers", ())]
        self.descriptor = _descriptor(iterator)
        self.ready = 0
        self.received = -1  # index of the last message
        self.makers: dict[int, int] = {}  # worker by index of a batch received, not yet delivered


def _descriptor(iterator: Any) -> int:
    """Where the iterator's results arrive; -1 when a thread of this process passes them on."""
    try:
        return int(iterator._data_queue._reader.fileno())
    except Exception:
        return -1


_loaders = Records()
_UNKNOWN = Wait(Loader(0), None)
_provenance = False


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
    begin, end = core.begin, core.end

    @wraps(original)
    def __next__(self: Any) -> Any:  # noqa: N807
        if not begin(DATA_WAIT):
            return original(self)
        wait: Wait = self.__dict__.get("_latido") or _new_wait(self)
        wait.ready = 1
        try:
            batch = original(self)
        except StopIteration:
            end(DATA_WAIT, LOADER, wait.loader.number, STOP, 1)
            raise
        except BaseException:
            end(DATA_WAIT, LOADER, wait.loader.number, RAISED, 1)
            raise
        _after(self, wait, batch)
        return batch

    return __next__


def _new_wait(iterator: Any) -> Wait:
    """For an iterator that was made without DataLoader.__iter__."""
    try:
        wait = iterator._latido = Wait(Loader(_loaders.next_number()), iterator)
    except Exception:  # an iterator of another make
        return _UNKNOWN
    return wait


def _after(iterator: Any, wait: Wait, batch: Any) -> None:
    args = [LOADER, wait.loader.number]
    shape = dtype = None
    try:
        if wait.pids:
            args += _provenance_args(iterator, wait)
        else:
            args += (BATCH, iterator._num_yielded - 1)
        first = batch[0] if type(batch) is list else batch  # what the default collate makes
        shape = getattr(first, "shape", None)
        if shape is None:
            first = first_shaped(batch)
            shape = getattr(first, "shape", None)
        if shape:
            args += (SAMPLES, shape[0])
            dtype = first.dtype
    except Exception:
        pass  # what is known by then is told
    core.end(DATA_WAIT, *args)
    if dtype is not None and (shape != wait.loader.shape or dtype != wait.loader.dtype):
        _tell_shape(wait.loader, shape, dtype)


def _provenance_args(iterator: Any, wait: Wait) -> tuple[int, ...]:
    if not _provenance:
        return ()
    in_order = getattr(iterator, "_in_order", True)
    index = iterator._rcvd_idx - 1 if in_order else wait.received
    told = (BATCH, index, QUEUE_READY, wait.ready)
    maker = wait.makers.pop(index, None)
    return told if maker is None else (*told, WORKER_PID, wait.pids[maker])


def first_shaped(batch: Any) -> Any:
    """The first tensor or array of a batch, looking a few levels down; None when there is none."""
    for _ in range(4):
        if isinstance(batch, (list, tuple)):
            batch = batch[0] if batch else None
        elif hasattr(batch, "shape") and hasattr(batch, "dtype"):
            return batch
        elif hasattr(batch, "values"):
            batch = next(iter(batch.values()), None)
        else:
            return None
    return None


def _tell_shape(loader: Loader, shape: Any, dtype: Any) -> None:
    loader.shape, loader.dtype = shape, dtype
    if (shape, dtype) in loader.told_shapes or len(loader.told_shapes) >= _MAX_SHAPES:
        return
    loader.told_shapes.add((shape, dtype))
    sizes = "x".join(str(size) for size in shape)
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
    global _provenance
    replace(torch.utils.data.dataloader._MultiProcessingDataLoaderIter, "_get_data", _make_get_data)
    _provenance = True


def _make_get_data(original: Callable[..., Any]) -> Callable[..., Any]:
    readable = core.readable

    @wraps(original)
    def _get_data(self: Any) -> Any:
        wait: Wait | None = self.__dict__.get("_latido")
        if wait is None:
            return original(self)
        if wait.ready:  # stays so while no message of this wait had to be waited for
            try:
                queue = self._data_queue
                waiting = readable(wait.descriptor) if wait.descriptor >= 0 else bool(queue.queue)
                wait.ready = int(waiting)
            except Exception:
                wait.ready = 0
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
        wait = iterator._latido = Wait(record, iterator)
        core.text(FACTS, json.dumps(_facts(loader, record, wait)))
    except Exception:
        pass  # an iterator of another kind: its waits carry no loader


def _facts(loader: Any, record: Loader, wait: Wait) -> dict[str, object]:
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
