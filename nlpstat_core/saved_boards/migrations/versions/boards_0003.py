"""Members with the kind of their identity; the server's log of boards; logins that are over.

Members who were kept as a bare address or as issuer and subject get the kind they had, and domains become
A-labels. Logs of boards stay as they are, down to their hashes. The server's log begins with the boards that
are there.
"""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

from nlpstat_core.saved_boards.codec import digest
from nlpstat_core.saved_boards.identities import Identity, from_tagged, from_untagged
from nlpstat_core.saved_boards.log import NOTHING, chained_for_server

revision = "0003"
down_revision: str | None = "0002"

ROLES = ("owner", "editor", "reviewer", "participant")
_member = sa.table("member", *map(sa.column, ("board", "identity", "role", "system")))
_board = sa.table("board", *map(sa.column, ("id", "created_at")))
_setting = sa.table("server_setting", *map(sa.column, ("name", "value")))


def upgrade() -> None:
    """Make the tables, and tell members' kinds apart."""
    log = op.create_table(
        "server_event",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("happened_at", sa.String(32), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "signed_out",
        sa.Column("cookie", sa.String(64), primary_key=True),
        sa.Column("forget_at", sa.String(32), nullable=False),
    )
    _rename(lambda name: from_untagged(name).tagged)
    connection = op.get_bind()
    boards = connection.execute(sa.select(_board).order_by(_board.c.created_at, _board.c.id)).all()
    rows = [("created", board.id, board.created_at) for board in boards]
    key = connection.scalar(sa.select(_setting.c.value).where(_setting.c.name == "signing key"))
    if key is not None:
        rows.append(("key", digest(str(key).encode()), max((row[2] for row in rows), default="")))
    head = NOTHING
    for number, (action, subject, when) in enumerate(rows, start=1):
        made = chained_for_server(head, number, when, action, subject)
        row = {"number": number, "happened_at": when, "action": action, "subject": subject}
        connection.execute(sa.insert(log).values(**row, previous=head, hash=made))
        head = made


def downgrade() -> None:
    """Drop them, and call members as before."""
    _rename(lambda tagged: _as_before(from_tagged(tagged)))
    op.drop_table("signed_out")
    op.drop_table("server_event")


def _rename(to: Callable[[str], str]) -> None:
    """Call members otherwise; where two come out the same, the one with the lesser role stays."""
    connection = op.get_bind()
    kept: dict[tuple[str, str], sa.Row[tuple[str, str, str, str]]] = {}
    for row in connection.execute(sa.select(_member)).all():
        key = (row.board, to(row.identity))
        if key not in kept or ROLES.index(row.role) > ROLES.index(kept[key].role):
            kept[key] = row
    connection.execute(sa.delete(_member))
    for (board, identity), row in kept.items():
        connection.execute(
            sa.insert(_member).values(board=board, identity=identity, role=row.role, system=row.system)
        )


def _as_before(who: Identity) -> str:
    name, at, host = who.name.rpartition("@")
    if who.kind != "email" or "xn--" not in host:
        return who.name
    import idna

    try:
        return f"{name}{at}{idna.decode(host)}".casefold()
    except idna.IDNAError:  # an address of letters and digits that only looks like an A-label
        return who.name
