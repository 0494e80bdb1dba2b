"""The cells that people and metrics have in common, higher being better for all."""

from collections.abc import Mapping

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, shown
from nlpstat_core.results.metrics import Judged
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix


def aligned(boards: Mapping[str, ScoreMatrix], human: str) -> Judged:
    """Bring every metric onto the systems and units that people judged.

    Raises AnalysisError: No other metric, none with a cell that people judged, or units that can't be
        matched.
    """
    people = boards[human]
    names = [name for name in boards if name != human]
    if not names:
        raise AnalysisError(f"{shown(human)} is the only metric; there is none to compare with it.")
    rows = np.flatnonzero(people.present.any(axis=1))
    if rows.size == 0:
        raise AnalysisError(f"{shown(human)} has no score at all.")
    judged = advantage(people.values[rows], people.lower_is_better)
    scores = np.full((len(names), rows.size, people.n_systems), np.nan)
    for place, name in enumerate(names):
        scores[place] = _brought(boards[name], people, rows, name, human)
    scores[:, np.isnan(judged)] = np.nan
    cells = {name: int(np.count_nonzero(~np.isnan(scores[i]))) for i, name in enumerate(names)}
    if not any(cells.values()):
        raise AnalysisError(
            f"No metric has a score for a system and item that {shown(human)} judged; items and systems need "
            "the same names everywhere."
        )
    return Judged(
        systems=people.systems,
        metrics=tuple(names),
        human=judged,
        scores=scores,
        decimals=tuple(_decimals(boards[name]) for name in (human, *names)),
        without={
            name: gone
            for name in names
            if (gone := tuple(one for one in people.systems if one not in boards[name].systems))
        },
        cells=cells,
        judged_cells=int(np.count_nonzero(~np.isnan(judged))),
        lower=tuple(name for name, board in boards.items() if board.lower_is_better),
    )


def _decimals(scores: ScoreMatrix) -> int:
    return scores.decimals if scores.present.any() else MOST_DECIMALS


def _brought(scores: ScoreMatrix, people: ScoreMatrix, rows: IntArray, name: str, human: str) -> FloatArray:
    """One metric on the human units and systems."""
    if (scores.units is None) != (people.units is None):
        which = name if scores.units is None else human
        raise AnalysisError(
            f"{shown(which)} has no item ids and the other side has; give both ids, "
            "or neither and equal rows."
        )
    if scores.units is None or people.units is None:
        if scores.n_units != people.n_units:
            raise AnalysisError(
                f"{shown(name)} has {scores.n_units:,} rows and {shown(human)} {people.n_units:,}, and there "
                "are no item ids to match them by; add a column of ids."
            )
        places = rows
    else:
        known = {unit: row for row, unit in enumerate(scores.units)}
        places = np.array([known.get(people.units[row], -1) for row in rows], dtype=np.int64)
    oriented = advantage(scores.values, scores.lower_is_better)
    column = {system: place for place, system in enumerate(scores.systems)}
    found = np.full((rows.size, people.n_systems), np.nan)
    for place, system in enumerate(people.systems):
        if system in column:
            found[places >= 0, place] = oriented[places[places >= 0], column[system]]
    return found
