"""Background work: progress, cancelling, queueing, the newest wins."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from ui.driver import button, finished, go, score_file, upload, words

from dashboard.background.jobs import Job, JobBook
from dashboard.session.results import is_quick
from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import AnalysisError, Cancelled
from nlpstat_core.readers import read_scores
from nlpstat_core.stopping import stoppable


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as made:
        yield made


def until_stopped(progress, should_stop):
    """Work that goes on until it is cancelled."""
    progress(1, 4)
    while not should_stop():
        time.sleep(0.005)
    raise Cancelled("stopped")


def test_result_and_progress(pool) -> None:
    job = Job("key", lambda progress, should_stop: progress(3, 4) or 42)
    job.submit(pool)
    assert job.wait(5)
    assert job.result() == 42
    assert job.progress == (3, 4)
    assert job.share_done == 0.75


def test_a_failure_is_raised_where_the_result_is_asked_for(pool) -> None:
    def fail(progress, should_stop):
        raise AnalysisError("no")

    job = Job("key", fail)
    job.submit(pool)
    assert job.wait(5)
    with pytest.raises(AnalysisError, match="no"):
        job.result()


def test_cancel_takes_effect_at_once_and_frees_the_worker(pool) -> None:
    job = Job("key", until_stopped)
    job.submit(pool)
    assert not job.wait(0.05)
    assert not job.queued
    begun = time.monotonic()
    job.cancel()
    assert job.ended
    assert job.cancelled
    with pytest.raises(Cancelled):
        job.result()
    after = Job("next", lambda progress, should_stop: "free")
    after.submit(pool)
    assert after.wait(1)
    assert time.monotonic() - begun < 1
    assert after.result() == "free"


def test_a_queued_job_waits_and_can_be_cancelled(pool) -> None:
    first, second = Job(1, until_stopped), Job(2, until_stopped)
    first.submit(pool)
    second.submit(pool)
    first.wait(0.05)
    assert second.queued
    second.cancel()
    first.cancel()
    assert second.ended
    with pytest.raises(Cancelled):
        second.result()


def test_the_newest_question_replaces_the_older_one(pool) -> None:
    book = JobBook()
    old = book.ask("analysis", 1, until_stopped, pool)
    new = book.ask("analysis", 2, lambda progress, should_stop: 2, pool)
    assert old.cancelled
    assert new.wait(5)
    assert book.ask("analysis", 2, until_stopped, pool) is new
    other = book.ask("pair", 1, until_stopped, pool)
    book.close()
    assert other.cancelled


@pytest.fixture
def work_here(monkeypatch) -> None:
    """Work is done in this process, where a test can hold it back."""

    def do(self, task, progress, should_stop):
        return task.function(*task.arguments, progress, should_stop)

    monkeypatch.setattr("dashboard.background.workers.Worker.do", do)


def test_who_stands_behind_a_job_of_the_same_session(pool) -> None:
    book = JobBook()
    with ThreadPoolExecutor(1) as elsewhere:
        book.ask("analysis", 1, until_stopped, pool)
        book.ask("pair", 1, until_stopped, pool)
        book.ask("file", 1, until_stopped, elsewhere)
        behind = [kind for kind in ("analysis", "pair", "file") if book.ahead_of(kind) is not None]
        assert behind == ["pair"]
        book.ask("analysis", 2, until_stopped, pool)  # a new question goes to the end
        assert book.ahead_of("analysis").key == 1
        assert book.ahead_of("pair") is None
        book.close()


def test_work_of_a_page_that_was_left_makes_way(pool, monkeypatch) -> None:
    book = JobBook()
    running = book.ask("boards", 1, until_stopped, pool, "boards")
    shared = book.ask("analysis", 1, until_stopped, pool, "boards")
    waiting = book.ask("changes", 1, until_stopped, pool, "boards")
    while not running.working:
        time.sleep(0.01)
    assert book.ask("analysis", 1, until_stopped, pool, "power") is shared
    mine = book.ask("power", 1, lambda progress, should_stop: "mine", pool, "power")
    assert running.cancelled
    assert waiting.cancelled
    assert not shared.cancelled  # the new page asked for it, too
    assert book.ahead_of("power") is shared
    shared.cancel()
    assert mine.wait(5)
    again = book.ask("boards", 1, until_stopped, pool, "boards")
    assert again is not running
    while not again.working:
        time.sleep(0.01)
    monkeypatch.setattr("dashboard.background.jobs.LITTLE_LOST_S", 0.0)
    late = book.ask("posterior", 1, until_stopped, pool, "posterior")
    assert not again.cancelled  # too much would be lost
    assert book.ahead_of("posterior") is again
    assert again.page == "boards"
    book.close()
    assert late.cancelled


def test_own_work_that_still_stops_is_known(pool) -> None:
    book, go_on = JobBook(), threading.Event()
    busy = book.ask("boards", 1, lambda progress, should_stop: go_on.wait(10), pool, "boards")
    while not busy.working:
        time.sleep(0.01)
    mine = book.ask("power", 1, lambda progress, should_stop: "mine", pool, "power")
    assert busy.cancelled
    assert mine.queued
    assert book.ahead_of("power") is None
    assert book.still_stopping("power")
    go_on.set()
    assert mine.wait(5)
    assert not book.still_stopping("power")
    book.close()


def slow_analyse(release: threading.Event):
    """Stands in for `analyse`: waits until it is released or cancelled, then does the real work."""

    def run(scores, config, *, workers, progress, should_stop):
        progress(1, 10)
        while not release.is_set():
            if should_stop():
                raise Cancelled("stopped")
            time.sleep(0.005)
        return analyse(scores, config, workers=workers)

    return run


def test_long_work_shows_progress_then_its_result(app, work_here, monkeypatch) -> None:
    release = threading.Event()
    monkeypatch.setattr("nlpstat_core.analysis.analyse.analyse", slow_analyse(release))
    app.file_uploader[0].upload("scores.csv", score_file(4), "text/csv").run()
    assert not app.exception
    assert "of 6 pairs are found to differ" not in words(app)
    assert any(item.label == "Cancel" for item in app.button)
    assert "**4 systems**" in words(app)
    release.set()
    finished(app.run())
    assert "of 6 pairs are found to differ" in words(app)


def test_cancel_and_start_again(app, work_here, monkeypatch) -> None:
    release = threading.Event()
    monkeypatch.setattr("nlpstat_core.analysis.analyse.analyse", slow_analyse(release))
    app.file_uploader[0].upload("scores.csv", score_file(4), "text/csv").run()
    begun = time.monotonic()
    button(app, "Cancel")()
    app.run()
    assert time.monotonic() - begun < 2
    assert any("cancelled" in warning.value for warning in app.warning)
    app.run()
    assert any("cancelled" in warning.value for warning in app.warning)
    release.set()
    button(app, "Start again")()
    assert "of 6 pairs are found to differ" in words(app)


def test_changed_settings_replace_running_work_and_keep_old_results(app, work_here, monkeypatch) -> None:
    upload(app, score_file(4))
    release = threading.Event()
    monkeypatch.setattr("nlpstat_core.analysis.analyse.analyse", slow_analyse(release))
    app.number_input(key="alpha").set_value(0.01).run()
    assert "of 6 pairs are found to differ" not in words(app)
    app.number_input(key="alpha").set_value(0.05).run()
    assert "after Holm at 0.05" in words(app)
    app.number_input(key="alpha").set_value(0.02).run()
    button(app, "Cancel")()
    app.run()
    assert "results of the previous settings" in words(app)
    assert "at 0.05" in words(app)
    release.set()
    go(app, "leaderboard")
    button(app, "Start again")()
    assert "after Holm at 0.02" in words(app)


RESAMPLES = 1_000_000
NEVER_ENDING = {
    "bootstrap": AnalysisConfig(test="bootstrap-mean", resamples=RESAMPLES),
    "bootstrap with max-T": AnalysisConfig(test="bootstrap-mean", correction="max-t", resamples=RESAMPLES),
    "t test with max-T": AnalysisConfig(test="t", correction="max-t", resamples=RESAMPLES),
    "bootstrap of the median": AnalysisConfig(test="bootstrap-median", resamples=RESAMPLES),
    "intervals": AnalysisConfig(test="t", intervals=("wilcoxon-r", "cohen-d-av"), resamples=RESAMPLES),
}


@pytest.fixture(scope="module")
def long_board():
    return read_scores((score_file(213, 102), "scores.csv"))


@pytest.mark.parametrize("work", NEVER_ENDING)
def test_within_a_second_of_cancel_the_worker_has_stopped(pool, long_board, work: str) -> None:
    def analysed(progress, should_stop):
        with stoppable(should_stop):
            return analyse(long_board, NEVER_ENDING[work], progress=progress, should_stop=should_stop)

    job = Job(work, analysed)
    job.submit(pool)
    begun = time.process_time()
    while time.process_time() - begun < 1.0:
        time.sleep(0.02)
    assert job.working
    job.cancel()
    asked = time.process_time()  # of all threads: a busy machine doesn't count against the worker
    while job.working and time.process_time() - asked < 5:
        time.sleep(0.005)
    assert time.process_time() - asked < 1.0
    counter = job.progress
    time.sleep(0.3)
    assert job.progress == counter
    assert not job.working
    with pytest.raises(Cancelled):
        job.result()


def test_quick_work_does_not_wait_for_long_work() -> None:
    small, large = (read_scores((score_file(k, n), "scores.csv")) for k, n in ((16, 200), (150, 500)))
    assert is_quick(small, AnalysisConfig())
    assert not is_quick(large, AnalysisConfig())
    assert is_quick(small, AnalysisConfig(test="bootstrap-mean"))
    assert not is_quick(small, AnalysisConfig(test="t", correction="max-t"), times=20)
