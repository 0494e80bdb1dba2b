"""The log of a board: rows are only ever added, and each carries the hash of the one before."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select, update

from nlpstat_core.saved_boards.codec import canonical, digest
from nlpstat_core.saved_boards.tables import board, event

NOTHING = "0" * 64


def chained(
    previous: str, board_id: str, number: int, happened_at: str, actor: str, action: str, details: str
) -> str:
    """The hash of a row.

    Parameters
    ----------
    previous : str
        The hash of the row before; 64 zeros for the first.
    board_id : str
    number : int
    happened_at, actor, action, details : str

    Returns
    -------
    str
    """
    return digest(canonical([previous, board_id, number, happened_at, actor, action, details]).encode())


def noted(
    connection: Connection, board_id: str, actor: str, action: str, details: dict[str, Any], now: str
) -> None:
    """Add a row; the board's own row is held, so that two never get the same number.

    Parameters
    ----------
    connection : Connection
        Of a writing transaction.
    board_id : str
    actor : str
    action : str
    details : dict
        What a board can be rebuilt from, to be compared with its tables.
    now : str
    """
    held = connection.execute(
        select(board.c.events, board.c.head).where(board.c.id == board_id).with_for_update()
    ).one()
    number, text = held.events + 1, canonical(details)
    made = chained(held.head, board_id, number, now, actor, action, text)
    connection.execute(
        insert(event).values(
            board=board_id,
            number=number,
            happened_at=now,
            actor=actor,
            action=action,
            details=text,
            previous=held.head,
            hash=made,
        )
    )
    connection.execute(
        update(board).where(board.c.id == board_id).values(events=number, head=made, changed_at=now)
    )
