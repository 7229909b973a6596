"""What hooks wrap stays what it was to the program, to pickle and to torch.compile."""

from __future__ import annotations


def test_signatures_copies_and_errors_are_the_same(compare):
    compare("objects.py")


def test_compiled_programs_are_the_same(compare):
    """Losses, and the numbers of graphs, frames, breaks and recompilations."""
    main = compare("compiled.py").main
    assert {span.category for span in main.spans} >= {"forward", "backward", "optimizer"}
    assert all(span.end for span in main.spans)


def test_dynamo_imported_first_leaves_forward_alone(torch_agent):
    code = (
        "import latido, sys, types\n"
        "sys.modules['torch._dynamo'] = types.ModuleType('torch._dynamo')\n"
        "import torch\n"
        "del sys.modules['torch._dynamo']\n"
        "torch.nn.Linear(1, 1)(torch.ones(1)).sum().backward()\n"
    )
    run = torch_agent.run("-c", code)
    assert (run.returncode, run.stderr) == (0, "")
    (process,) = torch_agent.processes()
    assert process.hooks()["forward"] == "absent: torch._dynamo was imported first"
    assert [span.category for span in process.spans] == ["backward"]


def test_a_hook_that_does_not_fit_is_left_out_alone(torch_agent):
    code = (
        "import latido._hooks as hooks\n"
        "def broken(torch): raise KeyError('layout')\n"
        "table = hooks.TABLE\n"
        "table[0] = (table[0][0], broken, None)\n"
        "table[7] = (table[7][0], table[7][1], broken)\n"
        "import torch\n"
        "loader = torch.utils.data.DataLoader([1.0, 2.0])\n"
        "list(loader); torch.nn.Linear(1, 1)(torch.ones(1)).sum().backward()\n"
    )
    run = torch_agent.run("-c", code)
    assert (run.returncode, run.stderr) == (0, "")
    (process,) = torch_agent.processes()
    hooks = process.hooks()
    assert hooks.pop("DataLoader") == "failed: KeyError('layout')"
    assert hooks.pop("forward") == "failed: KeyError('layout')"
    assert set(hooks.values()) == {"ok"}
    assert [span.category for span in process.spans] == ["backward"]
