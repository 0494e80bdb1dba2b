"""Files are read elsewhere: within time and memory, and until somebody says stop."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

import pytest
from ui.driver import button, finished, go, open_app, score_file, settings_field, upload, words

from dashboard.background.failures import RolesAsked
from dashboard.background.workers import Task, Worker
from dashboard.session.uploads import examples
from nlpstat_core.errors import AnalysisError, Cancelled
from tests.ui import deeds


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(prepares="reading")
    yield made
    made.close()


def test_work_that_takes_too_much_memory_is_told_in_words(worker: Worker) -> None:
    with pytest.raises(AnalysisError, match="more than 8 GiB of memory: try fewer systems"):
        worker.do(Task(deeds.take_memory, (64,)), lambda *_: None, lambda: False)
    process = worker.start()
    assert worker.do(Task(deeds.same, (1,)), lambda *_: None, lambda: False)["process"] == process.pid


def test_a_reader_that_keeps_much_is_replaced(worker: Worker, monkeypatch) -> None:
    before = worker.do(Task(deeds.same, (1,)), lambda *_: None, lambda: False)["process"]
    monkeypatch.setattr("dashboard.background.workers.MOST_KEPT", 1)
    worker.do(Task(deeds.same, (1,)), lambda *_: None, lambda: False)
    monkeypatch.undo()
    assert worker.do(Task(deeds.same, (1,)), lambda *_: None, lambda: False)["process"] != before


def test_it_can_be_stopped_while_work_is_being_sent(worker: Worker, monkeypatch) -> None:
    """Whoever is to take the work doesn't: then the pipe is full, and only an end from outside helps."""
    idle = (sys.executable, "-c", "import time; time.sleep(60)")
    monkeypatch.setattr("dashboard.background.worker_talk.PROGRAM", idle)
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        worker.do(Task(deeds.same, (b"x" * 5_000_000,)), lambda *_: None, stop.is_set)
    assert time.monotonic() - begun < 3


def test_a_file_that_never_ends_is_given_up(app, monkeypatch) -> None:
    monkeypatch.setattr("dashboard.background.readings.read", deeds.read_for_ever)
    monkeypatch.setenv("NLPSTAT_MAX_SECONDS", "3")
    app.file_uploader[0].upload("endless.csv", score_file(3), "text/csv").run()
    assert not app.exception
    assert any(item.label == "Cancel" for item in app.button)
    for _ in range(40):
        time.sleep(0.3)
        app.run()
        if app.error:
            break
    assert "took more than 3 seconds and was stopped" in app.error[0].value
    monkeypatch.undo()
    upload(app, score_file(3))
    assert "of 3 pairs are found to differ" in words(app)


def test_cancel_keeps_what_was_there(app, monkeypatch) -> None:
    upload(app, score_file(4))
    monkeypatch.setattr("dashboard.background.readings.read", deeds.read_for_ever)
    app.file_uploader[0].upload("endless.csv", score_file(3), "text/csv").run()
    assert "of 6 pairs are found to differ" in words(app)
    button(app, "Cancel")()
    said = "Reading endless.csv was cancelled; everything else is as it was."
    assert said in words(app)
    finished(app.run())
    assert said in words(app)
    assert "of 6 pairs are found to differ" in words(app)
    assert not app.error
    assert said not in words(go(app, "leaderboard"))
    monkeypatch.undo()
    assert said not in words(upload(go(app, "scores"), score_file(3)))
    assert "of 3 pairs are found to differ" in words(app)


def test_a_cancelled_file_uses_up_neither_a_settings_file_nor_a_link(app, monkeypatch) -> None:
    link = open_app(sheet="second")
    settings_field(app).upload(
        "replay.json", b'{"reading": {"lower_is_better": true}}', "application/json"
    ).run()
    finished(app)
    monkeypatch.setattr("dashboard.background.readings.read", deeds.read_for_ever)
    for session, kept in ((app, "reading"), (link, "linked_board")):
        before = getattr(session.session_state["_session"], kept)
        assert before
        session.file_uploader[0].upload("endless.csv", score_file(3), "text/csv").run()
        button(session, "Cancel")()
        assert "Reading endless.csv was cancelled" in words(session)
        assert getattr(session.session_state["_session"], kept) == before


def test_cancelled_battles_and_outputs_are_told(app, monkeypatch) -> None:
    monkeypatch.setattr("dashboard.background.preferences.read", deeds.read_for_ever)
    monkeypatch.setattr("dashboard.background.submissions.read", deeds.read_outputs_for_ever)
    example = next(one for one in examples() if "measures" in one)
    app.button(key=f"example {example['key']}").click().run()
    button(app, "Cancel")()
    assert "was cancelled; everything else is as it was." in words(app)
    go(app, "preferences")
    assert "was cancelled" not in words(app)
    next(item for item in app.button if item.label.startswith("Try the example")).click().run()
    button(app, "Cancel")()
    assert "was cancelled; everything else is as it was." in words(app)


def test_too_much_memory_is_a_sentence_about_the_file(app, monkeypatch) -> None:
    monkeypatch.setattr("dashboard.background.readings.read", deeds.read_too_much)
    upload(app, score_file(3))
    assert "reading this takes more than 4 GiB of memory" in app.error[0].value


def test_a_question_about_columns_comes_as_data(worker: Worker) -> None:
    with pytest.raises(RolesAsked, match="which"):
        worker.do(Task(deeds.ask_for_roles, ()), *QUIET)


QUIET = (lambda done, total: None, lambda: False)
