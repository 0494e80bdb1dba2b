"""After the first page is drawn nothing has to be imported for the first analysis."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import gc, sys, threading
import numpy as np
from dashboard.background import power_tasks, tasks
from dashboard.background.workers import Task, work_queue
from dashboard.server.warm_up import warm_up
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.ui import deeds

def done(function, *arguments):
    return work_queue("quick").worker.do(Task(function, arguments), lambda done, total: None, lambda: False)

warm_up()
warm_up()
for thread in threading.enumerate():
    if thread.name == "warming":
        thread.join()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
before, there = set(sys.modules), done(deeds.modules)
values = np.random.default_rng(1).normal(size=(60, 3))
scores = ScoreMatrix(values=values, systems=("A", "B", "C"))
analysis = done(tasks.analysed, scores, AnalysisConfig())
for task in (tasks.pair, tasks.other_tests, tasks.other_corrections):
    done(task, analysis, "A", "B")
done(power_tasks.board_power, analysis, 0.8, None)
from dashboard.figures.heatmap import heatmap_figure
late = set(sys.modules) - before | done(deeds.modules) - there
print(*sorted(name for name in late if name.count(".") < 2))
"""
LARGE = ("scipy", "pandas", "plotly", "statsmodels", "nlpstat_core", "dashboard")


def test_the_first_analysis_finds_its_modules_loaded() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    late = [name for name in ran.stdout.split() if name.split(".")[0] in LARGE]
    assert late == []


STOPPED = """
import concurrent.futures.thread as pools
import threading
from dashboard.server import warm_up
from dashboard.background.workers import work_queue

work_queue("quick")
warm_up._HEAD_START_SECONDS = 0
pools._shutdown = True  # as the interpreter says it when it ends
warm_up.warm_up()
for thread in threading.enumerate():
    if thread.name == "warming":
        thread.join(60)
"""


def test_a_server_that_is_stopped_at_once_ends_in_silence() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STOPPED], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
