"""preference_changes: what differs between two boards of preferences."""

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.board.ranking.leaderboard import ranks_of
from nlpstat_core.errors import AnalysisError
from nlpstat_core.results.preference_gate import PreferenceChanges
from nlpstat_core.results.preferences import Preferences

_FOUND = {1: "stronger", -1: "weaker", 0: "not found to differ"}


def preference_changes(before: Preferences, after: Preferences) -> PreferenceChanges:
    """What differs between two boards of preferences: settings, systems, decisions, ranks.

    A decision that flipped is an adjusted p that crossed alpha; it is no test of whether the boards differ.
    Strengths of two boards aren't compared: each has mean zero over its own systems.

    Parameters
    ----------
    before, after : Preferences

    Returns
    -------
    PreferenceChanges

    Raises
    ------
    AnalysisError
        Not two boards of preferences, or no two systems on both.

    Examples
    --------
    >>> from nlpstat_core import rank_preferences
    >>> battles = [("u", "v", "a")] * 30 + [("u", "v", "b")] * 10 + [("v", "w", "tie")] * 9
    >>> board = rank_preferences(battles, clusters=None)
    >>> preference_changes(board, board)
    <PreferenceChanges: 0 of 3 pairs decided otherwise, 0 ranks moved>
    """
    if not isinstance(before, Preferences) or not isinstance(after, Preferences):
        raise AnalysisError("preference_changes compares two boards, as `rank_preferences` returns them.")
    both = {*before.systems} & {*after.systems}
    systems = tuple(name for name in after.systems if name in both)
    if len(systems) < 2:
        raise AnalysisError(
            "The two boards have no two systems in common, so no pair can be compared; systems are matched "
            "by name."
        )
    left, right = np.triu_indices(len(systems), 1)
    old, new = (_decisions(board, systems, left, right) for board in (before, after))
    ranks = [
        ranks_of(board.strength[[board.systems.index(name) for name in systems]]) for board in (before, after)
    ]
    return PreferenceChanges(
        before=before,
        after=after,
        systems=systems,
        added=tuple(name for name in after.systems if name not in both),
        removed=tuple(name for name in before.systems if name not in both),
        settings={
            name: (before.config[name], value)
            for name, value in after.config.items()
            if before.config[name] != value
        },
        ranks=tuple(
            (name, int(was), int(now)) for name, was, now in zip(systems, *ranks, strict=True) if was != now
        ),
        flipped=tuple(
            (systems[left[i]], systems[right[i]], _FOUND[int(old[i])], _FOUND[int(new[i])])
            for i in np.flatnonzero(old != new)
        ),
        n_compared=left.size,
    )


def _decisions(board: Preferences, systems: tuple[str, ...], left: IntArray, right: IntArray) -> IntArray:
    """1 where the left system is found to be stronger, −1 where the right one is, 0 where neither is."""
    at = np.array([board.systems.index(name) for name in systems])
    rows = board.rows_of(at[left], at[right])
    turned = np.where(board.left[rows] == at[left], 1, -1)
    found = np.where(board.significant[rows], turned * np.sign(board.difference[rows]), 0)
    return np.asarray(found, dtype=np.int64)
