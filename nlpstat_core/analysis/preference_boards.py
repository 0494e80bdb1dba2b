"""preference_boards: battles of each category, language or judge as a board of its own."""

from dataclasses import replace
from typing import Any

from nlpstat_core.analysis.preferences import rank_preferences
from nlpstat_core.errors import NlpstatError, ScoreError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import coded

MOST_BOARDS = 100


def preference_boards(battles: Any, column: str, **settings: Any) -> dict[str, Preferences | str]:
    """Rank systems by the battles of every entry of a column.

    Parameters
    ----------
    battles : as for `rank_preferences`
    column : str
        Name of a column: category, language, judge, turn …
    **settings
        As for `rank_preferences`.

    Returns
    -------
    dict of str to Preferences or str
        Boards by entry, those with most battles first; a sentence where there is no board. Each is corrected
        for its own pairs alone.

    Raises
    ------
    ScoreError
        No such column, or more than 100 entries.

    Examples
    --------
    >>> battles = {"model_a": list("uuvv") * 9, "model_b": list("vvuu") * 9, "winner": list("aaab") * 9}
    >>> boards = preference_boards({**battles, "topic": list("xxyy") * 9}, "topic", clusters=None)
    >>> sorted(boards["y"].top_group), boards["x"][:22]
    (['u', 'v'], 'Strengths are infinite')
    """
    given = as_battles(battles)
    if column not in given.labels:
        there = some_shown(list(given.labels)) if given.labels else "none"
        raise ScoreError(f"Battles have no column {shown(column)}; other columns: {there}.")
    codes, kinds = coded(given.labels[column], f"Column {shown(column)}")
    if len(kinds) > MOST_BOARDS:
        raise ScoreError(
            f"Column {shown(column)} has {len(kinds):,} entries, more than {MOST_BOARDS} boards; choose one "
            "that groups battles."
        )
    if not len(kinds):
        raise ScoreError(f"Column {shown(column)} is empty; choose one that groups battles.")
    lacking = int((codes < 0).sum())
    if lacking:
        text = (
            f"{lacking:,} of {given.n_battles:,} battles {'has' if lacking == 1 else 'have'} nothing in "
            f"{shown(column)} and {'is' if lacking == 1 else 'are'} on no board."
        )
        given = replace(given, notes=(*given.notes, Note("battles-on-no-board", "caution", text)))
    found: list[tuple[int, str, Preferences | str]] = []
    for number, kind in enumerate(kinds):
        here = codes == number
        board: Preferences | str
        try:
            board = rank_preferences(given.take(here), **settings)
        except NlpstatError as error:
            board = str(error)
        found.append((int(here.sum()), str(kind), board))
    return {name: board for _, name, board in sorted(found, key=lambda one: -one[0])}
