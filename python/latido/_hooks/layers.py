"""Layers on sampled steps, as `latido run --layers` wants them: who they are, what is in the way.

The calls themselves are recorded in C (native/layers.c): the wrapper of `Module.__call__`, which is
in place anyway, does not let inner calls pass on such a step. Nothing is put on a module. Here is
what is asked once for each model: the names of its modules, their classes and parameters.
"""

from __future__ import annotations

import json
import os
import sys
import weakref

from latido._hooks import layer_counts
from latido._hooks._wrap import Records, is_hooked
from latido._native import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

NOTE = core.define_site("layers.note", "layer_sample")

# Further modules of a model go by their class.
_MAX_LAYERS = 20_000
# Wrappers around the model that people know, and their attribute for it.
_WRAPPERS = {"DistributedDataParallel": "module", "DataParallel": "module"}

# By id() of the module, for as long as its model lives.
_layers: dict[int, core.Layer] = {}
_models = Records()
_sites: dict[tuple[str, str], int] = {}
_by_class: dict[type, core.Layer] = {}
# Live models of a class, so that the second one has a name of its own.
_peers: dict[str, list[weakref.ref[Any]]] = {}
_told_notes: set[str] = set()
_process = os.getpid()
_torch: Any = None


def probe(torch: ModuleType) -> str | None:
    """Needs the wrapper of forward, and pre-hooks of graph nodes."""
    if not is_hooked(vars(torch.nn.Module)["__call__"]):
        return "Module has no hook"
    node = torch.autograd.graph.Node
    return None if hasattr(node, "register_prehook") else "Node has no register_prehook"


def apply(torch: ModuleType) -> None:
    """Records layers on sampled steps."""
    global _torch
    _torch = torch
    layer_counts.prepare(torch, note)
    core.watch_layers(
        _layers,
        _admit,
        _unknown,
        _begin_step,
        _may_mark,
        layer_counts.enter,
        layer_counts.leave,
    )


def note(name: str) -> None:
    """Says once why something is not known of layers."""
    if name not in _told_notes:
        _told_notes.add(name)
        core.text(NOTE, name)


def _begin_step(counted: bool) -> None:
    global _process
    if os.getpid() != _process:  # a fork child has told nothing yet
        _process = os.getpid()
        _forget_all()
        _told_notes.clear()
    if counted:
        layer_counts.begin_step()


def _admit(model: Any, in_backward: bool) -> bool:
    """Whether the calls inside this outermost one are to be recorded."""
    if _is_traced():
        return False
    if in_backward:
        note("recomputed")
        layer_counts.recomputing(True)
        return id(model) in _layers
    layer_counts.recomputing(False)
    if _is_compiled(model):
        note("compiled")
        return False
    if _models.get(id(model)) is None:
        _register(model)
    return True


def _is_traced() -> bool:
    if _torch._C._get_tracing_state() is not None:
        return True
    functorch = getattr(_torch._C, "_functorch", None)
    if functorch is not None and functorch.peek_interpreter_stack() is not None:
        note("function_transforms")
        return True
    return False


def _is_compiled(module: Any) -> bool:
    return (
        getattr(module, "_compiled_call_impl", None) is not None
        or type(module).__name__ == "OptimizedModule"
    )


def _may_mark() -> bool:
    """Compiled autograd would trace the marks."""
    module = sys.modules.get("torch._dynamo.compiled_autograd")
    if module is not None and getattr(module, "compiled_autograd_enabled", False):
        note("compiled_autograd")
        return False
    return True


def _register(root: Any) -> None:
    prefix = _WRAPPERS.get(type(root).__name__, "")
    model = getattr(root, prefix, root) if prefix else root
    label = _label(model)
    _models.add(root, True, lambda _: _forget_all())
    for place, (path, module) in enumerate(root.named_modules()):
        if place >= _MAX_LAYERS:
            note("too_many")
            break
        name = path
        if prefix and path:
            name = path[len(prefix) + 1 :] if path.startswith(prefix + ".") else ""
        if module is root and module is not model:
            name = type(root).__name__  # DistributedDataParallel, around the model
        _add(module, label, name, place)


def _label(model: Any) -> str:
    """The class of a model, numbered when there are several at a time."""
    name = type(model).__name__
    peers = _peers.setdefault(name, [])
    for at, peer in enumerate(peers):
        if peer() is model or peer() is None:
            peers[at] = weakref.ref(model)
            return name if at == 0 else f"{name}#{at + 1}"
    peers.append(weakref.ref(model))
    return name if len(peers) == 1 else f"{name}#{len(peers)}"


def _add(module: Any, label: str, name: str, place: int) -> None:
    opaque = _is_compiled(module) or isinstance(module, _torch.jit.ScriptModule)
    if opaque:
        note("compiled")
    site = _sites.get((label, name))
    if site is None:
        site = _sites[(label, name)] = core.define_site(name or label, "layer")
    _layers[id(module)] = core.Layer(site, type(module), opaque)
    facts = {
        "model": label,
        "path": name,
        "class": type(module).__name__,
        "place": place,
        "own_parameters": _count(module, False),
        "parameters": _count(module, True),
    }
    core.text(site, json.dumps(facts))


def _count(module: Any, recurse: bool) -> int:
    try:
        return sum(parameter.numel() for parameter in module.parameters(recurse))
    except Exception:
        return -1  # a lazy one


def _unknown(module: Any) -> core.Layer | None:
    """A module that the model did not have when it was looked at, or made while it runs."""
    kind = type(module)
    layer = _by_class.get(kind)
    if layer is None:
        # Once for each class: it may have been put into the model since.
        _models.clear()
        site = core.define_site(kind.__name__, "layer")
        layer = _by_class[kind] = core.Layer(site, kind, _is_compiled(module))
        core.text(site, json.dumps({"class": kind.__name__}))
    return layer


def _forget_all() -> None:
    """A model is gone, and its modules' addresses may be others' soon: all are looked at again."""
    _layers.clear()
    _by_class.clear()
    _models.clear()
