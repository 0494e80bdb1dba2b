"""changes(before, after): what differs between two analyses, and whether new scores can be why."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.arrays import BoolArray, CodeArray, IntArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.results.changes import ChangesData, unit_names
from nlpstat_core.scores.matrix import ScoreMatrix

_NOT_COMPARED = -1
# A verdict about a as one about b: better and worse change places.
_TURNED = np.array([0, 2, 1, 3, _NOT_COMPARED], dtype=np.int8)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Changes(ChangesData):
    """What differs between two analyses; systems are matched by name.

    Attributes
    ----------
    before, after : Analysis
    systems : tuple of str
        Those on both boards, in the order of the later one's file.
    added, removed : tuple of str
    settings : mapping of str to pair
        What each setting was and is, where that differs.
    same_scores : bool array, shape (n_systems,)
        Whether a system's scores are the same on both boards, item by item.
    rank_before, rank_after : int arrays, shape (n_systems,)
        Ranks among the systems on both boards, so that systems added or removed move nobody by themselves;
        0 where units connect no single board.
    flipped : int array, shape (n_flipped, 4)
        Positions of a and b in `systems`, verdict before, verdict after (positions in `results.VERDICTS`,
        about a); only pairs that both boards compared.
    n_compared : int
        Pairs that both boards compared.

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, analyse
    >>> values = [[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]]
    >>> before = analyse(ScoreMatrix(values=values, systems=["new", "old"]))
    >>> after = analyse(ScoreMatrix(values=[row[::-1] for row in values], systems=["new", "old"]))
    >>> found = changes(before, after)
    >>> found.rank_before.tolist(), found.rank_after.tolist(), found.added
    ([1, 2], [2, 1], ())
    """

    before: Analysis
    after: Analysis

    def to_dict(self) -> dict[str, Any]:
        """The changes as plain data."""
        from nlpstat_core.report.exports.data.changes import changes_to_dict

        return changes_to_dict(self)


def changes(before: Analysis, after: Analysis) -> Changes:
    """What differs between two analyses: settings, systems, decisions, ranks.

    A decision that flipped is an adjusted p that crossed alpha; it is no test of whether the two boards
    differ.

    Parameters
    ----------
    before, after : Analysis

    Returns
    -------
    Changes

    Raises
    ------
    AnalysisError
        Not two analyses, no system on both boards, or boards whose metrics have opposite directions.

    Examples
    --------
    >>> from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse
    >>> scores = ScoreMatrix(values=[[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]], systems=["new", "old"])
    >>> found = changes(analyse(scores), analyse(scores, AnalysisConfig(alpha=0.01)))
    >>> dict(found.settings), found.same_scores.tolist()
    ({'alpha': (0.05, 0.01)}, [True, True])
    """
    if not isinstance(before, Analysis) or not isinstance(after, Analysis):
        raise AnalysisError("changes compares two analyses, as `analyse` returns them.")
    if before.units.lower_is_better != after.units.lower_is_better:
        raise AnalysisError(
            "On one board higher scores are better and on the other lower ones: these are different metrics."
        )
    known = set(before.units.systems)
    systems = tuple(name for name in after.units.systems if name in known)
    if not systems:
        raise AnalysisError("The two boards have no system in common; systems are matched by name.")
    old, new = _verdicts(before, systems), _verdicts(after, systems)
    both = np.triu((old != _NOT_COMPARED) & (new != _NOT_COMPARED), 1)
    left, right = np.nonzero(both & (old != new))
    kept = set(systems)
    return Changes(
        before=before,
        after=after,
        systems=systems,
        added=tuple(name for name in after.units.systems if name not in kept),
        removed=tuple(name for name in before.units.systems if name not in kept),
        settings=_settings(before, after),
        same_scores=_same_scores(before.scores, after.scores, systems),
        rank_before=_ranks(before, systems),
        rank_after=_ranks(after, systems),
        flipped=np.stack([left, right, old[left, right], new[left, right]], axis=1).astype(np.int64),
        n_compared=int(both.sum()),
    )


def _settings(before: Analysis, after: Analysis) -> dict[str, tuple[Any, Any]]:
    old, new = before.config.to_dict(), after.config.to_dict()
    return {name: (old[name], new[name]) for name in new if old[name] != new[name]}


def _verdicts(analysis: Analysis, systems: tuple[str, ...]) -> CodeArray:
    """Verdicts about the row's system against the column's, by position in `systems`."""
    pairs = analysis.pairs
    place = np.full(analysis.units.n_systems, _NOT_COMPARED)
    place[[analysis.units.index(name) for name in systems]] = np.arange(len(systems))
    found = np.full((len(systems), len(systems)), _NOT_COMPARED, dtype=np.int8)
    known = (place[pairs.left] >= 0) & (place[pairs.right] >= 0) & ~np.isnan(pairs.p_adjusted)
    left, right, code = place[pairs.left[known]], place[pairs.right[known]], pairs.verdict_code[known]
    found[left, right], found[right, left] = code, _TURNED[code]
    return found


def _ranks(analysis: Analysis, systems: tuple[str, ...]) -> IntArray:
    """1 + systems of both boards that rank above; equal ranks stay equal."""
    board = analysis.leaderboard
    if board.group is not None:  # every group has ranks of its own
        return np.zeros(len(systems), dtype=np.int64)
    of = dict(zip(board.system, board.rank.tolist(), strict=True))
    ranks = np.array([of[name] for name in systems], dtype=np.int64)
    found: IntArray = 1 + np.searchsorted(np.sort(ranks), ranks, side="left")
    return found


def _same_scores(before: ScoreMatrix, after: ScoreMatrix, systems: tuple[str, ...]) -> BoolArray:
    """Item by item: by their ids, or by their places where a board has none."""
    if before.n_units != after.n_units or unit_names(before) != unit_names(after):
        return np.zeros(len(systems), dtype=bool)
    order = np.arange(after.n_units)
    if before.units is not None and after.units is not None:
        place = {unit: row for row, unit in enumerate(before.units)}
        order = np.array([place[unit] for unit in after.units])
    same = np.zeros(len(systems), dtype=bool)
    for i, name in enumerate(systems):
        old, new = before.index(name), after.index(name)
        tables = [(before.values[:, [old]], after.values[:, [new]])]
        if before.counts is not None and after.counts is not None:
            tables.append((before.counts.hits[:, [old]], after.counts.hits[:, [new]]))
            tables.append((before.counts.misses[:, [old]], after.counts.misses[:, [new]]))
        if before.runs is not None and after.runs is not None:
            tables.append((before.runs.values[old], after.runs.values[new]))
        alike = (before.counts is None) == (after.counts is None)
        alike &= (before.runs is None) == (after.runs is None)
        same[i] = alike and all(np.array_equal(one[order], other, equal_nan=True) for one, other in tables)
    return same
