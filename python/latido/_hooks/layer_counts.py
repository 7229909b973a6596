"""FLOPs and activation memory of layers, read off the autograd graph of one sampled step.

No dispatch mode and no saved-tensor hooks: modes make some operators choose other code, and hooks
break what forbids them. Every node of the graph has the shapes of what went into it, a number in
the order of its creation, and what it keeps for the backward pass. So the graph is walked once,
when the model's outermost call returns, and each node goes to the layer that was running when it
was made.
"""

from __future__ import annotations

import json
import threading
from bisect import bisect_right

from latido._hooks import layer_flops
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any

_MAX_NODES = 200_000
_MAX_DEPTH = 3

_torch: Any = None
_note: Callable[[str], None] = print
_next_number: Callable[[], int] | None = None
_top_hooks: Callable[[bool], Any] | None = None
# Attributes of a type of node that keep tensors.
_saved_names: dict[type, list[str]] = {}
_watching_hooks = threading.Lock()
_originals: list[tuple[Any, Any]] = []  # while it is held


class _Sums:
    """What one layer does by itself in one step."""

    __slots__ = ("activation_bytes", "backward_flops", "forward_flops")

    def __init__(self) -> None:
        self.forward_flops = 0
        self.backward_flops = 0
        self.activation_bytes = 0


class _Thread(threading.local):
    """The step that is being counted in this thread."""

    def __init__(self) -> None:
        self.recomputing = False
        self.watching = False  # hooks on saved tensors are noted
        self.depth = 0
        self.clear()

    def clear(self) -> None:
        """A step begins."""
        self.had_backward: set[int] = set()
        self.clear_call()

    def clear_call(self) -> None:
        """An outermost call begins, or has ended: nothing of it is kept."""
        self.open: list[core.Layer] = []
        # From which node on which layer was running.
        self.numbers: list[int] = []
        self.owners: list[core.Layer | None] = []
        self.sums: dict[int, _Sums] = {}
        self.by_module: set[int] = set()  # sites with a formula of their own
        self.packed: list[list[int]] = []  # nodes whose tensors are in other hands
        self.ignored: set[int] = set()  # storages that are there anyway
        self.can_look = True


_thread = _Thread()


def prepare(torch: ModuleType, note: Callable[[str], None]) -> None:
    """Looks for what counting needs; without it there are no counts, which is said."""
    global _torch, _note, _next_number, _top_hooks
    _torch = torch
    _note = note
    autograd = torch._C._autograd
    _top_hooks = getattr(autograd, "_top_saved_tensors_default_hooks", None)
    if hasattr(torch.autograd.graph.Node, "_input_metadata"):
        _next_number = getattr(autograd, "_get_sequence_nr", None)


def begin_step() -> None:
    """A step begins whose layers are counted."""
    if _thread.watching:  # an interrupt came between the beginning and the end of a call
        _unwatch_hooks(_thread)
    _thread.clear()
    if _next_number is None:
        _note("not_counted")


def recomputing(whether: bool) -> None:
    """The outermost call that begins now repeats one, inside a backward pass."""
    _thread.recomputing = whether


def enter(layer: core.Layer, module: Any, inputs: tuple[Any, ...]) -> bool:
    """A layer's call begins.

    Returns:
      Whether leave() is to be called at its end.
    """
    if _next_number is None:
        return False
    state = _thread
    if not state.open:
        state.clear_call()
        _begin_call(state, module, inputs)
    state.numbers.append(_next_number())
    state.owners.append(layer)
    state.open.append(layer)
    return True


def leave(layer: core.Layer, module: Any, result: Any) -> None:
    """Its call has ended; `result` is None when it raised."""
    assert _next_number is not None
    state = _thread
    state.open.pop()
    state.numbers.append(_next_number())
    state.owners.append(state.open[-1] if state.open else None)
    try:
        if result is not None:
            _count_module(state, layer, module, result)
            if not state.open:
                _count_graph(state, result)
                _tell(state)
    finally:
        if not state.open:
            _end_call(state)


def _begin_call(state: _Thread, model: Any, inputs: tuple[Any, ...]) -> None:
    state.ignored = {_address(tensor) for tensor in _tensors(inputs)}
    state.ignored.update(_address(parameter) for parameter in model.parameters())
    state.ignored.update(_address(buffer) for buffer in model.buffers())
    # Tensors that someone packs must not be asked for: that would unpack or recompute them.
    hooked = _top_hooks is None or _top_hooks(True) is not None
    state.can_look = not hooked and not state.recomputing and _watch_hooks(state)
    if hooked and not state.recomputing:
        _note("saved_elsewhere")


def _end_call(state: _Thread) -> None:
    if state.watching:
        _unwatch_hooks(state)
    state.clear_call()


def _watch_hooks(state: _Thread) -> bool:
    """Notes where checkpointing and offloading are at work, until the outermost call ends."""
    if not _watching_hooks.acquire(blocking=False):
        return False  # another thread counts
    state.watching = True
    hooks = _torch.autograd.graph.saved_tensors_hooks
    original_enter, original_exit = hooks.__enter__, hooks.__exit__
    next_number = _next_number
    assert next_number is not None

    def enter_hooks(self: Any) -> Any:
        state.packed.append([next_number(), 1 << 63])
        return original_enter(self)

    def exit_hooks(self: Any, *exception: Any) -> Any:
        for interval in reversed(state.packed):
            if interval[1] == 1 << 63:
                interval[1] = next_number()
                break
        return original_exit(self, *exception)

    _originals.append((original_enter, original_exit))
    hooks.__enter__, hooks.__exit__ = enter_hooks, exit_hooks
    return True


def _unwatch_hooks(state: _Thread) -> None:
    state.watching = False
    hooks = _torch.autograd.graph.saved_tensors_hooks
    if _originals:
        hooks.__enter__, hooks.__exit__ = _originals.pop()
    _watching_hooks.release()


def _tensors(value: Any, depth: int = 0) -> Iterator[Any]:
    if isinstance(value, _torch.Tensor):
        yield value
    elif depth < _MAX_DEPTH:
        if isinstance(value, dict):
            value = tuple(value.values())
        if isinstance(value, (tuple, list)):
            for item in value:
                yield from _tensors(item, depth + 1)


def _address(tensor: Any) -> int:
    try:
        return int(tensor.untyped_storage().data_ptr())
    except Exception:
        return 0  # sparse, lazy, or of a subclass without storage


def _sums_of(state: _Thread, layer: core.Layer) -> _Sums:
    sums = state.sums.get(layer.site)
    if sums is None:
        sums = state.sums[layer.site] = _Sums()
    return sums


def _count_module(state: _Thread, layer: core.Layer, module: Any, result: Any) -> None:
    """What has no graph, or a formula that the graph does not show."""
    output = next(_tensors(result), None)
    if output is None:
        return
    recurrent = isinstance(module, _torch.nn.RNNBase)
    if not recurrent and output.grad_fn is not None:
        return
    forward = layer_flops.of_module(_torch, module, output)
    if forward == 0:
        return
    sums = _sums_of(state, layer)
    if not state.recomputing:
        sums.forward_flops += forward
    if recurrent and output.grad_fn is not None:
        state.by_module.add(layer.site)
        sums.backward_flops += 2 * forward


def _count_graph(state: _Thread, result: Any) -> None:
    nodes = _nodes_of(state, result)
    kept = set(state.ignored)
    kept.add(0)
    for number, node in nodes:
        owner = state.owners[bisect_right(state.numbers, number) - 1]
        if owner is None:
            continue
        sums = _sums_of(state, owner)
        may_look = state.can_look and not _is_packed(state, number)
        if owner.site not in state.by_module:
            forward, backward = layer_flops.of_node(node, may_look)
            if not state.recomputing:
                sums.forward_flops += forward
            # Checkpointed layers may have been counted already, by the graph of the first time.
            if not state.recomputing or owner.site not in state.had_backward:
                sums.backward_flops += backward
        if may_look:
            sums.activation_bytes += _kept_bytes(node, kept)
    if not state.recomputing:
        state.had_backward.update(
            site for site, sums in state.sums.items() if sums.backward_flops > 0
        )


def _nodes_of(state: _Thread, result: Any) -> list[tuple[int, Any]]:
    """The nodes that this call made, in that order."""
    first = state.numbers[0]
    found: list[tuple[int, Any]] = []
    seen: set[Any] = set()
    waiting = [tensor.grad_fn for tensor in _tensors(result)]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if len(seen) >= _MAX_NODES:
            _note("graph_too_large")
            break
        seen.add(node)
        number = node._sequence_nr()
        if number >= 1 << 63:  # puts a gradient into its parameter
            continue
        if number < first:  # of another model, which this one's input came from
            continue
        found.append((number, node))
        waiting.extend(source for source, _ in node.next_functions)
    found.sort(key=lambda each: each[0])
    return found


def _is_packed(state: _Thread, number: int) -> bool:
    return any(begin <= number < end for begin, end in state.packed)


def _kept_bytes(node: Any, kept: set[int]) -> int:
    """Size of the storages that this node keeps, and none before it."""
    total = 0
    for name in _names_of(node):
        try:
            value = getattr(node, name)
        except Exception:
            continue  # changed in place since: the pass will fail at it, or not need it
        for tensor in _tensors(value):
            address = _address(tensor)
            if address in kept:
                continue
            kept.add(address)
            total += tensor.untyped_storage().nbytes()
    return total


def _names_of(node: Any) -> list[str]:
    names = _saved_names.get(type(node))
    if names is None:
        names = [
            name
            for name in dir(node)
            if name.startswith("_saved_") and not name.endswith(("_sizes", "_strides"))
        ]
        if hasattr(node, "saved_tensors"):  # of a torch.autograd.Function
            names = ["saved_tensors"]
        _saved_names[type(node)] = names
    return names


def _tell(state: _Thread) -> None:
    for site, sums in state.sums.items():
        facts = {
            "forward_flops": sums.forward_flops,
            "backward_flops": sums.backward_flops,
            "activation_bytes": sums.activation_bytes,
        }
        if any(facts.values()):
            core.text(site, json.dumps(facts))
