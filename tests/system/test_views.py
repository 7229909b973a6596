"""What is seen of functions, lines and the timeline: in reports, comparisons, and other tools."""

from __future__ import annotations

import gzip
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

from conftest import PROGRAMS, Latido

KNOWN_CALLS = PROGRAMS / "known_calls.py"


def record(latido: Latido, *options: str, program: Path = KNOWN_CALLS, calls: str = "40") -> None:
    done = latido("run", *options, "--", sys.executable, program, calls)
    assert done.returncode == 0, done.stderr


def exported(latido: Latido, form: str, path: Path) -> bytes:
    done = latido("report", "last", "--export", form, "-o", path)
    assert done.returncode == 0, done.stderr
    return path.read_bytes()


def ns(microseconds: Decimal) -> int:
    """Exactly: there are no fractions of a nanosecond."""
    whole = microseconds * 1000
    assert whole == int(whole)
    return int(whole)


def events_of(trace: dict[str, Any], phase: str) -> list[dict[str, Any]]:
    return [event for event in trace["traceEvents"] if event["ph"] == phase]


Place = tuple[str, str]  # name, file:line


def place_of(span: dict[str, Any]) -> Place:
    return span["name"], span["args"]["at"]


def own_times(spans: list[dict[str, Any]]) -> dict[Place, int]:
    """Own time by function, from how the spans of each thread nest; they must."""
    own: dict[Place, int] = {}
    open_spans: dict[tuple[int, int], list[tuple[Place, int]]] = {}
    spans = sorted(spans, key=lambda span: (ns(span["ts"]), -ns(span["dur"])))
    for span in spans:
        begin, duration = ns(span["ts"]), ns(span["dur"])
        stack = open_spans.setdefault((span["pid"], span["tid"]), [])
        while stack and stack[-1][1] <= begin:
            stack.pop()
        place = place_of(span)
        own[place] = own.get(place, 0) + duration
        if stack:
            assert begin + duration <= stack[-1][1], f"{place} crosses {stack[-1][0]}"
            own[stack[-1][0]] -= duration
        stack.append((place, begin + duration))
    return own


def test_a_chrome_trace_says_what_the_report_says(latido: Latido, tmp_path: Path) -> None:
    record(latido, "--functions", "full")
    text = exported(latido, "chrome", tmp_path / "run.json")
    trace = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    spans = events_of(trace, "X")
    functions = [span for span in spans if span["cat"] == "function"]
    own = own_times(functions)
    report = latido.report()
    (rank,) = report["ranks"]
    for function in rank["functions"]:
        if (function["file"] or "").startswith(str(PROGRAMS)):
            place = (function["name"], f"{function['file']}:{function['line']}")
            assert own[place] == function["self_ns"], place
            assert sum(place_of(span) == place for span in functions) == function["calls"]
    names = {event["args"]["name"] for event in events_of(trace, "M")}
    assert {"machine", "MainThread"} <= names or any("known_calls.py" in name for name in names)
    counters = {event["name"] for event in events_of(trace, "C")}
    assert "run.rss_bytes" in counters or any(name.endswith("rss_bytes") for name in counters)
    assert trace["otherData"]["run_id"] == report["run"]["id"]


def test_a_compressed_chrome_trace_is_the_same(latido: Latido, tmp_path: Path) -> None:
    record(latido, "--functions", "full")
    plain = exported(latido, "chrome", tmp_path / "run.json")
    assert gzip.decompress(exported(latido, "chrome", tmp_path / "run.json.gz")) == plain
    segments = exported(latido, "perfetto", tmp_path / "run.pftrace")
    assert gzip.decompress(exported(latido, "perfetto", tmp_path / "run.pftrace.gz")) == segments


def test_lines_are_shown_with_their_text_only_where_asked(latido: Latido, tmp_path: Path) -> None:
    record(latido, "--sample", "200", calls="400")
    (rank,) = latido.report()["ranks"]
    line = rank["lines"][0]
    assert (line["file"], line["function"]) == (str(KNOWN_CALLS), "sleep_a_little")
    sleeping = KNOWN_CALLS.read_text(encoding="utf-8").splitlines()[line["line"] - 1].strip()
    assert sleeping == "time.sleep(0.002)"
    assert 0 < line["sampled_self_ns"] <= line["sampled_total_ns"]
    assert sleeping in latido("report", "last").stdout
    for form in ("html", "json", "md"):
        path = tmp_path / f"report.{form}"
        assert latido("report", "last", "-o", path).returncode == 0
        assert sleeping not in path.read_text(encoding="utf-8")
        assert latido("report", "last", "--source", "-o", path).returncode == 0
        assert "time.sleep(0.002)" in path.read_text(encoding="utf-8").replace("\\", "")


def test_excluded_functions_are_named(latido: Latido) -> None:
    record(latido, "--functions", "full", "--exclude", "sleep_a_little")
    done = latido("report", "last", "--functions-list", "--format", "json")
    report = json.loads(done.stdout)
    states = {
        function["name"]: function["state"]
        for function in report["function_list"]
        if (function["file"] or "").startswith(str(PROGRAMS))
    }
    assert states == {
        "<module>": "recorded",
        "main": "recorded",
        "Model": "recorded",
        "Model.forward": "recorded",
        "sleep_a_little": "excluded",
    }
    assert report["ranks"][0]["functions_excluded"] == 1
    assert "1 excluded" in latido("report", "last", "--all").stdout
    listed = latido("report", "last", "--functions-list").stdout
    assert "1 excluded by --include and --exclude" in listed
    assert latido.report()["function_list"] is None


def test_patterns_that_match_nothing_are_said(latido: Latido) -> None:
    record(latido, "--functions", "full", "--include", "no_such_module.*")
    shown = latido("report", "last").stdout
    assert "none was recorded" in shown, shown
    assert "--include" in shown


def test_a_comparison_names_the_functions_that_changed(latido: Latido, tmp_path: Path) -> None:
    faster = tmp_path / "known_calls.py"
    text = KNOWN_CALLS.read_text(encoding="utf-8")
    faster.write_text(text.replace("0.002", "0.0005").replace("200", "60000"), encoding="utf-8")
    record(latido, "--sample", "200", calls="400")
    record(latido, "--sample", "200", program=faster, calls="400")
    diff = json.loads(latido("diff", "last~1", "last", "--format", "json").stdout)
    functions = diff["functions"]
    assert not functions["per_step"]
    changes = {change["name"]: change["change_ratio"] for change in functions["changed"]}
    assert changes["Model.forward"] > 0.1
    assert changes["sleep_a_little"] < -0.1
    assert "sleep_a_little" in latido("diff", "last~1", "last").stdout
    page = tmp_path / "diff.html"
    assert latido("diff", "last~1", "last", "-o", page).returncode == 0
    assert "<canvas" in page.read_text(encoding="utf-8")
    record(latido, "--sample", "0")
    said = latido("diff", "last~1", "last").stdout
    assert "no stacks were sampled in" in " ".join(said.split())
