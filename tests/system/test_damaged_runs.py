"""Recordings that are damaged, newer than the program, or hard to name: said, never guessed."""

from __future__ import annotations

import json
import os
import sqlite3
import sys

import pytest
from conftest import Latido


def test_a_run_of_a_newer_version_is_refused_by_name(latido: Latido) -> None:
    latido.run("true")
    database = next(latido.home.rglob("run.db"))
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    done = latido("report", "last")
    assert done.returncode == 1
    assert "newer" in done.stderr


@pytest.mark.parametrize("damage", ["truncate", "noise"])
def test_a_damaged_timeline_is_read_as_far_as_it_goes(latido: Latido, damage: str) -> None:
    latido.run_python("plain.py")
    segment = next(latido.home.rglob("*.pftrace"))
    content = segment.read_bytes()
    if damage == "truncate":
        segment.write_bytes(content[: len(content) // 2])
    else:
        segment.write_bytes(os.urandom(len(content)))
    done = latido("report", "last", "--format", "json")
    assert done.returncode == 0, done.stderr
    if damage == "noise":
        assert json.loads(done.stdout)["quality"]["malformed"] > 0


@pytest.mark.parametrize("damage", ["empty", "gone"])
def test_a_lost_timeline_is_said(latido: Latido, damage: str) -> None:
    latido.run(sys.executable, "-c", "import latido\nwith latido.zone('z'): pass")
    segment = next(latido.home.rglob("*.pftrace"))
    if damage == "empty":
        segment.write_bytes(b"")
    else:
        segment.unlink()
    assert "timeline_incomplete: 1/1" in latido.report()["quality"]["notes"]


def test_an_emptied_database_is_said(latido: Latido) -> None:
    latido.run("true")
    next(latido.home.rglob("run.db")).write_bytes(b"")
    assert "database_incomplete" in str(latido.report()["quality"]["notes"])


def test_pipes_in_place_of_files_are_not_waited_for(latido: Latido) -> None:
    latido.run(sys.executable, "-c", "import latido\nwith latido.zone('z'): pass")
    for name in ("run.db", "*.pftrace", "meta.json"):
        file = next(latido.home.rglob(name))
        file.unlink()
        os.mkfifo(file)
        latido("runs", timeout_s=20)
        latido("report", "last", timeout_s=20)


def test_the_list_of_runs_is_a_line_each_and_harmless(latido: Latido) -> None:
    latido.run("sh", "-c", "true\n# \x1b[31mred")
    shown = latido("runs").stdout
    assert shown.count("\n") == 2  # with the header
    assert "\x1b" not in shown


def test_a_run_may_be_named_by_its_folder_right_here(latido: Latido) -> None:
    latido.run("true")
    folder = next(latido.home.rglob("run.db")).parent.rename(latido.home / "copy")
    assert latido("report", folder.name, cwd=latido.home).returncode == 0


def test_an_unknown_run_names_those_that_are_there(latido: Latido) -> None:
    latido.run("true")
    done = latido("report", "nonsense")
    assert done.returncode == 1
    assert "true-" in done.stderr
