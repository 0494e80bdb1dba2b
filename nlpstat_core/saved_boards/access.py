"""Who may see and do what with a board: roles, states, links. Everything else asks here.

| | draft | review | published |
| --- | --- | --- | --- |
| owner, editor | everything | everything | everything |
| reviewer | nothing | every version | every version |
| participant | nothing | the own score | the published version |
| link to read | nothing | nothing | the published version |
| link to a sheet | nothing | the own score | that participant's sheet |
"""

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select

from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import NotThere, Refused
from nlpstat_core.saved_boards.identities import LOCAL, THIS_MACHINES, Identity, address, is_address, login
from nlpstat_core.saved_boards.tables import board, link, member, signed_out, version

ROLES = ("owner", "editor", "reviewer", "participant")
STATES = ("draft", "review", "published")
LINK_KINDS = ("read", "sheet")

Sees = Literal["whole", "sheet", "own-score"]
_MAY = {
    "owner": ("comment", "save", "state", "publish", "members", "links", "export", "delete", "log"),
    "editor": ("comment", "save", "state", "export", "log"),
    "reviewer": ("comment",),
}
_NO_HASH = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks at boards.

    issuer, subject: Who says who it is, and what the viewer is called there; both empty for somebody with a
        link only.
    name: For people.
    email: Only where the issuer has verified it.
    operator: Whether it is whoever runs the server, at its command line.
    token_hash: Of the token of a link.
    local: Whether it is the one user of this machine, whom nobody has to vouch for.
    cookie: Tells one login from another: what `signed_out` holds when it is over.
    """

    issuer: str = ""
    subject: str = ""
    name: str = ""
    email: str | None = None
    operator: bool = False
    token_hash: str | None = None
    local: bool = False
    cookie: str | None = None

    @property
    def identities(self) -> tuple[Identity, ...]:
        """What members' lists may call the viewer; an address that none can hold is none."""
        if self.local:
            return (THIS_MACHINES,)
        found = (login(self.issuer, self.subject),) if self.subject else ()
        return (*found, address(self.email)) if self.email and is_address(self.email) else found


LOCAL_USER = Viewer(issuer=LOCAL, subject=LOCAL, name="you", local=True)
OPERATOR = Viewer(issuer=LOCAL, subject=LOCAL, name="operator", operator=True, local=True)


def by_link(token: str) -> Viewer:
    """Somebody who has a link and needs no account."""
    return Viewer(name="link", token_hash=token_hash(token))


def token_hash(token: str) -> str:
    """What is kept of a token: nobody can make it from this."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Access:
    """What one viewer may see and do with one board, as it stands now.

    published, latest: Numbers of versions; 0 for none.
    revision: Grows with every change of the board.
    role: Of ROLES, or "link".
    system: Whose sheet it is.
    versions: Those that may be seen, newest first.
    identity: How comments and the log name the viewer.
    """

    board: str
    title: str
    state: str
    published: int
    latest: int
    revision: int
    role: str
    sees: Sees
    system: str | None
    hide_names: bool
    versions: tuple[int, ...]
    may: frozenset[str]
    identity: str

    def need(self, what: str) -> None:
        """Refuse what the viewer may not do. Raises Refused."""
        if what not in self.may:
            raise Refused(f"As {self.role} of this board you can't do this ({what}). Ask its owner.")


def access(connection: Connection, viewer: Viewer, board_id: str, now: str) -> Access:
    """What a viewer may see of a board.

    now: Time, as the rows hold it.
    Raises NotThere: There is no such board, or nothing of it for this viewer: nobody can tell which.
    """
    row = connection.execute(select(board).where(board.c.id == board_id)).mappings().first()
    if row is None:
        raise NotThere
    if viewer.token_hash is not None:
        found = _of_link(connection, viewer.token_hash, now)
        if found is None or found[0] != board_id:
            raise NotThere("link")
        role, system, hide = "link", found[1], found[2]
    else:
        known = _of_member(connection, viewer, board_id)
        if known is None:
            raise NotThere
        (role, system), hide = known, False
    numbers = tuple(
        connection.scalars(
            select(version.c.number).where(version.c.board == board_id).order_by(version.c.number.desc())
        )
    )
    state, published = row["state"], int(row["published"])
    seen = _sees(role, system, state)
    if seen is None:
        raise NotThere("link" if role == "link" else "board")
    if role in ("participant", "link"):
        numbers = (published,) if state == "published" else numbers[:1]
    return Access(
        board=board_id,
        title=row["title"],
        state=state,
        published=published,
        latest=max(numbers, default=0),
        revision=int(row["revision"]),
        role=role,
        sees=seen,
        system=system,
        hide_names=hide,
        versions=numbers,
        may=frozenset(_MAY.get(role, ())),
        identity=next((known.name for known in viewer.identities), viewer.name),
    )


def _sees(role: str, system: str | None, state: str) -> Sees | None:
    """How much of a version is seen: the table at the top of this file."""
    if role in ("owner", "editor"):
        return "whole"
    if role == "reviewer":
        return None if state == "draft" else "whole"
    if state == "published":
        return "sheet" if role == "link" and system is not None else "whole"
    return "own-score" if state == "review" and system is not None else None


def _of_member(connection: Connection, viewer: Viewer, board_id: str) -> tuple[str, str | None] | None:
    """The highest role under any of the viewer's names; none once the viewer has signed out."""
    if viewer.operator:
        return "owner", None
    if is_signed_out(connection, viewer):
        return None
    rows = connection.execute(
        select(member.c.role, member.c.system).where(
            member.c.board == board_id, member.c.identity.in_(_names(viewer))
        )
    ).all()
    if not rows:
        return None
    role, system = min(rows, key=lambda row: ROLES.index(row.role))
    return role, None if system is None else json.loads(system)


def _names(viewer: Viewer) -> list[str]:
    return [known.tagged for known in viewer.identities]


def is_signed_out(connection: Connection, viewer: Viewer) -> bool:
    """Whether a login is over, in whatever tab or by whoever has a copy of its cookie."""
    if viewer.cookie is None:
        return False
    asked = select(signed_out.c.cookie).where(signed_out.c.cookie == viewer.cookie)
    return connection.scalar(asked) is not None


def _of_link(connection: Connection, wanted: str, now: str) -> tuple[str, str | None, bool] | None:
    """Board, system and hiding of a link. A guessed token takes the same steps as one that has expired."""
    row = connection.execute(select(link).where(link.c.token_hash == wanted)).mappings().first()
    there = hmac.compare_digest(_NO_HASH if row is None else row["token_hash"], wanted)
    if row is None or not there:
        return None
    if row["revoked_at"] is not None or (row["expires_at"] is not None and row["expires_at"] <= now):
        return None
    system = None if row["system"] is None else json.loads(row["system"])
    return row["board"], system, bool(row["hide_names"])


def board_of_link(database: Database, viewer: Viewer) -> str:
    """The board that a link leads to.

    viewer: With a token.
    Raises NotThere: Guessed, expired, withdrawn, or not open yet: always the same sentence.
    """
    with database.reading() as connection:
        found = _of_link(connection, viewer.token_hash or _NO_HASH, database.time())
        # Whoever guesses gets no further than this; asking for a board that isn't there takes as long.
        try:
            return access(connection, viewer, "" if found is None else found[0], database.time()).board
        except NotThere:
            raise NotThere("link") from None


def boards_of(database: Database, viewer: Viewer) -> tuple[Access, ...]:
    """Every board that a viewer may see something of, the one changed last first."""
    asked = select(board.c.id).order_by(board.c.changed_at.desc(), board.c.id)
    if not viewer.operator:
        asked = asked.where(
            board.c.id.in_(select(member.c.board).where(member.c.identity.in_(_names(viewer))))
        )
    found = []
    with database.reading() as connection:
        now = database.time()
        for board_id in connection.scalars(asked).all():
            try:
                found.append(access(connection, viewer, board_id, now))
            except NotThere:  # nothing of it is for this viewer yet
                continue
    return tuple(found)
