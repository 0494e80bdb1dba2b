"""What worker processes do with saved boards, and how pages ask for it. They open the database themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from dashboard.background.worker_talk import Progress, ShouldStop
from dashboard.session.results import QUICK_DIFFERENCES, Answer, ask
from nlpstat_core.saved_boards import configured
from nlpstat_core.saved_boards.access import Access, Viewer
from nlpstat_core.saved_boards.database import Database, located, shared_database
from nlpstat_core.saved_boards.keeping import forget_old
from nlpstat_core.saved_boards.projection import Overview, Projection

if TYPE_CHECKING:
    from dashboard.background.changes import Summary

Content = TypeVar("Content", str, bytes)
PROJECTED, CHANGED, SHEET = "saved board", "changed versions", "own sheet"


def projected(
    target: str,
    viewer: Viewer,
    board: str,
    number: int,
    own: bool,
    progress: Progress,
    should_stop: ShouldStop,
) -> Projection:
    """A version as somebody sees it; or their own sheet alone, for a participant who sees it whole."""
    from nlpstat_core.saved_boards.projection import own_sheet, projection

    seen = own_sheet if own else projection
    return seen(shared_database(target), viewer, board, number, progress=progress, should_stop=should_stop)


def changed(
    target: str,
    viewer: Viewer,
    board: str,
    before: int,
    after: int,
    progress: Progress,
    should_stop: ShouldStop,
) -> Summary:
    """What differs between two versions that somebody sees."""
    from dashboard.background.changes import summary
    from nlpstat_core.analysis.changes import changes
    from nlpstat_core.saved_boards.errors import NotThere
    from nlpstat_core.saved_boards.projection import projection

    database = shared_database(target)
    old, new = (
        projection(database, viewer, board, number, should_stop=should_stop).analysis
        for number in (before, after)
    )
    if old is None or new is None:
        raise NotThere("version")
    return summary(changes(old, new))


def file(found: Projection, name: str, progress: Progress, should_stop: ShouldStop) -> bytes:
    """A file of what somebody sees."""
    return found.file(name)


def still_theirs(
    viewer: Viewer, seen: Access, numbers: tuple[int, ...], make: Callable[[], Content]
) -> Callable[[], Content]:
    """Something of what somebody sees, made at a click: only if they still see it then, and when it is made.

    seen: What they saw when the page was drawn.
    numbers: The versions that it is made of.
    """

    def made() -> Content:
        from nlpstat_core.saved_boards.projection import still_sees

        still_sees(database(), viewer, seen, *numbers)
        content = make()
        still_sees(database(), viewer, seen, *numbers)
        return content

    return made


_last_look: list[float] = []


def database() -> Database:
    """The database of this server; once an hour boards that are too old go."""
    import time

    found = shared_database(_target())
    if not _last_look or time.monotonic() - _last_look[-1] > 3600:
        _last_look[:] = [time.monotonic()]
        forget_old(found)
    return found


def ask_projection(viewer: Viewer, seen: Overview, number: int, *, own: bool = False) -> Answer[Projection]:
    """A version as somebody sees it; or their own sheet alone, for a participant who sees it whole."""
    key = (viewer, _shape(seen), number)
    told = (_target(), viewer, seen.access.board, number, own)
    return ask(SHEET if own else PROJECTED, key, projected, *told, quick=_quick(seen, number))


def ask_changes(viewer: Viewer, seen: Overview, before: int, after: int) -> Answer[Summary]:
    """What differs between two versions."""
    key = (viewer, _shape(seen), before, after)
    quick = _quick(seen, before) and _quick(seen, after)
    return ask(CHANGED, key, changed, _target(), viewer, seen.access.board, before, after, quick=quick)


def _shape(seen: Overview) -> tuple[object, ...]:
    """What a result depends on besides the version: how much is seen of it, not how the board is called."""
    here = seen.access
    return here.board, here.sees, here.role, here.system, here.hide_names


def _quick(seen: Overview, number: int) -> bool:
    """Whether a version is analysed within about a second."""
    line = next((line for line in seen.versions if line.number == number), None)
    return line is not None and line.systems**2 // 2 * line.units <= QUICK_DIFFERENCES


def _target() -> str:
    return located(str(configured()))
