"""A board's title and state. Every change stands in the log."""

from nlpstat_core.errors import unknown
from nlpstat_core.saved_boards.access import STATES, Viewer
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.saved_boards.limits import LONGEST_TITLE, plain
from nlpstat_core.saved_boards.log import noted
from nlpstat_core.saved_boards.saving import bump, changing


def rename_board(database: Database, viewer: Viewer, board_id: str, title: str, *, seen: int | None) -> None:
    """Give a board another title."""
    title = plain(title, "A title", LONGEST_TITLE)
    with changing(database, viewer, board_id, "state", seen) as (connection, found, now):
        bump(connection, board_id, title=title)
        noted(connection, board_id, found.identity, "title", {"title": title}, now)


def change_state(database: Database, viewer: Viewer, board_id: str, state: str, *, seen: int | None) -> None:
    """Make a board a draft, open it for review, or publish its latest version."""
    if state not in STATES:
        raise BoardError(unknown("state", state, STATES))
    with changing(database, viewer, board_id, "state", seen) as (connection, found, now):
        if "published" in (state, found.state):
            found.need("publish")
        published = found.latest if state == "published" else 0
        bump(connection, board_id, state=state, published=published)
        noted(connection, board_id, found.identity, "state", {"state": state, "published": published}, now)
