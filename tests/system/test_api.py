"""What a program records itself with the `latido` module is in the report."""

from __future__ import annotations

from conftest import Latido


def test_logged_values_are_reported(latido: Latido) -> None:
    done = latido.run_python("logged_values.py")
    assert done.returncode == 0, done.stderr

    report = latido.report()
    (rank,) = report["ranks"]
    assert rank["step_source"] == "api"
    assert rank["series_beyond"] == 0
    assert rank["series"] == [
        {
            "name": "queue_length",
            "count": 30,
            "not_finite": 0,
            "first": 29,
            "last": 0,
            "min": 0,
            "max": 29,
        },
        {
            "name": "odd",
            "count": 3,
            "not_finite": 2,
            "first": None,
            "last": None,
            "min": 2.5,
            "max": 2.5,
        },
    ]
    shown = latido("report", "last").stdout
    shown = " ".join(shown.split())  # where the line breaks hangs on what else the machine did
    assert "logged queue_length 29 → 0" in shown
    assert "odd NaN → \N{MINUS SIGN}∞" in shown
