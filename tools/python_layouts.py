"""Makes src/stacks/layout_table.inc: where the structs of each CPython have the fields we read.

    tools/python_layouts.py           print the rows of the interpreters of this machine
    tools/python_layouts.py --write   and write them into the table, keeping the others
    tools/python_layouts.py --check   exit 1 when a row of the table differs from the headers

A row is printed by tools/python_layout.c, compiled against the headers of one interpreter: those on
PATH and pyenv's. From 3.13 a process says most offsets itself; that row has the others.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "tools" / "python_layout.c"
TABLE = ROOT / "src" / "stacks" / "layout_table.inc"
MINORS = range(8, 14)
HEAD = "// Made by tools/python_layouts.py from the headers of CPython (x86-64). Do not edit.\n"


def include_folders() -> list[tuple[int, Path]]:
    """(minor, folder with Python.h and internal/) of each interpreter found; a minor may repeat."""
    found: dict[Path, int] = {}
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in MINORS:
        name = f"python3.{minor}"
        roots = [*sorted(pyenv.glob(f"3.{minor}.*")), Path("/usr"), Path("/usr/local")]
        for root in roots:
            folder = root / "include" / name
            if (folder / "internal" / "pycore_pystate.h").exists():
                found.setdefault(folder.resolve(), minor)
    return [(minor, folder) for folder, minor in found.items()]


def row_of(folder: Path, compiler: str) -> str:
    """The row that the headers in `folder` give."""
    with tempfile.TemporaryDirectory() as work:
        program = Path(work) / "layout"
        includes = [f"-I{folder}", f"-I{folder}/internal"]
        command = [compiler, "-w", *includes, str(PROGRAM), "-o", str(program)]
        subprocess.run(command, check=True)
        lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return "Layout{\n" + lines + "},\n"


def read_table() -> dict[int, str]:
    """Minor to row, as the table has them now."""
    text = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    rows = re.findall(r"Layout\{\n(?:    \..*\n)*\},\n", text)
    return {int(m[1]): row for row in rows if (m := re.search(r"\.minor = (\d+)", row))}


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 when the table says what the headers say, or was written."""
    parser = argparse.ArgumentParser(description="Offsets of CPython's structs.")
    parser.add_argument("--write", action="store_true", help="write the rows into the table")
    parser.add_argument("--check", action="store_true", help="compare the table with the headers")
    options = parser.parse_args(arguments)

    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("no C compiler")
    table = read_table()
    differing = 0
    for minor, folder in include_folders():
        row = row_of(folder, compiler)
        if options.write:
            table[minor] = row
        elif options.check:
            same = table.get(minor) == row
            differing += not same
            print(f"{folder}: {'as in the table' if same else 'DIFFERS from the table'}")
        else:
            print(f"// {folder}\n{row}", end="")
    if options.write:
        TABLE.write_text(HEAD + "".join(table[m] for m in sorted(table)), encoding="utf-8")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
