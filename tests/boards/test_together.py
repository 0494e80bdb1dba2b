"""Many at once, and an end amid a save: nothing is lost, nothing is half there."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from boards.cases import person, scores, shared_board
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards import comments, saving
from nlpstat_core.saved_boards.access import LOCAL_USER, OPERATOR, boards_of
from nlpstat_core.saved_boards.database import open_database
from nlpstat_core.saved_boards.errors import Conflict
from nlpstat_core.saved_boards.projection import overview, projection
from nlpstat_core.saved_boards.tables import blob, version
from nlpstat_core.saved_boards.verify import verify

WRITERS = 20


def test_twenty_writers_at_once_lose_nothing(database):
    board = shared_board(database, state="review")

    def write(place: int) -> str:
        comments.add_comment(database, person("reviewer"), board, 1, ("board",), f"comment {place}")
        saving.save_version(database, person("editor"), board, scores(100 + place), AnalysisConfig())
        comments.add_comment(database, person("owner"), board, 1, ("system", "Wolfram"), f"another {place}")
        return saving.save_board(
            database, person(f"new{place}"), f"board {place}", scores(place), AnalysisConfig()
        )

    with ThreadPoolExecutor(WRITERS) as threads:
        made = list(threads.map(write, range(WRITERS)))
    found = overview(database, person("owner"), board)
    assert [line.number for line in found.versions] == list(range(WRITERS + 1, 0, -1))
    kept = {line.fingerprint for line in found.versions}
    assert kept == {scores(100 + place).fingerprint for place in range(WRITERS)} | {scores().fingerprint}
    assert len(found.comments) == 2 * WRITERS
    assert {one.board for one in boards_of(database, OPERATOR)} == {board, *made}
    assert [one.problems for one in verify(database)] == [()] * (WRITERS + 1)


def test_of_twenty_editors_who_saw_the_same_one_is_heard(database):
    board = shared_board(database)
    seen = overview(database, person("owner"), board).access.revision

    def write(place: int) -> bool:
        try:
            saving.save_version(
                database, person("editor"), board, scores(50 + place), AnalysisConfig(), seen=seen
            )
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(WRITERS) as threads:
        assert sum(threads.map(write, range(WRITERS))) == 1
    assert overview(database, person("owner"), board).access.latest == 2


def test_a_reader_sees_one_state_while_others_write(database):
    board = shared_board(database)
    with database.reading() as connection:
        before = connection.execute(text("SELECT count(*) FROM version")).scalar()
        saving.save_version(database, person("editor"), board, scores(7), AnalysisConfig())
        assert connection.execute(text("SELECT count(*) FROM version")).scalar() == before == 1


@pytest.mark.parametrize("target", ["postgresql"], indirect=True)
def test_scores_that_are_saved_anew_while_their_last_board_is_deleted_stay(database):
    gone = saving.save_board(database, LOCAL_USER, "one", scores(1), AnalysisConfig())
    board = saving.save_board(database, LOCAL_USER, "two", scores(2), AnalysisConfig())
    asked = select(version).where(version.c.board == gone)
    with ThreadPoolExecutor(1) as threads:
        with database.writing() as connection:  # amid a save of the same scores elsewhere
            row = {**connection.execute(asked).mappings().one(), "board": board, "number": 2}
            connection.execute(insert(version).values(**row))
            deleting = threads.submit(saving.delete_board, database, LOCAL_USER, gone)
            time.sleep(0.5)
            assert not deleting.done()
        deleting.result()
    assert [one.board for one in boards_of(database, LOCAL_USER)] == [board]
    assert projection(database, LOCAL_USER, board, 2).analysis.scores.fingerprint == scores(1).fingerprint


@pytest.mark.parametrize("round_", range(2))
def test_a_server_that_is_killed_leaves_whole_versions(database, target, round_):
    board = saving.save_board(database, LOCAL_USER, "one", scores(), AnalysisConfig())
    database.close()
    command = [sys.executable, str(Path(__file__).with_name("writer.py")), target, board, "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        process.stdout.readline()
        time.sleep(0.013 * (1 + 2 * round_))  # amid one of the saves
        process.kill()
        seen = 2 + process.stdout.read().count(b"\n")
    again = open_database(target)
    found = overview(again, LOCAL_USER, board)
    assert seen <= found.access.latest <= seen + 1  # one may be there that nobody was told of
    assert [line.number for line in found.versions] == list(range(found.access.latest, 0, -1))
    assert verify(again)[0].problems == ()
    assert projection(again, LOCAL_USER, board).number == found.access.latest
    with again.reading() as connection:
        assert len(connection.execute(select(blob.c.sha256)).all()) == found.access.latest
    saving.save_version(again, LOCAL_USER, board, scores(99), AnalysisConfig())
    again.close()
