"""The public functions, in a run and outside one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from fake_agent import PACKAGE


def record(agent, source: str):
    run = agent.run("-c", "import latido\n" + source)
    assert (run.returncode, run.stderr) == (0, "")
    (process,) = agent.processes()
    return process


def test_zone_carries_numbers_and_texts(agent):
    process = record(agent, "with latido.zone('load', files=3, kind='raw', big=-1): pass")
    (span,) = process.spans
    assert (span.name, span.category, span.args) == ("load", "zone", {"files": 3})
    texts = {r.name: r.payload for r in process.records if r.category == "arg"}
    assert texts == {"kind": "raw", "big": "-1"}


def test_zone_has_its_place(agent):
    process = record(agent, "\nwith latido.zone('here'):\n  pass")
    ((_, _, file, line),) = [site for site in process.sites.values() if site[0] == "here"]
    assert (file, line) == ("<string>", 3)


def test_values_and_names_never_end_the_program(agent):
    source = (
        "class Silent:\n"
        "  def __str__(self): raise RuntimeError\n"
        "  __float__ = __index__ = __str__\n"
        "with latido.zone('half \\ud800 pair', a=Silent(), b=10**400): pass\n"
        "latido.log({'a': Silent(), 'b': 10**400, 3: 1, '\\ud800': 1, 'nul\\0': 1})\n"
        "latido.mark('\\ud800')\n"
    )
    process = record(agent, source)
    assert [span.name for span in process.spans] == ["half \\ud800 pair"]
    series = {r.name for r in process.records if r.category == "series"}
    assert series == {"3", "\\ud800", "nul\\0"}


API_USED = """
import os, sys
{unreachable}
with latido.zone('a', n=1) as z: pass
with latido.request(3), latido.stage('s'): pass
@latido.zone('f')
def f(): return 7
assert f() == 7
latido.step(); latido.step(3); latido.log({{'a': 1}}, step=2); latido.mark('m')
latido.start(x=1); latido.stop()
print('fine')
"""


def test_api_out_of_reach_does_nothing(agent):
    # As after os.chroot(): no file of the package or of the standard library can be opened.
    unreachable = "sys.path[:] = []; sys.path_importer_cache.clear(); latido.__path__ = []"
    source = "import latido\n" + API_USED.format(unreachable=unreachable)
    for run in (
        agent.run("-c", source),
        subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\n" + source],
            capture_output=True,
            text=True,
        ),
    ):
        assert (run.returncode, run.stdout, run.stderr) == (0, "fine\n", "")


@pytest.mark.skipif(os.geteuid() != 0, reason="os.chroot() is for root")
def test_api_survives_a_chroot(agent, tmp_path):
    source = "import latido\n" + API_USED.format(unreachable=f"os.chroot({str(tmp_path)!r})")
    run = agent.run("-c", source)
    assert (run.returncode, run.stdout, run.stderr) == (0, "fine\n", "")


def test_zones_nest(agent):
    source = "z = latido.zone('a')\nwith z:\n  with z:\n    with latido.zone('b'): pass"
    process = record(agent, source)
    assert [(s.name, s.depth) for s in process.spans] == [("a", 0), ("a", 1), ("b", 2)]
    assert all(s.end for s in process.spans)


def test_names_made_at_run_time_share_a_site(agent):
    source = "for i in range(3000):\n  with latido.zone(f'n{i % 3}'): pass"
    process = record(agent, source)
    assert len(process.spans) == 3000
    assert sorted(s[0] for s in process.sites.values() if s[1] == "zone") == ["n0", "n1", "n2"]


def test_decorator_keeps_the_function(agent):
    process = record(
        agent,
        "import inspect, pickle\n"
        "@latido.zone('work', n=2)\n"
        "def f(a, *, b=1):\n  'doc'\n  return a + b\n"
        "class C:\n  @latido.zone('method')\n  def m(self): return self\n"
        "assert f(1, b=2) == 3 and f.__doc__ == 'doc' and f.__name__ == 'f'\n"
        "assert str(inspect.signature(f)) == '(a, *, b=1)'\n"
        "c = C(); assert c.m() is c and pickle.loads(pickle.dumps(f)) is f\n",
    )
    assert [(s.name, s.args) for s in process.spans] == [("work", {"n": 2}), ("method", {})]


def test_decorator_leaves_coroutines_and_generators_alone(agent):
    record(
        agent,
        "async def f(): pass\ndef g(): yield\n"
        "assert latido.zone('x')(f) is f and latido.zone('x')(g) is g\n"
        "latido.mark('end')",
    )


def test_log_makes_points_and_texts(agent):
    process = record(
        agent,
        "latido.log({'loss': 0.5, 'note': 'warm'})\nlatido.log({'loss': 1})\n"
        "latido.log({'loss': 2.0}, step=40)",
    )
    points = [(r.index, r.payload) for r in process.records if r.name == "loss"]
    assert points == [(0, 0.5), (1, 1.0), (40, 2.0)]
    assert process.texts("note") == ["warm"]


def test_steps_marks_requests_and_stages(agent):
    process = record(
        agent,
        "latido.step()\nlatido.step(7)\nlatido.mark('here')\n"
        "with latido.request(id=5):\n  with latido.stage('decode'): pass",
    )
    instants = [(r.name, r.category, r.payload) for r in process.records if r.kind == "instant"]
    assert instants == [
        ("latido.step", "step", 1),
        ("latido.step", "step", 7),
        ("here", "mark", 0),
    ]
    assert [(s.name, s.args) for s in process.spans] == [("request", {"id": 5}), ("decode", {})]


def test_nothing_is_recorded_between_stop_and_start(agent):
    process = record(
        agent,
        "with latido.zone('a'):\n  latido.stop()\n"
        "with latido.zone('b'): pass\nlatido.mark('no')\nlatido.start(why='again')\n"
        "with latido.zone('c'): pass",
    )
    assert [s.name for s in process.spans] == ["a", "c"]
    assert all(s.end for s in process.spans)
    assert process.texts("latido.start") == ['{"why": "again"}']


def test_text_that_is_no_unicode(agent):
    process = record(agent, "latido.log({'path': b'caf\\xe9'.decode('utf-8', 'surrogateescape')})")
    assert process.texts("path") == ["caf\\udce9"]


EVERYTHING = """
import latido
with latido.zone('a', n=1): pass
@latido.zone('b')
def f(): return 4
assert f() == 4
latido.step(); latido.step(3); latido.log({'a': 1, 'b': 'c'}); latido.mark('m')
with latido.request(): pass
with latido.stage('s'): pass
latido.stop(); latido.start(x=1)
"""


@pytest.mark.parametrize("extension", [True, False], ids=["with_extension", "without"])
def test_every_call_does_nothing_outside_a_run(extension):
    hide = "" if extension else "import sys; sys.modules['latido._core'] = None\n"
    code = (
        hide + EVERYTHING + f"from latido._native import available\nassert available is {extension}"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "call",
    ["latido.zone()", "latido.zone('a', 'b')", "latido.zone(3)", "latido.nothing"],
)
def test_misuse_is_an_error(agent, call):
    run = agent.run("-c", f"import latido\n{call}")
    assert run.returncode == 1
    assert "TypeError" in run.stderr or "AttributeError" in run.stderr


def test_a_zone_that_an_exception_leaves_says_so(agent):
    code = (
        "import latido\n"
        "@latido.zone('decorated')\n"
        "def f(): raise KeyError\n"
        "try:\n"
        "  with latido.zone('block'): f()\n"
        "except KeyError: pass\n"
        "with latido.zone('quiet'): pass\n"
    )
    assert agent.run("-c", code).returncode == 0
    (process,) = agent.processes()
    raised = {span.name: span.args.get("raised") for span in process.of("zone")}
    assert raised == {"decorated": 1, "block": 1, "quiet": None}
