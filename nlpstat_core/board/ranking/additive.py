"""Scores of systems that have different units: the additive fit of unit and system."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.columns.contributions import contributions
from nlpstat_core.scores.matrix import ScoreMatrix

# Fitted scores closer than this, relative to the largest score, differ by rounding only.
_TIE = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class AdditiveFit:
    """Scores as if every system had every unit of its group.

    score (float array, shape (n_systems,)): Fitted mean over the units of the system's group, metric points;
        NaN for a system without units.
    unit_values (float array, shape (n_units, n_systems)): The score plus what each unit adds to its deviation
        (to first order), in canonical order of the units; NaN for units of other groups. Their means are the
        scores, their spread gives the standard errors.
    group (int array, shape (n_systems,)): Systems that units connect, directly or by way of other systems; 1
        for the largest group.
    fitted (bool array, shape (n_systems,)): Systems of groups in which not all have the same units: elsewhere
        the fit is the system's own score.
    """

    score: FloatArray
    unit_values: FloatArray
    group: IntArray
    fitted: BoolArray


def same_units(scores: ScoreMatrix) -> bool:
    """Whether all systems that have any unit have the same ones, so that their own scores order them."""
    there = scores.present[:, scores.present.any(axis=0)]
    return bool(np.all(there.all(axis=1) | ~there.any(axis=1)))


def connected_groups(present: BoolArray) -> IntArray:
    """Groups of systems that units connect, directly or by way of other systems.

    Returns int array, shape (n_systems,): 1 for the largest group, the one with the first column among
        equally large ones. Systems without any unit stand in group 1.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    there = present.astype(np.float32)
    shared = csr_array((there.T @ there > 0).astype(np.int8))
    _, label = connected_components(shared, directed=False)
    empty = ~present.any(axis=0)
    if empty.all():
        return np.ones(present.shape[1], dtype=np.int64)
    names, first, size = np.unique(label[~empty], return_index=True, return_counts=True)
    place = np.ones(int(label.max()) + 1, dtype=np.int64)
    place[names[np.lexsort((first, -size))]] = np.arange(1, names.size + 1)
    return np.where(empty, 1, place[label])


def additive_fit(scores: ScoreMatrix) -> AdditiveFit:
    """Least-squares fit of an effect of the unit plus an effect of the system to the scores that are there.

    y_us = α_u + β_s over the cells that are there, in each connected group by itself: between groups nothing
    is identified. With the units eliminated β solves the S × S normal equations (D − P'N⁻¹P)β = P'(y − ȳ_u),
    P the presence of the cells, D and N its counts by system and by unit. The score is β_s plus the mean of α
    over the group's units: where the systems have the same units exactly the mean of the system's column.
    Counts are fitted by their units' contributions to the micro-averaged score,
    R_s + n_s·(h_us − R_s·w_us)/Σw, which for equal totals are the units' own scores. `unit_values` come from
    the influence function of the fit, units as a sample; for complete scores they are the scores themselves.
    Cost O(n·S² + S³).

    Source: Searle (1971), Linear Models, chapter 7 (two-way classification with unequal numbers).
    """
    order = scores.canonical_order
    own = contributions(scores.values[order], None if scores.counts is None else scores.counts.rows(order))
    present = scores.present[order]
    table = (
        scores.values[order]
        if scores.counts is None
        else (own.score[:, None] + own.n_units[:, None] * own.parts).T
    )
    group = connected_groups(present)
    score, unit_values = own.score.copy(), np.full(table.shape, np.nan)
    fitted = np.zeros(scores.n_systems, dtype=bool)
    for number in range(1, int(group.max()) + 1):
        members = np.flatnonzero((group == number) & (own.n_units > 0))
        rows = np.flatnonzero(present[:, members].any(axis=1))
        cells, there = table[np.ix_(rows, members)], present[np.ix_(rows, members)]
        if there.all():
            unit_values[np.ix_(rows, members)] = cells
            continue
        fitted[members] = True
        score[members], unit_values[np.ix_(rows, members)] = _group_fit(cells, there)
    return AdditiveFit(score=score, unit_values=unit_values, group=group, fitted=fitted)


def _group_fit(cells: FloatArray, there: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Scores and unit values of one connected group."""
    from scipy.linalg import cho_factor, cho_solve

    n, n_systems = cells.shape
    level = float(cells[there].mean())
    present = there.astype(float)
    shifted = np.where(there, cells - level, 0.0)
    systems_of_unit = present.sum(axis=1)
    shared = present.T @ (present / systems_of_unit[:, None])
    normal = np.diag(present.sum(axis=0)) - shared
    right = (shifted - present * (shifted.sum(axis=1) / systems_of_unit)[:, None]).sum(axis=0)
    # The rows of `normal` sum to 0; with a constant added to it the solution is the one whose sum is 0.
    factor = cho_factor(normal + n / n_systems)
    beta = cho_solve(factor, right)
    alpha = (shifted - present * beta).sum(axis=1) / systems_of_unit
    score = _joined_ties(level + alpha.mean() + beta, float(np.abs(cells[there]).max()))
    residual = np.where(there, shifted - alpha[:, None] - beta, 0.0)
    moved = n * cho_solve(factor, residual.T).T
    weight = (present / systems_of_unit[:, None]).mean(axis=0)
    influence = (alpha - alpha.mean())[:, None] + moved - (moved @ weight)[:, None]
    return score, score + influence


def _joined_ties(score: FloatArray, largest: float) -> FloatArray:
    """Scores that differ by rounding only as equal ones."""
    order = np.argsort(score, kind="stable")
    ordered = score[order]
    starts = np.concatenate([[True], np.diff(ordered) > _TIE * largest])
    joined = np.empty_like(score)
    joined[order] = ordered[starts][np.cumsum(starts) - 1]
    return joined
