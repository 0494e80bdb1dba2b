"""What is saved comes back to the last digit, on SQLite and PostgreSQL, and nothing else is kept."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select, text, update

from boards.cases import OWN, person, scores, shared_board
from boards.servers import programs
from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards import comments, keeping, links, members, saving, states
from nlpstat_core.saved_boards.access import LOCAL_USER, OPERATOR, boards_of, by_link
from nlpstat_core.saved_boards.codec import from_parquet, to_parquet
from nlpstat_core.saved_boards.database import HEAD, Database, change_revision, open_database
from nlpstat_core.saved_boards.errors import BoardError, Conflict, NotThere, Refused, TooMuch
from nlpstat_core.saved_boards.projection import overview, projection
from nlpstat_core.saved_boards.tables import blob, event, metadata
from nlpstat_core.saved_boards.verify import verify, verify_servers_log
from nlpstat_core.scores.count_matrices import f1_matrix
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.ratings import Ratings
from nlpstat_core.scores.runs import Runs

TABLES = {
    *("user_account", "board", "member", "blob", "version", "event", "server_setting", "comment", "link"),
    *("server_event", "signed_out"),
}
STAYING = {"user_account", "server_event"}  # who has made boards, and that there were some


def same(one: ScoreMatrix, other: ScoreMatrix) -> bool:
    return one.fingerprint == other.fingerprint and all(
        getattr(one, name) == getattr(other, name)
        for name in ("systems", "units", "labels", "lower_is_better", "metric", "source", "notes")
    )


def cases() -> list[ScoreMatrix]:
    holes = np.array([[0.1, np.nan, -0.0], [np.nan, 0.3, 1e-300]])
    runs = Runs(
        values=(np.array([[1.0, 0.5], [0.0, np.nan]]), np.array([[1.0], [1.0]])), names=(("1", "2"), ("x",))
    )
    rated = Ratings(
        items=np.array([2, 0, 2, 0]),
        systems=np.array([0, 1, 1, 1]),
        raters=np.array([1, 0, 1, 1]),
        scores=np.array([1.0, 3.0, 2.0, 1.0]),
        names=("Ann", "Ben"),
        column="annotator",
        shape=(3, 2),
    )
    return [
        scores(),
        ScoreMatrix(values=holes, systems=["a,b", "\u202e<b>", "x" * 500], lower_is_better=True),
        f1_matrix([[3, 1], [2, 2]], [[1, 2], [0, 1]], [[0, 1], [1, 1]], systems=["A", "B"]),
        ScoreMatrix(values=runs.means, systems=["A", "B"], runs=runs),
        ScoreMatrix(values=np.zeros((1, 2)), systems=["A", "\ud800"]),
        replace(scores(), costs={"seconds": scores().values / 7, "\u202e": np.full((40, 4), np.nan)}),
        ScoreMatrix(values=np.full((3, 2), 2.0), systems=["A", "B"], ratings=rated),
    ]


@pytest.mark.parametrize("place", range(7))
def test_scores_survive_parquet(place):
    before = cases()[place]
    after = from_parquet(to_parquet(before))
    assert same(before, after)
    assert to_parquet(after) == to_parquet(before)


def test_names_of_raters_are_not_kept():
    kept = to_parquet(cases()[6])
    assert b"Ann" not in kept
    assert from_parquet(kept).ratings.names == ("1", "2")


@given(st.binary(max_size=300))
def test_what_is_no_table_is_refused(data):
    with pytest.raises(BoardError):
        from_parquet(data)


def test_a_saved_board_gives_the_same_numbers_again(database):
    config = AnalysisConfig(test="permutation-mean", correction="max-t", seed=7, block_column="document")
    board = saving.save_board(database, LOCAL_USER, " WMT\t24 ", scores(), config)
    found = projection(database, LOCAL_USER, board)
    assert found.access.title == "WMT 24"
    assert found.analysis.to_dict() == analyse(scores(), config).to_dict()
    assert found.analysis.config == config


def test_the_same_scores_are_kept_once_and_go_with_the_last_board(database):
    first = saving.save_board(database, LOCAL_USER, "one", scores(), AnalysisConfig())
    second = saving.save_board(database, LOCAL_USER, "two", scores(), AnalysisConfig())
    with pytest.raises(BoardError, match="same scores and settings"):
        saving.save_version(database, LOCAL_USER, second, scores(), AnalysisConfig())
    assert saving.save_version(database, LOCAL_USER, second, scores(), AnalysisConfig(alpha=0.01)) == 2
    assert count(database, blob) == 1
    saving.delete_board(database, LOCAL_USER, first)
    assert count(database, blob) == 1
    saving.delete_board(database, LOCAL_USER, second)
    assert {count(database, metadata.tables[name]) for name in TABLES - STAYING} == {0}
    assert (verify(database), verify_servers_log(database).problems) == ((), ())
    assert boards_of(database, LOCAL_USER) == ()


def count(database: Database, table) -> int:
    with database.reading() as connection:
        return len(connection.execute(select(table)).all())


def test_two_editors_the_second_is_told_and_nothing_is_overwritten(database):
    board = shared_board(database)
    seen = overview(database, person("owner"), board).access.revision
    saving.save_version(database, person("editor"), board, scores(1), AnalysisConfig(), seen=seen)
    with pytest.raises(Conflict, match="Somebody else has changed this board"):
        saving.save_version(database, person("owner"), board, scores(2), AnalysisConfig(), seen=seen)
    with pytest.raises(Conflict):
        states.rename_board(database, person("owner"), board, "mine", seen=seen)
    found = overview(database, person("owner"), board)
    assert [line.number for line in found.versions] == [2, 1]
    assert found.versions[0].fingerprint == scores(1).fingerprint
    assert found.access.title == "WMT"


def test_migrations_go_down_and_up_with_data(database):
    board = shared_board(database, state="published")
    comments.add_comment(database, person("reviewer"), board, 1, ["board"], "Look.")
    links.make_link(database, person("owner"), board, "read", seen=5)
    change_revision(database, "0001")
    with database.reading() as connection:
        assert connection.execute(text("SELECT title, state FROM board")).one() == ("WMT", "published")
        assert connection.execute(text("SELECT count(*) FROM member")).scalar() == 4
    change_revision(database, HEAD)
    found = overview(database, person("owner"), board)
    assert (len(found.members), found.comments, found.links) == (4, (), ())
    assert projection(database, person("owner"), board).analysis is not None
    # What the log knows and the tables lost is found.
    assert len(verify(database)[0].problems) == 2
    change_revision(database, "base")
    change_revision(database, HEAD)
    assert boards_of(database, OPERATOR) == ()


def test_the_migrations_make_the_tables_of_the_code(database):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    assert set(metadata.tables) == TABLES


def test_sqlite_waits_in_line_and_its_file_is_its_owners(tmp_path):
    database = open_database(str(tmp_path / "new.sqlite"))
    with database.engine.connect() as connection:
        for name, value in (("journal_mode", "wal"), ("foreign_keys", 1), ("busy_timeout", 60_000)):
            assert connection.exec_driver_sql(f"PRAGMA {name}").scalar() == value
    assert (tmp_path / "new.sqlite").stat().st_mode & 0o777 == 0o600
    database.close()


@pytest.mark.parametrize(
    ("target", "specified"),
    [
        ("mysql://x/y", "isn't supported"),
        ("sqlite://", "names no file"),
        ("://", "not a readable database URL"),
        ("/no/such/folder/x.sqlite", "can't be opened"),
        ("postgresql://nobody:secret@127.0.0.1:1/x", "can't be reached"),
        ("postgresql://nobody:secret@host:port/x", "port must be a whole number"),
        ("postgresql://nobody:secret@host:1e3/x", "port must be a whole number"),
        (f"postgresql://nobody:secret@host:{'9' * 5000}/x", "port must be a whole number"),
        ("postgresql://nobody:secret@host:99999/x", "can't be reached"),
        ("postgresql://nobody:secret@[::1/x", "not a readable database URL"),
        ("postgresql://nobody:sec@secret@host/x", "as %40"),
        ("postgresql://nobody:secret@127.0.0.1:1/x?port=abc", "can't be used"),
        (f"postgresql://nobody:secret@{'a' * 300}/x", "can't be used"),
        ("postgresql://nobody\ud800:secret@127.0.0.1:1/x", "can't be used"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:///x.sqlite?timeout=abc", "takes no options"),
        ("no\x00thing.sqlite", "no valid path"),
        ("~nobody-of-that-name/x.sqlite", "unknown user"),
    ],
)
def test_a_database_that_cannot_be_used_is_one_sentence(target, specified):
    with pytest.raises(BoardError, match=specified) as caught:
        open_database(target)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_none_and_tables_of_a_later_version_are_refused(tmp_path):
    (tmp_path / "x.sqlite").write_bytes(b"item,A,B\n" * 500)
    with pytest.raises(BoardError, match="is not a database"):
        open_database(str(tmp_path / "x.sqlite"))
    later = open_database(str(tmp_path / "y.sqlite"))
    with later.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BoardError, match="later version"):
        open_database(str(tmp_path / "y.sqlite"))
    later.close()


def test_limits(database, monkeypatch):
    monkeypatch.setenv("NLPSTAT_MAX_BOARDS", "1")
    board = saving.save_board(database, LOCAL_USER, "one", scores(), AnalysisConfig())
    with pytest.raises(TooMuch, match="1 boards"):
        saving.save_board(database, LOCAL_USER, "two", scores(), AnalysisConfig())
    saving.save_board(database, person("else"), "theirs", scores(), AnalysisConfig())
    monkeypatch.setenv("NLPSTAT_MAX_BOARD_MEGABYTES", "1")
    big = np.random.default_rng(0).normal(size=(40_000, 4))
    with pytest.raises(TooMuch, match="above 1 MB"):
        saving.save_version(
            database, LOCAL_USER, board, ScoreMatrix(values=big, systems="abcd"), AnalysisConfig()
        )
    assert overview(database, LOCAL_USER, board).access.latest == 1
    with pytest.raises(TooMuch, match="4,000 characters"):
        comments.add_comment(database, LOCAL_USER, board, 1, ["board"], "x" * 4001)
    for bad in ("", " \n", "\u202e"):
        with pytest.raises(BoardError, match="can't be empty"):
            comments.add_comment(database, LOCAL_USER, board, 1, ["board"], bad)
    monkeypatch.setenv("NLPSTAT_MAX_BOARDS", "many")
    with pytest.raises(BoardError, match="NLPSTAT_MAX_BOARDS"):
        saving.save_board(database, person("third"), "x", scores(), AnalysisConfig())


def test_old_boards_go(database, monkeypatch):
    old = replace(database, now=lambda: datetime.now(UTC) - timedelta(days=31))
    gone = saving.save_board(old, LOCAL_USER, "old", scores(), AnalysisConfig())
    kept = saving.save_board(database, LOCAL_USER, "new", scores(1), AnalysisConfig())
    assert keeping.vacuum(database) == (0, 0)
    monkeypatch.setenv("NLPSTAT_KEEP_DAYS", "30")
    assert keeping.vacuum(database) == (1, 0)
    assert [found.board for found in boards_of(database, LOCAL_USER)] == [kept]
    with pytest.raises(NotThere):
        overview(database, OPERATOR, gone)
    assert count(database, blob) == 1


def test_a_backup_of_sqlite_in_use(tmp_path):
    database = open_database(str(tmp_path / "boards.sqlite"))
    board = saving.save_board(database, LOCAL_USER, "one", scores(), AnalysisConfig())
    copy = tmp_path / "copy.sqlite"
    with database.writing():  # somebody is amid a change
        keeping.backup(database, str(copy))
    with pytest.raises(BoardError, match="exists already"):
        keeping.backup(database, str(copy))
    other = open_database(str(copy))
    assert projection(other, LOCAL_USER, board).analysis is not None
    assert verify(other)[0].problems == ()
    with closing(sqlite3.connect(copy)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for one in (database, other):
        one.close()


@pytest.mark.parametrize("target", ["postgresql"], indirect=True)
def test_a_backup_of_postgresql_by_pg_dump(database, target, tmp_path):
    board = saving.save_board(database, LOCAL_USER, "one", scores(), AnalysisConfig())
    with pytest.raises(BoardError, match="pg_dump"):
        keeping.backup(database, str(tmp_path / "x"))
    dump, folder = tmp_path / "boards.dump", programs()
    subprocess.run([folder / "pg_dump", "--format=custom", f"--file={dump}", target], check=True)
    saving.delete_board(database, LOCAL_USER, board)
    database.close()
    restore = [folder / "pg_restore", "--clean", "--if-exists", f"--dbname={target}", dump]
    subprocess.run(restore, check=True)
    assert verify(database)[0].problems == ()
    assert projection(database, LOCAL_USER, board).analysis is not None


def test_an_event_put_between_two_others_is_found(database):
    shared_board(database)
    with database.writing() as connection:
        last = dict(connection.execute(select(event).order_by(event.c.number.desc())).mappings().first())
        connection.execute(insert(event).values({**last, "number": last["number"] + 1}))
        connection.execute(update(event).where(event.c.number == 2).values(details="{}"))
    assert "row 2" in verify(database)[0].problems[0]


def test_comments_are_about_what_is_there(database):
    board = shared_board(database, state="review")
    said = comments.add_comment(
        database, person("reviewer"), board, 1, ("unit", "item-3"), "<b>odd</b>\r\n\x07second  line "
    )
    found = overview(database, person("owner"), board).comments[0]
    assert (found.id, found.text, found.author) == (
        said,
        "<b>odd</b>\n second  line",
        "https://login.example.org reviewer",
    )
    for anchor in (("unit", "item-99"), ("system", "Nobody"), ("pair", OWN), ("nowhere",), ()):
        with pytest.raises(BoardError):
            comments.add_comment(database, person("reviewer"), board, 1, anchor, "x")
    with pytest.raises(NotThere):
        comments.add_comment(database, person("reviewer"), board, 9, ("board",), "x")
    comments.resolve_comment(database, person("editor"), board, said)
    assert overview(database, person("owner"), board).comments[0].resolved_at
    with pytest.raises(NotThere):
        comments.resolve_comment(database, person("editor"), board, "nothing")
    assert verify(database)[0].problems == ()


def test_what_a_role_may_not_do_is_refused(database):
    board = shared_board(database, state="published")
    deeds = {
        "participant": lambda who: comments.add_comment(database, who, board, 1, ["board"], "x"),
        "reviewer": lambda who: saving.save_version(database, who, board, scores(3), AnalysisConfig()),
        "editor": lambda who: states.change_state(database, who, board, "draft", seen=None),
    }
    for role, deed in deeds.items():
        with pytest.raises(Refused, match=f"As {role}"):
            deed(person(role))
    for deed in (
        lambda who: members.set_member(database, who, board, "x@y.org", "owner", seen=None),
        lambda who: links.make_link(database, who, board, "read", seen=None),
        lambda who: saving.delete_board(database, who, board),
    ):
        with pytest.raises(Refused):
            deed(person("editor"))
        with pytest.raises(NotThere):
            deed(person("stranger"))
        with pytest.raises(NotThere):
            deed(by_link("guess"))


def test_a_board_keeps_an_owner(database):
    board = shared_board(database)
    owner = overview(database, person("owner"), board).members[0].identity
    with pytest.raises(BoardError, match="needs an owner"):
        members.remove_member(database, person("owner"), board, owner, seen=None)
    with pytest.raises(BoardError, match="needs an owner"):
        members.set_member(database, person("owner"), board, owner, "reviewer", seen=None)
    for bad in ("nobody", "@", "a@"):
        with pytest.raises(BoardError, match="neither an e-mail"):
            members.set_member(database, person("owner"), board, bad, "reviewer", seen=None)
    assert len(overview(database, person("owner"), board).members) == 4
