"""Floating-point operations of a graph node, from the shapes that the graph itself knows.

A multiplication and an addition are two. Only matrix products count: linear layers, convolutions,
attention. Causal attention counts as if it looked at everything, as is usual.
"""

from __future__ import annotations

from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Shape = tuple[int, ...]
    _Formula = Callable[[Any, bool], tuple[int, int]]


def of_node(node: Any, may_look: bool) -> tuple[int, int]:
    """Operations of a node in the forward and in the backward pass; (0, 0) for what is not counted.

    Args:
      node: Of the autograd graph.
      may_look: Whether the tensors that it keeps may be asked for.

    Returns:
      The two counts. Backward makes one product of the same size for each input that needs a
      gradient.
    """
    formula = _FORMULAS.get(node.name())
    if formula is None:
        return 0, 0
    try:
        return formula(node, may_look)
    except Exception:
        return 0, 0  # shapes that are no numbers


def _output(node: Any) -> Shape:
    return tuple(node._input_metadata[0].shape)


def _input(node: Any, at: int) -> Shape | None:
    """None for what needs no gradient: the graph does not know it."""
    source, index = node.next_functions[at]
    return None if source is None else tuple(source._input_metadata[index].shape)


def _saved_shape(node: Any, name: str) -> Shape | None:
    sizes = getattr(node, f"_saved_{name}_sym_sizes", None)
    return tuple(sizes) if sizes else None


def _kept_shape(node: Any, name: str, may_look: bool) -> Shape:
    if not may_look:
        raise LookupError(name)
    return tuple(getattr(node, f"_saved_{name}").shape)


def _needed(node: Any, *inputs: int) -> int:
    return sum(node.next_functions[at][0] is not None for at in inputs)


def _product(first: int, second: int, names: tuple[str, str]) -> _Formula:
    """Of matrices or of batches of them: inputs number `first` and `second`."""

    def formula(node: Any, _may_look: bool) -> tuple[int, int]:
        left = _input(node, first) or _saved_shape(node, names[0])
        right = _input(node, second) or _saved_shape(node, names[1])
        inner = left[-1] if left else right[-2] if right else 0
        forward = 2 * prod(_output(node)) * inner
        return forward, forward * _needed(node, first, second)

    return formula


def _vector_product(first: int, second: int) -> _Formula:
    def formula(node: Any, _may_look: bool) -> tuple[int, int]:
        matrix, vector = _input(node, first), _input(node, second)
        inner = vector[-1] if vector else matrix[-1] if matrix else 0
        forward = 2 * prod(_output(node)) * inner
        return forward, forward * _needed(node, first, second)

    return formula


def _linear(node: Any, _may_look: bool) -> tuple[int, int]:
    values, weight = _input(node, 0), _input(node, 1)
    inner = weight[-1] if weight else values[-1] if values else 0
    forward = 2 * prod(_output(node)) * inner
    return forward, forward * _needed(node, 0, 1)


def _convolution(node: Any, may_look: bool) -> tuple[int, int]:
    # The weight of a frozen one is known to nobody but its tensor.
    weight = _input(node, 1) or _kept_shape(node, "weight", may_look)
    if node._saved_transposed:
        places = _input(node, 0) or _kept_shape(node, "input", may_look)
    else:
        places = _output(node)
    # The weight has one channel for each of the output (of the input, when transposed), already.
    forward = 2 * places[0] * prod(places[2:]) * prod(weight)
    return forward, forward * _needed(node, 0, 1)


def _attention(node: Any, may_look: bool) -> tuple[int, int]:
    query, key, value = (_input(node, at) for at in range(3))
    query = query or _kept_shape(node, "query", may_look)
    key = key or _kept_shape(node, "key", may_look)
    value = value or _kept_shape(node, "value", may_look)
    pairs = prod(query[:-1]) * key[-2]
    scores, mixed = 2 * pairs * query[-1], 2 * pairs * value[-1]
    # Backward makes the scores again, and two products for each of forward's.
    return scores + mixed, 3 * scores + 2 * mixed


_FORMULAS: dict[str, _Formula] = {
    "MmBackward0": _product(0, 1, ("self", "mat2")),
    "AddmmBackward0": _product(1, 2, ("mat1", "mat2")),
    "BmmBackward0": _product(0, 1, ("self", "mat2")),
    "BaddbmmBackward0": _product(1, 2, ("batch1", "batch2")),
    "MvBackward0": _vector_product(0, 1),
    "AddmvBackward0": _vector_product(1, 2),
    "LinearBackward0": _linear,
    "MkldnnLinearBackward0": _linear,
    "ConvolutionBackward0": _convolution,
    "ScaledDotProductFlashAttentionForCpuBackward0": _attention,
    "ScaledDotProductFlashAttentionBackward0": _attention,
    "ScaledDotProductEfficientAttentionBackward0": _attention,
    "ScaledDotProductCudnnAttentionBackward0": _attention,
}


def of_module(torch: Any, module: Any, output: Any) -> int:
    """Operations of the forward of a module by its kind; 0 where that does not say.

    Args:
      torch: The package.
      module: What was called.
      output: Its output, or the first tensor in it.

    Returns:
      The count.
    """
    nn = torch.nn
    if isinstance(module, nn.Linear):
        return 2 * int(output.numel()) * int(module.in_features)
    if isinstance(module, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        return 2 * int(output.numel()) * prod(int(size) for size in module.weight.shape[1:])
    if isinstance(module, nn.RNNBase):
        return _recurrent(module, output)
    return 0


def _recurrent(module: Any, output: Any) -> int:
    places = int(output.numel()) // int(output.shape[-1])  # sequence times batch
    total = 0
    for name, weight in module.named_parameters():
        if name.startswith("weight_"):
            total += 2 * places * int(weight.numel())
    return total
