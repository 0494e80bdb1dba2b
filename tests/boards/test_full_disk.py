"""A disk that is full, in truth: a small one of the test's own, mounted where only its process sees it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from boards.cases import scores
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards import full_disk, saving
from nlpstat_core.saved_boards.access import LOCAL_USER, boards_of
from nlpstat_core.saved_boards.database import open_database
from nlpstat_core.saved_boards.errors import DiskFull

ROOT = Path(__file__).resolve().parents[2]
MOUNTED = "mount -t tmpfs -o size=16m none {folder} && exec {python} -c '{code}' {folder}"
DEED = """
import sys
sys.path[:0] = [".", "tests"]
import numpy as np
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards import saving
from nlpstat_core.saved_boards.access import LOCAL_USER, boards_of
from nlpstat_core.saved_boards.database import open_database
from nlpstat_core.saved_boards.errors import DiskFull
from nlpstat_core.saved_boards.projection import projection
from nlpstat_core.saved_boards.verify import verify, verify_servers_log
from nlpstat_core.scores.matrix import ScoreMatrix

folder = sys.argv[1]
database = open_database(folder + "/boards.sqlite")
filler = open(folder + "/others", "wb", buffering=0)

def save(seed):
    values = np.random.default_rng(seed).normal(size=(20_000, 5))
    scores = ScoreMatrix(values=values, systems="abcde")
    return saving.save_board(database, LOCAL_USER, f"board {seed}", scores, AnalysisConfig())

def others_fill_the_rest():
    try:
        while True:
            filler.write(b"x" * 512)
    except OSError:
        return

made = []
try:
    for seed in range(100):
        made.append(save(seed))
except DiskFull as error:
    print("SAID", error)
assert 5 < len(made) < 50
for place, board in enumerate(list(made)):
    others_fill_the_rest()
    if place == 2:
        database.close()
        database = open_database(folder + "/boards.sqlite")
    assert projection(database, LOCAL_USER, made[-1]).number == 1
    saving.delete_board(database, LOCAL_USER, board)
    assert [one.board for one in boards_of(database, LOCAL_USER)] == made[:place:-1]
assert (verify(database), verify_servers_log(database).problems) == ((), ())
assert verify_servers_log(database).events == 2 * len(made)
filler.truncate(0)
save(100)
print("DONE", len(made))
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
def test_every_board_can_be_deleted_on_a_full_disk(tmp_path) -> None:
    tried = subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", str(tmp_path)], capture_output=True, check=False
    )
    if tried.returncode:
        pytest.skip("this user may mount nothing")
    command = MOUNTED.format(folder=tmp_path, python=sys.executable, code=DEED.replace("'", '"'))
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "SAID The database's disk is full. Nothing was changed" in done.stdout
    assert "DONE" in done.stdout


def test_a_database_that_may_not_grow_says_so(tmp_path) -> None:
    """The same sentence by SQLite's own bound, without a mount."""
    database = open_database(str(tmp_path / "boards.sqlite"))
    saving.save_board(database, LOCAL_USER, "one", scores(), AnalysisConfig())
    with database.engine.connect() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count = {pages}"))
        connection.commit()
    with pytest.raises(DiskFull, match="disk is full"):
        saving.save_board(database, LOCAL_USER, "two", scores(1, units=4000), AnalysisConfig())
    assert len(boards_of(database, LOCAL_USER)) == 1
    database.close()


def test_room_is_kept_for_the_owner_alone_and_once(tmp_path) -> None:
    database = open_database(str(tmp_path / "boards.sqlite"))
    saving.save_board(database, LOCAL_USER, "one", scores(), AnalysisConfig())
    path = full_disk.reserve_of(database)
    about = path.stat()
    assert (about.st_size, about.st_mode & 0o777) == (full_disk.RESERVE, 0o600)
    full_disk.keep_reserve(database)
    assert path.stat().st_mtime_ns == about.st_mtime_ns
    path.write_bytes(b"short")
    full_disk.keep_reserve(database)
    assert path.stat().st_size == full_disk.RESERVE
    with full_disk.room_to_delete(database) as narrow:
        assert not path.exists()
        with narrow.writing() as connection:
            assert connection.execute(text("PRAGMA secure_delete")).scalar_one() == 2
    with database.writing() as connection:
        assert connection.execute(text("PRAGMA secure_delete")).scalar_one() == 1
    assert path.stat().st_size == full_disk.RESERVE
    database.close()


@pytest.mark.parametrize("target", ["postgresql"], indirect=True)
def test_postgresql_says_so_and_keeps_no_file(database) -> None:
    full_disk.keep_reserve(database)
    with pytest.raises(DiskFull), full_disk.room_to_delete(database):
        pytest.fail("there is nothing to be had")
