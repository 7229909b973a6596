"""What the pages for people say must hold: links, commands and snippets."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("changes/*.md")])
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(text(page)) if kind == language]


def commands(page: Path, program: str) -> set[str]:
    """The first words after `program` at the start of a line of a block without language."""
    lines = [line for body in blocks(page, "") for line in body.splitlines()]
    return {
        words[1] for line in lines if (words := line.split())[:1] == [program] and len(words) > 1
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    missing = [link for link in LINK.findall(text(page)) if not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_make_targets_exist(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text(ROOT / "Makefile"), re.MULTILINE))
    used = commands(ROOT / name, "make")
    assert used
    assert used - targets == set()


def test_subcommands_of_the_readme_exist() -> None:
    binary = os.environ.get("LATIDO_BINARY", ROOT / "build/release/bin/latido")
    used = commands(ROOT / "README.md", "latido")
    assert {"run", "report", "diff"} <= used
    for command in sorted(used):
        done = subprocess.run(
            [binary, command, "--help"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"latido {command} --help: {done.stderr}"


def test_python_snippets_run() -> None:
    package = os.environ.get("LATIDO_PYTHON_PATH", str(ROOT / "build/release/python"))
    snippets = blocks(ROOT / "README.md", "python")
    assert snippets
    for snippet in snippets:
        subprocess.run(
            [sys.executable, "-c", snippet], env=os.environ | {"PYTHONPATH": package}, check=True
        )


def test_cpp_snippets_compile() -> None:
    snippets = blocks(ROOT / "README.md", "cpp")
    assert snippets
    include = ROOT / "src/capture/include"
    for snippet in snippets:
        command = ["g++", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", f"-I{include}"]
        subprocess.run([*command, "-x", "c++", "-"], input=snippet, text=True, check=True)
