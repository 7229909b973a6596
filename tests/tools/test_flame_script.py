"""The policy of our pages allows the script of the flame graph by its hash: the right one."""

import base64
import hashlib
import re
from pathlib import Path

REPORT = Path(__file__).resolve().parents[2] / "src" / "report"
SCRIPT = re.compile(r'R"js\((.*)\)js"', re.DOTALL)


def test_the_policy_allows_the_script_as_it_is() -> None:
    found = SCRIPT.search((REPORT / "flame_script.cc").read_text(encoding="utf-8"))
    assert found is not None
    digest = hashlib.sha256(found.group(1).encode()).digest()
    wanted = "sha256-" + base64.b64encode(digest).decode()
    # When the script was changed: put the text that is missed here into flame_script.h.
    assert f'"{wanted}"' in (REPORT / "flame_script.h").read_text(encoding="utf-8")
