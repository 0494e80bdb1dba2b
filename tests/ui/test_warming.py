"""After the first page is drawn nothing has to be imported for the first analysis."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import gc, sys
from dashboard.compute import worker
from dashboard.warming import warm_up
warm_up()
warm_up()
worker(quick=True).submit(int).result()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
before = set(sys.modules)
import numpy as np
from dashboard.figures.heatmap import heatmap_figure
from nlpstat_core.analysis import analyse
from nlpstat_core.scores import ScoreMatrix
values = np.random.default_rng(1).normal(size=(60, 3))
analysis = analyse(ScoreMatrix(values=values, systems=("A", "B", "C")))
analysis.pair("A", "B")
print(*sorted(name for name in set(sys.modules) - before if name.count(".") < 2))
"""
LARGE = ("scipy", "pandas", "plotly", "statsmodels", "nlpstat_core", "dashboard")


def test_the_first_analysis_finds_its_modules_loaded() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    late = [name for name in ran.stdout.split() if name.split(".")[0] in LARGE]
    assert late == []
