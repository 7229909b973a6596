"""Layers on sampled steps: counts against formulas by hand, names, and nothing left behind."""

from __future__ import annotations

import json

import pytest

# Trains `model` on `x` for a while; `loss` may be replaced before.
LOOP = """
import torch
from torch import nn
from torch.nn import functional as F
torch.set_num_threads(1)
{model}
def train(model, x, steps=16, loss=lambda y: y.square().mean()):
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    for _ in range(steps):
        optimizer.zero_grad()
        loss(model(x)).backward()
        optimizer.step()
{rest}
"""


def run(agent, model: str, rest: str):
    """The process that ran this training, with layers; it must not complain."""
    done = agent.run("-c", LOOP.format(model=model, rest=rest), LATIDO_RUN_LAYERS="true")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return agent.processes()[0]


def facts(process) -> dict[str, dict]:
    return _texts(process, lambda text: "class" in text)


def counts(process) -> dict[str, tuple[int, int, int]]:
    found = _texts(process, lambda text: "forward_flops" in text)
    return {
        name: (each["forward_flops"], each["backward_flops"], each["activation_bytes"])
        for name, each in found.items()
    }


def _texts(process, wanted) -> dict[str, dict]:
    texts = [
        (r.name, r.payload) for r in process.records if r.category == "layer" and r.kind == "text"
    ]
    return {name: json.loads(text) for name, text in texts if wanted(text)}


def notes(process) -> list[str]:
    return process.texts("layers.note")


def samples(process) -> list[int]:
    return [r.payload for r in process.records if r.name == "layers.sample"]


FLOAT = 4


@pytest.mark.parametrize(
    ("model", "x", "name", "flops", "kept"),
    [
        # 8 rows of 16 times 16 x 32: the input needs no gradient, and is the caller's.
        (
            "nn.Sequential(nn.Linear(16, 32))",
            "torch.ones(8, 16)",
            "0",
            (2 * 8 * 16 * 32, 2 * 8 * 16 * 32),
            0,
        ),
        (
            "nn.Sequential(nn.Linear(16, 32), nn.Linear(32, 4, bias=False))",
            "torch.ones(2, 4, 16)",
            "1",
            (2 * 8 * 32 * 4, 2 * 2 * 8 * 32 * 4),
            8 * 32 * FLOAT,
        ),
        # 5 x 5 places of an output, 3 x 3 x 4 products each, in 2 groups.
        (
            "nn.Sequential(nn.Conv2d(3, 8, 1), nn.Conv2d(8, 6, 3, groups=2))",
            "torch.ones(2, 3, 7, 7)",
            "1",
            (2 * 2 * 6 * 25 * 4 * 9, 2 * 2 * 2 * 6 * 25 * 4 * 9),
            2 * 8 * 49 * FLOAT,
        ),
        (
            "nn.Sequential(nn.Conv1d(3, 8, 1), nn.ConvTranspose1d(8, 6, 3, stride=2))",
            "torch.ones(2, 3, 7)",
            "1",
            (2 * 2 * 7 * 8 * 6 * 3, 2 * 2 * 2 * 7 * 8 * 6 * 3),
            2 * 8 * 7 * FLOAT,
        ),
        (
            "nn.Sequential(nn.Linear(4, 8), nn.ReLU())",
            "torch.ones(2, 4)",
            "1",
            (0, 0),
            2 * 8 * FLOAT,
        ),
        (
            "Product()",
            "torch.ones(2, 3, 5)",
            "Product",
            (2 * 2 * 3 * 3 * 7, 2 * 2 * 2 * 3 * 3 * 7),
            None,
        ),
        # Scores and mixing of 2 heads of 4, 6 places; backward makes the scores again.
        (
            "Attention()",
            "torch.ones(3, 6, 8)",
            "Attention",
            (2 * 2 * 3 * 6 * 6 * 8, 5 * 2 * 3 * 6 * 6 * 8),
            None,
        ),
        # Not trained: no graph, but the forward is work all the same.
        (
            "nn.Sequential(nn.Linear(16, 32).requires_grad_(False), nn.Linear(32, 4))",
            "torch.ones(8, 16)",
            "0",
            (2 * 8 * 16 * 32, 0),
            0,
        ),
    ],
    ids=["linear", "batches", "conv", "transposed", "relu", "matmul", "sdpa", "frozen"],
)
def test_counts_are_those_by_hand(torch_agent, model, x, name, flops, kept):
    classes = (
        "class Product(nn.Module):\n"
        "  def __init__(self):\n"
        "    super().__init__(); self.a = nn.Linear(5, 7); self.b = nn.Linear(5, 7)\n"
        "  def forward(self, x): return self.a(x) @ self.b(x).transpose(1, 2)\n"
        "class Attention(nn.Module):\n"
        "  def __init__(self): super().__init__(); self.a = nn.Linear(8, 24)\n"
        "  def forward(self, x):\n"
        "    q, k, v = (t.unflatten(-1, (2, 4)).transpose(1, 2) for t in self.a(x).chunk(3, -1))\n"
        "    return F.scaled_dot_product_attention(q, k, v)\n"
    )
    process = run(torch_agent, classes, f"train({model}, {x})")
    found = counts(process).get(name, (0, 0, 0))
    assert found[:2] == flops
    if kept is not None:
        assert found[2] == kept
    assert notes(process) == []


def test_names_classes_and_parameters(torch_agent):
    process = run(
        torch_agent,
        "class Net(nn.Module):\n"
        "  def __init__(self):\n"
        "    super().__init__()\n"
        "    self.body = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))\n"
        "    self.body[1].weight = self.body[0].weight\n"
        "  def forward(self, x): return nn.Softplus()(self.body(x))\n",
        "train(Net(), torch.ones(2, 4))",
    )
    found = facts(process)
    assert {name: each["class"] for name, each in found.items()} == {
        "Net": "Net",
        "body": "Sequential",
        "body.0": "Linear",
        "body.1": "Linear",
        "Softplus": "Softplus",
    }
    assert found["Net"]["parameters"] == 24, "a shared one counts once"
    assert found["Net"]["own_parameters"] == 0
    assert found["body.1"]["own_parameters"] == 20
    assert {span.name for span in process.of("layer")} == set(found)


def test_two_models_of_a_class_have_names_of_their_own(torch_agent):
    process = run(
        torch_agent,
        "",
        "a, b = nn.Linear(4, 4), nn.Linear(4, 4)\n"
        "optimizer = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=1e-3)\n"
        "x = torch.ones(2, 4)\n"
        "for _ in range(12): (a(x) + b(x)).sum().backward(); optimizer.step()",
    )
    assert set(facts(process)) == {"Linear", "Linear#2"}


def test_nothing_is_left_behind(torch_agent):
    """Models die, graphs die, and what is pickled knows nothing of it."""
    run(
        torch_agent,
        "import gc, io, pickle, weakref\n",
        "model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 2))\n"
        "before = pickle.dumps(model)\n"
        "graphs = []\n"
        "def loss(y):\n"
        "  graphs.append(weakref.ref(y)); return y.square().mean()\n"
        "train(model, torch.ones(2, 4), 40, loss)\n"
        "kept = model(torch.ones(2, 4)).sum()\n"
        "assert all(graph() is None for graph in graphs)\n"
        "assert len(pickle.dumps(model)) == len(before)\n"
        "assert b'latido' not in pickle.dumps(model)\n"
        "for m in model.modules():\n"
        "  assert not (m._forward_hooks or m._backward_hooks or m._forward_pre_hooks)\n"
        "gone = [weakref.ref(m) for m in model.modules()]\n"
        "del model, kept, m\n"
        "gc.collect()\n"
        "assert all(m() is None for m in gone)\n",
    )


def test_a_kept_graph_has_no_marks_after_its_step(torch_agent):
    process = run(
        torch_agent,
        "",
        "model = nn.Linear(4, 4)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)\n"
        "kept = []\n"
        "for _ in range(16):\n"
        "  y = model(torch.ones(2, 4)).sum(); kept.append(y)\n"
        "  y.backward(retain_graph=True); optimizer.step()\n"
        "for y in kept: y.backward()\n",
    )
    marks = [r for r in process.records if r.category == "layer" and r.kind == "instant"]
    assert samples(process)[:6] == [1, 0, 1, 0, 2, 0]
    assert len(marks) == 2, "of the two timed steps, none of the passes after them"


def test_steps_are_sampled_early_and_then_rarely(torch_agent):
    process = run(
        torch_agent,
        "",
        "train(nn.Sequential(*(nn.Linear(64, 64) for _ in range(20))), torch.ones(64, 64), 400)",
    )
    kinds = samples(process)
    assert kinds[:8] == [1, 0, 1, 0, 2, 0, 1, 0]
    assert 3 <= kinds.count(1) <= 24
    assert len(process.of("optimizer")) == 400


def test_latido_step_says_where_steps_end(torch_agent):
    process = run(
        torch_agent,
        "import latido\n",
        "model = nn.Linear(4, 4)\n"
        "for _ in range(16):\n"
        "  model(torch.ones(2, 4)).sum().backward(); latido.step()\n",
    )
    assert samples(process)[:4] == [1, 0, 1, 0]


def test_optimizers_inside_backward_end_one_step(torch_agent):
    process = run(
        torch_agent,
        "",
        "model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))\n"
        "def stepper(parameter):\n"
        "  optimizer = torch.optim.SGD([parameter], lr=1e-3)\n"
        "  def hook(p): optimizer.step(); optimizer.zero_grad()\n"
        "  parameter.register_post_accumulate_grad_hook(hook)\n"
        "for p in model.parameters(): stepper(p)\n"
        "for _ in range(16): model(torch.ones(2, 4)).sum().backward()\n",
    )
    assert samples(process)[:6] == [1, 0, 1, 0, 2, 0]
    marks = {r.name for r in process.records if r.category == "layer" and r.kind == "instant"}
    assert marks == {"0", "1"}


def test_exceptions_in_layers_pass_and_close_their_spans(torch_agent):
    process = run(
        torch_agent,
        "class Fails(nn.Module):\n"
        "  def __init__(self): super().__init__(); self.linear = nn.Linear(4, 4); self.calls = 0\n"
        "  def forward(self, x):\n"
        "    self.calls += 1\n"
        "    if self.calls % 2: raise ValueError('odd')\n"
        "    return self.linear(x)\n",
        "model = Fails()\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)\n"
        "for _ in range(16):\n"
        "  for _ in range(2):\n"
        "    try: model(torch.ones(2, 4)).sum().backward()\n"
        "    except ValueError: pass\n"
        "  optimizer.step()\n",
    )
    assert all(span.end is not None for span in process.of("layer"))
    assert any(span.args.get("raised") for span in process.of("layer"))
    assert counts(process)["linear"][:2] == (64, 64)


def test_tracing_and_transforms_go_on(torch_agent):
    process = run(
        torch_agent,
        "",
        "model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)\n"
        "x = torch.ones(2, 4)\n"
        "for _ in range(16):\n"
        "  traced = torch.jit.trace(model, x)\n"
        "  graph = torch.fx.symbolic_trace(model)\n"
        "  torch.func.vmap(model)(x)\n"
        "  (model(x) + traced(x) + graph(x)).sum().backward()\n"
        "  optimizer.step()\n",
    )
    assert samples(process).count(0) >= 2
    assert "function_transforms" in notes(process)


def test_each_thread_has_steps_of_its_own(torch_agent):
    process = run(
        torch_agent,
        "import threading\n",
        "def job(): train(nn.Sequential(nn.Linear(4, 4), nn.ReLU()), torch.ones(2, 4))\n"
        "threads = [threading.Thread(target=job) for _ in range(2)]\n"
        "for t in threads: t.start()\n"
        "for t in threads: t.join()\n",
    )
    assert samples(process).count(2) == 2
    assert notes(process) == []


def test_layers_are_off_unless_asked_for(torch_agent):
    done = torch_agent.run(
        "-c", LOOP.format(model="", rest="train(nn.Linear(4, 4), torch.ones(2, 4))")
    )
    assert done.returncode == 0, done.stderr
    (process,) = torch_agent.processes()
    assert not process.of("layer")
    assert "layers" not in process.hooks()
