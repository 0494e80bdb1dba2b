"""Who is on a board's list, and as what. Every change stands in the log."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from nlpstat_core.errors import unknown
from nlpstat_core.saved_boards.access import ROLES, Access, Viewer
from nlpstat_core.saved_boards.codec import canonical
from nlpstat_core.saved_boards.contents import need_system, system_name
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError, NotThere, TooMuch
from nlpstat_core.saved_boards.identities import Identity, from_tagged, known_identity
from nlpstat_core.saved_boards.limits import MOST_MEMBERS
from nlpstat_core.saved_boards.log import noted
from nlpstat_core.saved_boards.saving import bump, changing
from nlpstat_core.saved_boards.tables import member


@dataclass(frozen=True)
class Member:
    """One line of a board's list: who, with which role, and a participant's system."""

    identity: Identity
    role: str
    system: str | None


def set_member(
    database: Database,
    viewer: Viewer,
    board_id: str,
    identity: Identity | str,
    role: str,
    system: str | None = None,
    *,
    seen: int | None,
) -> None:
    """Put somebody on a board's list, or change the role. `system`: a participant's."""
    who = known_identity(identity) if isinstance(identity, str) else identity
    if role not in ROLES:
        raise BoardError(unknown("role", role, ROLES))
    if (role == "participant") != (system is not None):
        raise BoardError("A participant has a system, others have none.")
    with changing(database, viewer, board_id, "members", seen) as (connection, found, now):
        if system is not None:
            need_system(connection, found, system)
        others = connection.scalar(
            select(func.count())
            .select_from(member)
            .where(member.c.board == board_id, member.c.identity != who.tagged)
        )
        if (others or 0) >= MOST_MEMBERS:
            raise TooMuch(f"A board may have {MOST_MEMBERS:,} members.")
        row = {"role": role, "system": None if system is None else canonical(system)}
        connection.execute(delete(member).where(member.c.board == board_id, member.c.identity == who.tagged))
        connection.execute(insert(member).values(board=board_id, identity=who.tagged, **row))
        _keep_an_owner(connection, board_id)
        bump(connection, board_id)
        noted(connection, board_id, found.identity, "member", {**who.logged, **row}, now)


def remove_member(
    database: Database, viewer: Viewer, board_id: str, identity: Identity | str, *, seen: int | None
) -> None:
    """Take somebody off a board's list."""
    who = known_identity(identity) if isinstance(identity, str) else identity
    with changing(database, viewer, board_id, "members", seen) as (connection, found, now):
        done = connection.execute(
            delete(member).where(member.c.board == board_id, member.c.identity == who.tagged)
        )
        if done.rowcount == 0:
            raise NotThere("member")
        _keep_an_owner(connection, board_id)
        bump(connection, board_id)
        noted(connection, board_id, found.identity, "unmember", who.logged, now)


def members_of(connection: Connection, found: Access) -> tuple[Member, ...]:
    """A board's list, for those who may change it."""
    if "members" not in found.may:
        return ()
    rows = connection.execute(
        select(member.c.identity, member.c.role, member.c.system).where(member.c.board == found.board)
    ).all()
    made = [Member(from_tagged(row.identity), row.role, system_name(row.system)) for row in rows]
    return tuple(sorted(made, key=lambda one: (ROLES.index(one.role), one.identity.name)))


def _keep_an_owner(connection: Connection, board_id: str) -> None:
    owners = connection.scalar(
        select(func.count()).select_from(member).where(member.c.board == board_id, member.c.role == "owner")
    )
    if not owners:
        raise BoardError("A board needs an owner: make somebody else one first.")
