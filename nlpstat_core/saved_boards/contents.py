"""What a version holds, for whatever names a part of it."""

import json
from typing import Any

from sqlalchemy import Connection, select

from nlpstat_core.errors import shown
from nlpstat_core.saved_boards.access import Access
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.saved_boards.tables import blob, version


def system_name(text: str | None) -> str | None:
    """A system as a column holds it: JSON, so that any name survives; None stays None."""
    found: str | None = None if text is None else json.loads(text)
    return found


def version_scores(connection: Connection, board_id: str, number: int) -> Any:
    """The score matrix of a version."""
    from nlpstat_core.saved_boards.codec import from_parquet

    return from_parquet(
        connection.execute(
            select(blob.c.content)
            .join(version, version.c.blob == blob.c.sha256)
            .where(version.c.board == board_id, version.c.number == number)
        ).scalar_one()
    )


def need_system(connection: Connection, found: Access, system: str) -> None:
    """Refuse a system that the latest version doesn't have, with a BoardError."""
    if system not in version_scores(connection, found.board, found.latest).systems:
        raise BoardError(f"Version {found.latest} of this board has no system {shown(system)}.")


def unit_names(scores: Any) -> tuple[str, ...]:
    """What items are called: their ids, else their places in the file."""
    if scores.units is None:
        return tuple(f"row {row}" for row in range(1, scores.n_units + 1))
    return tuple(scores.units)
