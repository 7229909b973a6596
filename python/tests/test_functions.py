"""Functions are recorded at entry and exit, balanced, and the program does what it did."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

MONITORING = sys.version_info >= (3, 12)
needs_monitoring = pytest.mark.skipif(
    not MONITORING, reason="single functions are switched off from CPython 3.12 on"
)


def run(agent, code: str, mode: str = "full", **environment: str):
    """The processes of `code`, the one that the test started first."""
    done = agent.run("-c", code, LATIDO_RUN_FUNCTIONS=mode, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return agent.processes()


def functions(process) -> list:
    return process.of("function")


def own(process) -> list:
    """Spans of what the tested program defines itself."""
    return [s for s in functions(process) if s.file == "<string>"]


def counts(process) -> Counter:
    return Counter(span.name for span in own(process))


def test_each_call_is_a_span_inside_its_caller(agent):
    code = (
        "def leaf(): pass\n"
        "def middle():\n  leaf(); leaf()\n"
        "class Tree:\n  def grow(self):\n    middle()\n"
        "Tree().grow()\n"
    )
    (process,) = run(agent, code)
    spans = own(process)
    assert Counter(s.name for s in spans) == {
        "<module>": 1,
        "Tree": 1,
        "Tree.grow": 1,
        "middle": 1,
        "leaf": 2,
    }
    parents = {s.name: s.parent.name for s in spans if s.parent is not None}
    assert parents["leaf"] == "middle"
    assert parents["middle"] == "Tree.grow"
    assert parents["Tree.grow"] == "<module>"
    assert all(s.end is not None for s in spans)


def test_generators_and_coroutines_are_spans_from_resumption_to_suspension(agent):
    code = (
        "import types\n"
        "def numbers():\n  for i in range(3): yield i\n"
        "@types.coroutine\n"
        "def pause(): yield\n"
        "async def job():\n  await pause(); await pause()\n"
        "def drive():\n"
        "  task = job()\n"
        "  for _ in range(2): task.send(None)\n"
        "  try: task.send(None)\n"
        "  except StopIteration: pass\n"
        "list(numbers()); drive()\n"
    )
    (process,) = run(agent, code)
    seen = counts(process)
    assert seen["numbers"] == 4, "three values and the end"
    assert seen["job"] == 3
    assert seen["pause"] == 4
    assert all(s.end is not None for s in own(process))


def test_an_exception_ends_each_function_that_it_leaves(agent):
    code = (
        "def thrower(): raise ValueError\n"
        "def passer(): thrower()\n"
        "def catcher():\n  try: passer()\n  except ValueError: after()\n"
        "def after(): pass\n"
        "def generator():\n"
        "  try:\n    while True: yield\n  finally: after()\n"
        "for _ in range(10): catcher()\n"
        "g = generator(); next(g)\n"
        "try: g.throw(KeyError)\n"
        "except KeyError: pass\n"
        "h = generator(); next(h); h.close()\n"
    )
    (process,) = run(agent, code)
    spans = own(process)
    seen = counts(process)
    assert [seen[name] for name in ("thrower", "passer", "catcher", "after")] == [10, 10, 10, 12]
    for span in spans:
        if span.name == "after":
            assert span.parent.name in ("catcher", "generator")
    assert all(s.end is not None for s in spans)


def test_recursion_may_go_as_deep_as_python_lets_it(agent):
    code = (
        "import sys\n"
        "sys.setrecursionlimit(20_000)\n"
        "def down(n): return n if n == 0 else down(n - 1)\n"
        "for _ in range(2): down(10_000)\n"
        "def forever(): forever()\n"
        "try: forever()\n"
        "except RecursionError: pass\n"
        "def after(): pass\n"
        "after()\n"
    )
    (process,) = run(agent, code)
    assert process.dropped == 0 or counts(process)["down"] > 5_000
    (after,) = [s for s in own(process) if s.name == "after"]
    assert after.parent.name == "<module>"
    assert all(s.end is not None for s in own(process))


def test_a_call_that_found_no_room_ends_no_other_call_of_its_function(agent):
    """The test's recorder reads nothing until the end, so the ring is soon full."""
    code = "def f(n):\n  for _ in range(n): f(0)\nf(4_000_000)\n"
    (process,) = run(agent, code)
    assert process.dropped > 2_000_000
    module, outer, *_ = own(process)
    assert [module.name, outer.name] == ["<module>", "f"]
    assert outer.end - outer.begin > 0.9 * (module.end - module.begin)
    assert all(s.end is not None for s in own(process))


def test_every_thread_is_recorded(agent):
    code = (
        "import threading\n"
        "def work():\n  for _ in range(50): leaf()\n"
        "def leaf(): pass\n"
        "threads = [threading.Thread(target=work) for _ in range(8)]\n"
        "for t in threads: t.start()\n"
        "for t in threads: t.join()\n"
    )
    (process,) = run(agent, code)
    assert counts(process)["work"] == 8
    assert counts(process)["leaf"] == 400


def test_a_fork_child_records_its_own_functions_only(agent):
    code = (
        "import os\n"
        "def before(): inside()\n"
        "def inside():\n"
        "  pid = os.fork()\n"
        "  if pid == 0:\n"
        "    child()\n"
        "    os._exit(0)\n"
        "  os.waitpid(pid, 0)\n"
        "def child(): pass\n"
        "before()\n"
    )
    parent, child = run(agent, code)
    assert counts(parent)["child"] == 0
    assert counts(child)["child"] == 1
    assert all(s.end is not None for s in own(parent))


@pytest.mark.parametrize("mode", ["full", "adaptive"])
def test_a_fork_is_not_warned_of_a_thread_of_ours(agent, mode):
    code = (
        "import os, warnings\n"
        "warnings.simplefilter('error')\n"
        "def f(): pass\n"
        "for _ in range(5):\n"
        "  f()\n"
        "  if (pid := os.fork()) == 0:\n"
        "    f(); os._exit(0)\n"
        "  os.waitpid(pid, 0)\n"
    )
    parent, *children = run(agent, code, mode=mode)
    assert counts(parent)["f"] == 5
    assert [counts(child)["f"] for child in children] == [1] * 5


def test_code_made_again_and_again_takes_one_site(agent):
    code = (
        "source = compile('def f(): pass\\nf()', 'made', 'exec')\n"
        "for i in range(3000):\n"
        "  exec(compile('def f(): pass\\nf()', 'made', 'exec'), {})\n"
    )
    (process,) = run(agent, code)
    made = [site for site in process.sites.values() if site[2] == "made"]
    assert sorted(site[0] for site in made) == ["<module>", "f"]
    assert sum(s.name == "f" for s in functions(process)) == 3000


def test_odd_names_are_kept(agent):
    code = (
        "def f(): pass\n"
        "for name in ('naïve λ', 'two\\nlines', 'x' * 5000, 'half \\ud800'):\n"
        "  f.__code__ = f.__code__.replace(co_name=name, co_qualname=name)\n"
        "  f()\n"
    )
    (process,) = run(agent, code)
    names = {s.name for s in functions(process)}
    assert {"naïve λ", "two\nlines"} <= names
    assert any(name.startswith("xxxx") for name in names)
    assert "half \ufffd\ufffd\ufffd" in names


@pytest.mark.parametrize(
    ("include", "exclude", "seen"),
    [
        ("", "", {"<module>", "load", "step", "Model.forward"}),
        ("Model.*", "", {"Model.forward"}),
        ("", "load", {"<module>", "step", "Model.forward"}),
        ("__main__", "<module>,step", {"load", "Model.forward"}),
        ("nothing", "", set()),
    ],
    ids=["all", "a class", "without one", "a module", "nothing"],
)
def test_patterns_choose_functions(agent, include, exclude, seen):
    code = (
        "def load(): pass\n"
        "def step(): pass\n"
        "class Model:\n  def forward(self): pass\n"
        "load(); step(); Model().forward()\n"
        "import latido; latido.mark('end')\n"
    )
    (process,) = run(agent, code, LATIDO_RUN_INCLUDE=include, LATIDO_RUN_EXCLUDE=exclude)
    assert set(counts(process)) - {"Model"} == seen


def test_neither_the_import_system_nor_latido_itself_is_recorded(agent):
    code = "import json, latido\nwith latido.zone('z'): pass\nlatido.log({'a': 1})\n"
    (process,) = run(agent, code)
    files = {span.file for span in functions(process)}
    assert [file for file in files if "<frozen importlib" in file or "/latido/" in file] == []


def test_zones_and_functions_nest(agent):
    code = (
        "import latido\n"
        "def inner(): pass\n"
        "def outer():\n  with latido.zone('load'): inner()\n"
        "outer()\n"
    )
    (process,) = run(agent, code)
    (zone,) = process.of("zone")
    assert zone.parent.name == "outer"
    (inner,) = [s for s in own(process) if s.name == "inner"]
    assert inner.parent is zone


def test_the_process_is_described_all_the_same(agent):
    (process,) = run(agent, "def f(): pass\nf()\n")
    (facts,) = process.json("process.facts")
    assert facts["argv0"] == "-c"
    assert process.hooks()["functions"] == "ok"


def test_a_profiler_of_the_program_works_as_without(agent):
    code = (
        "import cProfile, pstats, io\n"
        "def leaf(): pass\n"
        "def work():\n  for _ in range(100): leaf()\n"
        "profile = cProfile.Profile()\n"
        "profile.runcall(work)\n"
        "out = io.StringIO()\n"
        "stats = pstats.Stats(profile, stream=out).stats\n"
        "calls = {name: count for (_, _, name), (count, *_) in stats.items()}\n"
        "assert calls['leaf'] == 100 and calls['work'] == 1, calls\n"
    )
    run(agent, code)


def test_a_trace_function_of_the_program_works_as_without(agent):
    code = (
        "import sys\n"
        "seen = []\n"
        "def trace(frame, event, arg):\n"
        "  seen.append((frame.f_code.co_name, event)); return trace\n"
        "def work(): return 1\n"
        "sys.settrace(trace); work(); sys.settrace(None)\n"
        "assert ('work', 'call') in seen and ('work', 'return') in seen, seen\n"
    )
    (process,) = run(agent, code)
    assert counts(process)["work"] == 1


@needs_monitoring
@pytest.mark.parametrize("tool", [3, 4])
def test_a_tool_in_the_way_is_named(agent, tool):
    code = (
        "import sys\n"
        f"sys.monitoring.use_tool_id({tool}, 'someone')\n"
        "from latido import _functions, mark\n"
        "import os; os.environ['LATIDO_RUN_FUNCTIONS'] = 'full'\n"
        "_functions.start(); mark('now')\n"
    )
    (process,) = run(agent, code, mode="off")
    assert (
        process.hooks()["functions"] == f"absent: sys.monitoring tool {tool} is in use by someone"
    )
    assert functions(process) == []


@needs_monitoring
def test_other_monitoring_tools_are_not_disturbed(agent):
    code = (
        "import sys, time\n"
        "m = sys.monitoring; e = m.events; m.use_tool_id(1, 'coverage')\n"
        "lines = []\n"
        "def on_line(code, line): lines.append(line); return m.DISABLE\n"
        "m.register_callback(1, e.LINE, on_line); m.set_events(1, e.LINE)\n"
        "def f():\n  return 1\n"
        "for _ in range(2000): f()\n"
        "end = time.monotonic() + 2.5\n"
        "while time.monotonic() < end: f()\n"
        "assert lines.count(7) == 1, lines.count(7)\n"
    )
    run(agent, code, mode="adaptive")


@needs_monitoring
def test_what_is_called_often_and_briefly_is_elided_with_its_calls(agent):
    code = "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(22)\n"
    (process,) = run(agent, code, mode="adaptive")
    assert 256 <= counts(process)["fib"] < 3_000, "28,657 calls"
    elided = [r for r in process.records if r.kind == "instant" and r.name == "fib"]
    assert elided[0].payload >= 256
    assert all(s.end is not None for s in own(process))


@needs_monitoring
def test_what_was_elided_is_looked_at_again(agent):
    code = (
        "import time\n"
        "def tiny(): pass\n"
        "end = time.monotonic() + 3.5\n"
        "while time.monotonic() < end: tiny()\n"
    )
    (process,) = run(agent, code, mode="adaptive")
    elided = [r for r in process.records if r.kind == "instant" and r.name == "tiny"]
    assert len(elided) >= 3
    assert elided[0].payload < elided[-1].payload


def test_long_functions_stay_recorded(agent):
    code = "import time\ndef slow(): time.sleep(0.002)\nfor _ in range(600): slow()\n"
    (process,) = run(agent, code, mode="adaptive")
    assert counts(process)["slow"] == 600


@pytest.mark.skipif(MONITORING, reason="before CPython 3.12: a profile function in windows")
def test_a_program_that_calls_a_lot_is_recorded_in_windows(agent):
    code = (
        "import time\n"
        "def tiny(): pass\n"
        "end = time.monotonic() + 3.5\n"
        "n = 0\n"
        "while time.monotonic() < end:\n  tiny(); n += 1\n"
        "print(n)\n"
    )
    done = agent.run("-c", code, LATIDO_RUN_FUNCTIONS="adaptive")
    assert done.returncode == 0, done.stderr
    (process,) = agent.processes()
    seen = counts(process)["tiny"]
    assert 2_000 < seen < int(done.stdout) / 4
    assert all(s.end is not None for s in own(process))


@pytest.mark.skipif(MONITORING, reason="before CPython 3.12: a profile function in windows")
def test_a_program_that_loops_in_python_is_recorded_in_windows(agent):
    """Not for its few calls: while it is listened to each instruction takes longer."""
    code = (
        "def work():\n  for _ in range(40_000): pass\n"
        "import time\n"
        "end = time.monotonic() + 3.5\n"
        "n = 0\n"
        "while time.monotonic() < end:\n  work(); n += 1\n"
        "print(n)\n"
    )
    done = agent.run("-c", code, LATIDO_RUN_FUNCTIONS="adaptive")
    assert done.returncode == 0, done.stderr
    (process,) = agent.processes()
    seen = counts(process)["work"]
    assert 2 < seen < int(done.stdout) / 4
    assert all(s.end is not None for s in own(process))


@pytest.mark.skipif(MONITORING, reason="before CPython 3.12: a profile function in windows")
def test_a_loop_without_a_call_is_not_listened_to_until_its_end(agent):
    code = "def after(): pass\nfor _ in range(30_000_000): pass\nafter()\n"
    (process,) = run(agent, code, mode="adaptive")
    assert counts(process)["after"] == 0
