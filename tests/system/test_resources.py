"""What processes took, beside what they say of themselves."""

from __future__ import annotations

import json
import sys

from conftest import Latido

PROGRAM = (
    "import json, time\n"
    "while time.process_time() < 1.6: pass\n"
    "print(json.dumps(time.process_time()))\n"
)


def test_the_cpu_time_of_a_process_is_all_that_it_took(latido: Latido) -> None:
    """Between two looks, too: there is one a second, and the last comes when it has ended."""
    done = latido("run", "--", sys.executable, "-c", PROGRAM)
    took_s = json.loads(done.stdout)
    (process,) = latido.report()["processes"]
    assert took_s - 0.05 < process["cpu_ns"] / 1e9 < took_s + 0.2
