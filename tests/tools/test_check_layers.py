"""tools/check_layers.py: what it lets pass and what it stops."""

from pathlib import Path

import check_layers
import pytest

TABLE = {
    "base": "latido_module(NAME base)",
    "model": "latido_module(NAME model MAY_INCLUDE base)",
    "capture": "# latido_base is not for this one\nadd_library(latido_capture SHARED ring.cc)",
    "analysis": "latido_module(NAME analysis MAY_INCLUDE base model)",
    "store": "latido_module(\n  NAME store\n  MAY_INCLUDE base model  # words\n  LINK x::y)",
    "agent": "latido_module(NAME agent MAY_INCLUDE base model)",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for module, text in TABLE.items():
        folder = tmp_path / "src" / module
        folder.mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text(text)
    return tmp_path


def write(tree: Path, name: str, *lines: str) -> None:
    path = tree / "src" / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text("\n".join(lines) + "\n")


def found(tree: Path) -> list[str]:
    return [str(violation) for violation in check_layers.check_tree(tree)]


@pytest.mark.parametrize(
    ("name", "include"),
    [
        ("model/step.h", '"base/result.h"'),
        ("model/step.h", '"model/ids.h"'),
        ("model/step.h", "<vector>"),
        ("agent/drain.cc", '"capture/ring_format.h"'),
        ("store/sqlite/database.cc", "<sqlite3.h>"),
        ("analysis/golden_test.cc", "<fstream>"),
        ("agent/drain_test.cc", '"latido/latido.h"'),
        ("capture/testing/fake_agent.h", '"base/result.h"'),
    ],
    ids=[
        "lower",
        "own",
        "standard",
        "single-header",
        "library-at-home",
        "test-reads-files",
        "test-records",
        "testing-folder",
    ],
)
def test_lets_pass(tree: Path, name: str, include: str) -> None:
    write(tree, name, f"#include {include}")
    assert found(tree) == []


@pytest.mark.parametrize(
    ("name", "include", "part"),
    [
        ("model/step.h", '"analysis/steps.h"', "model may not include analysis"),
        ("analysis/steps.cc", '"store/catalog.h"', "analysis may not include store"),
        ("capture/ring.cc", '"base/result.h"', "capture may not include base"),
        ("agent/drain.cc", '"capture/ring_memory.h"', "agent may not include capture"),
        ("agent/drain.cc", '"latido/latido.h"', "agent may not include capture"),
        ("agent/drain.cc", '"drain.h"', '"agent/drain.h"'),
        ("agent/drain.cc", "<sqlite3.h>", "<sqlite3.h> is for src/store/ only"),
        ("analysis/steps.cc", '"base/clock.h"', "analysis is pure"),
        ("analysis/steps.cc", "<fstream>", "analysis is pure"),
    ],
    ids=[
        "up",
        "sideways",
        "libc-only",
        "not-that-header",
        "recorder",
        "relative",
        "library",
        "clock",
        "files",
    ],
)
def test_stops_and_names_the_line(tree: Path, name: str, include: str, part: str) -> None:
    write(tree, name, "#pragma once", "", f"  #  include {include}")
    [violation] = found(tree)
    assert violation.startswith(f"src/{name}:3: ")
    assert part in violation


def test_names_modules_that_do_not_exist(tree: Path) -> None:
    write(tree, "agent/CMakeLists.txt", "latido_module(NAME agent MAY_INCLUDE base telemetry)")
    assert found(tree) == ["src/agent/CMakeLists.txt:1: there is no module src/telemetry"]


def test_names_a_circle_of_modules(tree: Path) -> None:
    write(tree, "base/CMakeLists.txt", "latido_module(NAME base MAY_INCLUDE model)")
    assert "modules in a circle: " in found(tree)[0]


def test_includes_in_comments_and_strings_are_not_includes(tree: Path) -> None:
    write(tree, "model/step.h", '// #include "analysis/steps.h"', 'x = "#include <sqlite3.h>";')
    assert found(tree) == []


def test_the_page_must_show_the_table(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tree / "PAGE.md"
    page.write_text(f"before\n{check_layers.TABLE_BEGIN}\n{check_layers.TABLE_END}\nafter\n")
    arguments = ["--root", str(tree), "--table", "PAGE.md"]

    assert check_layers.main(arguments) == 1
    assert "PAGE.md:2: the include table is old" in capsys.readouterr().out
    assert check_layers.main([*arguments, "--write"]) == 0
    assert check_layers.main(arguments) == 0

    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "| base | nothing |" in text
    assert "| agent | base model `capture/ring_format.h` |" in text
    assert text.index("| model |") < text.index("| agent |"), "lowest module first"


def test_a_page_without_markers_is_a_violation(tree: Path) -> None:
    (tree / "PAGE.md").write_text("nothing here\n")
    assert check_layers.main(["--root", str(tree), "--table", "PAGE.md"]) == 1
