"""The examples: the demo's two trainings do the same work, and the C++ program shows its zones."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/demo"))

import digits  # noqa: E402
from train_healthy import QuicklyRotatedDigits  # noqa: E402
from train_starved import SlowlyRotatedDigits  # noqa: E402


def test_both_demo_trainings_see_the_same_images() -> None:
    data = digits.load(training=True)
    slow, quick = SlowlyRotatedDigits(data), QuicklyRotatedDigits(data)
    for epoch in (0, 1):
        slow.start_epoch(epoch)
        quick.start_epoch(epoch)
        for index in (0, 7, len(slow) - 1):
            slow_image, slow_label = slow[index]
            quick_image, quick_label = quick[index]
            np.testing.assert_array_equal(slow_image, quick_image)
            assert slow_label == quick_label


def test_a_digit_that_is_not_turned_stays_as_it_is() -> None:
    data = digits.load(training=False)
    dataset = SlowlyRotatedDigits(data)
    dataset.angles = np.zeros(len(dataset))
    inside = (slice(0, digits.SIZE - 1), slice(0, digits.SIZE - 1))
    np.testing.assert_allclose(dataset[5][0][0][inside], data.images[5][inside], atol=1e-6)


@pytest.fixture
def kmeans() -> Path:
    binary = Path(os.environ.get("LATIDO_BINARY", ROOT / "build/release/bin/latido"))
    return binary.parent.parent / "examples/kmeans"


def test_the_cpp_example_is_a_run_with_steps_and_zones(kmeans: Path, tmp_path: Path) -> None:
    binary = kmeans.parent.parent / "bin/latido"
    environment = os.environ | {"LATIDO_HOME": str(tmp_path)}
    subprocess.run([binary, "run", "--", kmeans, "5000", "40"], env=environment, check=True)
    report = subprocess.run(
        [binary, "report", "last", "--format", "json"],
        env=environment,
        check=True,
        capture_output=True,
    )
    [rank] = json.loads(report.stdout)["ranks"]
    assert rank["step_source"] == "api"
    assert len(rank["steps"]) == 40


def test_the_cpp_example_rejects_too_few_points(kmeans: Path) -> None:
    done = subprocess.run([kmeans, "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: kmeans")
