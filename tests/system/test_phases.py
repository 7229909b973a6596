"""Phases against the script's own clock."""

from __future__ import annotations

import json

import pytest
from conftest import Latido
from test_loops import only_rank

pytestmark = pytest.mark.alone

WARM_UP = 10


def test_injected_sleeps_land_in_their_phase(latido: Latido) -> None:
    done = latido.run_python("sleeping_phases.py", "25")
    assert done.returncode == 0, done.stderr
    true_ns = json.loads(done.stdout)
    steps = only_rank(latido.report())["steps"][WARM_UP:]
    for phase, slept_ns in true_ns.items():
        got_ns = sum(step["parts"][phase] for step in steps)
        assert abs(got_ns - slept_ns) <= 0.02 * slept_ns, (phase, got_ns, slept_ns)
