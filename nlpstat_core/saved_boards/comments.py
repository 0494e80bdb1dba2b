"""Comments on a version: on the board, a pair, a system or a unit. Every change stands in the log."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from nlpstat_core.errors import shown
from nlpstat_core.saved_boards.access import Access, Viewer
from nlpstat_core.saved_boards.codec import canonical, digest
from nlpstat_core.saved_boards.contents import unit_names, version_scores
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError, NotThere, TooMuch
from nlpstat_core.saved_boards.limits import LONGEST_COMMENT, MOST_COMMENTS, plain
from nlpstat_core.saved_boards.log import noted
from nlpstat_core.saved_boards.saving import changing
from nlpstat_core.saved_boards.tables import as_record, comment

ANCHORS = {"board": 1, "pair": 3, "system": 2, "unit": 2}  # how many parts each has, its kind included


@dataclass(frozen=True)
class Comment:
    """A comment on a version; the anchor is its kind and the names it is about."""

    id: str
    version: int
    anchor: tuple[str, ...]
    text: str
    author: str
    written_at: str
    resolved_by: str | None
    resolved_at: str | None


def add_comment(
    database: Database, viewer: Viewer, board_id: str, number: int, anchor: Sequence[str], text: str
) -> str:
    """Comment on a version: on the board, a pair, a system or a unit.

    anchor: ("board",), ("pair", a, b), ("system", name) or ("unit", name).
    """
    text = plain(text, "A comment", LONGEST_COMMENT, lines=True)
    if not anchor or ANCHORS.get(anchor[0]) != len(anchor):
        raise BoardError("A comment is about the board, a pair (two names), a system or an item (a name).")
    with changing(database, viewer, board_id, "comment") as (connection, found, now):
        if number not in found.versions:
            raise NotThere("version")
        _need_anchor(connection, found, number, anchor)
        written = connection.scalar(
            select(func.count()).select_from(comment).where(comment.c.board == board_id)
        )
        if (written or 0) >= MOST_COMMENTS:
            raise TooMuch(f"A board may have {MOST_COMMENTS:,} comments.")
        made = secrets.token_hex(8)
        row = {
            "id": made,
            "version": number,
            "anchor": canonical(list(anchor)),
            "text": text,
            "author": found.identity,
            "written_at": now,
        }
        connection.execute(insert(comment).values(board=board_id, **row))
        # The log is kept as long as the board; texts stand once.
        entry = {**row, "text": digest(text.encode())}
        noted(connection, board_id, found.identity, "comment", entry, now)
        return made


def resolve_comment(
    database: Database, viewer: Viewer, board_id: str, comment_id: str, *, resolved: bool = True
) -> None:
    """Mark a comment as resolved, or open it again."""
    with changing(database, viewer, board_id, "comment") as (connection, found, now):
        by, at = (found.identity, now) if resolved else (None, None)
        done = connection.execute(
            update(comment)
            .where(comment.c.board == board_id, comment.c.id == comment_id)
            .values(resolved_by=by, resolved_at=at)
        )
        if done.rowcount == 0:
            raise NotThere("comment")
        details = {"id": comment_id, "resolved_by": by, "resolved_at": at}
        noted(connection, board_id, found.identity, "resolved", details, now)


def comments_of(connection: Connection, found: Access) -> tuple[Comment, ...]:
    """A board's comments in the order they were written, for those who may comment."""
    if "comment" not in found.may:
        return ()
    rows = connection.execute(
        select(comment).where(comment.c.board == found.board).order_by(comment.c.written_at, comment.c.id)
    ).mappings()
    return tuple(as_record(Comment, row, anchor=tuple(json.loads(row["anchor"]))) for row in rows)


def _need_anchor(connection: Connection, found: Access, number: int, anchor: Sequence[str]) -> None:
    """Comments are about what is there."""
    kind, *names = anchor
    if kind == "board":
        return
    scores = version_scores(connection, found.board, number)
    known = unit_names(scores) if kind == "unit" else scores.systems
    for name in names:
        if name not in known:
            what = "item" if kind == "unit" else "system"
            raise BoardError(f"Version {number} of this board has no {what} {shown(name)}.")
