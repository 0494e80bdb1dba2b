"""Saves boards and versions: a version is whole or not there, and never changes afterwards."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from nlpstat_core.board.settled import settled
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards.access import Access, Viewer, access, is_signed_out
from nlpstat_core.saved_boards.codec import canonical, digest, to_parquet
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError, Conflict, DiskFull, Refused, TooMuch
from nlpstat_core.saved_boards.full_disk import keep_reserve, room_to_delete
from nlpstat_core.saved_boards.limits import LONGEST_TITLE, MEGABYTE, MOST_VERSIONS, limits, plain
from nlpstat_core.saved_boards.log import NOTHING, hold_servers_log, noted, noted_for_server
from nlpstat_core.saved_boards.tables import blob, board, insert_once, member, user, version
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.version import VERSION

Result = TypeVar("Result")


@contextmanager
def changing(
    database: Database, viewer: Viewer, board_id: str, may: str, seen: int | None = None
) -> Iterator[tuple[Connection, Access, str]]:
    """A transaction on one board that the viewer may change, which nobody else changes meanwhile.

    may: What the viewer is about to do.
    seen: Revision of the board that the viewer looked at; None where that doesn't matter.
    Raises Conflict: The board has changed since.
    """
    with database.writing() as connection:
        now = database.time()
        connection.execute(select(board.c.id).where(board.c.id == board_id).with_for_update())
        found = access(connection, viewer, board_id, now)
        found.need(may)
        if seen is not None and seen != found.revision:
            raise Conflict(changed_meanwhile(found.revision, seen))
        yield connection, found, now


def changed_meanwhile(revision: int, seen: int | None) -> str:
    """What the second of two editors is told."""
    return (
        f"Somebody else has changed this board since you opened it (now change {revision}, you saw {seen}). "
        "Nothing of yours was saved: look, and try again."
    )


def bump(connection: Connection, board_id: str, **values: Any) -> None:
    """Count a change of the board, with new values of its row."""
    connection.execute(
        update(board).where(board.c.id == board_id).values(revision=board.c.revision + 1, **values)
    )


def save_board(
    database: Database,
    viewer: Viewer,
    title: str,
    scores: ScoreMatrix,
    config: AnalysisConfig,
    *,
    remark: str = "",
) -> str:
    """Save scores and settings as the first version of a new board.

    viewer: Becomes its owner.
    Returns: The board's id.
    Raises TooMuch: A limit of this server.
    """
    title, packed = plain(title, "A title", LONGEST_TITLE), to_parquet(scores)
    keep_reserve(database)
    with database.writing() as connection:
        board_id = new_board(connection, database, viewer, title, {})
        _add(connection, viewer, board_id, 1, packed, _about(scores, config), remark, database.time())
    return board_id


def new_board(
    connection: Connection, database: Database, viewer: Viewer, title: str, more: Mapping[str, Any]
) -> str:
    """An empty board, of which the viewer is the owner."""
    if is_signed_out(connection, viewer):
        raise Refused("You have logged out, here or in another tab. Log in again.")
    board_id, now = secrets.token_hex(8), database.time()
    creator, who = _user(connection, viewer), viewer.identities[0]
    made = connection.scalar(select(func.count()).select_from(board).where(board.c.creator == creator))
    if (made or 0) >= limits().boards:
        raise TooMuch(
            f"You have {limits().boards:,} boards, which is as many as this server keeps for one user. "
            "Delete one first."
        )
    connection.execute(
        insert(board).values(
            id=board_id,
            title=title,
            state="draft",
            published=0,
            revision=1,
            creator=creator,
            created_at=now,
            changed_at=now,
            events=0,
            head=NOTHING,
        )
    )
    connection.execute(insert(member).values(board=board_id, identity=who.tagged, role="owner", system=None))
    details = {"title": title, **who.logged, "role": "owner", "system": None, **more}
    noted(connection, board_id, who.name, "created", details, now)
    hold_servers_log(connection)
    noted_for_server(connection, "created", board_id, now)
    return board_id


def save_version(
    database: Database,
    viewer: Viewer,
    board_id: str,
    scores: ScoreMatrix,
    config: AnalysisConfig,
    *,
    seen: int | None = None,
    remark: str = "",
) -> int:
    """Save scores and settings as the next version of a board.

    seen: Revision of the board that the viewer looked at.
    Raises Conflict: Somebody else changed the board meanwhile.
    Raises BoardError: Nothing has changed since the last version.
    """
    packed, about = to_parquet(scores), _about(scores, config)
    keep_reserve(database)
    with changing(database, viewer, board_id, "save", seen) as (connection, found, now):
        latest = select(version).where(version.c.board == board_id, version.c.number == found.latest)
        last = connection.execute(latest).mappings().first()
        if last is not None and all(last[name] == about[name] for name in ("fingerprint", "config")):
            raise BoardError(f"Version {found.latest} has the same scores and settings already.")
        if found.latest >= MOST_VERSIONS:
            raise TooMuch(f"A board may have {MOST_VERSIONS:,} versions; start a new board.")
        number = found.latest + 1
        _add(connection, viewer, board_id, number, packed, about, remark, now)
        bump(connection, board_id)
    return number


def saved_under(
    database: Database, viewer: Viewer, title: str, scores: ScoreMatrix, config: AnalysisConfig
) -> tuple[str, int]:
    """Save under a title: the next version of the viewer's only board of this title, else a new board."""
    from nlpstat_core.saved_boards.access import boards_of

    wanted = plain(title, "A title", LONGEST_TITLE)
    known = [found for found in boards_of(database, viewer) if found.title == wanted and "save" in found.may]
    if len(known) > 1:
        raise BoardError(f"{len(known)} boards have this title; rename all but one of them.")
    if known:
        return known[0].board, save_version(database, viewer, known[0].board, scores, config)
    return save_board(database, viewer, wanted, scores, config), 1


def delete_board(database: Database, viewer: Viewer, board_id: str, *, seen: int | None = None) -> None:
    """Delete everything about a board, its log and its scores included."""

    def gone(there: Database) -> None:
        with changing(there, viewer, board_id, "delete", seen) as (connection, _, now):
            remove(connection, board_id, now)

    deleting(database, gone)


def deleting(database: Database, delete_in: Callable[[Database], Result]) -> Result:
    """Delete something; where the disk is too full for that, in the room that was kept for it."""
    try:
        return delete_in(database)
    except DiskFull:
        with room_to_delete(database) as narrow:
            return delete_in(narrow)


def remove(connection: Connection, board_id: str, now: str) -> None:
    """Delete a board's rows, and scores nobody else has; the server's log keeps that there was one."""
    hold_servers_log(connection)
    gone = connection.execute(delete(board).where(board.c.id == board_id))
    one_writer = connection.dialect.name == "sqlite"
    try:
        with nullcontext() if one_writer else connection.begin_nested():
            connection.execute(delete(blob).where(blob.c.sha256.not_in(select(version.c.blob))))
    except IntegrityError:  # somebody has just saved the same scores; whoever deletes next finds the others
        if one_writer:
            raise
    if gone.rowcount:  # else somebody else was faster
        noted_for_server(connection, "deleted", board_id, now)


def _about(scores: ScoreMatrix, config: AnalysisConfig) -> dict[str, Any]:
    return {
        "fingerprint": scores.fingerprint,
        "config": canonical(settled(scores, config).to_dict()),
        "core_version": VERSION,
        "systems": scores.n_systems,
        "units": scores.n_units,
    }


def _add(
    connection: Connection,
    viewer: Viewer,
    board_id: str,
    number: int,
    packed: bytes,
    about: Mapping[str, Any],
    remark: str,
    now: str,
) -> None:
    identity = viewer.identities[0].name
    remark = plain(remark, "A remark", LONGEST_TITLE) if remark.strip() else ""
    row = {**about, "number": number, "remark": remark, "saved_by": identity, "saved_at": now}
    add_version(connection, board_id, packed, row, actor=identity, now=now)


def add_version(
    connection: Connection, board_id: str, packed: bytes, row: Mapping[str, Any], *, actor: str, now: str
) -> None:
    """Add a version, its scores as Parquet and its `row` without board and blob, with its line in the log."""
    _refuse_too_much(connection, board_id, len(packed))
    name = digest(packed)
    insert_once(connection, blob, sha256=name, size=len(packed), content=packed)
    values = {**row, "blob": name}
    connection.execute(insert(version).values(board=board_id, **values))
    noted(connection, board_id, actor, "version", values, now)


def _refuse_too_much(connection: Connection, board_id: str, more: int) -> None:
    creator = connection.scalar(select(board.c.creator).where(board.c.id == board_id))
    used = connection.scalar(
        select(func.coalesce(func.sum(blob.c.size), 0))
        .select_from(version)
        .join(blob, blob.c.sha256 == version.c.blob)
        .join(board, board.c.id == version.c.board)
        .where(board.c.creator == creator)
    )
    most = limits().megabytes
    if int(used or 0) + more > most * MEGABYTE:
        raise TooMuch(
            f"This would take the boards of its owner above {most:,} MB, which is what this server keeps for "
            "one user. Delete a board first."
        )


def _user(connection: Connection, viewer: Viewer) -> str:
    """The id of the viewer's account, made at first use; held, so that limits are counted one at a time."""
    same = (user.c.issuer == viewer.issuer) & (user.c.subject == viewer.subject)
    named = {"issuer": viewer.issuer, "subject": viewer.subject, "name": viewer.name}
    insert_once(connection, user, id=secrets.token_hex(8), **named)
    found: str = connection.execute(select(user.c.id).where(same).with_for_update()).scalar_one()
    return found
