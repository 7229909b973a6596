"""DataLoader workers are processes of their own, and each batch is tied to the one that made it."""

from __future__ import annotations

import pytest

METHODS = ["fork", "spawn", "forkserver"]


def check_batches(run, workers, batches):
    """Every delivered batch names the process that made it, which has recorded the task."""
    makers = [
        int(line.split()[1]) for line in run.result.stderr.split("\n") if line[:6] == "maker "
    ]
    waits = [s for s in run.main.of("data_wait") if "stop" not in s.args]
    assert len(makers) == len(waits) == batches
    tasks = {
        (process.pid, span.args["batch"])
        for process in workers
        for span in process.of("worker_task")
    }
    for wait, maker in zip(waits, makers, strict=True):
        assert wait.args["worker_pid"] == maker
        assert (maker, wait.args["batch"]) in tasks


def workers_of(run):
    found = [process for process in run.processes if process.texts("worker.start")]
    for process in found:
        (start,) = process.json("worker.start")
        assert start["loader"] == 1
        for span in process.of("worker_task"):
            assert span.end is not None
            assert (span.args["worker"], span.args["loader"]) == (start["worker"], 1)
    return found


@pytest.mark.parametrize("method", METHODS)
def test_batches_are_tied_to_workers(compare, method):
    run = compare("workers.py", method)
    workers = workers_of(run)
    assert len(workers) == 4  # two an epoch
    check_batches(run, workers, 12)
    facts = run.main.json("loader.facts")
    assert [f["start_method"] for f in facts] == [method] * 2
    assert {pid for f in facts for pid in f["pids"]} == {p.pid for p in workers}


@pytest.mark.parametrize("kind", [["persistent"], ["iterable"], ["iterable", "persistent"]])
def test_kinds_of_workers(compare, kind):
    run = compare("workers.py", "fork", *kind)
    workers = workers_of(run)
    assert len(workers) == (2 if "persistent" in kind else 4)
    check_batches(run, workers, 8 if "iterable" in kind else 12)


def test_batches_out_of_order_are_tied_too(compare):
    run = compare("workers.py", "fork", "unordered")
    check_batches(run, workers_of(run), 12)


def test_batches_made_after_the_step_asked_were_not_ready(compare):
    run = compare("workers.py", "fork")
    made = {
        (process.pid, span.args["batch"]): span.end
        for process in workers_of(run)
        for span in process.of("worker_task")
    }
    waits = [s for s in run.main.of("data_wait") if "stop" not in s.args]
    late = [w for w in waits if made[w.args["worker_pid"], w.args["batch"]] > w.begin]
    assert late  # the slow worker's
    assert {w.args["queue_ready"] for w in late} == {0}
