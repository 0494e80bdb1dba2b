"""score_against_cost: which systems none beats on score and cost, and how firmly they stand there."""

from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.analysis.given import as_matrix
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.ranking.rank_distribution import drawn_strata
from nlpstat_core.board.ranking.system_scores import own_scores
from nlpstat_core.board.settled import settled
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.blocks import blocks_of
from nlpstat_core.engine.resampling import one_blas_thread, stratified_chunks
from nlpstat_core.errors import AnalysisError, shown, some_shown, unknown
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.results.cost import CostFront
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.means_only import refuse_measured
from nlpstat_core.stopping import ShouldStop, stoppable

STREAM = "cost-front"
# Means closer than this, relative to the largest, differ by rounding only.
_TIE = 1e-12


def score_against_cost(
    scores: ScoreMatrix | Any,
    cost: str | None = None,
    *,
    config: AnalysisConfig | None = None,
    should_stop: ShouldStop | None = None,
) -> CostFront:
    """Systems by mean score and mean cost, the front that none beats on both, and how probably each is on it.

    Parameters
    ----------
    scores : ScoreMatrix or data frame
        With costs: `read_scores` keeps columns of cost, time, tokens or length as such.
    cost : str, optional
        Which of its costs; the first where not given.
    config : AnalysisConfig, optional
        Level, resamples, seed and documents are used.
    should_stop : callable, optional
        Asked now and then; true ends in `Cancelled`.

    Returns
    -------
    CostFront

    Raises
    ------
    AnalysisError
        No costs or not this one, fewer than two systems that have it, no item of which all systems have score
        and cost, a score that is no mean of items.

    Notes
    -----
    A system is on the front where no other is at least as good on both and better on one. Items (documents,
    where they are named) are drawn anew, score and cost of all systems together, and the front is made
    anew: the probability is the share of B resamples, with a Monte Carlo error of √(q(1 − q)/B). Resamples
    shuffle close systems once more, so it leans towards the middle; it is no p-value. Intervals are those of
    the leaderboard, of one mean at a time. Cost O(B·(n·S + S·log S)).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> values, seconds = rng.normal(size=(50, 3)) + [0, 2, 1], rng.gamma(9, size=(50, 3)) * [1, 2, 9]
    >>> found = score_against_cost(ScoreMatrix(values=values, systems="ABC", costs={"seconds": seconds}))
    >>> found.front, found.beaten_by
    (('B', 'A'), {'C': ('B',)})
    """
    given, config = as_matrix(scores, "score_against_cost"), config or AnalysisConfig()
    refuse_measured(given, "A picture of score and cost")
    if given.counts is not None:
        raise AnalysisError("A picture of score and cost is there for means of item scores only.")
    if not given.costs:
        raise AnalysisError(
            "The scores have no costs; give a column of cost, time, tokens or length for every system."
        )
    name = next(iter(given.costs)) if cost is None else cost
    if name not in given.costs:
        raise AnalysisError(unknown("cost", name, tuple(given.costs)))
    board, notes = _complete(given, name)
    config = settled(board, config)
    ids = block_ids(board, config)
    paid = replace(board, values=board.costs[name], lower_is_better=True, costs={}, metric=name)
    score, _, score_interval = own_scores(board, config.level, ids)
    mean, _, cost_interval = own_scores(paid, config.level, ids)
    if (paid.values >= 0).all():
        cost_interval = np.maximum(cost_interval, 0.0)
    sign = -1.0 if board.lower_is_better else 1.0
    with one_blas_thread(), stoppable(should_stop):
        hits = _resampled(board, paid.values, sign, ids, config)
    order = np.lexsort((mean, -sign * score))
    return CostFront(
        metric=board.metric or "score",
        cost=name,
        lower_is_better=board.lower_is_better,
        systems=tuple(board.systems[i] for i in order),
        score=score[order],
        score_interval=score_interval[order],
        mean_cost=mean[order],
        cost_interval=cost_interval[order],
        on_front=on_front(sign * score[None], mean[None])[0][order],
        probability=hits[order] / config.resamples,
        items=board.n_units,
        resamples=config.resamples,
        seed=config.seed,
        documents=config.block_column or "",
        level=config.level,
        source=board.source,
        notes=tuple(notes),
    )


def _complete(scores: ScoreMatrix, name: str) -> tuple[ScoreMatrix, list[Note]]:
    """Systems with this cost, on the items of which all of them have score and cost."""
    there = scores.present & np.isfinite(scores.costs[name])
    kept = np.flatnonzero(there.any(axis=0))
    if kept.size < 2:
        raise AnalysisError(f"Fewer than two systems have the cost {shown(name)} beside their scores.")
    notes = []
    if kept.size < scores.n_systems:
        out = [scores.systems[i] for i in range(scores.n_systems) if i not in kept]
        text = f"Left out because their cost {shown(name)} isn't known: {some_shown(out)}."
        notes.append(Note("costs-missing", "caution", text))
    rows = np.flatnonzero(there[:, kept].all(axis=1))
    if rows.size < 2:
        raise AnalysisError(
            f"Fewer than two items have score and {shown(name)} of all systems; leave out systems that lack "
            "them."
        )
    if rows.size < scores.n_units:
        text = (
            f"{count_of(scores.n_units - rows.size, 'item')} without score and {shown(name)} of all systems "
            "don't count: both axes are means over the same items."
        )
        notes.append(Note("items-not-of-all", "caution", text))
    if scores.runs is not None:
        text = "Several runs of a system are averaged: what is said holds for these runs."
        notes.append(Note("costs-of-runs", "caution", text))
    return replace(scores.columns(kept.tolist()).rows(rows), runs=None, ratings=None), notes


def _resampled(
    board: ScoreMatrix, costs: FloatArray, sign: float, ids: IntArray | None, config: AnalysisConfig
) -> FloatArray:
    """In how many resamples each system is on the front."""
    order, n = board.canonical_order, board.n_systems
    both = np.concatenate([sign * board.values, costs, np.ones((board.n_units, 1))], axis=1)[order]
    if ids is not None:
        both = blocks_of(ids[order]).sums(both.T).T
    hits = np.zeros(n)
    for _, drawn in stratified_chunks(drawn_strata(board, ids), config.resamples, config.seed, STREAM):
        sums = drawn @ both
        means = sums[:, :-1] / sums[:, -1:]
        hits += on_front(means[:, :n], means[:, n:]).sum(axis=0)
    return hits


def on_front(score: FloatArray, cost: FloatArray) -> BoolArray:
    """Whether no other system of the same row is at least as good on both and better on one.

    score (float array, shape (B, n_systems)): Higher is better.
    cost (float array, shape (B, n_systems)): Lower is better.

    From the cheapest on, of equal ones from the best: a system is on the front where its score is above
    those of all before it, or where it equals one that is on both. Cost O(B·S·log S).

    >>> on_front(np.array([[3.0, 2.0, 2.0, 1.0]]), np.array([[9.0, 4.0, 5.0, 1.0]])).tolist()
    [[True, True, False, True]]
    """
    scores, costs = (_snapped(values) for values in (score, cost))
    order = np.lexsort((-scores, costs), axis=1)
    ordered, paid = (np.take_along_axis(values, order, axis=1) for values in (scores, costs))
    before = np.maximum.accumulate(ordered, axis=1)
    ahead = np.ones(ordered.shape, dtype=bool)
    ahead[:, 1:] = ordered[:, 1:] > before[:, :-1]
    fresh = np.ones(ordered.shape, dtype=bool)
    fresh[:, 1:] = (np.diff(ordered, axis=1) != 0) | (np.diff(paid, axis=1) != 0)
    first = np.maximum.accumulate(np.where(fresh, np.arange(ordered.shape[1]), 0), axis=1)
    found = np.empty(ordered.shape, dtype=bool)
    np.put_along_axis(found, order, np.take_along_axis(ahead, first, axis=1), axis=1)
    return found


def _snapped(values: FloatArray) -> FloatArray:
    """Values on a grid far finer than they are known, so that those that differ by rounding are equal."""
    largest = float(np.abs(values).max(initial=0.0))
    return np.rint(values / (largest * _TIE)) if largest > 0 else values
