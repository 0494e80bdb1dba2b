"""connected_boards: where wins don't connect all systems, a board of each group that they connect."""

from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.analysis.preferences import rank_preferences
from nlpstat_core.errors import AnalysisError, NlpstatError, ScoreError, shown, some_shown
from nlpstat_core.methods.preferences.counts import counted
from nlpstat_core.methods.preferences.existence import strong_components
from nlpstat_core.notes import Note
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import Battles


def connected_boards(battles: Any, **settings: Any) -> dict[str, Preferences | str]:
    """Rank the systems of every group that wins and ties connect both ways, each group alone.

    Parameters
    ----------
    battles : as for `rank_preferences`
    **settings
        As for `rank_preferences`.

    Returns
    -------
    dict of str to Preferences or str
        Boards by the first system of each group, those with most battles first; a sentence where there is no
        board. A note of each says what it leaves out. Strengths of two boards can't be compared: each has
        mean zero, and is corrected for its own pairs alone.

    Raises
    ------
    ScoreError
        Battles that can't be used.
    AnalysisError
        No two systems beat or tied each other both ways.

    Notes
    -----
    Groups are the strongly connected components of the graph from winner to loser with ties both ways: the
    largest sets of systems whose strengths are finite.

    Examples
    --------
    >>> battles = [("u", "v", "a"), ("v", "u", "a"), ("x", "y", "a"), ("y", "x", "tie")] * 9
    >>> boards = connected_boards(battles, clusters=None)
    >>> {name: board.top_group for name, board in boards.items()}
    {'u': ('u', 'v'), 'x': ('x',)}
    """
    given = as_battles(battles)
    groups = connected_groups(given)
    if not groups:
        raise AnalysisError(
            "No two systems have beaten or tied each other both ways, so that no strengths are finite: add "
            "battles."
        )
    found: list[tuple[int, str, Preferences | str]] = []
    for name in groups:
        part = battles_of_group(given, name)
        board: Preferences | str
        try:
            board = rank_preferences(part, **settings)
        except NlpstatError as error:
            board = str(error)
        found.append((part.n_battles, name, board))
    return {name: board for _, name, board in sorted(found, key=lambda one: -one[0])}


def connected_groups(battles: Battles) -> tuple[str, ...]:
    """Names of groups of two systems and more: the first system of each, in the order of their battles."""
    component = strong_components(counted(battles), ties_connect=True)
    sizes = np.bincount(component)
    _, firsts = np.unique(component, return_index=True)
    return tuple(battles.systems[place] for place in np.sort(firsts) if sizes[component[place]] > 1)


def battles_of_group(battles: Battles, name: str) -> Battles:
    """The battles inside the group of a system, which a note says.

    Raises ScoreError: No such system, or one in no group.
    """
    component = strong_components(counted(battles), ties_connect=True)
    inside = component == component[battles.position(name)]
    here = inside[battles.left] & inside[battles.right]
    if not here.any():
        raise ScoreError(f"{shown(name)} is connected to no other system by wins and ties both ways.")
    if inside.all():
        return battles
    outside = [one for one, there in zip(battles.systems, inside, strict=True) if not there]
    text = (
        f"Only the {int(here.sum()):,} of {battles.n_battles:,} battles among the {int(inside.sum()):,} "
        f"systems that wins and ties connect both ways; left out: {some_shown(outside)}."
    )
    return replace(battles.take(here), notes=(*battles.notes, Note("connected-group", "caution", text)))
