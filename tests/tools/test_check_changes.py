"""tools/check_changes.py: the form of a changelog fragment."""

from pathlib import Path

import check_changes
import pytest


@pytest.mark.parametrize(
    ("name", "text", "want"),
    [
        ("2-run.md", "Added: `latido run`.\n", 0),
        ("2-run.md", "Fixed: a crash.\nDelete the old run first.\n", 0),
        ("README.md", "no fragment", 0),
        ("run.md", "Added: `latido run`.\n", 1),
        ("2-run.md", "latido run\n", 1),
        ("2-Run.txt", "", 2),
    ],
    ids=["one-line", "more-lines", "readme", "no-issue", "no-kind", "both"],
)
def test_counts_the_faults(tmp_path: Path, name: str, text: str, want: int) -> None:
    (tmp_path / name).write_text(text)
    assert len(check_changes.faults(tmp_path)) == want
