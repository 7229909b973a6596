"""Trainings recorded without a change to them: same losses and weights, and every phase counted."""

from __future__ import annotations

import pytest

# Spans by category; a category that is not named must not occur.
LOOPS = {
    "plain": {
        "loader_start": 4,
        "data_wait": 2 * 9 + 2 * 3,
        "forward": 16,
        "forward_nograd": 4,
        "backward": 16,
        "optimizer": 16,
        "zero_grad": 16,
    },
    "accumulation": {
        "loader_start": 1,
        "data_wait": 17,
        "forward": 16,
        "backward": 16,
        "clip_grad": 4,
        "optimizer": 4,
        "zero_grad": 4,
    },
    "scaler": {
        "loader_start": 1,
        "data_wait": 9,
        "forward": 8,
        "backward": 8,
        "scaler_step": 8,
        "optimizer": 6,
        "zero_grad": 8,
    },
    "lbfgs": {"loader_start": 1, "data_wait": 5, "optimizer": 4},
    "gan": {
        "loader_start": 1,
        "data_wait": 9,
        "forward": 40,
        "backward": 16,
        "optimizer": 16,
        "zero_grad": 16,
    },
    "super_step": {
        "loader_start": 1,
        "data_wait": 9,
        "forward": 8,
        "backward": 8,
        "optimizer": 8,
        "zero_grad": 8,
    },
    "checkpointed": {
        "loader_start": 1,
        "data_wait": 5,
        "forward": 4 + 4,
        "backward": 4,
        "optimizer": 4,
        "zero_grad": 4,
    },
    "failing_step": {
        "loader_start": 1,
        "data_wait": 1,
        "forward": 1,
        "backward": 1,
        "optimizer": 4,
    },
    "iterable": {
        "loader_start": 1,
        "data_wait": 4,
        "forward": 3,
        "backward": 3,
        "optimizer": 3,
        "zero_grad": 3,
    },
    "two_threads": {
        "loader_start": 2,
        "data_wait": 18,
        "forward": 16,
        "backward": 16,
        "optimizer": 16,
        "zero_grad": 16,
    },
    "save": {"checkpoint": 1},
}


@pytest.mark.parametrize("name", LOOPS)
def test_training_is_recorded_and_learns_the_same(compare, name):
    main = compare("loops.py", name).main
    counts: dict[str, int] = {}
    for span in main.spans:
        assert span.end is not None, f"{span.name} never ended"
        counts[span.category] = counts.get(span.category, 0) + 1
    if name == "lbfgs":  # as many passes as its line search takes
        passes = counts.pop("backward")
        assert passes > 4
        assert counts.pop("forward") == counts.pop("zero_grad") == passes
    assert counts == LOOPS[name]


def test_loss_is_the_printed_one(compare):
    run = compare("loops.py", "plain")
    lines = run.result.stdout.split("\n")
    printed = [float(line) for line in lines[:8] + lines[9:17]]
    assert run.main.values("train.loss_backward") == pytest.approx(printed, rel=1e-6)


def test_accumulation_numbers_its_micro_batches(compare):
    main = compare("loops.py", "accumulation").main
    losses = [r for r in main.records if r.name == "train.loss_backward"]
    assert [r.index for r in losses] == [0, 1, 2, 3] * 4
    assert {r.inside.category for r in losses} == {"backward"}


def test_learning_rate_is_told_when_it_changes(compare):
    main = compare("loops.py", "accumulation").main
    assert main.values("train.lr") == pytest.approx([0.1, 0.01])


def test_clipping_gives_the_norm_and_none_is_sampled(compare):
    run = compare("loops.py", "accumulation")
    printed = [float(line) for line in run.result.stdout.split("\n")[:4]]
    assert run.main.values("train.grad_norm") == pytest.approx(printed)


def test_loss_is_told_before_scaling(compare):
    run = compare("loops.py", "scaler")
    printed = [float(line.split()[0]) for line in run.result.stdout.split("\n")[:8]]
    assert run.main.values("train.loss_backward") == pytest.approx(printed)


def test_skipped_steps_are_attempts_without_an_optimizer(compare):
    main = compare("loops.py", "scaler").main
    inside = [span.parent for span in main.of("optimizer")]
    skipped = [i for i, span in enumerate(main.of("scaler_step")) if span not in inside]
    assert skipped == [2, 5]


def test_closure_runs_inside_the_step(compare):
    main = compare("loops.py", "lbfgs").main
    assert {span.parent.category for span in main.of("backward")} == {"optimizer"}


def test_recomputation_lies_inside_backward(compare):
    main = compare("loops.py", "checkpointed").main
    inside = [s for s in main.of("forward") if s.parent and s.parent.category == "backward"]
    assert len(inside) == 4


def test_optimizers_and_models_have_numbers(compare):
    main = compare("loops.py", "gan").main
    assert [span.args["optimizer"] for span in main.of("optimizer")[:4]] == [1, 2, 1, 2]
    assert {span.args["model"] for span in main.of("forward")} == {1, 2}


def test_loader_says_where_it_was_made_and_what_it_holds(compare):
    run = compare("loops.py", "plain")
    facts = run.main.json("loader.facts")[0]
    source = run.result.args[1]
    with open(source) as lines:
        line = lines.read().split("\n")[facts["line"] - 1]
    assert facts["file"] == source
    assert "DataLoader(dataset(), batch_size=8" in line
    assert (facts["dataset_length"], facts["batch_size"], facts["workers"]) == (64, 8, 0)
    assert run.main.texts("batch.shape")[0] == "8x8 float32"
    assert {s.args["samples"] for s in run.main.of("data_wait") if "stop" not in s.args} == {8}


def test_iterable_dataset_has_no_length(compare):
    main = compare("loops.py", "iterable").main
    assert main.json("loader.facts")[0]["dataset_length"] == -1


def test_process_says_who_it_is(torch_agent):
    import torch
    from conftest import PROGRAMS

    torch_agent.run(str(PROGRAMS / "loops.py"), "save", RANK="3", WORLD_SIZE="4")
    (facts,) = torch_agent.processes()[0].json("process.facts")
    assert (facts["rank"], facts["world_size"]) == (3, 4)
    assert facts["torch"] == torch.__version__
    assert facts["argv0"].endswith("loops.py")


def test_spans_that_an_exception_left_say_so(compare):
    main = compare("loops.py", "failing_step").main
    assert [span.args.get("raised", 0) for span in main.of("optimizer")] == [1, 0, 0, 0]
