"""Timing: ours and the reference in turn, so that a busy machine slows both; medians and their ratio."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Row:
    """One line of the table: seconds of ours, of the reference, and what the ratio should reach."""

    task: str
    board: str
    ours: float
    reference_name: str
    reference: float
    goal: float

    @property
    def ratio(self) -> float:
        return self.reference / self.ours

    @property
    def reached(self) -> bool:
        return self.ratio >= self.goal


@dataclass(frozen=True)
class Whole:
    """One whole analysis in a process of its own: seconds, peak memory, bounds."""

    task: str
    board: str
    seconds: float
    processor: float
    megabytes: float
    most_seconds: float
    most_megabytes: float

    @property
    def reached(self) -> bool:
        return self.seconds <= self.most_seconds and self.megabytes <= self.most_megabytes


def seconds(function: Callable[[], Any]) -> float:
    """Wall-clock time of one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def side_by_side(
    ours: Callable[[], Any], reference: Callable[[], Any], scale: float = 1.0, repeats: int = 5
) -> tuple[float, float]:
    """Median seconds of both, called in turn after one call each to warm up.

    `scale` multiplies the reference: a loop timed on a few of many pairs.
    """
    ours()
    times = [(seconds(ours), seconds(reference) * scale) for _ in range(repeats)]
    return median(one for one, _ in times), median(other for _, other in times)


def typical(function: Callable[[], Any], repeats: int = 3) -> float:
    """Median seconds after one call to warm up."""
    function()
    return median(seconds(function) for _ in range(repeats))


def alone(scenario: str) -> dict[str, float]:
    """What a scenario of `whole.py` took in a fresh process."""
    command = [sys.executable, "-m", "tests.benchmarks", "--scenario", scenario]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def peak_megabytes() -> float:
    """Most memory this program has held; `getrusage` would count the parent's from before it was started."""
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
        return float(fields["VmHWM"].split()[0]) / 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
