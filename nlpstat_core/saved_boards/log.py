"""The logs: of each board, and of which boards there are. Rows are only added, each with the hash before."""

from typing import Any

from sqlalchemy import Connection, insert, select, text, update

from nlpstat_core.saved_boards.codec import canonical, digest
from nlpstat_core.saved_boards.tables import board, event, server_event

NOTHING = "0" * 64
_SERVERS_LOG = 4_151_623_018  # PostgreSQL's advisory lock around the server's log


def chained(
    previous: str, board_id: str, number: int, happened_at: str, actor: str, action: str, details: str
) -> str:
    """The hash of a row. `previous`: the hash of the row before; 64 zeros for the first."""
    return digest(canonical([previous, board_id, number, happened_at, actor, action, details]).encode())


def noted(
    connection: Connection, board_id: str, actor: str, action: str, details: dict[str, Any], now: str
) -> None:
    """Add a row; the board's own row is held, so that two never get the same number.

    details: What a board can be rebuilt from, to be compared with its tables.
    """
    held = connection.execute(
        select(board.c.events, board.c.head).where(board.c.id == board_id).with_for_update()
    ).one()
    number, told = held.events + 1, canonical(details)
    made = chained(held.head, board_id, number, now, actor, action, told)
    connection.execute(
        insert(event).values(
            board=board_id,
            number=number,
            happened_at=now,
            actor=actor,
            action=action,
            details=told,
            previous=held.head,
            hash=made,
        )
    )
    connection.execute(
        update(board).where(board.c.id == board_id).values(events=number, head=made, changed_at=now)
    )


def hold_servers_log(connection: Connection) -> None:
    """Have others wait who make or delete boards; before scores are touched, for which they may wait, too."""
    if connection.dialect.name != "sqlite":  # which has one writer at a time
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_SERVERS_LOG})"))


def noted_for_server(connection: Connection, action: str, subject: str, now: str) -> None:
    """Add a row to the server's log: which boards there are, so that one that was taken away is missed.

    connection: Of a transaction that holds it.
    subject: A board's id, or the hash of the key.
    """
    last = connection.execute(
        select(server_event.c.number, server_event.c.hash).order_by(server_event.c.number.desc()).limit(1)
    ).first()
    number, head = (last.number + 1, last.hash) if last is not None else (1, NOTHING)
    connection.execute(
        insert(server_event).values(
            number=number,
            happened_at=now,
            action=action,
            subject=subject,
            previous=head,
            hash=chained_for_server(head, number, now, action, subject),
        )
    )


def chained_for_server(previous: str, number: int, happened_at: str, action: str, subject: str) -> str:
    """The hash of a row of the server's log."""
    return digest(canonical([previous, number, happened_at, action, subject]).encode())
