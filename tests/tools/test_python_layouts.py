"""The table of CPython's offsets says what the headers of this machine's interpreters say."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_tool() -> ModuleType:
    """tools/python_layouts.py as a module."""
    spec = importlib.util.spec_from_file_location(
        "python_layouts", ROOT / "tools" / "python_layouts.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()
FOUND = TOOL.include_folders()


def test_the_table_has_a_row_for_each_version() -> None:
    assert sorted(TOOL.read_table()) == list(TOOL.MINORS)


@pytest.mark.skipif(not FOUND, reason="no headers of CPython 3.8 to 3.13 on this machine")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize(("minor", "folder"), FOUND, ids=[str(folder) for _, folder in FOUND])
def test_a_row_is_what_the_headers_say(minor: int, folder: Path) -> None:
    assert TOOL.row_of(folder, "cc") == TOOL.read_table()[minor]
