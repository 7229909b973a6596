"""Checks the form of the changelog fragments in changes/ (see changes/README.md)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

NAME = re.compile(r"\d+-[a-z0-9]+(-[a-z0-9]+)*\.md")
FIRST_LINE = re.compile(r"(Added|Changed|Fixed|Removed): .+\.")


def faults(folder: Path) -> list[str]:
    """One sentence for each fragment that does not have the form, in name order."""
    found: list[str] = []
    for path in sorted(folder.iterdir()):
        if path.name == "README.md":
            continue
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        if not NAME.fullmatch(path.name):
            found.append(f"changes/{path.name}: the name is not <issue>-<few-words>.md")
        if not FIRST_LINE.fullmatch(first):
            found.append(f"changes/{path.name}:1: not 'Added|Changed|Fixed|Removed: a sentence.'")
    return found


def main() -> int:
    """Returns 0 when every fragment has the form, else 1."""
    found = faults(Path(__file__).resolve().parent.parent / "changes")
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
