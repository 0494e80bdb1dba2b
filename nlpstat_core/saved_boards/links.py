"""Links for people without an account. Every change stands in the log."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from nlpstat_core.errors import shown, unknown
from nlpstat_core.saved_boards.access import LINK_KINDS, Access, Viewer, token_hash
from nlpstat_core.saved_boards.codec import canonical
from nlpstat_core.saved_boards.contents import need_system, system_name
from nlpstat_core.saved_boards.database import Database, as_text
from nlpstat_core.saved_boards.errors import BoardError, NotThere, TooMuch
from nlpstat_core.saved_boards.limits import MOST_DAYS, MOST_LINKS
from nlpstat_core.saved_boards.log import noted
from nlpstat_core.saved_boards.saving import bump, changing
from nlpstat_core.saved_boards.tables import as_record, link


@dataclass(frozen=True)
class Link:
    """What is known of a link; the token itself nobody knows but those who have it."""

    id: str
    kind: str
    system: str | None
    hide_names: bool
    expires_at: str | None
    revoked_at: str | None
    made_at: str


def make_link(
    database: Database,
    viewer: Viewer,
    board_id: str,
    kind: str,
    *,
    system: str | None = None,
    hide_names: bool = False,
    days: int | None = 30,
    seen: int | None,
) -> str:
    """Make a link for people without an account.

    system: Whose sheet.
    hide_names: Whether the names of (other) systems are hidden.
    days: After which it expires.
    Returns: The token, 256 random bits. It is told this once: only its hash is kept.
    """
    if kind not in LINK_KINDS:
        raise BoardError(unknown("kind of link", kind, LINK_KINDS))
    if (kind == "sheet") != (system is not None):
        raise BoardError("A link to a sheet names a system; a link to read the board names none.")
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise BoardError(f"A link may hold from 1 to {MOST_DAYS:,} days, not {shown(days)}.")
    token = secrets.token_urlsafe(32)
    with changing(database, viewer, board_id, "links", seen) as (connection, found, now):
        if system is not None:
            need_system(connection, found, system)
        made = connection.scalar(select(func.count()).select_from(link).where(link.c.board == board_id))
        if (made or 0) >= MOST_LINKS:
            raise TooMuch(f"A board may have {MOST_LINKS:,} links.")
        row: dict[str, Any] = {
            "id": secrets.token_hex(8),
            "token_hash": token_hash(token),
            "kind": kind,
            "system": None if system is None else canonical(system),
            "hide_names": int(hide_names),
            "expires_at": None if days is None else as_text(database.now() + timedelta(days=days)),
            "made_at": now,
        }
        connection.execute(insert(link).values(board=board_id, **row))
        bump(connection, board_id)
        noted(connection, board_id, found.identity, "link", row, now)
    return token


def revoke_link(database: Database, viewer: Viewer, board_id: str, link_id: str, *, seen: int | None) -> None:
    """Withdraw a link."""
    with changing(database, viewer, board_id, "links", seen) as (connection, found, now):
        done = connection.execute(
            update(link)
            .where(link.c.board == board_id, link.c.id == link_id, link.c.revoked_at.is_(None))
            .values(revoked_at=now)
        )
        if done.rowcount == 0:
            raise NotThere("link")
        bump(connection, board_id)
        noted(connection, board_id, found.identity, "revoked", {"id": link_id, "revoked_at": now}, now)


def links_of(connection: Connection, found: Access) -> tuple[Link, ...]:
    """A board's links, for those who may make them; the newest first."""
    if "links" not in found.may:
        return ()
    rows = connection.execute(
        select(link).where(link.c.board == found.board).order_by(link.c.made_at.desc(), link.c.id)
    ).mappings()
    return tuple(
        as_record(Link, row, system=system_name(row["system"]), hide_names=bool(row["hide_names"]))
        for row in rows
    )
