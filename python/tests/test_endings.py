"""How a program ended, as far as Python knows it."""

from __future__ import annotations

import pytest


def ending(agent, tmp_path, source: str) -> tuple[int, list[dict]]:
    program = tmp_path / "program.py"
    program.write_text(source)
    run = agent.run(str(program))
    endings = [
        facts
        for process in agent.processes()
        for record in process.records
        if record.category == "exception"
        for facts in process.json(record.name)
    ]
    for facts in endings:
        facts["file"] = facts["file"].replace(str(tmp_path), "")
    return run.returncode, endings


CASES = {
    "exception": (
        "def f():\n    raise ValueError('too small')\nf()",
        {"type": "ValueError", "message": "too small", "file": "/program.py", "line": 2},
    ),
    "in_a_library": (
        "import json\n\njson.loads('{')",
        {
            "type": "JSONDecodeError",
            "message": "Expecting property name enclosed in double quotes: "
            "line 1 column 2 (char 1)",
            "file": "/program.py",
            "line": 3,
        },
    ),
    "syntax_error": (
        "x = 1\ny = = 2\n",
        {"type": "SyntaxError", "file": "/program.py", "line": 2},
    ),
    "in_a_worker": (
        "def in_worker():\n"
        "    raise OSError('cannot read: 77.jpg')\n"
        "import traceback\n"
        "try:\n"
        "    in_worker()\n"
        "except OSError:\n"
        "    told = traceback.format_exc()\n"
        "where = 'in DataLoader worker process 1'\n"
        "raise OSError(f'Caught OSError {where}.\\nOriginal {told}')",
        {
            "type": "OSError",
            "message": "cannot read: 77.jpg",
            "file": "/program.py",
            "line": 2,
        },
    ),
    "only_called_so": (
        "raise ValueError('Caught one.\\nOriginal Traceback (most recent call last):\\n')",
        {
            "type": "ValueError",
            "message": "Caught one.\nOriginal Traceback (most recent call last):\n",
            "file": "/program.py",
            "line": 1,
        },
    ),
    "interrupt": (
        "raise KeyboardInterrupt",
        {"type": "KeyboardInterrupt", "message": "", "file": "/program.py", "line": 1},
    ),
    "bad_str": (
        "class E(Exception):\n  def __str__(self): raise OSError\nraise E",
        {"type": "E", "message": "", "file": "/program.py", "line": 3},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_exception_is_told_with_its_own_line(agent, tmp_path, name):
    source, expected = CASES[name]
    code, (facts,) = ending(agent, tmp_path, source)
    assert code != 0
    assert {key: facts[key] for key in expected} == expected


@pytest.mark.parametrize(
    "source",
    [
        "raise SystemExit(3)",
        "try:\n  1/0\nexcept ZeroDivisionError: pass",
        "import os; os._exit(2)",
    ],
    ids=["exit", "handled", "at_once"],
)
def test_no_exception_ended_it(agent, tmp_path, source):
    _, endings = ending(agent, tmp_path, "import latido\nlatido.mark('on')\n" + source)
    assert endings == []


def test_long_message_is_cut(agent, tmp_path):
    _, (facts,) = ending(agent, tmp_path, "raise ValueError('x' * 9000)")
    assert facts["message"] == "x" * 500


def test_exception_inside_a_zone_ends_it(agent, tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import latido\nwith latido.zone('a'):\n  with latido.zone('b'):\n    1/0")
    assert agent.run(str(program)).returncode == 1
    (process,) = agent.processes()
    assert all(span.end for span in process.spans)
