"""What the operator's log tells of work: kind, outcome, time and size; never a score or a name."""

import json
from contextlib import suppress

import pytest
from core.boards import hostile_board

from dashboard.background.jobs import Job
from dashboard.background.journal import noted
from dashboard.background.tasks import analysed
from dashboard.background.workers import Task, work_queue
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import AnalysisError, Cancelled


def never():
    return False


def silent(done, total):
    return None


def test_nothing_is_written_unasked(monkeypatch, capsys):
    monkeypatch.delenv("NLPSTAT_LOG", raising=False)
    with noted("analysed", ()):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (None, "done"),
        (Cancelled("x"), "cancelled"),
        (AnalysisError("Avocet is not there"), "refused"),
        (OSError("Avocet"), "failed"),
    ],
)
def test_every_end_is_told_without_its_words(monkeypatch, capsys, error, outcome):
    monkeypatch.setenv("NLPSTAT_LOG", "1")
    with suppress(type(error) if error else ()), noted("pair", ("Avocet", 3.25)):
        if error is not None:
            raise error
    line = json.loads(capsys.readouterr().err)
    assert (line.pop("work"), line.pop("outcome")) == ("pair", outcome)
    assert line.pop("seconds") >= 0
    assert line.pop("time").endswith("+00:00")
    assert not line


def test_an_analysis_in_a_worker_process_is_one_line(monkeypatch, capsys):
    monkeypatch.setenv("NLPSTAT_LOG", "1")
    scores = hostile_board().scores
    job = Job("key", lambda *how: work_queue("quick").do(Task(analysed, (scores, AnalysisConfig())), *how))
    job.submit(work_queue("quick").pool)
    job.wait(120)
    job.result()
    (line,) = capsys.readouterr().err.splitlines()
    entry = json.loads(line)
    assert (entry["work"], entry["outcome"]) == ("analysed", "done")
    assert (entry["systems"], entry["units"]) == (scores.n_systems, scores.n_units)
    assert set(entry) == {"time", "work", "outcome", "seconds", "systems", "units"}
