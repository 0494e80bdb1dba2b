"""Battles of each category, language or judge, or of each group that wins connect, as a board each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.analysis.preferences import rank_preferences
from nlpstat_core.errors import AnalysisError, NlpstatError, ScoreError, shown, some_shown
from nlpstat_core.methods.preferences.fit import strong_components
from nlpstat_core.methods.preferences.models import counted
from nlpstat_core.notes import Note
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import Battles, coded

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
    return _ranked({str(kind): given.take(codes == number) for number, kind in enumerate(kinds)}, settings)


def _ranked(parts: Mapping[str, Battles], settings: Mapping[str, Any]) -> dict[str, Preferences | str]:
    """A board of each part, those with most battles first; a sentence where there is no board."""
    found: dict[str, Preferences | str] = {}
    for name, part in sorted(parts.items(), key=lambda one: -one[1].n_battles):
        try:
            found[name] = rank_preferences(part, **settings)
        except NlpstatError as error:
            found[name] = str(error)
    return found


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
    return _ranked({name: battles_of_group(given, name) for name in groups}, settings)


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
