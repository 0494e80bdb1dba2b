"""Whatever is changed past the program is found: one statement each, in every table that says something."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from boards.cases import OWN, person, scores, shared_board
from boards.conftest import copied
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards import comments, exchange, keeping, links, members, saving, states
from nlpstat_core.saved_boards.access import LOCAL_USER
from nlpstat_core.saved_boards.codec import digest, to_parquet
from nlpstat_core.saved_boards.database import Database, open_database
from nlpstat_core.saved_boards.tables import metadata
from nlpstat_core.saved_boards.verify import GONE, verify, verify_servers_log

BOARD_ROW = (
    "SELECT 'another', title, state, published, revision, creator, created_at, changed_at, events, head"
)
VERSION_ROW = (
    "SELECT board, 3, fingerprint, config, core_version, blob, systems, units, remark, saved_by, saved_at"
)
VERSION_2 = "UPDATE version SET {} WHERE number = 2"
# Table and column → what somebody who can write to the database does. {board} is the board's id.
TAMPERINGS = {
    "board title": "UPDATE board SET title = 'mine'",
    "board state": "UPDATE board SET state = 'published', published = 2",
    "board published version": "UPDATE board SET published = 1",
    "board revision": "UPDATE board SET revision = revision - 1",
    "board creator": "UPDATE board SET creator = (SELECT id FROM user_account WHERE subject = 'local')",
    "board date of making": "UPDATE board SET created_at = '2020-01-01T00:00:00.000Z'",
    "board date of change": "UPDATE board SET changed_at = '2030-01-01T00:00:00.000Z'",
    "board count of events": "UPDATE board SET events = events + 1",
    "board last hash": "UPDATE board SET head = previous FROM event WHERE board = id AND number = events",
    "board deleted": "DELETE FROM board WHERE id = :board",
    "board put in": f"INSERT INTO board {BOARD_ROW} FROM board WHERE id = :board",
    "account of the creator": "UPDATE user_account SET subject = 'somebody' WHERE subject = 'owner'",
    "account's issuer": "UPDATE user_account SET issuer = 'https://evil.example' WHERE subject = 'owner'",
    "member role": "UPDATE member SET role = 'owner' WHERE role = 'participant'",
    "member identity": "UPDATE member SET identity = 'email:me@example.org' WHERE role = 'reviewer'",
    "member kind": "UPDATE member SET identity = replace(identity, 'email:', 'login:') WHERE role = 'editor'",
    "member system": "UPDATE member SET system = '\"Zebulon\"' WHERE role = 'participant'",
    "member put in": "INSERT INTO member VALUES (:board, 'email:me@example.org', 'owner', NULL)",
    "member taken out": "DELETE FROM member WHERE role = 'editor'",
    "version settings": VERSION_2.format("config = replace(config, '0.05', '0.5')"),
    "version remark": VERSION_2.format("remark = 'final'"),
    "version author": VERSION_2.format("saved_by = 'https://login.example.org owner'"),
    "version date": VERSION_2.format("saved_at = '2020-01-01T00:00:00.000Z'"),
    "version of the software": VERSION_2.format("core_version = '9.9.9'"),
    "version size": VERSION_2.format("systems = 3, units = 3"),
    "version fingerprint": VERSION_2.format("fingerprint = 'sha256:0'"),
    "version with other scores": VERSION_2.format("blob = (SELECT blob FROM version WHERE number = 1)"),
    "version deleted": "DELETE FROM version WHERE number = 2",
    "version put in": f"INSERT INTO version {VERSION_ROW} FROM version WHERE number = 1",
    "scores": "UPDATE blob SET content = :other",
    "size of scores": "UPDATE blob SET size = 1",
    "comment text": "UPDATE comment SET text = 'I never said this'",
    "comment author": "UPDATE comment SET author = 'https://login.example.org editor'",
    "comment place": "UPDATE comment SET anchor = '[\"board\"]'",
    "comment version": "UPDATE comment SET version = 2",
    "comment date": "UPDATE comment SET written_at = '2020-01-01T00:00:00.000Z'",
    "comment resolved": "UPDATE comment SET resolved_at = written_at, resolved_by = author",
    "comment deleted": "DELETE FROM comment",
    "link hides names": "UPDATE link SET hide_names = 0",
    "link system": "UPDATE link SET system = '\"Zebulon\"'",
    "link kind": "UPDATE link SET kind = 'read'",
    "link end": "UPDATE link SET expires_at = NULL",
    "link open again": "UPDATE link SET revoked_at = NULL",
    "link token": "UPDATE link SET token_hash = :hash WHERE kind = 'sheet'",
    "link deleted": "DELETE FROM link",
    "log actor": "UPDATE event SET actor = 'nobody' WHERE number = 2",
    "log action": "UPDATE event SET action = 'title' WHERE number = 3",
    "log details": "UPDATE event SET details = '{}' WHERE number = 3",
    "log date": "UPDATE event SET happened_at = '2020-01-01T00:00:00.000Z' WHERE number = 1",
    "log row deleted": "DELETE FROM event WHERE number = 3",
    "log end deleted": "DELETE FROM event WHERE number = (SELECT max(number) FROM event)",
    "log deleted": "DELETE FROM event",
    "server's log": "UPDATE server_event SET subject = 'another' WHERE number = 1",
    "server's log deleted": "DELETE FROM server_event",
    "signing key": "UPDATE server_setting SET value = 'another'",
    "signing key deleted": "DELETE FROM server_setting",
}
ON_BOTH = ("board deleted", "board last hash", "scores", "log actor", "server's log", "member kind")


def written(database: Database) -> str:
    """A board of which everything there can be has been, on a server that another user has, too."""
    owner = person("owner")
    board = shared_board(database)
    comments.add_comment(database, owner, board, 1, ("pair", OWN, "Wolfram"), "Why?")
    links.make_link(database, owner, board, "sheet", system=OWN, hide_names=True, seen=None)
    made = links.make_link(database, owner, board, "read", days=3, seen=None)
    assert made
    with database.reading() as connection:
        read = connection.execute(text("SELECT id FROM link WHERE kind = 'read'")).scalar_one()
    links.revoke_link(database, owner, board, read, seen=None)
    saving.save_version(database, person("editor"), board, scores(1), AnalysisConfig(), remark="more")
    members.set_member(database, owner, board, "gone@example.org", "reviewer", seen=None)
    members.remove_member(database, owner, board, "gone@example.org", seen=None)
    states.rename_board(database, owner, board, "WMT24", seen=None)
    said = comments.add_comment(database, owner, board, 1, ("board",), "Done?")
    comments.resolve_comment(database, owner, board, said)
    comments.resolve_comment(database, owner, board, said, resolved=False)
    exchange.key_fingerprint(database)
    other = saving.save_board(database, LOCAL_USER, "theirs", scores(2), AnalysisConfig())
    assert other != board
    return board


def problems(database: Database) -> list[str]:
    found = [one.problems for one in verify(database)]
    return [problem for one in (*found, verify_servers_log(database).problems) for problem in one]


@pytest.fixture
def untouched(prepared, tmp_path) -> Iterator[Database]:
    made = open_database(copied(prepared, tmp_path))
    yield made
    made.close()


def tamper(database: Database, board: str, statement: str) -> None:
    given = {"board": board, "other": to_parquet(scores(5)), "hash": digest(b"my own token")}
    with database.writing() as connection:
        done = connection.execute(
            text(statement), {name: value for name, value in given.items() if f":{name}" in statement}
        )
        assert done.rowcount


@pytest.mark.parametrize("kind", TAMPERINGS)
def test_tampering_is_found(kind, untouched) -> None:
    board = written(untouched)
    assert problems(untouched) == []
    tamper(untouched, board, TAMPERINGS[kind])
    assert problems(untouched), kind


@pytest.mark.parametrize("kind", ON_BOTH)
def test_tampering_is_found_on_postgresql(kind, postgres_database) -> None:
    database = open_database(postgres_database)
    board = written(database)
    assert problems(database) == []
    tamper(database, board, TAMPERINGS[kind])
    assert problems(database), kind
    database.close()


UNSEEN = {("user_account", "name")}  # what an account is called says nothing about who it is
COLUMNS = [
    (table.name, column.name)
    for table in metadata.sorted_tables
    for column in table.columns
    if table.name != "signed_out" and (table.name, column.name) not in UNSEEN
]


@pytest.fixture(scope="module")
def kept(prepared, tmp_path_factory) -> Path:
    """A database in which everything there can be is, for copies of it."""
    database = open_database(copied(prepared, tmp_path_factory.mktemp("kept")))
    written(database)
    database.close()
    return Path(str(database.engine.url.database))


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_no_column_of_any_row_can_be_changed_unseen(table, column, kept, tmp_path) -> None:
    with closing(sqlite3.connect(kept)) as shell:
        rows = [row for (row,) in shell.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
    for row in {rows[0], rows[-1]}:
        file = copied(kept, tmp_path)
        with closing(sqlite3.connect(file, isolation_level=None)) as shell:
            (before,) = shell.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
            after = {str: "x", int: 1000, bytes: b"x", type(None): "x"}[type(before)]
            after = after if before is None else before + after
            shell.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (after, row))
        database = open_database(file)
        assert problems(database), (before, after)
        database.close()


@pytest.mark.parametrize("table", ["board", "blob", "event", "version"])
def test_rows_that_sqlites_own_shell_deletes_are_missed(table, untouched) -> None:
    """It doesn't look at references, so that the rest of the board stays."""
    written(untouched)
    with closing(sqlite3.connect(str(untouched.engine.url.database), isolation_level=None)) as shell:
        assert shell.execute("PRAGMA foreign_keys").fetchone() == (0,)
        shell.execute(f"DELETE FROM {table}")
    assert problems(untouched)
    if table == "board":
        assert [one.problems for one in verify(untouched)] == [(GONE,)] * 2


def test_what_the_program_does_is_no_tampering(database) -> None:
    """A board imported, boards deleted by hand and by age, and the log goes on."""
    board = written(database)
    data = exchange.export_board(database, person("owner"), board)
    came = exchange.import_board(database, person("owner"), data, with_members=True)
    states.rename_board(database, person("owner"), came.board, "theirs", seen=None)
    saving.save_version(database, person("owner"), came.board, scores(8), AnalysisConfig())
    members.set_member(database, person("owner"), came.board, "x@y.org", "editor", seen=None)
    saving.delete_board(database, person("owner"), board)
    keeping.vacuum(database)
    assert problems(database) == []
    assert len(verify(database)) == 2
